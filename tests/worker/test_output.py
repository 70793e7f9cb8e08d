"""The output of bots is kept apart by games, limited, and never in the way."""

import codecs
import io
import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import TextIO

import pytest

from arena.worker.output import TAIL_BYTES, CapturedOutput, GameOutput, OutputFloodError


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "output"


@pytest.fixture
def output(file: Path) -> Iterator[CapturedOutput]:
    descriptor = os.open(file, os.O_RDWR | os.O_APPEND | os.O_CREAT)
    made = CapturedOutput(descriptor)
    made.limit = 1000
    yield made
    os.close(descriptor)


def test_pages_are_kept_apart(output: CapturedOutput, file: Path) -> None:
    one, two = GameOutput(is_limited=True), GameOutput(is_limited=True)
    for game, text in [(one, "a"), (two, "b"), (one, "c"), (two, "d")]:
        output.switch_to(game)
        print(text, file=output)
    assert (one.text(), two.text()) == ("a\nc\n", "b\nd\n")
    assert file.read_text() == "b\nd\n"
    output.switch_to(one)
    assert file.read_text() == "a\nc\n"


def test_file_shows_nothing_of_another_game(output: CapturedOutput, file: Path) -> None:
    one, silent = GameOutput(is_limited=True), GameOutput(is_limited=True)
    output.switch_to(one)
    print("a", file=output)
    output.switch_to(silent)
    assert file.read_text() == ""


@pytest.mark.parametrize("tail", ["", "printed"])
def test_what_went_past_it_is_cleared_at_the_next_game(
    output: CapturedOutput, file: Path, tail: str
) -> None:
    one, two = GameOutput(is_limited=True), GameOutput(is_limited=True)
    output.switch_to(one)
    output.write(tail)
    os.write(output.fileno(), b"written")
    assert file.read_text() == tail + "written"
    output.switch_to(two)
    assert file.read_text() == ""


def test_flood_is_raised_just_over_the_limit(output: CapturedOutput) -> None:
    output.switch_to(GameOutput(is_limited=True))
    output.write("x" * 1000)
    with pytest.raises(OutputFloodError):
        output.write("x")
    # It goes on being raised: whoever catches it has not got rid of it.
    with pytest.raises(OutputFloodError):
        output.write("x")
    output.switch_to(GameOutput(is_limited=True))
    output.write("x" * 1000)


def test_flood_is_not_for_bots_to_catch() -> None:
    assert not issubclass(OutputFloodError, Exception)


def test_outside_of_games_nothing_is_too_much(
    output: CapturedOutput, file: Path
) -> None:
    for _ in range(200):
        output.write("x" * 5000)
    assert len(output.game.text()) == TAIL_BYTES
    assert file.stat().st_size <= 17 * TAIL_BYTES


@pytest.mark.parametrize("size", [1, 100, 10_000])
def test_last_lines_are_kept(output: CapturedOutput, file: Path, size: int) -> None:
    output.limit = 10**6
    game = GameOutput(is_limited=True)
    output.switch_to(game)
    text = "".join(f"{i}\n" for i in range(15_000))
    for start in range(0, len(text), size):
        output.write(text[start : start + size])
    assert game.text() == text[-TAIL_BYTES:]
    assert file.read_text().endswith(text[-TAIL_BYTES:])
    assert file.stat().st_size <= 17 * TAIL_BYTES


def test_any_text_can_be_printed(output: CapturedOutput) -> None:
    game = GameOutput()
    output.switch_to(game)
    print("🧠", "\udcff", file=output, flush=True)
    assert game.text() == "🧠 ?\n"


def test_it_passes_for_a_text_file(output: CapturedOutput) -> None:
    game = GameOutput()
    output.switch_to(game)
    with redirect_stdout(output):
        print("printed")
        sys.stdout.writelines(["a", "b\n"])
    logger = logging.Logger("bot")
    logger.addHandler(logging.StreamHandler(output))
    logger.error("logged")
    assert game.text() == "printed\nab\nlogged\n"
    assert output.writable()
    assert not output.isatty()
    with pytest.raises(TypeError, match="must be str, not bytes"):
        output.write(b"bytes")  # type: ignore[arg-type]


def test_closed_descriptor_disturbs_nobody(tmp_path: Path) -> None:
    descriptor = os.open(tmp_path / "closed", os.O_RDWR | os.O_CREAT)
    output = CapturedOutput(descriptor)
    os.close(descriptor)
    game = GameOutput(is_limited=True)
    output.switch_to(game)
    output.write("said all the same")
    output.switch_to(GameOutput(is_limited=True))
    output.switch_to(game)
    assert game.text() == "said all the same"


Wrap = Callable[[CapturedOutput], TextIO]
WRAPS: dict[str, Wrap] = {
    "anew": lambda out: io.TextIOWrapper(out.buffer, encoding="utf8"),
    "detached": lambda out: io.TextIOWrapper(out.detach(), encoding="utf8"),
    "by codecs": lambda out: codecs.getwriter("utf8")(out.buffer),
}


@pytest.mark.parametrize("wrap", WRAPS.values(), ids=WRAPS)
def test_it_is_wrapped_as_scripts_do_and_unwrapped_unharmed(
    output: CapturedOutput, monkeypatch: pytest.MonkeyPatch, wrap: Wrap
) -> None:
    game = GameOutput(is_limited=True)
    output.switch_to(game)
    for word in ("one", "two"):
        # What was in its place goes, and closes what it has wrapped.
        monkeypatch.setattr("sys.stdout", wrap(output))
        print(word)
        output.collect()
    monkeypatch.setattr("sys.stdout", output)
    print("three ❤")
    output.buffer.write("four ❤\n".encode())
    output.close()
    output.reconfigure(encoding="utf-8", errors="replace", line_buffering=True)
    assert game.text() == "one\ntwo\nthree ❤\nfour ❤\n"
    assert (output.encoding, output.closed, output.buffer.closed) == (
        "utf-8",
        False,
        False,
    )


@pytest.mark.parametrize("wrap", WRAPS.values(), ids=WRAPS)
def test_a_flood_of_bytes_is_one_too(
    output: CapturedOutput, monkeypatch: pytest.MonkeyPatch, wrap: Wrap
) -> None:
    output.switch_to(GameOutput(is_limited=True))
    monkeypatch.setattr("sys.stdout", wrap(output))
    output.buffer.write(b"x" * 1000)

    def print_more() -> None:
        print("x")
        output.collect()

    with pytest.raises(OutputFloodError):
        print_more()
    output.switch_to(GameOutput(is_limited=True))


@pytest.mark.parametrize("odd", [None, 3, open])
def test_what_can_not_be_flushed_is_let_be(
    output: CapturedOutput, monkeypatch: pytest.MonkeyPatch, odd: object
) -> None:
    monkeypatch.setattr("sys.stdout", odd)
    output.collect()
