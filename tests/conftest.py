"""What holds for all tests."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

# How long an example takes depends on the machine, and must not fail a test.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")


@pytest.fixture(autouse=True, scope="session")
def open_process() -> Iterator[None]:
    """Keep this process as others find it when a command is run in it.

    A command hides its memory for good; tests that come later look into their own.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena.cli._run.make_undumpable", lambda: None)
        yield
