"""Names in less room than they need: apart still, and of whole words."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from arena.reports.tables.short_names import shortened

CLASS = ["my_bot (Ana Alder)", "my_bot (Ana Birch)", "my_bot (Ben Birch)", "experts"]
LONG = [
    "a_rather_long_name_of_forty_characters_1",
    "a_rather_long_name_of_forty_characters_2",
    "another_one_that_is_as_long_as_the_first",
]
CASES = [
    (CLASS, 18, CLASS),
    (CLASS, 14, ["my…(Ana Alder)", "my…(Ana Birch)", "my…(Ben Birch)", "experts"]),
    (CLASS, 12, ["…(Ana Alder)", "…(Ana Birch)", "…(Ben Birch)", "experts"]),
    (
        LONG,
        22,
        ["a_rather_long_name…1", "a_rather_long_name…2", "another_one_that_is…"],
    ),
    (["one word", "one world"], 7, ["…word", "…world"]),
    (["機器人很長的名字一", "機器人很長的名字二"], 8, ["機…字一", "機…字二"]),
]


@pytest.mark.parametrize(("names", "room", "expected"), CASES)
def test_what_is_kept_tells_names_apart(
    names: Sequence[str], room: int, expected: Sequence[str]
) -> None:
    assert shortened(names, room) == expected


PIECES = st.sampled_from(
    ["my", "bot", "Ana", "Alder", "(x)", "12", "long" * 5, "機器人"]
)
NAMES = st.lists(PIECES, min_size=1, max_size=6).map(" ".join)


@example(["my (x)", "longlonglonglonglong (x)"], 8)
@given(st.lists(NAMES, min_size=1, max_size=8, unique=True), st.integers(8, 30))
@settings(max_examples=200)
def test_names_have_room_and_are_apart(names: Sequence[str], room: int) -> None:
    found = shortened(names, room)
    assert len({*found}) == len(names)
    for name, short in zip(names, found, strict=True):
        assert cell_len(short) <= room
        assert short == name or cell_len(name) > room
        if "…" not in short or re.search(r"…\d$", short):
            continue
        kept = re.compile(".+".join(map(re.escape, short.split("…"))))
        assert [other for other in names if kept.fullmatch(other)] == [name]
