"""The pass marks of bots: passed, failed, or not known yet; never a toss of a coin.

A bot beats another, to a mark's `confidence`, if it is so sure that its score against
it is over the mark's `score` in the long run (`arena.ratings.match_ups.duels`); it
fails if it is so sure that it is not. In between nothing is known yet. A bot that is
just as good passes at .95 in about one of twenty leagues, and in fewer where there are
few fixtures: over all that two games of a fixture may have in common, .058 at the most
with 1 to 30.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import floor

from arena.league.config.info import EntryInfo, LeagueInfo, find_entry
from arena.league.config.settings import BeatsSettings, GradingSettings
from arena.ratings.match_ups.duels import Duel, duels
from arena.reports.forfeits import Forfeit, by_bot, reasons_text
from arena.reports.report import Report, ReportRow, rounded
from arena.text import one_line

RANK_GROUP = "rank group"


class MarkResult(StrEnum):
    """The state of a mark."""

    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Criterion:
    """Something that gives points."""

    title: str
    points: float
    """The most that it gives."""


@dataclass(frozen=True, slots=True)
class Mark:
    """The result of a bot in one criterion."""

    criterion: Criterion
    outcome: MarkResult
    reason: str
    """One line."""
    points: float = 0.0
    more_games: int | None = None
    """About how many more games would decide it (`Duel.more_games`)."""

    @property
    def undecided_points(self) -> float:
        """The points that may come yet."""
        return self.criterion.points if self.outcome is MarkResult.UNDECIDED else 0.0


@dataclass(frozen=True, slots=True)
class BotMarks:
    """All marks of a bot, in the order of the criteria."""

    entry: EntryInfo
    rank: int | None
    """Overall."""
    marks: tuple[Mark, ...]

    @property
    def points(self) -> float:
        """Those that are certain."""
        return add_points(mark.points for mark in self.marks)

    @property
    def undecided_points(self) -> float:
        """Those that may come yet."""
        return add_points(mark.undecided_points for mark in self.marks)


def add_points(points: Iterable[float]) -> float:
    """Return a sum of points, to six decimals."""
    return rounded(sum(points), 6)


def criteria_of(info: LeagueInfo) -> tuple[Criterion, ...]:
    """Return all criteria, in the order of the grading's settings.

    `info` has passed `check_grading`.
    """
    grading = info.grading or GradingSettings()
    found = [Criterion(_title(info, beats), beats.points) for beats in grading.beats]
    if grading.rank_groups:
        found.append(Criterion(RANK_GROUP, max(grading.rank_groups)))
    return tuple(found)


def _title(info: LeagueInfo, beats: BeatsSettings) -> str:
    bot = find_entry(info.entries, beats.bot)
    assert bot is not None
    what = f"beats {bot.name}"
    if beats.score != 0.5:
        what = f"scores over {_share(beats.score)} against {bot.name}"
    game = "" if beats.game is None else f" in {beats.game}"
    sure = "" if beats.confidence == 0.95 else f" ({_share(beats.confidence)} sure)"
    return what + game + sure


def marks_of_bots(report: Report, info: LeagueInfo) -> dict[str, BotMarks]:
    """Return the marks of each bot, by its entry's id.

    `info` has passed `check_grading`; the report has the bots' own names.
    """
    grading = info.grading or GradingSettings()
    rows = {row.bot: row for row in report.rows}
    forfeits = by_bot(report.forfeits)
    criteria = criteria_of(info)
    of_beats = [_Beats(report, info, beats) for beats in grading.beats]
    found = {}
    for entry in info.entries:
        row = rows[entry.name]
        lost = _lost(entry, row, forfeits.get(entry.name, ()))
        marks = []
        for criterion, beats in zip(criteria, [*of_beats, None], strict=False):
            if lost:
                marks.append(Mark(criterion, MarkResult.FAILED, lost))
            elif beats is None:
                marks.append(_rank_group(criterion, grading.rank_groups, row))
            else:
                marks.append(beats.mark(criterion, entry, row))
        found[entry.id] = BotMarks(entry, row.rank, tuple(marks))
    return found


def _lost(entry: EntryInfo, row: ReportRow, forfeits: Iterable[Forfeit]) -> str:
    """Return why a bot can have no points at all, if it can't."""
    if entry.refused:
        return f"its file can't be read: {one_line(entry.refused)}"
    if row.games and row.forfeits == row.games:
        return f"has forfeited {_all(row.games)}: {reasons_text(forfeits)}"
    return ""


def _all(games: int) -> str:
    return "its only game" if games == 1 else f"all of its {games} games"


def _rank_group(criterion: Criterion, by_group: list[float], row: ReportRow) -> Mark:
    if row.group is None:
        reason = "has no games, so it is in no group"
        return Mark(criterion, MarkResult.FAILED, reason)
    points = by_group[row.group - 1] if row.group <= len(by_group) else 0.0
    outcome = MarkResult.PASSED if points else MarkResult.FAILED
    points_of_groups = ", ".join(f"{x:g}" for x in by_group)
    reason = (
        f"rank {row.rank}, in tie group {row.group} of the leaderboard; from the first "
        f"group on they give {points_of_groups}"
    )
    return Mark(criterion, outcome, reason, points)


class _Beats:
    """One of `beats`, for all bots."""

    def __init__(self, report: Report, info: LeagueInfo, beats: BeatsSettings) -> None:
        bot = find_entry(info.entries, beats.bot)
        assert bot is not None
        self._beats = beats
        self._bot = bot
        self._duels: Mapping[str, Duel] = duels(
            [
                board.fits.pool
                for board in report.boards
                if board.fits is not None and beats.game in (None, board.label.label)
            ],
            bot.name,
        )

    def mark(self, criterion: Criterion, entry: EntryInfo, row: ReportRow) -> Mark:
        """Return the mark of a bot that can play."""
        beats = self._beats
        reason = self._cannot(entry, row)
        if reason:
            return Mark(criterion, MarkResult.FAILED, reason)
        duel = self._duels.get(entry.name)
        if duel is None:
            reason = f"has not met {self._bot.name} yet"
            return Mark(criterion, MarkResult.UNDECIDED, reason)
        sure = duel.confidence(beats.score)
        is_over = sure >= 0.5
        sure = max(sure, 1.0 - sure)
        games = "the only game" if duel.games == 1 else f"{duel.games} games"
        reason = (
            f"scored {100 * duel.score:.1f} % of {games}: {_sure(sure)} sure "
            f"{'' if is_over else 'not '}to score over {_share(beats.score)} in the "
            f"long run; {_share(beats.confidence)} needed"
        )
        if sure >= beats.confidence:
            if is_over:
                return Mark(criterion, MarkResult.PASSED, reason, beats.points)
            return Mark(criterion, MarkResult.FAILED, reason)
        more = duel.more_games(beats.score, beats.confidence)
        reason += (
            "; too close to say how many more games that takes"
            if more is None
            else f"; that takes about {more} more games"
        )
        return Mark(criterion, MarkResult.UNDECIDED, reason, more_games=more)

    def _cannot(self, entry: EntryInfo, row: ReportRow) -> str:
        """Return why nothing but a failure is possible, if so."""
        game = self._beats.game
        if entry.id == self._bot.id:
            return "is this very bot"
        if game is None:
            if not set(entry.labels) & set(self._bot.labels):
                return f"plays none of the games that {self._bot.name} plays"
            return ""
        if game not in entry.labels:
            return f"does not play {game}"
        own = row.per_game.get(game)
        if own is not None and own.forfeits == own.games:
            return f"has forfeited {_all(own.games)} of {game}"
        return ""


def _share(share: float) -> str:
    return f"{rounded(100.0 * share, 6):g} %"


def _sure(confidence: float) -> str:
    """Return a confidence, rounded down: it never seems enough where it is not."""
    percent = floor(1000.0 * confidence + 1e-9) / 10.0
    return "over 99.9 %" if percent >= 99.9 else f"{percent:g} %"
