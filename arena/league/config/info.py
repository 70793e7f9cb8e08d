"""A league as its results folder describes it, beside the games."""

from collections.abc import Iterable
from math import inf
from pathlib import PurePath
from typing import Annotated, Any, Literal, Protocol, TypeVar

import msgspec
import yaml

from arena.league.config.settings import (
    Elo,
    GradingSettings,
    Overall,
    Placing,
    RatedBy,
    Watch,
    Weight,
)
from arena.records.game_record import MAX_SEATS
from arena.referee.work_unit import Limits
from arena.text import cut

_FORM = 6
"""Version of `LeagueInfo`.  Every run writes it anew: a change loses no game."""
_SECRET_LUCK = 6
"""The version since which luck may be secret."""
_MAX_CHARS = 500
"""Of a name; some are those of files."""


class LabelInfo(msgspec.Struct, frozen=True, kw_only=True):
    """One game of the league under its label."""

    label: str
    game: str
    title: str
    """As on the box."""
    players: Annotated[int, msgspec.Meta(ge=1, le=MAX_SEATS)]
    options: dict[str, Any]
    """All options in force, defaults included."""
    changed: tuple[str, ...]
    """Names of the options that are not the game's defaults."""
    house_rules: tuple[str, ...]
    """Rules in force that are in no published source, a sentence each."""
    weight: Weight
    placing: Placing = Placing.ALL
    scores_better: Literal["more", "fewer"] | None = None
    """Of the game's own points; None if it was last run before that was kept."""

    @property
    def description(self) -> str:
        """The game, its table and its options, those at their defaults left out.

        Options are written as in a league's file.
        """
        text = f"{self.title}, tables of {self.players}"
        if self.changed:
            options = {name: self.options[name] for name in self.changed}
            flow = yaml.safe_dump(
                options,
                default_flow_style=True,
                sort_keys=False,
                allow_unicode=True,
                width=inf,
            )
            text += f"; {flow.strip()[1:-1]}"
        return text


class EntryInfo(msgspec.Struct, frozen=True):
    """An entry as the reports show it."""

    id: str
    """As in the records (`Entry.id`)."""
    name: str
    """As in the tables: unique and printable."""
    file: str
    labels: tuple[str, ...]
    """The games that it plays."""
    refused: str = ""
    """Why its file could not be read; empty if it was."""
    code: str = ""
    """Hash of everything its file consists of."""
    division: Annotated[int, msgspec.Meta(ge=0)] = 0
    """From 1; 0 where there are none, and for the references."""
    bot: str = ""
    """Name of the class; `program` for a program."""
    stem: str = ""
    """What its file is called, and no other one; empty if the league's file named the
    bot."""
    place: str = ""
    """Its file with the folder that it lies in, as people say it."""
    owners: tuple[str, ...] = ()
    """Hashes of the students whose bot it is; empty if nobody knows of any."""


_Commitment = Annotated[str, msgspec.Meta(pattern=r"\A([0-9a-f]{64})?\Z")]


class LeagueInfo(msgspec.Struct, frozen=True, tag_field="form", tag=_FORM):
    """The facts of a league that reports need beside its games."""

    name: str
    seed: int | None
    """Of public luck; None if the luck is secret."""
    isolation: str
    """The level at which the league was last run."""
    limits: Limits
    anchor: tuple[str, Elo] | None
    """Id of the reference entry and its Elo."""
    labels: tuple[LabelInfo, ...]
    entries: tuple[EntryInfo, ...]
    commitment: _Commitment = ""
    """SHA-256 of the luck key, in hexadecimal digits; empty if the luck is public."""
    earlier: tuple[_Commitment, ...] = ()
    """The commitments to luck keys that the league was played with before."""
    rejected: tuple[tuple[str, str], ...] = ()
    """Files that could not be entered, and why."""
    rejected_at: tuple[str, ...] = ()
    """Of each of them what `EntryInfo.place` is of an entry."""
    luck_adjustment: bool = True
    """True if the luck of the dice is worked out."""
    by: RatedBy = RatedBy.LUCK_ADJUSTED
    overall: Overall = Overall.ALL
    exploring: tuple[int, int] | None = None
    """Start and stop, from 0, of the games in the plan that were planned because of
    results; None if there are none."""
    references: tuple[str, ...] = ()
    """Ids of the bots that everybody meets, if the league has any."""
    packages: tuple[str, ...] = ()
    """Modules that bots may import beside Python's own and numpy."""
    grading: GradingSettings | None = None
    pseudonyms: bool = False
    """True if the names on public pages are aliases."""
    watch: Watch | None = None
    """Which games the pages let be watched; None if the league's file does not say."""

    @property
    def takes_luck(self) -> bool:
        """True if luck is taken out of scores where it is known."""
        return self.luck_adjustment and self.by == RatedBy.LUCK_ADJUSTED

    def explores(self, index: int) -> bool:
        """Return whether the game of this index was planned because of results.

        Games are counted in the order of the plan, from 0, those that were played.  As
        long as some are missing, those behind them count as earlier than they are: then
        too many explore, never too few.
        """
        return index in range(*(self.exploring or (0,)))

    def house_rules(self) -> list[str]:
        """Return each house rule once, behind the labels where it is in force."""
        labels: dict[str, list[str]] = {}
        for label in self.labels:
            for rule in label.house_rules:
                labels.setdefault(rule, []).append(label.label)
        return [f"{', '.join(x)}: house rule: {rule}" for rule, x in labels.items()]

    def check(self) -> None:
        """Check what types can't say: that names are short, differ and are known.

        Raises:
            ValidationError: they are not.
        """
        labels = [label.label for label in self.labels]
        ids = [entry.id for entry in self.entries]
        names = [entry.name for entry in self.entries]
        for kind, words in (("label", labels), ("id", ids), ("name", names)):
            if len({*words}) < len(words):
                raise msgspec.ValidationError(f"a {kind} is there twice")
        for word in (self.name, self.isolation, *labels, *names):
            if len(word) > _MAX_CHARS:
                raise msgspec.ValidationError(f"{cut(word, 60)!a} is no name")
        start, stop = self.exploring or (0, 0)
        known = {*self.references, *([self.anchor[0]] if self.anchor else ())}
        if (
            not 0 <= start <= stop
            or not known <= {*ids}
            or not all({*x.changed} <= {*x.options} for x in self.labels)
        ):
            raise msgspec.ValidationError("it names what it does not have")


class _Named(Protocol):
    """An entry with all by which it can be found."""

    @property
    def id(self) -> str: ...
    @property
    def file(self) -> str: ...
    @property
    def stem(self) -> str: ...
    @property
    def bot(self) -> str: ...
    @property
    def name(self) -> str: ...


N = TypeVar("N", bound=_Named)


def find_entry(entries: Iterable[N], name: str) -> N | None:
    """Return the only entry with this id, else file, else class, else name.

    In this order, so that no bot can take the place of another by calling itself so.
    Of several files of one name, the first in the league's file is meant.
    """
    entries = tuple(entries)
    for names in (
        lambda e: (e.id, f"{e.stem}:{e.bot}"),
        lambda e: (e.stem, f"{e.stem}.py"),
        lambda e: (e.file, e.file.removesuffix(".py")),
        lambda e: (PurePath(e.file).name, PurePath(e.file).stem),
        lambda e: (e.bot,),
        lambda e: (e.name,),
    ):
        found = [entry for entry in entries if name in names(entry)]
        if found:
            return found[0] if len(found) == 1 else None
    return None


class PlayedLuck(msgspec.Struct, frozen=True):
    """The luck that a league was played with, as any version of arena says it."""

    form: int = 1
    seed: int | None = None
    """Of public luck."""
    commitment: str = ""
    """To the key of secret luck."""

    @property
    def is_older(self) -> bool:
        """True if the league was played before there was secret luck."""
        return self.form < _SECRET_LUCK


def read_luck(text: str) -> PlayedLuck:
    """Decode what any version of arena says of a league's luck.

    Raises:
        MsgspecError: it is damaged.
    """
    return msgspec.json.decode(text, type=PlayedLuck)


def read_info(text: str) -> LeagueInfo | None:
    """Decode a `LeagueInfo`; None if another version of arena has written it.

    Raises:
        MsgspecError: it is damaged.
    """
    if read_luck(text).form != _FORM:
        return None
    info = msgspec.json.decode(text, type=LeagueInfo)
    info.check()
    return info
