"""Reads bot files, and plays games between bots without a referee."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from documents import BOTS
from hand_ins import files_with
from own_process import own_process_kept

from arena.bot import Bot
from arena.games import TERMINAL, Table, derive_seed, get_game
from arena.league.entries.sources import bot_files
from arena.worker.file_loader import FileLoader


def read(file: Path) -> dict[str, type[Bot]]:
    """Return the bots of a file by class name, read as in a contestant's process."""
    sources = [(str(path), path.read_bytes()) for path in files_with(file)]
    with own_process_kept():
        return FileLoader(file, sources, ("arena", "msgspec", "numpy"), {}).load().bots


@cache
def models() -> dict[str, type[Bot]]:
    """Return all bots of `bots/` by the names they give themselves."""
    return {cls.name: cls for file in bot_files(BOTS) for cls in read(file).values()}


def play(
    name: str,
    bots: Sequence[type[Bot]],
    seed: int,
    options: dict[str, Any] | None = None,
) -> tuple[list[float], list[str]]:
    """Play one game; return the returns and everything that happened.

    Raises:
        AssertionError: a bot played what is not legal, or the game has no end.
    """
    table, _ = play_out(name, bots, seed, options)
    return table.state.returns(), table.history


def play_out(
    name: str,
    bots: Sequence[type[Bot]],
    seed: int,
    options: dict[str, Any] | None = None,
) -> tuple[Table, list[int]]:
    """Play one game as `play` does; return its table, and each seat's decisions."""
    game = get_game(name, len(bots), options)
    table = Table(game, derive_seed("tests", name, seed))
    seats = []
    for seat, cls in enumerate(bots):
        bot: Any = cls.__new__(cls)
        bot._arena_seed = int.from_bytes(derive_seed(seed, seat)[:8], "little")
        bot.__init__()
        bot.start(table.state.observation(seat))
        seats.append(bot)
    decisions = [0] * len(bots)
    while (seat := table.advance()) != TERMINAL:
        assert table.decisions < game.max_decisions
        decide = getattr(seats[seat], name, None) or seats[seat].act
        action = decide(table.observe(time_left=1.0))
        assert table.state.is_legal(action), action
        table.act(action)
        decisions[seat] += 1
    return table, decisions
