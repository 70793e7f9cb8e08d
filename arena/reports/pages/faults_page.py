"""The page of faults: by bot and reason, each with its game, those alike told once."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import starmap, zip_longest

from arena.records.game_record import Termination
from arena.reports.fault_text import fault_text
from arena.reports.forfeits import Forfeit, by_bot, count_reasons, not_played
from arena.reports.games import Games
from arena.reports.pages.site import Site
from arena.reports.report import Report
from arena.text import one_line

_MAX_KINDS_IN_FULL = 20
"""Of a bot; others are listed only."""
_NUMBER = re.compile(r"0x[0-9a-f]+|\d+(?:\.\d+)?")
_ADDRESS = re.compile(r"0x[0-9a-f]+")

Command = Callable[[str, int | None], str]
"""Returns the command that replays a decision, of a game's id and its step."""


@dataclass(frozen=True, slots=True)
class FaultKind:
    """Faults of a bot that are alike, but for the numbers in their message."""

    forfeits: Sequence[Forfeit]
    """In the order of the plan."""
    text: str
    """All there is to know of the first one; empty if there were too many kinds."""


@dataclass(frozen=True, slots=True)
class BotFaults:
    """All forfeits of a bot."""

    bot: str
    counts: dict[str, int]
    """By reason; quarantined games are among them."""
    kinds: tuple[FaultKind, ...]
    """Of the games that were played, the most frequent first."""
    not_played: list[str]
    """How many others were not, of each label, and why."""


def _reasons(report: Report) -> list[str]:
    """Return the reasons that occur, in the order of `Termination`."""
    found = {forfeit.fault.termination for forfeit in report.forfeits}
    known = [str(x) for x in Termination if x in found]
    return known + sorted(found.difference(known))


def faults_by_bot(report: Report, command: Command) -> list[BotFaults]:
    """Return the forfeits of each bot that has some, most first."""
    return [
        _bot_faults(bot, forfeits, command)
        for bot, forfeits in by_bot(report.forfeits).items()
    ]


def _bot_faults(bot: str, forfeits: Sequence[Forfeit], command: Command) -> BotFaults:
    alike: dict[tuple[str, str, str], list[Forfeit]] = {}
    for forfeit in forfeits:
        if not forfeit.is_quarantine:
            fault = forfeit.fault
            # Seconds and addresses differ from game to game.
            message = _NUMBER.sub("#", fault.message)
            traceback = _ADDRESS.sub("#", fault.traceback)
            key = fault.termination, message, traceback
            alike.setdefault(key, []).append(forfeit)
    by_size = sorted(alike.values(), key=lambda x: -len(x))
    texts = [forfeit_text(own[0], command) for own in by_size[:_MAX_KINDS_IN_FULL]]
    return BotFaults(
        bot=bot,
        counts=count_reasons(forfeits),
        kinds=tuple(starmap(FaultKind, zip_longest(by_size, texts, fillvalue=""))),
        not_played=not_played(forfeits),
    )


def forfeit_text(forfeit: Forfeit, command: Command) -> str:
    """Return all details of a forfeit, in plain text."""
    fault = forfeit.fault
    replay = "" if forfeit.is_quarantine else command(forfeit.game_id, fault.step)
    return fault_text(fault, one_line(forfeit.bot), replay=replay)


def write_faults_page(site: Site, games: Games) -> None:
    """Write `faults.html`."""
    report = site.report
    site.write(
        "faults.html",
        "faults.html",
        "Faults",
        bots=faults_by_bot(report, site.replay_command),
        reasons=_reasons(report),
        replays=games.replays,
    )
