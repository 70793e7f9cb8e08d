"""What holds for all tests."""

import compileall
import ctypes
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import golden_files
import pytest
from hypothesis import settings

# From <linux/prctl.h>.
_PR_GET_DUMPABLE = 3

# The example of a package that brings a game; other processes do not find it.
sys.path.append(str(Path(__file__).parent / "packages" / "pig"))
# How long an example takes depends on the machine, and must not fail a test.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that writes golden files anew."""
    parser.addoption(
        "--renew-golden", action="store_true", help="write tests/golden/ anew"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Start from the same settings, however the tests are started."""
    golden_files.renewing = config.getoption("--renew-golden")
    # Where Python is told to write no bytecode, most of a test would be to compile.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if not hasattr(config, "workerinput"):
        compileall.compile_dir(Path(__file__).parents[1] / "arena", quiet=2)
    # nohup and background jobs of scripts ignore signals, and so would the commands
    # that are started here and have to be interrupted.  What is handled, though by
    # doing nothing, is not ignored by them.
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


@pytest.fixture(autouse=True, scope="session")
def open_process() -> Iterator[None]:
    """Keep this process as others find it when a command is run in it.

    A command hides its memory for good; tests that come later look into their own.
    """
    with pytest.MonkeyPatch.context() as patch:
        for command in ("arena.cli.report", "arena.league.play.interrupts"):
            patch.setattr(f"{command}.make_undumpable", lambda: None)
        yield


@pytest.fixture(autouse=True)
def still_open_process() -> Iterator[None]:
    """Name the test that hides this process from those that come later."""
    yield
    if sys.platform == "linux":
        is_open = ctypes.CDLL(None).prctl(_PR_GET_DUMPABLE, 0, 0, 0, 0)
        assert is_open, "this test has hidden its process for good"
