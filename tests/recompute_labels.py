"""All Elo of one label, worked out again from the lines of `arena export` alone.

Nothing of arena is used: the formulas are those of its documentation, written down as
they stand there, a row for each comparison; a solver of SciPy's finds the strengths.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from math import log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import root
from scipy.special import expit

Floats = NDArray[np.float64]
Game = Mapping[str, Any]
"""A line of `arena export`."""
Seat = tuple[int, int]
"""Bots at the table, and the seat from 0."""

ELO = 400.0 / log(10.0)
"""Of one natural log-odds."""

FOLDS = 5
PHANTOM_FIXTURES = 2.0
"""Fixtures in which luck made no difference, so that few of them claim little."""


class Strengths(NamedTuple):
    """What was fitted to the games of a label, in natural log-odds."""

    bots: dict[str, float]
    seats: dict[Seat, float]
    """Against the first seat, which is not among them."""

    def expected(self, comparison: "Comparison") -> float:
        """Return the expected score of the first of two at a table."""
        n = comparison.players
        (a, b), (s, t) = comparison.bots, comparison.seats
        ahead = self.bots.get(a, 0.0) - self.bots.get(b, 0.0)
        ahead += self.seats.get((n, s), 0.0) - self.seats.get((n, t), 0.0)
        return float(expit(ahead))


class Comparison(NamedTuple):
    """Two seats at a table."""

    fixture: str
    players: int
    bots: tuple[str, str]
    seats: tuple[int, int]
    score: float
    """Of the first, less what is taken from it."""


def compare(
    games: Iterable[Game], taken: Mapping[str, Floats], lucky: Collection[str] = ()
) -> list[Comparison]:
    """Return every comparison; `taken` has what to take from scores, by game.

    One number for each pair of seats, as of `luck`.  Nothing is taken from the `lucky`.
    """
    found = []
    for game in games:
        n = len(game["seats"])
        amounts = taken.get(game["game_id"], np.zeros(n * (n - 1) // 2))
        pairs = combinations(range(n), 2)
        for (s, t), amount in zip(pairs, amounts, strict=True):
            mine, other = game["places"][s], game["places"][t]
            if (
                game["rating"]["placing"] == "winner"
                and n > 2
                and 1 not in (mine, other)
            ):
                continue
            bots = game["seats"][s], game["seats"][t]
            score = (mine < other) + 0.5 * (mine == other)
            if not {*bots} & {*lucky}:
                score -= float(amount)
            found.append(Comparison(game["fixture_id"], n, bots, (s, t), score))
    return found


def fit(comparisons: Sequence[Comparison]) -> Strengths:
    """Return the strengths of bots and seats."""
    bots = sorted({bot for c in comparisons for bot in c.bots})
    seats = sorted({(c.players, s) for c in comparisons for s in c.seats if s})
    rows = np.zeros((len(comparisons), len(bots) + len(seats)))
    for row, c in zip(rows, comparisons, strict=True):
        for sign, bot, seat in zip((1.0, -1.0), c.bots, c.seats, strict=True):
            row[bots.index(bot)] += sign
            if seat:
                row[len(bots) + seats.index((c.players, seat))] += sign
    # A seat that strength or other seats explain says nothing by itself.
    kept = [*range(len(bots))]
    for column in range(len(bots), rows.shape[1]):
        square = rows[:, [*kept, column]].T @ rows[:, [*kept, column]]
        before = np.linalg.matrix_rank(square[:-1, :-1], hermitian=True)
        if np.linalg.matrix_rank(square, hermitian=True) > before:
            kept.append(column)
    x = balanced(
        rows[:, kept],
        np.array([2.0 / c.players for c in comparisons]),
        np.array([c.score for c in comparisons]),
    )
    found = dict(zip(kept, x.tolist(), strict=True))
    return Strengths(
        {bot: found[i] for i, bot in enumerate(bots)},
        {s: found[i] for i, s in enumerate(seats, len(bots)) if i in found},
    )


def balanced(rows: Floats, weight: Floats, score: Floats) -> Floats:
    """Return where everybody has scored what is expected, one drawn game included.

    That is where the likelihood is greatest, as it is concave.
    """

    def surplus(x: Floats) -> Floats:
        return (weight * (score - expit(rows @ x))) @ rows + 0.5 - expit(x)

    def slopes(x: Floats) -> Floats:
        p, q = expit(rows @ x), expit(x)
        return -(rows.T * (weight * p * (1.0 - p))) @ rows - np.diag(q * (1.0 - q))

    if not rows.size:
        return np.zeros(0)
    found = root(surplus, np.zeros(rows.shape[1]), jac=slopes, tol=1e-10)
    assert found.success, found.message
    return np.asarray(found.x)


def taken_from(games: Sequence[Game]) -> dict[str, Floats]:
    """Return what is taken from the scores of a label's games, by game; often nothing.

    Of the luck of each pair b 4 p (1 - p), with p and b from the fixtures of the four
    other folds of five.
    """
    first = games[0]
    is_winner_only = first["rating"]["placing"] == "winner" and len(first["seats"]) > 2
    if (
        first["rating"]["by"] == "results"
        or is_winner_only
        or any(game["luck"] is None for game in games)
    ):
        return {}
    fixtures = sorted({game["fixture_id"] for game in games})
    fold = {fixture: i % FOLDS for i, fixture in enumerate(fixtures)}
    rest = [
        fit(compare([x for x in games if fold[x["fixture_id"]] != f], {}))
        for f in range(FOLDS)
    ]
    taken: dict[str, Floats] = {}
    moved: dict[tuple[str, str, str], Floats] = {}
    """By fixture and pair: what luck, and what play and luck have moved its scores."""
    for game in games:
        own, fixture = [], game["fixture_id"]
        known = rest[fold[fixture]]
        for c, luck in zip(compare([game], {}), game["luck"], strict=True):
            p = known.expected(c)
            own.append(4.0 * p * (1.0 - p) * luck)
            pair = (fixture, min(c.bots), max(c.bots))
            both = np.array([own[-1], c.score - p])
            sign = 1.0 if c.bots[0] == pair[1] else -1.0
            moved[pair] = moved.get(pair, np.zeros(2)) + sign * both
        taken[game["game_id"]] = np.array(own)
    b = []
    for f in range(FOLDS):
        others = [m for pair, m in moved.items() if fold[pair[0]] != f]
        x, u = np.array(others or [[0.0, 0.0]]).T
        even = PHANTOM_FIXTURES * (x @ x) / len(x)
        slope = float(x @ u / (x @ x + even)) if x.any() else 0.0
        b.append(min(max(slope, 0.0), 1.0))
    return {
        game["game_id"]: b[fold[game["fixture_id"]]] * taken[game["game_id"]]
        for game in games
    }


class Rated(NamedTuple):
    """Elo by bot."""

    seats: dict[Seat, float]
    """In log-odds."""
    elo: dict[str, float]
    zero: set[str]
    """The bots whose mean is the zero, of each group that games link."""
    is_linked: bool
    """Whether games link all bots."""
    has_anchor: bool
    """Whether the anchor plays, and does not forfeit all."""


def rate(
    games: Sequence[Game], taken: Mapping[str, Floats], like: Rated | None = None
) -> Rated:
    """Rate the bots of a label: in each group that games link, against its zero.

    That is the anchor, or else the bots that are the zero of `like`, which is rated by
    more games, or else the middle of the group.
    """
    lucky: set[str] = set()
    more = {""}
    while more:
        # Less than nothing, or more than all, is no strength: then luck is left in.
        more = impossible(compare(games, taken, lucky)) - lucky
        lucky |= more
    strengths = fit(compare(games, taken, lucky))
    groups: list[set[str]] = []
    for game in games:
        linked = [group for group in groups if group & {*game["seats"]}]
        groups = [group for group in groups if group not in linked]
        groups.append({*game["seats"]}.union(*linked))
    anchor = anchor_of(games)
    fails = [
        failed
        for game in games
        for bot, failed in zip(game["seats"], game["forfeits"], strict=True)
        if bot == anchor["bot"]
    ]
    is_sound = bool(fails) and not all(fails)
    elo = {}
    every_zero: set[str] = set()
    for group in groups:
        # An anchor that forfeits all says nothing, not even of a middle.
        held = group & {anchor["bot"]}
        if not (held and is_sound):
            sound = group - held or group
            held = sound & (like.zero if like else set())
            held = held or middle(games, sorted(sound))
        every_zero |= held
        zero = sum(strengths.bots[bot] for bot in held) / len(held)
        for bot in group:
            elo[bot] = anchor["elo"] + ELO * (strengths.bots[bot] - zero)
    return Rated(strengths.seats, elo, every_zero, len(groups) == 1, is_sound)


def middle(games: Iterable[Game], bots: Sequence[str]) -> set[str]:
    """Return the largest group of which each has taken points from each other one.

    Be it by way of others, and whatever fixture is left out.  Bots that have anything
    in common count as one there.  Of groups as large it is the one with most bots, and
    then with most games; all bots, if no two are such a group.
    """
    games = tuple(games)
    names = sorted({bot for game in games for bot in game["seats"]})
    points: dict[str, set[tuple[int, int]]] = {}
    for c in compare(games, {}):
        i, j = map(names.index, c.bots)
        own = points.setdefault(c.fixture, set())
        own |= {(i, j)} if c.score > 0.0 else set()
        own |= {(j, i)} if c.score < 1.0 else set()
    takes = np.ones((len(names), len(names)), np.bool_)
    for left_out in points:
        ways = np.eye(len(names))
        for fixture, taken in points.items():
            for i, j in taken if fixture != left_out else ():
                ways[i, j] = 1.0
        for _ in names:
            ways = np.minimum(ways @ ways, 1.0)
        takes &= ways > 0.0
    number = {bot: sum(bot in game["seats"] for game in games) for bot in bots}
    owners = groups_of(names, games)
    best = max(
        (
            [x for x in bots if ties(takes, names.index(x), names.index(bot))]
            for bot in bots
        ),
        key=lambda group: (
            sum(bool(own & {*group}) for own in owners),
            len(group),
            sum(number[x] for x in group),
        ),
    )
    return {*best} if len(best) > 1 else {*bots}


def groups_of(bots: Iterable[str], games: Iterable[Game]) -> list[set[str]]:
    """Return the groups of bots that have anything in common."""
    numbers: dict[str, set[int]] = {}
    for game in games:
        for bot, own in zip(game["seats"], game["in_common"], strict=True):
            numbers[bot] = {*own}
    groups: list[set[str]] = []
    for bot in bots:
        own = [g for g in groups if any(numbers[bot] & numbers[x] for x in g)]
        groups = [group for group in groups if group not in own]
        groups.append({bot}.union(*own))
    return groups


def ties(takes: NDArray[np.bool_], i: int, j: int) -> bool:
    """Return whether each of two has taken points from the other."""
    return bool(takes[i, j] and takes[j, i])


def anchor_of(games: Iterable[Game]) -> Mapping[str, Any]:
    """Return the bot that others are measured by, if any, and the Elo of the zero."""
    for game in games:
        if game["rating"]["anchor"]:
            found: Mapping[str, Any] = game["rating"]["anchor"]
            return found
    return {"bot": None, "elo": 1000.0}


def impossible(comparisons: Iterable[Comparison]) -> set[str]:
    """Return the bots that have scored less than nothing, or more than all."""
    scored: dict[str, float] = {}
    missed: dict[str, float] = {}
    for c in comparisons:
        for bot, score in zip(c.bots, (c.score, 1.0 - c.score), strict=True):
            scored[bot] = scored.get(bot, 0.0) + score
            missed[bot] = missed.get(bot, 0.0) + 1.0 - score
    return {bot for bot in scored if min(scored[bot], missed[bot]) < 0.0}


class Label(NamedTuple):
    """All ratings of a label; None where they would be those of all games."""

    every: Rated
    confirmed: Rated | None
    results: Rated | None
    clean: Rated | None


def rate_label(games: Sequence[Game]) -> Label:
    """Rate the bots of a label in all ways that the leaderboard shows."""
    taken = taken_from(games)
    certain = [game for game in games if not game["explores"]]
    spoilt = {game["fixture_id"] for game in games if any(game["forfeits"])}
    clean = [game for game in games if game["fixture_id"] not in spoilt]
    every = rate(games, taken)
    return Label(
        every=every,
        confirmed=rate(certain, taken, every) if len(certain) < len(games) else None,
        results=rate(certain, {}, every) if taken else None,
        clean=rate(clean, taken, every) if spoilt and clean else None,
    )
