"""What bots print: kept within limits, whatever they print and however much."""

import zlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.records.prints import (
    MAX_DECISION_CHARS,
    MAX_GAME_CHARS,
    Printed,
    kept,
    packed,
    unpacked,
)

SEATS = ("ana", "ben", "cid")
LENGTHS = st.lists(
    st.tuples(st.integers(0, 2), st.integers(1, 2 * MAX_DECISION_CHARS)), max_size=40
)


@given(LENGTHS)
def test_neither_a_decision_nor_a_game_is_kept_beyond_its_limit(
    lengths: list[tuple[int, int]],
) -> None:
    prints = [Printed(seat, i, "x" * n) for i, (seat, n) in enumerate(lengths)]
    found = [*kept(prints)]
    for seat in range(3):
        printed = sum(n for who, n in lengths if who == seat)
        texts = [x.text for x in found if x.seat == seat]
        assert sum(map(len, texts)) <= MAX_GAME_CHARS + 1
        assert all(0 < len(text) <= MAX_DECISION_CHARS for text in texts)
        is_cut = printed > MAX_GAME_CHARS or any(
            n > MAX_DECISION_CHARS for who, n in lengths if who == seat
        )
        assert any("…" in text for text in texts) == is_cut
    assert [*kept(found)] == found


def test_of_a_decision_the_end_is_kept_and_of_a_game_the_beginning() -> None:
    long = "a" + "b" * MAX_DECISION_CHARS
    (found,) = kept([Printed(0, 3, long)])
    assert found.text == "…" + "b" * (MAX_DECISION_CHARS - 1)
    many = [Printed(0, step, "x" * 999 + "\n") for step in range(20)]
    found_all = [*kept(many)]
    assert found_all[:8] == many[:8]
    assert [(x.step, x.text) for x in found_all[8:]] == [(8, "…")]


@given(LENGTHS)
def test_what_is_packed_comes_out(lengths: list[tuple[int, int]]) -> None:
    prints = [Printed(seat, i, "ß" * n) for i, (seat, n) in enumerate(lengths)]
    found = [*packed(5, SEATS, prints)]
    assert all(x.index == 5 and x.entry == SEATS[x.seat] for x in found)
    texts = [printed for x in found for printed in unpacked(x.seat, x.texts)]
    assert sorted(texts, key=lambda x: x.step) == [*kept(prints)]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"x",
        zlib.compress(bytes(2**19)),
        zlib.compress(b"\x91" * 2**17),
        zlib.compress(b"\xdd\xff\xff\xff\xff"),
        zlib.compress(msgspec.msgpack.encode([(-1, "x")])),
        zlib.compress(msgspec.msgpack.encode([(0, b"x")])),
        zlib.compress(msgspec.msgpack.encode([(0, "")] * 10_000)),
        zlib.compress(msgspec.msgpack.encode([(0, "x")]))[:-2],
    ],
    ids=range(9),
)
def test_what_is_not_ours_is_refused(data: bytes) -> None:
    with pytest.raises((zlib.error, msgspec.MsgspecError, RecursionError)):
        unpacked(0, data)
