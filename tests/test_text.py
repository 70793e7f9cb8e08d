"""Words for people: what each function promises, on any text."""

import ast
from difflib import get_close_matches

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.text import (
    alike,
    behind,
    closest,
    computing_time,
    counted,
    cut,
    cut_start,
    did_you_mean,
    duration,
    listed,
    one_line,
    plain_words,
    printable,
    quoted,
    some_of,
    waiting_time,
    wrapped,
    wrapped_page,
)

GAMES = ("zombie_dice", "ox_blocks", "zombie_run", "zombie_mania")
WORDS = st.lists(st.text("abcde", min_size=1, max_size=4), max_size=5)


def test_the_likeliest_words_come_first() -> None:
    assert alike("zombie_rum", GAMES, 2) == ["zombie_run", "zombie_mania"]
    assert closest("ox_block", GAMES) == "ox_blocks"
    assert closest("chess", GAMES) == ""


@given(st.text("abcde", max_size=4), WORDS)
def test_a_hint_names_a_known_word(word: str, known: list[str]) -> None:
    close = get_close_matches(word, known, n=1)
    expected = f"did you mean {close[0]!r}?" if close else "known are none"
    assert did_you_mean(word, known, "known are none") == expected


def test_a_hint_can_ask_for_more_likeness() -> None:
    assert did_you_mean("ox_box", GAMES) == "did you mean 'ox_blocks'?"
    assert did_you_mean("ox_box", GAMES, likeness=0.9) == ""


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 dice"), (1, "1 die"), (2, "2 dice")]
)
def test_a_noun_goes_with_its_number(number: int, text: str) -> None:
    assert counted(number, "die", "dice") == text


def test_a_plural_ends_in_s_unless_it_is_given() -> None:
    assert counted(3, "game") == "3 games"


@pytest.mark.parametrize(
    ("words", "text"), [("a", "a"), ("ab", "a and b"), ("abc", "a, b and c")]
)
def test_a_list_ends_with_and(words: str, text: str) -> None:
    assert listed(words) == text


def test_a_shortened_list_says_so() -> None:
    assert some_of("ab", 2) == some_of("ab", 2, with_total=True) == "a, b"
    assert some_of("ab", 3) == "a, b, …"
    assert some_of("ab", 3, with_total=True) == "a, b, … (3 in all)"


@given(WORDS, st.integers(4, 20))
def test_wrapping_loses_no_word_and_breaks_none(words: list[str], width: int) -> None:
    lines = wrapped(" ".join(words), width, "  ")
    assert " ".join(lines).split() == words
    assert all(len(line) <= width or len(line.split()) == 1 for line in lines)
    assert all(line.startswith("  ") for line in lines[1:])


def test_a_long_word_stays_whole() -> None:
    assert wrapped("a/very-long/path is it", 8) == ["a/very-long/path", "is it"]


def test_indented_lines_of_a_page_stay_as_they_are() -> None:
    text = "one two three\n\n    one two three"
    assert wrapped_page(text, 8) == "one two\nthree\n\n    one two three"


def test_what_would_act_on_a_terminal_is_replaced() -> None:
    assert printable("a\x1b[2Jb\r\u202ec\n\td") == "a\ufffd[2Jb\ufffd\ufffdc\n\td"
    assert printable("one\ntwo", lines=False) == "one\ufffdtwo"
    assert printable("no\u00a0break\u3000") == "no\u00a0break\u3000"


@given(st.text())
def test_a_printable_text_keeps_its_length_and_stays_so(text: str) -> None:
    found = printable(text)
    assert len(found) == len(text)
    assert printable(found) == found


@given(st.text())
def test_one_line_is_one(text: str) -> None:
    line = one_line(text)
    assert len(line.splitlines()) <= 1
    assert line == line.strip()
    assert printable(line, lines=False) == line


@given(st.text("abc"), st.integers(1, 8))
def test_a_cut_text_keeps_one_of_its_ends(text: str, most: int) -> None:
    head, tail = cut(text, most), cut_start(text, most)
    assert len(head) == len(tail) == min(len(text), most)
    if len(text) > most:
        assert head == text[: most - 1] + "…"
        assert text.endswith(tail[1:])
    else:
        assert head == tail == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "1 s"),
        (89.4, "89 s"),
        (90, "2 min"),
        (5399, "90 min"),
        (5400, "1.5 h"),
        (36_000, "10.0 h"),
    ],
)
def test_a_time_to_wait_has_one_unit(seconds: float, text: str) -> None:
    assert waiting_time(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (12.345, "12.3 s"),
        (1.0, "1 s"),
        (0.9995, "1 s"),
        (0.99949, "999 ms"),
        (0.0042, "4.2 ms"),
        (0.000_999_51, "1 ms"),
        (3.14159e-6, "3.14 µs"),
        (0.0, "0 µs"),
    ],
)
def test_a_computing_time_has_three_digits(seconds: float, text: str) -> None:
    assert computing_time(seconds) == text


def test_a_problem_is_told_in_plain_words() -> None:
    problem = "Expected `int | null`, got `str` - at `$.games[0].rounds`"
    assert plain_words(problem) == "expected a whole number or null"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.03, "30 ms"),
        (59.4, "59.4 s"),
        (59.6, "1 min"),
        (750.0, "12 min 30 s"),
        (3599.4, "59 min 59 s"),
        (3599.6, "1 h"),
        (14550.0, "4 h 2 min"),
        (7199.0, "2 h"),
    ],
)
def test_a_duration_has_its_two_largest_units(seconds: float, text: str) -> None:
    assert duration(seconds) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("roll", "'roll'"),
        ("it's", '"it\'s"'),
        ('{"id":7}', "'{\"id\":7}'"),
        ("'\"", "'\\'\"'"),
        ("a\\", "'a\\\\'"),
        ("a\x1b\n\u202e\xa0b", "'a\\x1b\\n\\u202e\\xa0b'"),
        ("it\u2019s", '"it\u2019s"'),
        ("it's\u201d", "'it\\'s\u201d'"),
        ("\u201d\u2019\uff07", "'\u201d\\u2019\\uff07'"),
        ("é…", "'é…'"),
    ],
)
def test_nothing_quoted_looks_like_the_end_of_it(text: str, shown: str) -> None:
    assert quoted(text) == shown


@given(st.text())
def test_what_is_quoted_can_be_read_back(text: str) -> None:
    assert ast.literal_eval(quoted(text)) == text


BEHIND = [
    ("ana.py", "ana.py: no bot found", "no bot found"),
    ("week/ana.py", "ana.py:12: its process says", "line 12: its process says"),
    ("ana.py", "anana.py: no", "anana.py: no"),
    ("ana", "is a folder", "is a folder"),
    ("ana", "bot.py:2: no", "bot.py:2: no"),
    ("week/ana", "ana/bot.py:2: no", "bot.py:2: no"),
    ("ana", "ana/my bot v2.py:2: no", "my bot v2.py:2: no"),
    ("ana", "ana/bot.py does not: no", "ana/bot.py does not: no"),
]


@pytest.mark.parametrize(("name", "sentence", "expected"), BEHIND)
def test_no_name_stands_twice(name: str, sentence: str, expected: str) -> None:
    assert behind(name, sentence) == expected
