"""The rows of a leaderboard: the numbers of one entry, in one label or overall."""

from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Rating, claims and tally; the defaults are those of an entry without games."""

    elo: float | None = None
    confirmed_elo: float | None = None
    """The Elo of the games that the interval rests on: those that were planned whatever
    came of others.  Another than `elo` only where the schedule is adaptive."""
    elo_low: float | None = None
    """Lower end of the 95 % interval."""
    elo_high: float | None = None
    """Upper end of the 95 % interval."""
    open_above: bool = False
    """True if the games can't say how far above the zero of the scale it is: there is
    no upper end, and `elo_low` is a bound that holds in 97.5 of 100 leagues."""
    open_below: bool = False
    """The mirror image."""
    results_elo: float | None = None
    """The Elo from results alone, with the luck of the dice in them; None where `elo`
    is that.  Overall, labels without one count with their `elo`."""
    results_low: float | None = None
    """Lower end of its 95 % interval."""
    results_high: float | None = None
    """Upper end of its 95 % interval."""
    clean_elo: float | None = None
    """The Elo without the fixtures that hold a forfeit; None where there are none, or
    nothing is left."""
    rank_low: int | None = None
    """The best rank it can have, of those the games leave open."""
    rank_high: int | None = None
    """The worst."""
    group: int | None = None
    """Tie group, as in `Claim`."""
    is_separated: bool | None = None
    """True if it is distinctly better than the next lower Elo; None for the last."""
    more_games: int | None = None
    """As in `Claim`."""
    games: int = 0
    score: float | None = None
    """Mean over the games, 0 to 1: a sole first place is 1, k who share it have
    1/k each, all else and every forfeit is 0.  None without games."""
    wins: int = 0
    """Games with a sole first place."""
    draws: int = 0
    """Games with a shared first place."""
    losses: int = 0
    """All other games, forfeits among them."""
    forfeits: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelStanding(Row):
    """The standing of an entry in one label."""

    label: str
    pool: int = 0
    """Number of the group of entries that games link, from 0.  Ranks, ties and Elo
    say nothing across groups."""
    rank: int | None = None
    """From 1 in its pool; equals share one.  None without games."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing(Row):
    """One row of the leaderboard."""

    rank: int | None = None
    """From 1; equals share one.  None if it can't be compared with those that have one:
    it has no games, or not in all labels."""
    entry: str
    missing: tuple[str, ...] = ()
    """Labels that count and that it has no games in; all of them if it has none."""
    labels: tuple[LabelStanding, ...]
    """In the order of `Standings.labels`, whether played or not."""


_TALLY = ("games", "score", "wins", "draws", "losses", "forfeits")


def rating_columns(row: LabelStanding) -> dict[str, Any]:
    """Return the rank and the numbers of a row that are not counted, by their names."""
    names = {field.name for field in fields(Row)} - {*_TALLY}
    return {name: getattr(row, name) for name in ("rank", *sorted(names))}
