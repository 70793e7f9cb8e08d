"""The page on values shows one that is a value."""

import re
from pathlib import Path
from random import Random
from statistics import fmean, variance
from typing import Any

import pytest
from arena_pig import Pig
from values import a_game, check_value

from arena.games.luck import Value, luck_of
from arena.hooks import Hooks

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "arena" / "games" / "luck.md").read_text()
VALUE, HOOK = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def value() -> Value:
    """The page's value, of the game that is on the games' page."""
    found: dict[str, Any] = {}
    exec(VALUE, found)
    return found["PigValue"](Pig(2, Pig.parse_options({"target": 30})))  # type: ignore[no-any-return]


def test_it_keeps_the_contract(value: Value) -> None:
    check_value(value, games=4)


def test_it_finds_luck_that_has_no_mean(value: Value) -> None:
    rng = Random(5)
    scores: list[float] = []
    lucks: list[float] = []
    for _ in range(400):
        history, state = a_game(value.game, rng)
        lucks += luck_of(value, history)
        scores.append(float(state.places()[0] == 1))
    assert abs(fmean(lucks)) < 3 * (variance(lucks) / len(lucks)) ** 0.5
    rest = [score - luck for score, luck in zip(scores, lucks, strict=True)]
    assert variance(rest) < 0.75 * variance(scores)


def test_the_hook_it_names_is_one() -> None:
    (name,) = re.findall(r"def (\w+)\(", HOOK)
    assert hasattr(Hooks, name)


def test_the_page_leads_to_what_there_is() -> None:
    here = ROOT / "arena" / "games"
    for link in re.findall(r"\]\(([^)]+)\)", PAGE):
        assert (here / link.partition("#")[0]).exists()
