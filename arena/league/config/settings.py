"""The keys of a league's YAML file, as msgspec checks them."""

from enum import StrEnum
from typing import Annotated, Any

import msgspec

from arena.referee.work_unit import Limits, Restart

NEWEST_FORM = 6
"""Of a league (`LeagueConfig.form`); older ones are those of frozen leagues."""
MAX_NAME_CHARS = 60
"""Of the names of bots and of their classes."""
_NAME = r"^[A-Za-z0-9][A-Za-z0-9 _.+-]{0,59}$"
Name = Annotated[str, msgspec.Meta(pattern=_NAME)]
Positive = Annotated[int, msgspec.Meta(ge=1, le=10**9)]
Weight = Annotated[float, msgspec.Meta(gt=0.0, le=1e6)]
Elo = Annotated[float, msgspec.Meta(ge=-1e5, le=1e5)]


class Placing(StrEnum):
    """How the ranks at a table of three or more are counted."""

    ALL = "all"
    """Every rank counts: the second is ahead of the third."""
    WINNER = "winner"
    """Only the winner is ahead, of all others alike."""


class RatedBy(StrEnum):
    """What Elo, ranks, claims and marks rest on."""

    LUCK_ADJUSTED = "luck_adjusted"
    """Results, from which the luck of the dice is taken out as far as that helps."""
    RESULTS = "results"
    """Results alone."""


class Overall(StrEnum):
    """Who is ranked in the table over all games."""

    ALL = "all"
    """Who plays all games of the league."""
    ANY = "any"
    """Who plays any; a game that a bot misses is lost to all that play it."""


class Watch(StrEnum):
    """Which games the pages let be watched."""

    ALL = "all"
    """Every game that was recorded, as far as the pages have room."""
    PICKED = "picked"
    """Those that are worth a look, and a sample."""
    NONE = "none"


class ScheduleName(StrEnum):
    """The schedules: who meets how often.

    `arena.league.schedule.core` says what a schedule is, and how to add one.
    """

    ROUND_ROBIN = "round_robin"
    """Every two entries equally often."""
    ADAPTIVE = "adaptive"
    """Those whose order is still open, more often."""
    GAUNTLET = "gauntlet"
    """Every entry against each of the references, and these against each other."""
    DIVISIONS = "divisions"
    """A round robin in each division, the references being in all of them."""


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


class BotSettings(_Strict, frozen=True):
    """One item of `bots:`."""

    file: str
    """A bot file, a folder, or a pattern of such; relative to the YAML."""
    command: str | list[str] | None = None
    """The command that starts a program; `file` is then all that it consists of."""
    bot: str | None = None
    """Name of the class; all bots of the file if left out."""
    name: Name | None = None
    """Its name in the tables."""
    params: dict[str, Any] = {}
    """Passed to the constructor."""

    @property
    def is_plain(self) -> bool:
        """True if they say nothing of the bots in the file."""
        return not (self.bot or self.name or self.params)


class GameSettings(_Strict, frozen=True):
    """One item of `games:`."""

    game: str
    label: Name | None = None
    players: int = 2
    options: dict[str, Any] = {}
    fixtures: Positive = 10
    """Fixtures that every two bots share; each holds a game for every rotation."""
    max_decisions: Annotated[int, msgspec.Meta(ge=1, le=10**6)] | None = None
    """The referee adjudicates after so many; the game's own default if left out."""
    weight: Weight = 1.0
    """In the overall Elo."""
    placing: Placing = Placing.ALL


class AnchorSettings(_Strict, frozen=True):
    """The reference bot, and the Elo it is put at."""

    bot: str
    elo: Elo = 1000.0


class DivisionSettings(_Strict, frozen=True):
    """The divisions of a large class."""

    size: Annotated[int, msgspec.Meta(ge=2, le=10**4)]
    """Entries in a division at the most, the references not counted."""
    by: str | None = None
    """Results folder of another league whose ranks decide who meets whom; relative to
    the YAML.  Without it chance decides."""


class BeatsSettings(_Strict, frozen=True):
    """One pass mark: a reference bot that is to be beaten."""

    bot: str
    """A bot of the league, named as the anchor is."""
    points: Annotated[float, msgspec.Meta(ge=0.0, le=1e6)]
    game: str | None = None
    """A label; if left out, the mean of those that the bot plays, by their weights."""
    confidence: Annotated[float, msgspec.Meta(ge=0.5, lt=1.0)] = 0.95
    score: Annotated[float, msgspec.Meta(gt=0.0, lt=1.0)] = 0.5
    """The share of the games that is to be surpassed in the long run."""


class GradingSettings(_Strict, frozen=True):
    """How a student earns points."""

    students: str | None = None
    """A CSV file that says whose a bot file is; relative to the YAML.  Without it the
    student is called as the file."""
    beats: list[BeatsSettings] = []
    rank_groups: list[Annotated[float, msgspec.Meta(ge=0.0, le=1e6)]] = []
    """Points for the best group of ranks, the next one, and so on."""
    rank_groups_above: str | None = None
    """A bot of the league, named as the anchor is; only who is surely better overall
    gets points for a group.  Without it anybody does."""
    cutoffs: dict[str, Annotated[float, msgspec.Meta(ge=0.0, le=1e6)]] = {}
    """By grade, the points that it takes at least."""


class LimitSettings(Limits, frozen=True, forbid_unknown_fields=True):
    """`limits:`, with a key that files of before may have."""

    ponder: bool | None = None
    """Whether a bot might compute while others decide.  It changes no game any more,
    but ids still tell leagues of before apart by it."""


class LeagueSettings(_Strict, frozen=True):
    """The whole file."""

    name: Name
    games: Annotated[list[str | GameSettings], msgspec.Meta(min_length=1)]
    bots: str | Annotated[list[str | BotSettings], msgspec.Meta(min_length=1)] = (
        "../bots"
    )
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**53)] | None = None
    """Of public luck; without it the luck is secret."""
    anchor: AnchorSettings | None = None
    limits: LimitSettings = LimitSettings()
    in_flight: Annotated[int, msgspec.Meta(ge=1, le=256)] = 64
    """Games of a match that are played at the same time."""
    isolation: Name = "auto"
    """The level at which contestants run; `auto` for the strongest there is."""
    require_isolation: Name | None = None
    """The weakest level at which anything may be played."""
    restart: Restart = Restart.MATCH
    quarantine: Annotated[int, msgspec.Meta(ge=0, le=10**9)] = 10
    """Games of a label in a row that a bot may forfeit before all its others are; 0 for
    any number."""
    packages: tuple[str, ...] = ()
    """Modules that bots may import beside Python's own and numpy."""
    schedule: ScheduleName = ScheduleName.ROUND_ROBIN
    references: tuple[str, ...] = ()
    """Bots that all meet in a gauntlet or with divisions, named as the anchor is."""
    divisions: DivisionSettings | None = None
    grading: GradingSettings | None = None
    pseudonyms: bool | Annotated[str, msgspec.Meta(min_length=8)] | None = False
    """True if the public pages show aliases; a text is mixed into them.  In older files
    null may stand for false."""
    watch: Watch | None = None
    """If left out `picked` with pseudonyms, else `all`."""
    most_bots: Annotated[int, msgspec.Meta(ge=1, le=10**6)] | None = None
    """Bots that a student may bring, or a file of which no student is known; any number
    if left out."""
    shared: tuple[str, ...] = ()
    """Files and folders that all bots may import; relative to the YAML."""
    luck_adjustment: bool = True
    """False if luck is not even worked out; then all rests on results."""
    by: RatedBy = RatedBy.LUCK_ADJUSTED
    overall: Overall = Overall.ALL
