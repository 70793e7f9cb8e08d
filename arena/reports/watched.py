"""Which games can be watched on the pages: all of them, as far as there is room."""

from array import array
from collections import defaultdict
from collections.abc import Collection
from heapq import nsmallest
from itertools import zip_longest

from arena.league.config.settings import Watch
from arena.reports.game_refs import GameRefs

MOST_GAMES = 10_000
MOST_DECISIONS = 480_000
"""Of all these games together: a replay has 900 bytes at the most, and 12 for each
decision, so that they take 15 MB."""


def watch_in_force(watch: Watch | None, *, is_anonymous: bool) -> Watch:
    """Return which games pages let be watched; `watch` is what the league's file says.

    Under aliases never all: who sees how a bot plays knows whose it is.
    """
    if watch is None or (watch == Watch.ALL and is_anonymous):
        return Watch.PICKED if is_anonymous else Watch.ALL
    return watch


def fill_up(refs: GameRefs, picked: Collection[str]) -> frozenset[str]:
    """Return the ids of the games that are picked, and as many others as there is room.

    Each bot has as many of its games there, those with the lowest ids: ids are hashes,
    so this is as good as a lot.
    """
    held = {*picked}
    room = MOST_DECISIONS
    own: dict[str, array[int]] = defaultdict(lambda: array("i"))
    for game, id_ in enumerate(refs.ids):
        if id_ in held:
            room -= refs.decisions[game]
            continue
        for bot in {*refs.seatings[refs.seating[game]].bots}:
            own[bot].append(game)
    most = max(0, MOST_GAMES - len(held))
    shares = [nsmallest(most, own[bot], refs.ids.__getitem__) for bot in sorted(own)]
    for row in zip_longest(*shares):
        for game in row:
            if game is None or refs.ids[game] in held:
                continue
            room -= refs.decisions[game]
            if room < 0 or len(held) >= MOST_GAMES:
                return frozenset(held)
            held.add(refs.ids[game])
    return frozenset(held)
