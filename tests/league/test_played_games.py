"""How games ended, in few bytes: it says what a dict would."""

import tracemalloc
from hashlib import sha256

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena.league.results.played_games import PlayedGames

CRASH = {"ana:Bot": "crash"}
SAME = ["0" * 20, "00000001" + "0" * 12, "0" * 12 + "00000001", "f" * 20]
"""Ids of which a part is like a part of another, or of two that are neighbours."""


@given(
    st.dictionaries(
        st.sampled_from(SAME) | st.text("01f", min_size=20, max_size=20),
        st.sampled_from([{}, CRASH, {"ben:Bot": "timeout", "ana:Bot": "exit"}]),
    ),
    st.lists(st.text("01f", min_size=20, max_size=20)),
)
@example({"0" * 19 + "1": {}, "0" * 19 + "2": {}}, ["0" * 15 + "10000"])
def test_it_says_what_a_dict_would(
    games: dict[str, dict[str, str]], others: list[str]
) -> None:
    ends = PlayedGames(sorted(games.items()))
    assert ends == games
    assert list(ends) == sorted(games)
    odd = ["", "g" * 20, "0" * 19, "é" * 20, "F" * 20, "0 " * 10]
    for game_id in (*games, *others, *SAME, *odd):
        assert (game_id in ends) == (game_id in games)
        assert ends.get(game_id) == games.get(game_id)


def test_what_no_plan_calls_its_games_is_left_out() -> None:
    ends = PlayedGames([("", {}), ("a", CRASH), ("f" * 20, CRASH), ("x" * 20, {})])
    assert dict(ends) == {"f" * 20: CRASH}


@pytest.mark.parametrize("second", ["0" * 20, "1" * 20])
def test_only_the_order_of_a_results_folder_will_do(second: str) -> None:
    with pytest.raises(ValueError, match="in the order of their ids"):
        PlayedGames([("1" * 20, {}), (second, {})])


def test_a_game_takes_some_ten_bytes_and_a_forfeit_not_many_more() -> None:
    ids = sorted(sha256(bytes([i % 256, i // 256])).hexdigest() for i in range(60_000))
    tracemalloc.start()
    try:
        ends = PlayedGames((id_[:20], dict(CRASH) if id_ < "02" else {}) for id_ in ids)
        size, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(ends) == 60_000
    # The buckets are as many for any league.
    assert size < 2**16 * 8 + 60_000 * 12 + 60_000 / 128 * 200
