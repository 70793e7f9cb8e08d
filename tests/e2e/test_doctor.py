"""`arena doctor` shows what each level is worth on this machine, and what to do."""

import os
import re
from pathlib import Path

import pytest
from commands import Course, Done
from matrix import divided
from ordinary_user import can_be_ordinary_user, run_as_ordinary_user
from sandboxes import why_not

from arena.referee.sandbox import LEVELS
from arena.referee.sandbox.cold import LimitsSandbox, ProcessSandbox
from arena.referee.sandbox.forking import FiltersSandbox, NamespacesSandbox
from arena.referee.sandbox.level import ATTEMPTS

PROMISES = {
    level.name: level.contains
    for level in (NamespacesSandbox, FiltersSandbox, LimitsSandbox, ProcessSandbox)
}
STRONG = LEVELS[:2]
WORDS = {attempt.words: attempt.name for attempt in ATTEMPTS}
TRUST = "run only bots you trust"
OPEN = {"read", "list", "connect", "socket", "lock"}
"""What a bot can do at `process`, whoever runs it and wherever."""


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    course = Course(tmp_path_factory.mktemp("doctor") / "course")
    # So wide that sentences have a line each.
    course.environment["COLUMNS"] = "300"
    return course


@pytest.fixture(scope="module")
def done(course: Course) -> Done:
    return course.arena("doctor")


def table(out: str) -> dict[str, dict[str, str]]:
    """Return the cells of the table, by level and attempt."""
    text, _, _ = out.partition("\n\n")
    head, _, *lines = text.splitlines()
    words, *levels = re.split(r"  +", head)
    assert words == "a bot can"
    found: dict[str, dict[str, str]] = {level: {} for level in levels}
    for line in lines:
        words, *cells = re.split(r"  +", line)
        for level, cell in zip(levels, cells, strict=True):
            found[level][WORDS[words]] = cell
    return found


def verdict(out: str, level: str) -> str:
    """Return the line below the table on a level."""
    lines = out.replace("\n  ", " ")
    (line,) = re.findall(rf"^{level}: (.*)$", lines, re.MULTILINE)
    return str(line)


def test_the_table_shows_that_levels_keep_what_they_promise(done: Done) -> None:
    assert done.err == ""
    found = table(done.out)
    assert tuple(found) == LEVELS
    for level, cells in found.items():
        assert tuple(cells) == tuple(attempt.name for attempt in ATTEMPTS)
        if why_not(level):
            assert verdict(done.out, level).startswith("can't be had: ")
            continue
        assert set(cells.values()) <= {"yes", "no"}
        got = {name for name, cell in cells.items() if cell == "yes"}
        assert not got & PROMISES[level]
        if level in STRONG:
            assert got == set()
    assert {found["process"][name] for name in OPEN} == {"yes"}
    assert max(map(len, done.out.partition("\n\n")[0].splitlines())) <= 80


def test_weak_levels_are_for_bots_you_trust(done: Done) -> None:
    for level in LEVELS:
        line = verdict(done.out, level)
        if line.startswith("can't be had"):
            continue
        assert re.search(r"; starts a bot in \d+\.\d ms; programs in other lan", line)
        assert line.endswith(TRUST) == (level not in STRONG)


def test_the_last_lines_say_what_is_in_force_and_the_exit_code_too(done: Done) -> None:
    best = next(level for level in LEVELS if not why_not(level))
    user = "root" if os.geteuid() == 0 else "an ordinary user"
    end = done.out.rpartition("\n\n")[2].splitlines()
    assert re.fullmatch(rf"Python [\d.]+ on \w+ \S+ \(\w+\), as {user}", end[0])
    assert end[1].startswith(f"isolation: auto is {best} (")
    assert end[2:] == ([] if best in STRONG else [f"with it, {TRUST}"])
    assert done.code == (best not in STRONG)


def test_without_bubblewrap_there_is_a_hint_and_the_next_level(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(course.environment, "PATH", str(course.bots))
    done = course.arena("doctor")
    assert set(table(done.out)["namespaces"].values()) == {"-"}
    line, hint = re.search(r"^namespaces: (.*)\n  (.*)$", done.out, re.M).groups()  # type: ignore[union-attr]
    assert line == "can't be had: bubblewrap is not installed (no program bwrap)"
    assert hint.startswith("hint: install bubblewrap")
    if reason := why_not("filters"):
        pytest.skip(reason)
    assert "isolation: auto is filters (" in done.out
    assert done.code == 0


REFUSED = [
    ("No permissions to create new namespace", "containers and some systems forbid"),
    ("setting up uid map: Permission denied", "this system restricts user namespaces"),
    ("loopback: Failed RTM_NEWADDR: No", "this system restricts user namespaces"),
]


@pytest.mark.parametrize(("words", "hint"), divided(REFUSED, lambda x: x is REFUSED[0]))
def test_what_bubblewrap_says_is_told_with_what_could_help(
    words: str,
    hint: str,
    course: Course,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program = tmp_path / "bwrap"
    program.write_text(f"#!/bin/sh\necho 'bwrap: {words}' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setitem(course.environment, "PATH", f"{tmp_path}:/usr/bin:/bin")
    lines = course.arena("doctor").out.splitlines()
    (index,) = [i for i, x in enumerate(lines) if x.startswith("namespaces: ")]
    assert lines[index].startswith("namespaces: can't be had: ")
    assert lines[index].endswith(f": bwrap: {words}")
    assert lines[index + 1].startswith(f"  hint: {hint}")


@pytest.mark.exhaustive
def test_an_ordinary_user_is_told_what_holds_there() -> None:
    if reason := can_be_ordinary_user():
        pytest.skip(reason)
    done = run_as_ordinary_user(["-m", "arena", "doctor"], timeout=120)
    assert done.stderr == ""
    assert done.stdout.rpartition("\n\n")[2].splitlines()[0].endswith("ordinary user")
    found = table(done.stdout)
    for level in LEVELS:
        line = verdict(done.stdout, level)
        if not line.startswith("can't be had"):
            got = {name for name, cell in found[level].items() if cell == "yes"}
            assert not got & PROMISES[level]
            assert "programs in other languages too" in line
    # Less is allowed than to root, inside and outside.
    assert {found["process"][name] for name in OPEN} == {"yes"}
    assert found["process"]["mount"] == "no"
    assert done.returncode == ("auto is l" in done.stdout or "is p" in done.stdout)
