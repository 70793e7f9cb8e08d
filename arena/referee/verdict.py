"""The result of a game, with its forfeits."""

from collections.abc import Collection, Sequence

from arena.games import Game, State, rank, shares
from arena.records.game_record import Termination


def result(
    game: Game, state: State, forfeiters: Collection[int], termination: str
) -> tuple[list[int], list[float]]:
    """Return places and returns in seat order; forfeiters come behind all others.

    If nobody has forfeited, `termination` says whether the game was adjudicated.
    """
    if not forfeiters:
        if termination == Termination.ADJUDICATED:
            return state.places(), game.adjudicate(state)
        return state.places(), state.returns()
    seats: Sequence[int] = range(game.players)
    standing = [s for s in seats if s not in forfeiters]
    places = state.places()
    among = rank([places[s] for s in standing], lowest_wins=True)
    placed = dict(zip(standing, among, strict=True))
    # Nobody wins a game that everybody has forfeited.
    last = max(2, len(standing) + 1)
    found = [placed.get(s, last) for s in seats]
    return found, shares(found) if standing else [0.0 for _ in seats]
