"""A level that is not what it should be is refused, or a lower one is taken."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest
import trio
from matrix import divided
from msgspec.structs import replace
from sandboxes import spec_of, why_not

from arena.errors import LeagueError
from arena.referee import isolation
from arena.referee.isolation import AUTO, Isolation, find_isolation, probe_program
from arena.referee.sandbox import level as core
from arena.referee.sandbox.cold import LimitsSandbox
from arena.referee.sandbox.forking import FiltersSandbox
from arena.worker.protocol import Confinement

Impair = Callable[[str], None]


class Leaky(LimitsSandbox):
    """Promises what it does not keep."""

    name = "leaky"
    contains: ClassVar[frozenset[str]] = frozenset({"memory", "read", "connect"})


def found(wanted: str, required: str | None = None) -> Isolation:
    async def find() -> Isolation:
        library = spec_of("limits").library
        with trio.fail_after(60):
            async with find_isolation(wanted, required, library, (), (), {}) as has:
                return has[0]

    return trio.run(find)


@pytest.fixture
def impair(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Impair:
    """Return a function that takes a feature away from this machine."""

    def take_away(what: str) -> None:
        if what == "bubblewrap":
            monkeypatch.setenv("PATH", str(tmp_path))
        elif what == "a bubblewrap that works":
            program = tmp_path / "bwrap"
            program.write_text("#!/bin/sh\necho No permissions to create >&2\nexit 1\n")
            program.chmod(0o755)
            monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
        else:
            path = "arena.referee.sandbox.forking.landlock_abi"
            monkeypatch.setattr(path, lambda: 0)

    return take_away


MISSING = [
    ("namespaces", "bubblewrap", "bubblewrap is not installed"),
    ("namespaces", "a bubblewrap that works", "No permissions to create"),
    ("filters", "Landlock", "this kernel has no Landlock"),
]


@pytest.mark.parametrize(("level", "gone", "reason"), MISSING)
def test_level_asked_for_is_had_or_nothing(
    level: str, gone: str, reason: str, impair: Impair
) -> None:
    impair(gone)
    for required in (None, level):
        with pytest.raises(LeagueError) as raised:
            found(level, required)
        message = str(raised.value)
        assert message.startswith(f"isolation {level} can't be had on this machine")
        assert reason in message
        assert "\n" not in message


def test_level_required_is_had_or_nothing(impair: Impair) -> None:
    impair("bubblewrap")
    impair("Landlock")
    with pytest.raises(LeagueError) as raised:
        found(AUTO, "filters")
    message = str(raised.value)
    assert message.startswith("isolation filters can't be had on this machine")
    assert "namespaces: bubblewrap is not installed" in message
    assert "filters: this kernel has no Landlock" in message
    assert "\n" not in message


@pytest.mark.parametrize(
    "level", divided(("namespaces", "filters"), lambda level: level == "filters")
)
def test_filter_that_is_not_there_is_missed(
    level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if reason := why_not(level):
        pytest.skip(reason)
    confinement = FiltersSandbox._confinement

    def without_filter(*arguments: Any) -> Confinement:
        return replace(confinement(*arguments), filters=False)

    monkeypatch.setattr(FiltersSandbox, "_confinement", without_filter)
    with pytest.raises(LeagueError, match=r"a bot could .*messages in locks on shared"):
        found(level, level)


@pytest.mark.exhaustive
def test_programs_are_tried_as_bots_are(monkeypatch: pytest.MonkeyPatch) -> None:
    if reason := why_not("filters"):
        pytest.skip(reason)
    spec = spec_of("filters")
    assert trio.run(probe_program, spec) == ""
    for text, expected in (
        (
            "raise SystemExit(3)#{}",
            'exited with status 3 before it had answered "load"',
        ),
        ("print('roll')#{}", 'answered "load" with a line that can\'t be read as JSON'),
        (
            isolation._PROGRAM.replace("error=", "err="),
            'answered "load" without a list',
        ),
    ):
        monkeypatch.setattr(isolation, "_PROGRAM", text)
        problem = trio.run(probe_program, spec)
        assert problem.startswith(f"the probe was not finished: {expected}")
    monkeypatch.undo()
    confinement = FiltersSandbox._confinement

    def without_filter(*arguments: Any) -> Confinement:
        return replace(confinement(*arguments), filters=False)

    monkeypatch.setattr(FiltersSandbox, "_confinement", without_filter)
    assert "messages in locks on shared" in trio.run(probe_program, spec)


def test_weaker_level_than_required_is_not_even_tried() -> None:
    with pytest.raises(LeagueError, match="filters is required, and limits is weaker"):
        found("limits", "filters")


def test_auto_takes_the_next_level_and_says_why(impair: Impair) -> None:
    if reason := why_not("filters"):
        pytest.skip(reason)
    impair("bubblewrap")
    isolation = found(AUTO, "filters")
    assert isolation.level == "filters"
    (above,) = isolation.passed_over
    assert above.level == "namespaces"
    assert above.problem.startswith("bubblewrap is not installed")


def test_auto_takes_what_is_left_and_says_why(impair: Impair) -> None:
    impair("bubblewrap")
    impair("Landlock")
    isolation = found(AUTO)
    assert isolation.level == "limits"
    problems = [above.problem for above in isolation.passed_over]
    assert problems[0].startswith("bubblewrap is not installed")
    assert problems[1].startswith("this kernel has no Landlock")


@pytest.fixture
def leaky(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(core.SANDBOXES._paths, "leaky", f"{__name__}:Leaky")
    monkeypatch.setattr(
        "arena.referee.isolation.LEVELS", ("leaky", "limits", "process")
    )


@pytest.mark.usefixtures("leaky")
def test_level_that_leaks_is_refused() -> None:
    for required in (None, "leaky"):
        with pytest.raises(LeagueError) as raised:
            found("leaky", required)
        message = str(raised.value)
        assert "a bot could read other files and use the network" in message
        assert "\n" not in message
    with pytest.raises(LeagueError, match="a bot could read other files"):
        found(AUTO, "leaky")


@pytest.mark.usefixtures("leaky")
def test_auto_passes_a_level_over_that_leaks() -> None:
    isolation = found(AUTO)
    assert isolation.level == "limits"
    (above,) = isolation.passed_over
    assert above.problem == "a bot could read other files and use the network"
