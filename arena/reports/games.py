"""All games of a league: a reference to each, head-to-head scores, highlights."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from arena.league.config.settings import Watch
from arena.league.results.store import Store
from arena.records.game_record import Termination
from arena.reports.forfeits import Forfeit, by_bot
from arena.reports.game_refs import End, GameRefs, Seating
from arena.reports.head_to_head import (
    Chances,
    GameCount,
    HeadToHead,
    head_to_head_by_bot,
)
from arena.reports.highlights import Highlight, PlayedForfeit, pick_highlights
from arena.reports.report import Report
from arena.reports.watched import fill_up

BEATEN = "beaten"
"""Why a bot has lost that has not forfeited."""


@dataclass(frozen=True, slots=True)
class BotGames:
    """The games of one bot: its opponents, losses and first fault."""

    bot: str
    head_to_head: tuple[HeadToHead, ...]
    """By label in the league's order, then by the opponents' rank."""
    losses: Mapping[str, Mapping[str, int]]
    """By label, how often it lost for each reason: `beaten`, or the termination of its
    own forfeit."""
    first_fault: Forfeit | None
    """In the order of the plan; one that was played, if there is any."""


@dataclass(frozen=True, slots=True)
class Games:
    """The games of a league, one by one and by bot, and the highlights."""

    refs: GameRefs
    """All that were played, in the order of the plan, which aliases hide; quarantined
    ones left out."""
    by_bot: Mapping[str, BotGames]
    """Of all bots of the report."""
    highlights: tuple[Highlight, ...]
    """By reason in the order of `Reason`; a game may be here twice.  None if no game
    may be watched."""
    replays: frozenset[str]
    """The ids of the games whose replays the pages hold."""


def read_games(store: Store, report: Report) -> Games:
    """Look at all games of a report, under its names.

    It is a pass of its own, after that of the report: most commands need no more than
    tables, and some games are highlights only by the ratings that the report has.

    Raises:
        RecordError: the file is damaged.
    """
    refs = GameRefs()
    played: list[PlayedForfeit] = []
    counts: Counter[tuple[int, tuple[int, ...], tuple[bool, ...]]] = Counter()
    for record in store.records():
        bots = tuple([report.names[entry] for entry in record.seats])
        seating, end = refs.numbers(
            Seating(record.label, bots),
            End(record.scores, record.places, record.forfeits, record.termination),
        )
        # As in a leaderboard, what was not played is forfeited like all else.
        counts[seating, record.places, record.forfeits] += 1
        if record.termination != Termination.QUARANTINE:
            for fault in record.faults:
                played.append(PlayedForfeit.of(len(refs), bots[fault.seat], fault))
            refs.add(record.game_id, seating, end, record.decisions)
    counted = [
        GameCount(refs.seatings[seating], places, forfeits, number)
        for (seating, places, forfeits), number in counts.items()
    ]
    chances = {board.label.label: Chances(board) for board in report.boards}
    bots = tuple(row.bot for row in report.rows)
    head_to_head = head_to_head_by_bot(counted, chances, bots)
    losses = _losses(report.forfeits, counted)
    faults = by_bot(report.forfeits)
    if report.is_anonymous:
        refs, new_index = refs.shuffled()
        played = [replace(x, game_index=new_index[x.game_index]) for x in played]
        played.sort(key=lambda forfeit: forfeit.game_index)
    highlights: tuple[Highlight, ...] = ()
    if report.watch != Watch.NONE:
        highlights = pick_highlights(refs, played, chances)
    replays = frozenset(highlight.game.game_id for highlight in highlights)
    if report.watch == Watch.ALL:
        replays = fill_up(refs, replays)
    return Games(
        refs=refs,
        by_bot={
            bot: BotGames(
                bot=bot,
                head_to_head=head_to_head.get(bot, ()),
                losses={x: losses[x, bot] for x in report.labels if (x, bot) in losses},
                first_fault=_first_fault(faults.get(bot, ())),
            )
            for bot in bots
        },
        highlights=highlights,
        replays=replays,
    )


def _first_fault(forfeits: Iterable[Forfeit]) -> Forfeit | None:
    """Return the first forfeit that was played; if there is none, the first one."""
    return min(forfeits, key=lambda forfeit: forfeit.is_quarantine, default=None)


def _losses(
    forfeits: Iterable[Forfeit], counted: Iterable[GameCount]
) -> dict[tuple[str, str], Counter[str]]:
    """Return by label and bot how often it lost for each reason."""
    found: dict[tuple[str, str], Counter[str]] = {}
    for forfeit in forfeits:
        own = found.setdefault((forfeit.label, forfeit.bot), Counter())
        own[str(forfeit.fault.termination)] += 1
    for seating, places, forfeited, number in counted:
        for seat, bot in enumerate(seating.bots):
            if places[seat] > 1 and not forfeited[seat]:
                own = found.setdefault((seating.label, bot), Counter())
                own[BEATEN] += number
    return found
