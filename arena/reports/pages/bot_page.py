"""The page of one bot: its strengths, losses and highlights."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from arena.reports.forfeits import most_frequent_first, reasons_in_words
from arena.reports.games import BEATEN, BotGames, Games
from arena.reports.head_to_head import HeadToHead
from arena.reports.highlights import Highlight, Reason
from arena.reports.loses_by import LabelLosses
from arena.reports.pages.bot_summary import bot_summary
from arena.reports.pages.charts import TimeAxis
from arena.reports.pages.faults_page import forfeit_text
from arena.reports.pages.leaderboards import columns_of, games_table
from arena.reports.pages.run_line import run_lines
from arena.reports.pages.site import Site
from arena.reports.pages.slugs import slug
from arena.reports.pages.times_page import shared_data
from arena.reports.playing_style import LabelStyle
from arena.reports.report import Report, ReportRow
from arena.reports.tables.columns import elo_of, place_in, range_of
from arena.text import listed

_MOST_HIGHLIGHTS = 12
"""Of a bot, on its page."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """The games of a bot against an opponent under a label, as its page shows them."""

    head_to_head: HeadToHead
    sample: str
    """The id of a game between them whose replay is there; empty if there is none."""

    @property
    def score(self) -> int:
        """Return the score in percent."""
        return round(100.0 * self.head_to_head.score)

    @property
    def surprise(self) -> int | None:
        """Return the percentage points above what its Elo predicts."""
        if self.head_to_head.expected is None:
            return None
        return round(100.0 * (self.head_to_head.score - self.head_to_head.expected))

    @property
    def note(self) -> str:
        """Return the numbers behind it."""
        found = self.head_to_head
        text = (
            f"{found.games} games: {found.wins} won, {found.draws} drawn, "
            f"{found.losses} lost"
        )
        if found.forfeits:
            text += f" ({found.forfeits} forfeited)"
        if found.expected is not None:
            text += f"; by the Elo of both {100.0 * found.expected:.0f} %"
        return text


def _elo_range(row: ReportRow) -> str:
    """Return the 95 % range of a bot's Elo in words."""
    if row.is_anchor:
        return "by definition"
    if elo_of(row) == range_of(row):
        return "more these games can't tell"
    return f"95 % range: {range_of(row)}"


def _by_luck(report: Report, labels: Collection[str]) -> list[str]:
    """Return those labels where Elo and luck explain who beats whom.

    Labels without a test are left out.
    """
    return [
        board.label.label
        for board in report.boards
        if board.label.label in labels
        and board.shape is not None
        and board.shape.p is not None
        and not board.shape.rejects
    ]


def _meetings(
    report: Report, games: Games, own: BotGames, labels: Iterable[str]
) -> list[tuple[str, list[Meeting | None]]]:
    """Return a line for each opponent of a bot: its name, and what was in each label.

    In the order of the leaderboard.
    """
    labels = list(labels)
    by_opponent: dict[str, dict[str, Meeting]] = {}
    samples = _samples(games, own.bot)
    for pair in own.head_to_head:
        sample = samples.get((pair.label, pair.opponent), "")
        by_label = by_opponent.setdefault(pair.opponent, {})
        by_label[pair.label] = Meeting(pair, sample)
    return [
        (row.bot, [by_opponent[row.bot].get(label) for label in labels])
        for row in report.rows
        if row.bot in by_opponent
    ]


def _samples(games: Games, bot: str) -> dict[tuple[str, str], str]:
    samples: dict[tuple[str, str], str] = {}
    for highlight in games.highlights:
        game = highlight.game
        if highlight.reason is Reason.SAMPLE and bot in game.bots:
            for other in game.bots:
                if other != bot:
                    samples.setdefault((game.label, other), game.game_id)
    return samples


def _extremes(
    labels: Iterable[str], lines: Iterable[tuple[str, list[Meeting | None]]]
) -> list[tuple[str, Meeting | None, Meeting | None]]:
    """Return for each label against whom a bot did best and worst for its Elo.

    None where it did nowhere better, or nowhere worse.
    """
    by_label: dict[str, list[Meeting]] = {label: [] for label in labels}
    for _, cells in lines:
        for label, meeting in zip(by_label, cells, strict=True):
            if meeting is not None and meeting.surprise is not None:
                by_label[label].append(meeting)
    found = []
    for label, own in by_label.items():
        # Against one opponent there is nothing to compare.
        if len(own) > 1:
            best = max(own, key=lambda m: m.surprise or 0)
            worst = min(own, key=lambda m: m.surprise or 0)
            found.append(
                (
                    label,
                    best if (best.surprise or 0) > 0 else None,
                    worst if (worst.surprise or 0) < 0 else None,
                )
            )
    return found


def _highlights(games: Games, bot: str) -> list[Highlight]:
    """Return the highlights of a bot, without samples and forfeits."""
    # Its forfeits have a section of their own.
    left_out = Reason.SAMPLE, Reason.FORFEIT
    own = [
        highlight
        for highlight in games.highlights
        if highlight.reason not in left_out and bot in highlight.game.bots
    ]
    return own[:_MOST_HIGHLIGHTS]


def _failed(own: BotGames, label: str) -> str:
    """Return why a bot forfeited games of a label, and how often; empty if none."""
    counts = {x: n for x, n in own.losses[label].items() if x != BEATEN}
    return reasons_in_words(most_frequent_first(counts))


def write_bot_page(
    site: Site,
    games: Games,
    axis: TimeAxis,
    row: ReportRow,
    styles: Sequence[LabelStyle],
    losses: Sequence[LabelLosses],
    usual: Sequence[Highlight],
) -> None:
    """Write the page of a bot, with times on this axis.

    `styles` say how it plays, `losses` what it loses by, and `usual` are losses like
    most of its own.
    """
    report = site.report
    own = games.by_bot[row.bot]
    fault = own.first_fault
    labels = [x for x in report.labels if x in row.per_game]
    # Who forfeits all his games has met nobody.
    all_lost = row.forfeits == row.games
    lines = [] if all_lost else _meetings(report, games, own, labels)
    by_luck = _by_luck(report, labels)
    by_label = games_table(row)
    runs = run_lines(report, row.bot)
    latest = filter(None, [line.latest for line in runs])
    times = [x for x in report.times if x.bot == row.bot]
    site.write(
        f"bots/{slug(row.bot)}.html",
        "bot.html",
        row.bot,
        row=row,
        elo=elo_of(row),
        elo_range=_elo_range(row),
        refused=next((e.refused for e in report.refused if e.name == row.bot), ""),
        fault=fault,
        fault_text="" if fault is None else forfeit_text(fault, site.replay_command),
        replays=games.replays,
        by_label=by_label,
        columns=columns_of([by_label]),
        summary=[*bot_summary(report, row), *latest],
        styles=styles,
        runs=runs,
        labels=labels,
        ranked=sum(x.rank is not None for x in report.rows),
        places=[
            (b.label.label, place) for b in report.boards if (place := place_in(b, row))
        ],
        beaten={x: own.losses[x].get(BEATEN, 0) for x in own.losses},
        failed={x: _failed(own, x) for x in own.losses},
        loses_by={x.label: x.sentences for x in losses},
        highlights=[*usual, *_highlights(games, row.bot)],
        meetings=lines,
        extremes=[x for x in _extremes(labels, lines) if x[0] not in by_luck],
        by_luck=listed(by_luck) if by_luck else "",
        histograms=[x for x in times if x.histogram and not x.is_total],
        times=next((x for x in times if x.decisions), None),
        **shared_data(report, axis),
    )
