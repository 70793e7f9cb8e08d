"""What single games say: who met whom with what end, and which are worth a look."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from arena.reports.report import Forfeit


class Reason(StrEnum):
    """Why a game is worth a look."""

    FORFEIT = "forfeit"
    CLOSEST = "closest"
    LONGEST = "longest"
    UPSET = "upset"
    SAMPLE = "sample"
    """One of a pairing."""


@dataclass(frozen=True, slots=True)
class GameRef:
    """A game of the league, without what happened in it; lists are in seat order."""

    game_id: str
    label: str
    bots: tuple[str, ...]
    scores: tuple[float, ...]
    places: tuple[int, ...]
    forfeits: tuple[bool, ...]
    termination: str
    decisions: int


@dataclass(frozen=True, slots=True)
class Worth:
    """A game that is worth a look, and why, in one sentence."""

    reason: Reason
    game: GameRef
    why: str
    step: int | None = None
    """The decision to look at: of a forfeit, its own."""


@dataclass(frozen=True, slots=True)
class Versus:
    """What a bot has achieved against another under a label."""

    label: str
    opponent: str
    games: int
    wins: int
    draws: int
    losses: int
    forfeits: int
    """Of the bot itself."""
    score: float
    """Mean, 0 to 1, a shared place being half: as in the crosstable."""
    expected: float | None
    """The score that the Elo of both predicts; None where one has none."""


@dataclass(frozen=True, slots=True)
class BotGames:
    """All that single games say of one bot."""

    bot: str
    versus: tuple[Versus, ...]
    """By label in the league's order, then by the opponents' rank."""
    losses: Mapping[str, Counter[str]]
    """By label, how often it lost and by what: `beaten`, or the termination of its own
    forfeit."""
    first_fault: Forfeit | None
    """In the order of the plan."""
    seconds: Mapping[str, tuple[tuple[float, int], ...]]
    """By label, how many decisions took up to so many seconds, in ascending order."""


@dataclass(frozen=True, slots=True)
class Games:
    """What the games of a league say one by one."""

    refs: tuple[GameRef, ...]
    """All that were played, in the order of the plan; quarantined ones left out."""
    by_bot: Mapping[str, BotGames]
    worth: tuple[Worth, ...]
    """By reason in the order of `Reason`; a game may be here twice."""

    @property
    def replays(self) -> frozenset[str]:
        """The ids of the games whose replays the pages hold."""
        return frozenset(worth.game.game_id for worth in self.worth)
