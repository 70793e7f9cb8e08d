"""Games of a unit are delivered fixture by fixture."""

from collections.abc import Sequence

from arena.records.game_record import GameRecord
from arena.referee.service import WholeFixtures
from arena.referee.work_unit import GameTask


def task(number: int) -> GameTask:
    """Return a game; two with successive numbers, 2k and 2k + 1, are a fixture."""
    return GameTask(f"g{number}", f"f{number // 2}", "m", b"seed", (0, 1))


def record(number: int) -> GameRecord:
    """Return the record of such a game."""
    return GameRecord(
        game_id=f"g{number}",
        fixture_id=f"f{number // 2}",
        match_id="m",
        label="dice",
        seats=("a", "b"),
        returns=(1.0, 0.0),
        places=(1, 2),
        scores=(3.0, 1.0),
        termination="natural",
        forfeits=(False, False),
        decisions=number,
        seconds=(0.0, 0.0),
        history=(),
    )


def numbers(records: Sequence[GameRecord]) -> list[int]:
    return [record.decisions for record in records]


def test_a_game_is_held_back_until_its_fixture_is_whole() -> None:
    fixtures = WholeFixtures([task(number) for number in range(6)])
    assert numbers(fixtures.whole([record(0), record(3)])) == []
    assert numbers(fixtures.whole([record(5), record(4), record(2)])) == [5, 4, 3, 2]
    assert numbers(fixtures.parts()) == [0]
    assert numbers(fixtures.whole([record(1)])) == [0, 1]
    assert fixtures.parts() == []


def test_a_fixture_of_which_a_part_was_played_before_is_whole_without_it() -> None:
    fixtures = WholeFixtures([task(1), task(2), task(3)])
    assert numbers(fixtures.whole([record(1), record(2)])) == [1]
    assert numbers(fixtures.parts()) == [2]
