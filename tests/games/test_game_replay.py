"""A recorded game is walked through again."""

from random import Random

import pytest

from arena.games import (
    CHANCE,
    TERMINAL,
    Game,
    HistoryError,
    Observation,
    Replay,
    Table,
    derive_seed,
    get_game,
)

SEED = derive_seed("replay", 1)
GAMES = {
    "zombie_dice": {"preset": "direct_to_video_sequel", "bus": True, "horde": True},
    "ox_blocks": {},
    "zombie_run": {"rounds": 2},
    "zombie_mania": {"tokens": 3},
}


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    name = str(request.param)
    return get_game(name, options=GAMES[name])


def played(game: Game) -> tuple[Table, list[tuple[int, Observation]]]:
    """Return a random game, and what was shown at each position with a decision."""
    table = Table(game, SEED)
    random = Random(1)
    shown = []
    while table.advance() != TERMINAL:
        shown.append((len(table.history), table.observe(1.0)))
        table.act(random.choice(table.state.legal_actions()))
    return table, shown


def test_every_seat_is_shown_what_it_was_shown(game: Game) -> None:
    table, shown = played(game)
    replay = Replay(game, table.history)
    at = dict(shown)
    again = [
        (position, table.observe(1.0))
        for position, table in enumerate(replay.walk())
        if position in at
    ]
    assert again == shown
    assert replay.decisions == tuple(position for position, _ in shown)


def test_its_positions_are_those_of_the_game(game: Game) -> None:
    table, _ = played(game)
    replay = Replay(game, table.history)
    end = replay.table_at(-1)
    assert (end.history, end.decisions) == (table.history, table.decisions)
    assert end.state.key() == table.state.key()
    assert end.state.returns() == table.state.returns()
    assert replay.table_at(0).state.key() == game.new_state().key()
    position = replay.decisions[3]
    assert replay.table_at(position).decisions == 3
    assert [e.text for e in replay.events] == table.history
    assert replay.events[0].seat == CHANCE
    last = len(table.history)
    with pytest.raises(IndexError, match=f"up to {last}; found {last + 1}"):
        replay.table_at(last + 1)


def test_luck_is_told_from_that_of_another_seed(game: Game) -> None:
    table, _ = played(game)
    replay = Replay(game, table.history)
    assert replay.unlike(SEED) == ""
    assert "by the seed; found" in replay.unlike(derive_seed("replay", 2))


def test_what_is_not_possible_is_named_with_its_place() -> None:
    game = get_game("ox_blocks")
    history = played(game)[0].history
    for wrong, place in (
        ([history[0], "place d9"], 1),
        (["sideways", *history[1:]], 0),
        ([*history, "pass"], len(history)),
    ):
        with pytest.raises(HistoryError, match=f"^at {place} of its history: "):
            Replay(game, wrong)
