"""All Elo of a league, worked out again from the lines of `arena export` alone.

Nothing of arena is used, and nothing is known of the games.  `recompute_labels.py` has
the strengths in each label; choix, a library for such models, finds those over all.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from recompute_labels import (
    ELO,
    Floats,
    Game,
    Rated,
    Seat,
    anchor_of,
    groups_of,
    rate_label,
)
from scipy.special import expit


def rate_overall(
    games: Sequence[Game], labels: Mapping[str, Rated], *, is_any: bool
) -> dict[str, float]:
    """Return the overall Elo of those who play all of the labels, or any of them.

    `labels` are those in which games link all bots.
    """
    if len(labels) == 1:
        # Its table is the overall one.
        (only,) = labels.values()
        return only.elo
    if not labels:
        return {}
    players = {label: {*found.elo} for label, found in labels.items()}
    join = set.union if is_any else set.intersection
    bots = sorted(join(*players.values()))
    if len(bots) < 2:
        return {}
    rating = {game["label"]: game["rating"] for game in games}
    share = field(bots, games)
    chance = np.zeros((len(bots), len(bots)))
    for label, found in labels.items():
        weight = rating[label]["weight"] / sum(rating[x]["weight"] for x in labels)
        for i, a in enumerate(bots):
            for j, b in enumerate(bots):
                plays = a in players[label], b in players[label]
                expected = (1.0 + plays[0] - plays[1]) / 2.0
                if all(plays):
                    expected = expit((found.elo[a] - found.elo[b]) / ELO)
                chance[i, j] += weight * expected
    theta = ELO * bradley_terry(share[:, None] * share * chance)
    anchor = anchor_of(games)
    zero = share @ theta
    if anchor["bot"] in bots and any(x.has_anchor for x in labels.values()):
        zero = theta[bots.index(anchor["bot"])]
    return dict(zip(bots, (anchor["elo"] + theta - zero).tolist(), strict=True))


def field(bots: Sequence[str], games: Iterable[Game]) -> Floats:
    """Return the share of each bot in the field, one of those that share anything."""
    groups = groups_of(bots, games)
    size = {bot: len(group) for group in groups for bot in group}
    return np.array([1.0 / size[bot] / len(groups) for bot in bots])


def bradley_terry(wins: Floats) -> Floats:
    """Return the strengths of the fit to wins of rows against columns, in log-odds."""
    import choix

    np.fill_diagonal(wins, 0.0)
    return np.asarray(choix.ilsr_pairwise_dense(wins, max_iter=10_000, tol=1e-12))


class Ratings(NamedTuple):
    """Elo by its key in `leaderboard.json`, then by bot."""

    overall: dict[str, dict[str, float]]
    labels: dict[str, dict[str, dict[str, float]]]
    seats: dict[str, dict[Seat, float]]
    """By label, as Elo against the first seat."""


def rate_league(games: Iterable[Game]) -> Ratings:
    """Return every Elo of a league."""
    of: dict[str, list[Game]] = {}
    for game in games:
        of.setdefault(game["label"], []).append(game)
    found = {label: rate_label(own) for label, own in of.items()}
    labels = {
        label: {
            "elo": x.every.elo,
            "confirmed_elo": x.every.elo | (x.confirmed or x.every).elo,
            "results_elo": x.results.elo if x.results else {},
            "clean_elo": x.clean.elo if x.clean else {},
        }
        for label, x in found.items()
    }
    seats = {
        label: {seat: ELO * worth for seat, worth in x.every.seats.items()}
        for label, x in found.items()
    }
    every = [game for own in of.values() for game in own]
    groups = groups_of({bot for game in every for bot in game["seats"]}, every)
    linked = {
        label: x
        for label, x in found.items()
        # What one owner's bots play among themselves does not count.
        if x.every.is_linked
        and (len(groups) == 1 or sum(not g.isdisjoint(x.every.elo) for g in groups) > 1)
    }
    if len(linked) == 1:
        # The table of the only label that counts is the overall one.
        (only,) = linked
        return Ratings(labels[only], labels, seats)
    certain = {x: whole(y.confirmed, y.every) for x, y in linked.items()}
    columns = {
        "elo": {x: y.every for x, y in linked.items()},
        "confirmed_elo": certain,
        "results_elo": {x: whole(y.results, certain[x]) for x, y in linked.items()},
        "clean_elo": {x: y.clean or y.every for x, y in linked.items()},
    }
    if not any(x.results for x in linked.values()):
        columns["results_elo"] = {}
    if not any(x.clean for x in linked.values()):
        columns["clean_elo"] = {}
    # Without forfeits those are rated who have such games in all labels.
    is_any = every[0]["rating"]["overall"] == "any"
    overall = {
        key: rate_overall(every, x, is_any=is_any and key != "clean_elo")
        for key, x in columns.items()
    }
    left = sorted(overall["clean_elo"])
    if anchor_of(every)["bot"] not in left:
        # These keep the mean that they have in all games.
        shares = field(left, every) if left else ()
        gaps = [overall["elo"][x] - overall["clean_elo"][x] for x in left]
        shift = sum(share * gap for share, gap in zip(shares, gaps, strict=True))
        overall["clean_elo"] = {x: overall["clean_elo"][x] + shift for x in left}
    return Ratings(overall, labels, seats)


def whole(rated: Rated | None, every: Rated) -> Rated:
    """Return ratings from some games, unless a bot has none of these."""
    return rated if rated and rated.elo.keys() == every.elo.keys() else every


def check_rows(rows: Iterable[Mapping[str, Any]], games: Iterable[Game]) -> int:
    """Check every Elo of the rows of `leaderboard.json`; return how many there are."""
    found = rate_league(games)
    checked = 0
    for row in rows:
        parts = [(row, found.overall)]
        parts += [(part, found.labels[x]) for x, part in row["per_game"].items()]
        for part, known in parts:
            for key, elo in known.items():
                said, expected = part[key], elo.get(row["bot"])
                if expected is None:
                    assert said is None, (row["bot"], key)
                else:
                    assert said is not None, (row["bot"], key)
                    assert abs(said - expected) < 0.1, (row["bot"], key, said, expected)
                    checked += 1
    return checked
