"""The page of faults: by bot and reason, each with its game, those alike told once."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from arena.records.game_record import Termination
from arena.reports.fault_text import fault_text
from arena.reports.forfeits import Forfeit, by_bot, count_reasons
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


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultKind:
    """Faults of a bot that are alike, but for the numbers in their message."""

    termination: str
    message: str
    """Of the first one."""
    text: str
    """All there is to know of the first one; empty if there were too many kinds."""
    forfeits: tuple[Forfeit, ...]
    """In the order of the plan."""

    @property
    def labels(self) -> str:
        """The labels of these games."""
        return ", ".join(dict.fromkeys(forfeit.label for forfeit in self.forfeits))


@dataclass(frozen=True, slots=True, kw_only=True)
class BotFaults:
    """All forfeits of a bot."""

    bot: str
    counts: dict[str, int]
    """By reason; quarantined games are among them."""
    kinds: tuple[FaultKind, ...]
    """Of the games that were played."""
    quarantine: str
    """Why others were not played; empty if all were."""

    @property
    def total(self) -> int:
        """Number of forfeits."""
        return sum(self.counts.values())


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


def _bot_faults(
    bot: str,
    forfeits: Sequence[Forfeit],
    command: Command,
) -> BotFaults:
    played: dict[tuple[str, str, str], list[Forfeit]] = {}
    quarantine = ""
    for forfeit in forfeits:
        fault = forfeit.fault
        if forfeit.is_quarantine:
            quarantine = quarantine or one_line(fault.message)
            continue
        # Seconds and addresses differ from game to game.
        key = (
            fault.termination,
            _NUMBER.sub("#", fault.message),
            _ADDRESS.sub("#", fault.traceback),
        )
        played.setdefault(key, []).append(forfeit)
    by_size = sorted(played.values(), key=lambda x: -len(x))
    return BotFaults(
        bot=bot,
        counts=count_reasons(forfeits),
        kinds=tuple(_kinds(by_size, command)),
        quarantine=quarantine,
    )


def _kinds(alike: Iterable[Sequence[Forfeit]], command: Command) -> Iterable[FaultKind]:
    for i, forfeits in enumerate(alike):
        first = forfeits[0]
        yield FaultKind(
            termination=first.fault.termination,
            message=one_line(first.fault.message),
            text=forfeit_text(first, command) if i < _MAX_KINDS_IN_FULL else "",
            forfeits=tuple(forfeits),
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
