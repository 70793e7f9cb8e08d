"""Games of another package, each Zombie Dice under another name: the values differ.

It is a plugin that any process of `arena` loads.
"""

import os
import sys
import threading
from collections.abc import Sequence
from zlib import crc32

from arena.games import Game, State, register
from arena.games.luck import VALUES, Value
from arena.games.zombie_dice import ZombieDice


class Toy(Value):
    """Guesses at random, the same for the same position: any value will do."""

    version = os.environ.get("TOY_VERSION", "1")
    digest = "0123456789abcdef"

    def ahead(self, state: State) -> Sequence[float]:
        text = os.environ.get("TOY_SALT", "") + state.to_text()
        share = crc32(text.encode()) / 2**32
        return [share / (i + 1) for i in range(len(self.pairs))]


class Refusing(Toy):
    def __init__(self, game: Game) -> None:
        raise ValueError("only 1 player\ncan be valued")


class Unready(Toy):
    def __init__(self, game: Game) -> None:
        raise KeyError("table")


class Leaving(Toy):
    def __init__(self, game: Game) -> None:
        sys.exit("away")


class Dead(Toy):
    def __init__(self, game: Game) -> None:
        print("so long", file=sys.stderr, flush=True)
        os._exit(1)


class Failing(Toy):
    def ahead(self, state: State) -> Sequence[float]:
        if max(state.scores()) > 2:
            raise RuntimeError("too many \x1b[31mbrains")
        return super().ahead(state)


class Dying(Toy):
    def ahead(self, state: State) -> Sequence[float]:
        os.kill(os.getpid(), 9)
        raise AssertionError


class Boundless(Toy):
    def ahead(self, state: State) -> Sequence[float]:
        return [float("inf") for _ in self.pairs]


class Unlike(Toy):
    digest = str(os.getpid())


class Noisy(Toy):
    def ahead(self, state: State) -> Sequence[float]:
        print("x" * 100, flush=True)
        assert sys.stdin.read() == ""
        return super().ahead(state)


class Stuck(Toy):
    """Comes to no end at a score of more than 2, as long as a file is there."""

    def ahead(self, state: State) -> Sequence[float]:
        if max(state.scores()) > 2 and os.path.exists(os.environ["TOY_STUCK"]):
            threading.Event().wait()
        return super().ahead(state)


class Dear(Toy):
    """Can't be made any more once a file is there."""

    def __init__(self, game: Game) -> None:
        if os.path.exists(os.environ["TOY_STUCK"]):
            raise RuntimeError("spent")
        super().__init__(game)


_CLASSES: list[type[Toy]] = [Toy, *Toy.__subclasses__()]


def _make_games() -> None:
    values = {cls.__name__.lower(): cls for cls in _CLASSES}
    for name in (*values, "worthless"):
        globals()[f"game_{name}"] = type(name, (ZombieDice,), {"name": name})
        register(name, f"arena_toys:game_{name}")
    for name, cls in values.items():
        VALUES.register(name, f"arena_toys:{cls.__name__}")


_make_games()
