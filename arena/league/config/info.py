"""What a results folder says of its league, beside the games."""

from collections.abc import Iterable
from pathlib import PurePath
from typing import Any, Protocol, TypeVar

import msgspec

from arena.league.config.settings import GradingSettings
from arena.referee.work_unit import Limits

_FORM = 5
"""Of `LeagueInfo`, which every run writes anew: games outlive a change of it."""


class LabelInfo(msgspec.Struct, frozen=True, kw_only=True):
    """One game of the league under its label."""

    label: str
    game: str
    title: str
    """As on the box."""
    players: int
    options: dict[str, Any]
    """Those in force, defaults among them."""
    changed: tuple[str, ...]
    """Names of the options that are not the game's defaults."""
    house_rules: tuple[str, ...]
    """What is in force though no source has it, a sentence each."""
    weight: float
    placing: str = "all"
    """`winner` where only a win counts, and not who came second."""


class EntryInfo(msgspec.Struct, frozen=True):
    """An entry as the reports show it."""

    id: str
    """As in the records: file and class."""
    name: str
    """As in the tables: unique and fit to print."""
    file: str
    labels: tuple[str, ...]
    """The games it is entered in."""
    refused: str = ""
    """Why its file could not be read."""
    code: str = ""
    """Hash of everything its file consists of."""
    division: int = 0
    """From 1; 0 where there are none, and for the references."""
    bot: str = ""
    """Name of the class; `program` for a program."""


class LeagueInfo(msgspec.Struct, frozen=True, tag_field="form", tag=_FORM):
    """What reports need to know of a league beside its games."""

    name: str
    seed: int
    isolation: str
    """The level at which the league was last run."""
    limits: Limits
    anchor: tuple[str, float] | None
    """Id of the reference entry and its Elo."""
    labels: tuple[LabelInfo, ...]
    entries: tuple[EntryInfo, ...]
    rejected: tuple[tuple[str, str], ...] = ()
    """Files that could not be entered, and why."""
    luck_adjustment: bool = True
    """Whether there is also an Elo from scores without the luck of the dice."""
    exploring: tuple[int, int] | None = None
    """Places in the plan, from 0: of the first game of two that was planned because of
    results, and of the first one behind these; None if there are none."""
    references: tuple[str, ...] = ()
    """Ids of the bots that everybody meets; empty where nobody is set apart."""
    packages: tuple[str, ...] = ()
    """What bots may import beside Python's own modules and numpy."""
    grading: GradingSettings | None = None
    pseudonyms: str | None = None
    """The secret that the names of the public pages are made from."""

    def house_rules(self) -> list[str]:
        """Return each house rule once, after the labels where it is in force."""
        labels: dict[str, list[str]] = {}
        for label in self.labels:
            for rule in label.house_rules:
                labels.setdefault(rule, []).append(label.label)
        return [f"{', '.join(x)}: house rule: {rule}" for rule, x in labels.items()]


class _Named(Protocol):
    """What entries are found by."""

    @property
    def id(self) -> str: ...
    @property
    def file(self) -> str: ...
    @property
    def bot(self) -> str: ...
    @property
    def name(self) -> str: ...


N = TypeVar("N", bound=_Named)


def find_entry(entries: Iterable[N], name: str) -> N | None:
    """Return the only entry with this id, else file, else class, else name.

    In this order, lest a bot takes the place of another by what it says of itself.  Of
    files of one name it is the one that the league's file names first.
    """
    entries = tuple(entries)
    for names in (
        lambda e: (e.id,),
        lambda e: (e.id.rpartition(":")[0], f"{e.id.rpartition(':')[0]}.py"),
        lambda e: (e.file, PurePath(e.file).stem),
        lambda e: (e.bot,),
        lambda e: (e.name,),
    ):
        found = [entry for entry in entries if name in names(entry)]
        if found:
            return found[0] if len(found) == 1 else None
    return None


class _Form(msgspec.Struct):
    form: int = 1


def read_info(text: str) -> LeagueInfo | None:
    """Return what was written, or None if another version of arena has written it.

    Raises:
        MsgspecError: it is damaged.
    """
    if msgspec.json.decode(text, type=_Form).form != _FORM:
        return None
    return msgspec.json.decode(text, type=LeagueInfo)
