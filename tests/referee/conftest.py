"""Fixtures for the tests of the referee."""

from collections.abc import Iterator

import play_units
import pytest


@pytest.fixture(autouse=True, scope="module")
def no_sandbox_is_left() -> Iterator[None]:
    """Close the sandboxes that the tests of a file have shared."""
    yield
    play_units.close_shared_sandboxes()
