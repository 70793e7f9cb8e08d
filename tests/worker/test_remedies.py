"""Where a remedy would mislead, there is none; and Python may say it in other words."""

import linecache

import pytest

from arena.bot import Bot
from arena.games import get_game
from arena.worker.remedies.of_errors import advise
from arena.worker.remedies.of_replies import BadReply, reply_sentence
from arena.worker.remedies.raised import HandIn, Raised

FILE = "snippet.py"


def told(code: str) -> str:
    """Return the remedy for what some lines of a bot raise."""
    lines = code.splitlines(keepends=True)
    linecache.cache[FILE] = (len(code), None, lines, FILE)
    obs = get_game("ox_blocks").new_state().observation(0)
    try:
        exec(compile(code, FILE, "exec"), {"obs": obs, "self": Bot(), "Bot": Bot})
    except Exception as error:
        advise(error, HandIn(FILE, {FILE}, ""))
        return "".join(getattr(error, "__notes__", []))
    raise AssertionError(code)


@pytest.mark.parametrize(
    "code",
    [
        # These names may be variables that were forgotten, and no modules.
        "code + 1",
        "mean > 3",
        "test = string[0]",
        # To convert these gives no number, or another one.
        "'roll' > 3",
        "sum(['1', '2'])",
        "range(0, 1, 0.1)",
        # Here something else is None, or nothing of the bot's own.
        "print(x=None)",
        "sorted([3, None])",
        "max([None, None])",
        # These have no such parts of another language.
        "import fractions; fractions.Fraction(1).length",
        "class Node: pass\nNode().next",
        # They say it themselves.
        "raise StopIteration",
        "raise KeyError(3)",
        "raise RecursionError",
        "raise FileNotFoundError('no luck today')",
        "print >>3, 'x'",
        "import json; json.loads('x')",
        # Deleted, and not forgotten.
        "def f():\n    try: 1 / 0\n    except Exception as e: pass\n    return e\nf()",
    ],
)
def test_of_what_only_may_be_meant_nothing_is_said(code: str) -> None:
    assert told(code) == ""


@pytest.mark.parametrize(
    ("code", "remedy"),
    [
        ("raise ValueError('max() arg is an empty sequence')", "ask first whether"),
        ("raise ValueError('max() iterable argument is empty')", "ask first whether"),
        ("'x' + 3", "write str(...) around the number"),
        ("x = 'x'\nx += 3", "write str(...) around the number"),
        ("'3' > 2", "write int(...) around the text"),
        ("max([(1, print), (1, max)])", "say by what to compare, with key="),
        ("x = [[1]]\nx[0][3]", "x[0] has 1 here: the last is x[0][0]"),
        ("x = {}\nx[1]", "x is empty here: ask first, with if 1 in x:"),
        ("x = {}\nx[1] += 1", "to count from 0, write x[1] = x.get(1, 0) + 1"),
        ("x = [2]\ny = x.sort()\ny[0]", "use that in place of y"),
        ("y = None\ny[0]", "y is None here: ask first"),
        ("class A:\n    def f(self, x): pass\nA.f(1)", "write self.f(...)"),
        ("for x in [2].sort(): pass", "sort() changes it and returns None"),
    ],
)
def test_a_remedy_goes_by_the_code_that_failed(code: str, remedy: str) -> None:
    assert remedy in told(code)


def test_of_a_long_message_only_the_beginning_is_looked_at() -> None:
    """Patterns may take long with the rest, and a bot has its time for that."""
    error = TypeError("missing " * 20_000)
    assert len(Raised(error, HandIn(FILE, {FILE}, "")).message) == 2000
    assert told("raise TypeError('missing argument ' * 20_000)") == ""


@pytest.mark.parametrize("value", [True, -1, 10**9, 0.5, [], {}, "\udc00", b"\xff"])
def test_no_index_is_told_that_there_is_not(value: object) -> None:
    obs = get_game("ox_blocks").new_state().observation(0)
    assert "obs.legal_actions[" not in reply_sentence(BadReply(value, obs))
