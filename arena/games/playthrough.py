"""Golden playthroughs: one random game, written out to the last detail.

A playthrough kept in a file and compared byte for byte shows every change in the
behaviour of a game, wanted or not:

    python -m arena.games.playthrough zombie_dice --players 3 --seed 1

Chance and actions come from named streams, so a seed gives the same text anywhere.
"""

import argparse
import json
from collections.abc import Iterator, Sequence

import msgspec

from arena.games.chance import derive_seed, uniform
from arena.games.core import CHANCE, Game, Observation, State
from arena.games.options import GameSpecError
from arena.games.registry import get_game
from arena.games.table import Table


def write_playthrough(game: Game, seed: int) -> str:
    """Return the transcript of one game of random actions.

    Shows every state, chance outcome with its probability, observation of each seat
    at each decision, legal action and action, what was hidden from whom, and the
    final returns, scores and places.  A game that reaches `max_decisions` is
    adjudicated.
    """
    return "\n".join(_lines(game, seed)) + "\n"


def _lines(game: Game, seed: int) -> Iterator[str]:
    yield f"game: {game.name}, rules {game.rules_version}, {game.players} players"
    yield f"options: {_json(game.options)}"
    yield f"seed: {seed}"
    yield f"actions: {game.num_actions}, from {game.actions[0]} to {game.actions[-1]}"
    stream_seed = derive_seed("playthrough", seed)
    table = Table(game, stream_seed)
    state = table.state
    while not table.is_over() and table.decisions < game.max_decisions:
        yield from _heading(table)
        if state.current_player() == CHANCE:
            stream = state.chance_stream()
            x = state.outcome_at(uniform(stream_seed, stream))
            probability = dict(state.chance_outcomes())[x]
            yield f"chance: {stream}"
            yield f"outcome: {x} (probability {probability:.9g})"
            yield from _views(state, x)
            table.happen(x)
        else:
            for seat in range(game.players):
                yield f"seat {seat} observes: {_fields(state.observation(seat))}"
            legal = state.legal_actions()
            u = uniform(stream_seed, f"decision {table.decisions}")
            x = legal[int(u * len(legal))]
            yield f"seat {state.current_player()} may: {', '.join(legal)}"
            yield f"action: {x} (id {game.action_id(x)})"
            yield from _views(state, x)
            table.act(x)
    yield from _heading(table)
    over = table.is_over()
    returns = state.returns() if over else game.adjudicate(state)
    yield "the game is over" if over else "the game is adjudicated"
    yield f"returns: {returns}"
    yield f"scores: {state.scores()}"
    yield f"places: {state.places()}"


def _heading(table: Table) -> Iterator[str]:
    yield ""
    yield f"# {len(table.history)}"
    yield table.state.to_text()


def _views(state: State, x: str) -> Iterator[str]:
    """Yield the view of each seat that does not see `x` itself."""
    for seat in range(state.game.players):
        view = state.visible(x, seat)
        if view != x:
            yield f"seat {seat} sees: {'nothing' if view is None else view}"


def _fields(observation: Observation) -> str:
    common = Observation.__struct_fields__
    return " ".join(
        f"{field}={_json(getattr(observation, field))}"
        for field in observation.__struct_fields__
        if field not in common
    )


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _object(text: str) -> dict[str, object]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"expected JSON; {error}") from None
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError(f"expected a JSON object; found {text}")
    return value


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a playthrough, as the command line asks."""
    parser = argparse.ArgumentParser(
        prog="python -m arena.games.playthrough",
        description="Print one game of random actions to the last detail.",
    )
    parser.add_argument("game", help="name of the game")
    parser.add_argument("--players", type=int, default=2, help="number of seats (2)")
    parser.add_argument(
        "--options",
        type=_object,
        default={},
        metavar="JSON",
        help="the game's options, as a JSON object ({})",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the game (0)")
    given = parser.parse_args(arguments)
    try:
        game = get_game(given.game, given.players, given.options)
    except GameSpecError as error:
        parser.error(str(error))
    print(write_playthrough(game, given.seed), end="")


if __name__ == "__main__":
    main()
