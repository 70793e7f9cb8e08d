"""A game at a table: the same luck for the same purpose, and who sees what."""

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from secret_pig import SecretObservation, SecretState, make_pig

from arena.games import (
    CHANCE,
    TERMINAL,
    Event,
    IllegalActionError,
    Observation,
    Table,
    derive_seed,
)


def hold_at(points: int) -> Callable[[Observation], str]:
    def act(seen: Observation) -> str:
        assert isinstance(seen, SecretObservation)
        return "hold" if seen.points >= points else "roll"

    return act


def play(table: Table, *bots: Callable[[Observation], str]) -> Iterator[Observation]:
    """Play to the end, and yield what was seen at each decision."""
    while (seat := table.advance()) != TERMINAL:
        seen = table.observe(1.0)
        yield seen
        table.act(bots[seat](seen))


@given(st.binary(max_size=32), st.integers(1, 20), st.integers(1, 20))
def test_a_seed_and_the_actions_give_the_game(seed: bytes, a: int, b: int) -> None:
    one, two = Table(make_pig(bonus=5), seed), Table(make_pig(bonus=5), seed)
    assert list(play(one, hold_at(a), hold_at(b))) == [
        # The two observations differ in their `Game` only.
        _at(one, seen)
        for seen in play(two, hold_at(a), hold_at(b))
    ]
    assert one.history == two.history
    assert one.state.key() == two.state.key()


def _at(table: Table, seen: Observation) -> Observation:
    values = {name: getattr(seen, name) for name in seen.__struct_fields__}
    return type(seen)(**{**values, "game": table.game})


def test_another_seed_gives_another_game() -> None:
    histories = set()
    for i in range(20):
        table = Table(make_pig(), derive_seed(i))
        for _ in play(table, hold_at(5), hold_at(5)):
            pass
        histories.add(tuple(table.history))
    assert len(histories) == 20


def test_the_luck_of_a_seat_is_not_shifted_by_the_other() -> None:
    def first_rolls(other: int) -> dict[str, str]:
        table = Table(make_pig(target=60), derive_seed("fixture", 3))
        rolls = {}
        bots = (hold_at(12), hold_at(other))
        while (seat := table.advance()) != TERMINAL:
            action = bots[seat](table.observe(1.0))
            table.act(action)
            if action == "roll":
                stream = table.state.chance_stream()
                table.advance()
                if stream.startswith("seat 0"):
                    rolls[stream] = table.history[-1]
        return rolls

    eager, timid = first_rolls(30), first_rolls(1)
    shared = eager.keys() & timid.keys()
    assert len(shared) > 5
    assert all(eager[stream] == timid[stream] for stream in shared)


def test_a_history_can_be_replayed_without_the_seed() -> None:
    game = make_pig(bonus=5)
    table = Table(game, derive_seed(1))
    for _ in play(table, hold_at(5), hold_at(9)):
        pass
    replayed = Table(game, b"")
    for x in table.history:
        chance = replayed.state.current_player() == CHANCE
        (replayed.happen if chance else replayed.act)(x)
    assert replayed.state.key() == table.state.key()
    assert replayed.history == table.history
    assert replayed.decisions == table.decisions


def test_events_reach_each_seat_once_and_in_order() -> None:
    table = Table(make_pig(3), derive_seed(2))
    seen: list[list[str]] = [[], [], []]
    for observed in play(table, hold_at(4), hold_at(6), hold_at(8)):
        seen[observed.seat] += [event.text for event in observed.events]
        # What has happened until now, and nothing else, is known to who decides.
        assert seen[observed.seat] == table.history


def test_events_name_who_acted() -> None:
    table = Table(make_pig(target=100), b"")
    for x in ("roll", "4", "hold", "roll", "1"):
        (table.happen if x.isdigit() else table.act)(x)
    assert table.observe(2.5).events == (
        Event(0, "roll"),
        Event(CHANCE, "4"),
        Event(0, "hold"),
        Event(1, "roll"),
        Event(CHANCE, "1"),
    )
    table.act("roll")
    table.happen("1")
    assert table.observe(2.5).events == (
        Event(0, "roll"),
        Event(CHANCE, "4"),
        Event(0, "hold"),
        Event(1, "roll"),
        Event(CHANCE, "1"),
        Event(0, "roll"),
        Event(CHANCE, "1"),
    )


def test_hidden_events_reach_only_who_may_see_them() -> None:
    table = Table(make_pig(bonus=9), b"")
    table.happen("7")
    table.happen("3")
    first = table.observe(1.0)
    assert first.events == (Event(CHANCE, "7"),)
    table.act("roll")
    table.happen("1")
    second = table.observe(1.0)
    assert second.events == (Event(CHANCE, "3"), Event(0, "roll"), Event(CHANCE, "1"))
    assert table.history == ["7", "3", "roll", "1"]


def test_what_is_seen_is_asked_before_it_happens() -> None:
    class Reveals(SecretState):
        __slots__ = ()

        def visible(self, x: str, seat: int) -> str | None:
            return f"{x} from {self._points} points"

    game = make_pig()
    table = Table(game, b"")
    table.state = Reveals(game)
    table.act("roll")
    table.happen("5")
    assert table.observe(1.0).events[-1] == Event(CHANCE, "5 from 0 points")


def test_the_observation_has_the_time_left() -> None:
    table = Table(make_pig(), b"")
    assert table.observe(1.25).time_left == 1.25


def test_an_illegal_action_leaves_no_trace() -> None:
    table = Table(make_pig(), b"")
    with pytest.raises(IllegalActionError):
        table.act("hold")
    assert (table.history, table.decisions) == ([], 0)
    assert table.observe(1.0).events == ()


def test_decisions_are_counted_and_chance_is_not() -> None:
    table = Table(make_pig(), derive_seed(4))
    for n, _ in enumerate(play(table, hold_at(6), hold_at(6))):
        assert table.decisions == n
    assert table.is_over()
    assert 0 < table.decisions < len(table.history)
