"""Which entries the games tie together, so that their difference has an upper limit.

All that limits a strength is what others took: if y took a point from x, by a win or
a draw, x is not endlessly stronger than y.  So the difference of i to j has an upper
limit only if chains of such points lead from j to i (L. R. Ford, American Mathematical
Monthly 64, 1957).  A chain that one fixture can break is too little to claim one: what
counts are chains that hold whatever fixture is left out.

Two that limit each other so are tied together.  That is an equivalence, and its classes
are called groups.  Only results count here, never scores that luck was taken out of.
"""

from typing import Final, NamedTuple

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from arena.ratings.elo.pool import Bools, Cells, ClusterCells, Ints, add_up

SAFE: Final = 2
"""Fixtures in which points were taken, of which one may be left out."""


class Points(NamedTuple):
    """Who took any points from whom in which fixture, each of these once."""

    taker: Ints
    giver: Ints
    cluster: Ints


class Separation(NamedTuple):
    """What limits what, and who is tied together."""

    limits: Bools
    """Entries by entries: whether the row limits the column from above."""
    group: Ints
    """Of each entry the number of its group, by their first entries."""

    def is_apart(self, entry: int) -> bool:
        """Return whether nobody is tied to `entry`."""
        return int((self.group == self.group[entry]).sum()) == 1

    def open_to(self, members: list[int], held: list[int]) -> tuple[Bools, Bools]:
        """Return which members have no end above some of `held`, and none below."""
        free = ~self.limits
        above = np.logical_or.reduce(free[np.ix_(held, members)], axis=0)
        below = np.logical_or.reduce(free[np.ix_(members, held)], axis=1)
        return above, below

    def middle(self, members: list[int], games: Ints, own: Ints) -> list[int]:
        """Return those of `members` whose mean is best known: their largest group.

        Entries with the same number in `own` have an owner in common, and count as one
        there.  Of groups as large it is the one with the most entries, then with the
        most games, and then the first in the alphabet.  All, if no two are tied
        together.
        """
        groups: dict[int, list[int]] = {}
        for entry in members:
            groups.setdefault(int(self.group[entry]), []).append(entry)
        found = max(
            groups.values(),
            key=lambda x: (len({*own[x].tolist()}), len(x), int(games[x].sum())),
        )
        return found if len(found) > 1 else members


def separate(k: int, cells: Cells, parts: ClusterCells) -> Separation:
    """Find what results limit, of `k` entries; luck must not be taken out of them."""
    return tie(limited(k, points(cells, parts)))


def tie(limits: Bools) -> Separation:
    """Return who is tied together by these limits."""
    tied = sparse.csr_array(limits & limits.T)
    return Separation(limits, connected_components(tied, directed=False)[1])


def points(cells: Cells, parts: ClusterCells) -> Points:
    """Return the points that entries took from each other, luck left in."""
    first, second = cells.first[parts.cell], cells.second[parts.cell]
    # The lines of a fixture and a pair stand together.
    new = np.zeros(len(first), np.bool_)
    new[:1] = True
    for column in (parts.cluster, first, second):
        new[1:] |= column[1:] != column[:-1]
    run = np.cumsum(new) - 1
    count = int(new.sum())
    up = add_up(run, parts.wins, count) > 0.0
    down = add_up(run, parts.total - parts.wins, count) > 0.0
    first, second, cluster = first[new], second[new], parts.cluster[new]
    return Points(
        np.concatenate([first[up], second[down]]),
        np.concatenate([second[up], first[down]]),
        np.concatenate([cluster[up], cluster[down]]),
    )


def limited(k: int, taken: Points) -> Bools:
    """Return for each j and i of `k` entries, at [j, i], whether j limits i from above.

    Whatever fixture is left out, that is.  Each entry limits itself.
    """
    # Those whom two fixtures join are one node: no single fixture can part them.
    node = np.arange(k)
    while True:
        size = int(node.max(initial=-1)) + 1
        joined = _between(node, size, taken)
        counts = _counts(size, joined)
        found, group = connected_components(
            sparse.csr_array(counts >= SAFE), connection="strong"
        )
        if found == size:
            break
        node = group[node]
    held = _held(joined, counts)
    return held[np.ix_(node, node)]


def _between(node: Ints, size: int, taken: Points) -> Points:
    """Return the points that nodes took from each other, each fixture's once."""
    taker, giver = node[taken.taker], node[taken.giver]
    across = taker != giver
    taker, giver, cluster = taker[across], giver[across], taken.cluster[across]
    clusters = int(cluster.max(initial=0)) + 1
    codes = np.unique((taker.astype(np.int64) * size + giver) * clusters + cluster)
    pair, cluster = np.divmod(codes, clusters)
    return Points(*np.divmod(pair, size), cluster)


def _counts(size: int, joined: Points) -> Ints:
    """Return in how many fixtures the row took points from the column."""
    codes = joined.taker * size + joined.giver
    return np.bincount(codes, minlength=size * size).reshape(size, size)


def _held(joined: Points, counts: Ints) -> Bools:
    """Return what each node reaches by points, whatever fixture is left out."""
    there = counts > 0
    held = reach(there)
    alone = counts[joined.taker, joined.giver] < SAFE
    loose = Points(*(column[alone] for column in joined))
    for cluster in _critical(loose, there):
        gone = loose.cluster == cluster
        left = there.copy()
        left[loose.taker[gone], loose.giver[gone]] = False
        held &= reach(left)
    return held


def _critical(loose: Points, there: Bools) -> list[int]:
    """Return the fixtures without which some node may not reach another.

    A step that only one fixture has is not needed where there is a way round by a third
    node that was not at that fixture's table.
    """
    clusters, fixture = np.unique(loose.cluster, return_inverse=True)
    size = len(there)
    seated = np.zeros((len(clusters), size), np.bool_)
    seated[fixture, loose.taker] = seated[fixture, loose.giver] = True
    steps = there.astype(np.float32)
    ways = (steps @ steps)[loose.taker, loose.giver]
    # All but the two themselves may have their steps from this fixture.
    needed = ways <= seated.sum(axis=1)[fixture] - 2
    found: list[int] = np.unique(loose.cluster[needed]).tolist()
    return found


def reach(there: Bools) -> Bools:
    """Return what each node reaches in any number of steps, none included."""
    count, part = connected_components(sparse.csr_array(there), connection="strong")
    found = np.eye(count, dtype=np.bool_)
    start, end = np.nonzero(there)
    found[part[start], part[end]] = True
    while True:
        steps = found.astype(np.float32)
        further = steps @ steps > 0.0
        if (further == found).all():
            reached: Bools = found[np.ix_(part, part)]
            return reached
        found = further
