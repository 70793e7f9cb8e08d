"""Matches of two bots in the process of a test."""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.bot import Bot
from arena.games import (
    TERMINAL,
    Game,
    GameSpecError,
    Table,
    derive_seed,
    get_game,
)
from arena.testing.asking import BotError, assert_legal
from arena.testing.loading import load_bot, make_again
from arena.testing.observations import TIME_LEFT_S
from arena.worker.explain import explain


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of a match, for the first bot."""

    games: int
    wins: int
    draws: int
    losses: int
    scores: tuple[tuple[float, float], ...]
    """Points of the bot and of its opponent in each game."""
    faults: tuple[str, ...]
    """Why the bot forfeited games, a sentence each."""
    opponent_faults: tuple[str, ...]

    @property
    def score(self) -> float:
        """The share of the win, from 0 to 1: a draw is half of one."""
        return (self.wins + self.draws / 2) / self.games

    def __str__(self) -> str:
        lines = [
            f"{self.wins} wins, {self.draws} draws, {self.losses} losses in "
            f"{self.games} games"
        ]
        lines += [f"forfeit: {fault}" for fault in self.faults]
        lines += [f"forfeit of the opponent: {x}" for x in self.opponent_faults]
        return "\n".join(lines)


AnyBot = Bot | type[Bot] | str | Path
"""A bot, its class, or the path of its file."""


def play_match(
    bot: AnyBot,
    opponent: AnyBot,
    game: str,
    games: int = 10,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
) -> MatchResult:
    """Play games between two bots, each game with new instances of them.

    Two games in a row have the same luck, each bot having once the first seat.  There
    are no limits of time here.  With the same bots and seed everything is the same.

    Args:
        bot: as from `load_bot`, or its class, or the path of its file.
        opponent: the same.
        games: their number; even, so that nobody has the first seat more often.
        options: of the game, as a league sets them.

    Raises:
        AssertionError: no such game, or a bot can't be made again for each game.
    """
    if games < 2 or games % 2:
        raise AssertionError(f"games: expected an even number from 2; found {games}")
    try:
        rules = get_game(game, 2, options)
    except GameSpecError as error:
        raise AssertionError(f"play_match: {error}") from None
    bots = (_loaded(bot), _loaded(opponent))
    results = [
        _play(rules, bots, number % 2, derive_seed("match", seed, number // 2))
        for number in range(games)
    ]
    returns = [result.returns for result in results]
    faults: tuple[list[str], list[str]] = ([], [])
    for number, result in enumerate(results):
        if result.fault is not None:
            who, text = result.fault
            faults[who].append(f"game {number}, {text}")
    return MatchResult(
        games=games,
        wins=sum(value > 0.5 for value in returns),
        draws=sum(value == 0.5 for value in returns),
        losses=sum(value < 0.5 for value in returns),
        scores=tuple(result.scores for result in results),
        faults=tuple(faults[0]),
        opponent_faults=tuple(faults[1]),
    )


def _loaded(bot: AnyBot) -> Bot | type[Bot]:
    if isinstance(bot, (str, Path)):
        found: Bot = load_bot(bot)
        return found
    return bot


@dataclass(frozen=True, slots=True)
class _Result:
    """The result of a game, for the first bot."""

    returns: float
    scores: tuple[float, float]
    fault: tuple[int, str] | None
    """Which of the two has forfeited, 0 or 1, and why."""


def _play(
    game: Game, bots: tuple[Bot | type[Bot], ...], first: int, seed: bytes
) -> _Result:
    """Play a game in which one of the bots, 0 or 1, has the first seat."""
    who = (first, 1 - first)
    seeds = [derive_seed(seed, "bot", seat) for seat in range(2)]
    seated = [
        make_again(bots[who[seat]], int.from_bytes(seeds[seat][:8], "little"))
        for seat in range(2)
    ]
    table = Table(game, seed)
    state = table.state
    fault = None
    while (seat := table.advance()) != TERMINAL:
        if table.decisions >= game.max_decisions:
            break
        try:
            action = assert_legal(seated[seat], table.observe(TIME_LEFT_S))
        except (Exception, SystemExit) as error:
            text = _explained(error, seated[seat])
            fault = who[seat], f"seat {seat}, decision {table.decisions}: {text}"
            break
        table.act(action)
    if fault is not None:
        mine = float(fault[0])
    else:
        over = table.is_over()
        mine = (state.returns() if over else game.adjudicate(state))[who[0]]
    scores = state.scores()
    return _Result(mine, (scores[who[0]], scores[who[1]]), fault)


def _explained(error: BaseException, bot: Bot) -> str:
    if isinstance(error, BotError):
        return str(error)
    beside = Path(inspect.getfile(type(bot))).parent.glob("*.py")
    message, calls = explain(error, {str(file): file.read_bytes() for file in beside})
    where = f"{Path(calls[-1].file).name}:{calls[-1].line}: " if calls else ""
    return f"{where}{message}"
