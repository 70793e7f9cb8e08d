"""The pass marks of bots: passed, failed, or not known yet; never a toss of a coin.

A bot beats another, to a mark's `confidence`, if it is so sure that its score against
it is over the mark's `score` in the long run (`arena.ratings.match_ups.duels`); it
fails if it is so sure that it is not.  In between nothing is known yet.

The confidence is a student's.  Of several bots the best one counts, and of many copies
of one policy the best one is lucky: so the error is shared out (C. E. Bonferroni,
1936), and each of m bots that could pass a mark has to be 1 - (1 - confidence) / m
sure.  A student fails only if all his bots do, so that each of them may fail at the
mark's own confidence: a bot that is good enough does so no more often in company.

A mark without a game asks for the mean over the games that the other bot plays, by
their weights.  A game that a bot does not play is lost, so leaving one out never pays.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import compress
from math import ceil, floor
from typing import Final

from arena.league.config.info import EntryInfo, LeagueInfo, find_entry
from arena.league.config.settings import BeatsSettings, GradingSettings
from arena.ratings.claims import MOST_GAMES, Strengths, better
from arena.ratings.match_ups.duels import Duel, duels
from arena.reports.forfeits import Forfeit, by_bot, reasons_text
from arena.reports.report import Report, ReportRow, rounded
from arena.text import counted, listed, one_line

RANK_GROUP = "rank group"
_TINY: Final = 1e-9
"""By so much sums of shares may be wrong."""


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


class Marker:
    """Gives the marks of a league, to one student after the other."""

    def __init__(self, report: Report, info: LeagueInfo) -> None:
        """Take a league.

        `info` has passed `check_grading`; the report has the bots' own names.
        """
        self._rows = {row.bot: row for row in report.rows}
        self._forfeits = by_bot(report.forfeits)
        grading = info.grading or GradingSettings()
        self._criteria = criteria_of(info)
        self._of_beats = [_Beats(report, info, beats) for beats in grading.beats]
        self._of_ranks = _Ranks(report, info)

    def marks(self, bots: Sequence[EntryInfo]) -> list[BotMarks]:
        """Return the marks of all bots of a student, in their order."""
        rivals = [sum(beats.can_pass(bot) for bot in bots) for beats in self._of_beats]
        return [self._marks(bot, rivals) for bot in bots]

    def _marks(self, bot: EntryInfo, rivals: Sequence[int]) -> BotMarks:
        row = self._rows[bot.name]
        lost = _lost(bot, row, self._forfeits.get(bot.name, ()))
        marks = []
        for i, criterion in enumerate(self._criteria):
            if lost:
                marks.append(Mark(criterion, MarkResult.FAILED, lost))
            elif i < len(self._of_beats):
                marks.append(self._of_beats[i].mark(criterion, bot, row, rivals[i]))
            else:
                marks.append(self._of_ranks.mark(criterion, row))
        return BotMarks(bot, row.rank, tuple(marks))


def needed_to_pass(confidence: float, bots: int) -> float:
    """Return how sure each of a student's bots has to be, for the student to be so
    sure, as the best of so many bots counts."""
    return 1.0 - (1.0 - confidence) / max(bots, 1)


def _lost(entry: EntryInfo, row: ReportRow, forfeits: Iterable[Forfeit]) -> str:
    """Return why a bot can have no points at all, if it can't."""
    if entry.refused:
        return f"its file can't be read: {one_line(entry.refused)}"
    if row.games and row.forfeits == row.games:
        return f"has forfeited {_all(row.games)}: {reasons_text(forfeits)}"
    return ""


def _all(games: int) -> str:
    return "its only game" if games == 1 else f"all of its {games} games"


class _Ranks:
    """`rank_groups`, for all bots."""

    def __init__(self, report: Report, info: LeagueInfo) -> None:
        grading = info.grading or GradingSettings()
        self._points = grading.rank_groups
        self._floor = None
        if grading.rank_groups_above is not None:
            self._floor = find_entry(info.entries, grading.rank_groups_above)
        self._above = _above(report.overall, self._floor)

    def mark(self, criterion: Criterion, row: ReportRow) -> Mark:
        """Return the mark of a bot that can play."""
        if not row.games:
            reason = "has no games, so it is in no group"
            return Mark(criterion, MarkResult.FAILED, reason)
        if row.group is None:
            why = (
                f", as it has no games in {listed(row.missing)}" if row.missing else ""
            )
            reason = f"has no overall rank{why}"
            return Mark(criterion, MarkResult.FAILED, reason)
        where = f"rank {row.rank}, in tie group {row.group} of the leaderboard"
        if self._floor is not None and row.bot not in self._above:
            reason = f"{where}, but not surely above {self._floor.name}"
            return Mark(criterion, MarkResult.FAILED, reason)
        points = self._points[row.group - 1] if row.group <= len(self._points) else 0.0
        of_groups = ", ".join(f"{x:g}" for x in self._points)
        return Mark(
            criterion,
            MarkResult.PASSED if points else MarkResult.FAILED,
            f"{where}; from the first group on they give {of_groups}",
            points,
        )


class _Beats:
    """One of `beats`, for all bots."""

    def __init__(self, report: Report, info: LeagueInfo, beats: BeatsSettings) -> None:
        bot = find_entry(info.entries, beats.bot)
        assert bot is not None
        self._beats = beats
        self._bot = bot
        self._shares = shares_of(info, beats, bot)
        self._duels = duels(
            {
                board.label.label: board.fits.scored
                for board in report.boards
                if board.fits is not None and board.label.label in self._shares
            },
            bot.name,
        )

    def can_pass(self, entry: EntryInfo) -> bool:
        """Return True if a bot could pass, by the games that it plays."""
        missed = sum(self._shares[label] for label in self._missed(entry))
        return entry.id != self._bot.id and 1.0 - missed > self._beats.score + _TINY

    def mark(
        self, criterion: Criterion, entry: EntryInfo, row: ReportRow, rivals: int
    ) -> Mark:
        """Return the mark of a bot that can play, one of so many `rivals`.

        These are the student's bots that can pass.
        """
        beats = self._beats
        reason = self._cannot(entry, row)
        if reason:
            return Mark(criterion, MarkResult.FAILED, reason)
        found = self._duels.get(entry.name, {})
        plays = [label for label in self._shares if label in entry.labels]
        unmet = [label for label in plays if label not in found]
        if unmet:
            where = "" if len(unmet) == len(plays) else f" in {listed(unmet)}"
            reason = f"has not met {self._bot.name}{where} yet"
            return Mark(criterion, MarkResult.UNDECIDED, reason)
        duel = Duel(
            [found[label] for label in plays],
            [self._shares[label] for label in plays],
        )
        sure = duel.confidence(beats.score)
        is_over = sure >= 0.5
        sure = max(sure, 1.0 - sure)
        to_pass = needed_to_pass(beats.confidence, rivals)
        needed = to_pass if is_over else beats.confidence
        reason = (
            f"{self._scored(entry, duel)}: {_sure(sure)} sure "
            f"{'' if is_over else 'not '}to score over {_share(beats.score)} in the "
            f"long run; {_needed(needed)} needed"
        )
        if is_over and rivals > 1:
            reason += f", as {rivals} bots of this student play"
        if sure >= needed:
            if is_over:
                return Mark(criterion, MarkResult.PASSED, reason, beats.points)
            return Mark(criterion, MarkResult.FAILED, reason)
        more = duel.more_games(beats.score, to_pass, beats.confidence)
        reason += (
            f"; that takes more than {MOST_GAMES:,} more games"
            if more is None
            else f"; that takes about {more} more games"
        )
        return Mark(criterion, MarkResult.UNDECIDED, reason, more_games=more)

    def _missed(self, entry: EntryInfo) -> list[str]:
        """Return the games that a bot does not play, and that count as lost."""
        return [label for label in self._shares if label not in entry.labels]

    def _scored(self, entry: EntryInfo, duel: Duel) -> str:
        """Return what a bot has scored."""
        without_luck = ""
        if f"{100 * duel.score:.1f}" != f"{100 * duel.won:.1f}":
            without_luck = f" ({100 * duel.score:.1f} % without luck)"
        if len(self._shares) == 1:
            games = "the only game" if duel.games == 1 else f"{duel.games} games"
            return f"scored {100 * duel.won:.1f} % of {games}{without_luck}"
        plays = [label for label in self._shares if label in entry.labels]
        told = listed(
            f"{100 * own.won:.1f} % of {counted(own.games, 'game')} in {label}"
            for label, own in zip(plays, duel.labels, strict=True)
        )
        missed = self._missed(entry)
        if missed:
            told += f" and lost {listed(missed)}, which it does not play"
        by_weight = " by weight" if len({*self._shares.values()}) > 1 else ""
        mean = f"{100 * duel.won:.1f} % on average{by_weight}"
        return f"scored {told}, {mean}{without_luck}"

    def _cannot(self, entry: EntryInfo, row: ReportRow) -> str:
        """Return why nothing but a failure is possible, if so."""
        other, score, game = self._bot, self._beats.score, self._beats.game
        if entry.id == other.id:
            return "is this very bot"
        missed = self._missed(entry)
        if len(missed) == len(self._shares):
            if game is None:
                return f"plays none of the games that {other.name} plays"
            return f"does not play {game}"
        if not self.can_pass(entry):
            count = "counts" if len(missed) == 1 else "count"
            return (
                f"does not play {listed(missed)}, which {count} as lost, so it can't "
                f"score over {_share(score)} against {other.name}"
            )
        own = row.per_game.get(game) if game else None
        if own is not None and own.forfeits == own.games:
            return f"has forfeited {_all(own.games)} of {game}"
        return ""


def shares_of(
    info: LeagueInfo, beats: BeatsSettings, bot: EntryInfo
) -> dict[str, float]:
    """Return what part of a mark's score each label is; 1 together."""
    weights = {
        label.label: label.weight
        for label in info.labels
        if label.label in bot.labels and label.weight > 0.0
    }
    if beats.game is not None:
        weights = {beats.game: 1.0}
    total = sum(weights.values())
    return {label: weight / total for label, weight in weights.items()}


def _above(overall: Strengths | None, bot: EntryInfo | None) -> frozenset[str]:
    """Return the names of the bots that are surely better overall than this one."""
    if overall is None or bot is None or bot.name not in overall.entries:
        return frozenset()
    found = better(overall)[:, overall.entries.index(bot.name)].tolist()
    return frozenset(compress(overall.entries, found))


def _share(share: float) -> str:
    return f"{rounded(100.0 * share, 6):g} %"


def _needed(confidence: float) -> str:
    """Return a confidence that is needed, rounded up: it never seems less."""
    percent = ceil(10_000.0 * confidence - 1e-6) / 100.0
    return _share(confidence) if percent >= 100.0 else f"{percent:g} %"


def _sure(confidence: float) -> str:
    """Return a confidence, rounded down: it never seems enough where it is not."""
    percent = floor(1000.0 * confidence + 1e-9) / 10.0
    return "over 99.9 %" if percent >= 99.9 else f"{percent:g} %"
