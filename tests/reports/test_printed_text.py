"""What bots print, broken into lines of a width: nothing lost, words whole."""

from hypothesis import given
from hypothesis import strategies as st

from arena.reports.printed_text import broken, printed_lines


@given(st.text(alphabet=" ab\tß\u3000", max_size=60), st.integers(4, 30))
def test_a_line_is_broken_at_a_width_and_nothing_is_lost(text: str, width: int) -> None:
    rows = [*broken([text], width)]
    for row in rows:
        assert sum(1 if c.isascii() else 2 for c in row) <= width
    assert "".join("".join(rows).split()) == "".join(text.split())


@given(st.lists(st.text(alphabet="abc", min_size=1, max_size=12), min_size=1))
def test_words_stay_whole_and_lines_as_far_in_as_they_were(words: list[str]) -> None:
    rows = [*broken(["  " + " ".join(words)], 14)]
    assert [word for row in rows for word in row.split()] == words
    assert all(row[:2] == "  " and row[2] != " " for row in rows)


def test_what_has_room_stays_as_it_is() -> None:
    board = "X  O\n\n   .  X  "
    assert printed_lines(f"{board}\n\n", 20) == ["X  O", "", "   .  X"]
