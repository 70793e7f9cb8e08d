"""Bots asked for decisions, as a referee asks them."""

import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from arena.bot import Bot
from arena.referee.illegal_action import why_illegal
from arena.testing.heard import Heard, hearing
from arena.worker.protocol import action_text
from arena.worker.remedies.of_replies import BadReply, reply_sentence

_HAS_BEGUN = "_arena_has_begun"
_DRAWN = "_arena_drawn"


class BotError(AssertionError):
    """A bot broke the rules of the game; the text begins with its name."""


def ask(bot: Bot, obs: Any) -> str:
    """Return the action that a bot plays where it sees `obs`, legal or not.

    Before the first time its `start` is called, as before a game.

    Raises:
        AssertionError: it has no method for the game, or what it returns is no text.
            What the bot itself raises comes out as it is.  All say what it printed.
    """
    return _ask(bot, obs)[0]


def _ask(bot: Bot, obs: Any) -> tuple[str, Heard]:
    """Return what `ask` does, and what the bot has printed."""
    method = _method(bot, obs)
    with drawing(bot), hearing() as heard:
        if not vars(bot).get(_HAS_BEGUN):
            setattr(bot, _HAS_BEGUN, True)
            bot.start(obs.game.new_state().observation(obs.seat))
        action = method(obs)
    text = action_text(action)
    if text is None:
        sentence = reply_sentence(BadReply(action, obs, method))
        raise _error(bot, method, sentence, heard)
    return text, heard


def assert_legal(bot: Bot, obs: Any) -> str:
    """Assert that a bot plays a legal action where it sees `obs`, and return that.

    Raises:
        AssertionError: it does not; says what was legal, and what the bot printed.
    """
    action, heard = _ask(bot, obs)
    if action not in obs.legal_actions:
        why = why_illegal(action, obs.sample_state(Random(0)))
        raise _error(bot, _method(bot, obs), why, heard)
    return action


def assert_faster_than(bot: Bot, obs: Any, seconds: float, times: int = 5) -> None:
    """Assert that a bot never takes longer than so many seconds where it sees `obs`.

    They are CPU seconds of this process, all its threads counted, as a league counts
    them.  The bot is asked so many `times`; the slowest counts.

    Raises:
        AssertionError: it took longer.
    """
    slowest = 0.0
    for _ in range(times):
        started = time.process_time()
        ask(bot, obs)
        slowest = max(slowest, time.process_time() - started)
    if slowest >= seconds:
        raise AssertionError(
            f"{_called(bot, _method(bot, obs))} took {slowest:.3g} s of CPU time in "
            f"the slowest of {times} decisions; expected less than {seconds:g} s"
        )


def _method(bot: Bot, obs: Any) -> Callable[[Any], Any]:
    if not isinstance(bot, Bot):
        raise AssertionError(f"expected a bot, as from load_bot; found {bot!r}")
    game = getattr(getattr(obs, "game", None), "name", None)
    if game is None:
        raise AssertionError(
            f"expected an observation, as from position; found {obs!r}"
        )
    for name in (game, "act"):
        method = getattr(bot, name, None)
        if callable(method):
            found: Callable[[Any], Any] = method
            return found
    raise BotError(
        f"{type(bot).__name__} does not play {game}: it has no method {game}, nor act"
    )


def _error(
    bot: Bot, method: Callable[[Any], Any], sentence: str, heard: Heard
) -> BotError:
    printed = f" ({heard})" if str(heard) else ""
    return BotError(f"{_called(bot, method)} {sentence}{printed}")


def _called(bot: Bot, method: Callable[[Any], Any]) -> str:
    return f"{type(bot).__name__}.{getattr(method, '__name__', 'act')}"


@contextmanager
def drawing(bot: Bot) -> Iterator[None]:
    """Let the functions of `random`, and numpy's, draw numbers of the bot's own.

    So tests come out the same, whatever else draws; it is not disturbed by the bot.
    """
    others = random.getstate()
    numpy_random: Any = sys.modules.get("numpy.random")
    others_numpy = None if numpy_random is None else numpy_random.get_state()
    drawn = vars(bot).get(_DRAWN)
    if drawn is None:
        random.seed(bot._arena_seed)
        if numpy_random is not None:
            numpy_random.seed(bot._arena_seed % 2**32)
    else:
        random.setstate(drawn[0])
        if numpy_random is not None and drawn[1] is not None:
            numpy_random.set_state(drawn[1])
    try:
        yield
    finally:
        own_numpy = None if numpy_random is None else numpy_random.get_state()
        setattr(bot, _DRAWN, (random.getstate(), own_numpy))
        random.setstate(others)
        if numpy_random is not None:
            numpy_random.set_state(others_numpy)
