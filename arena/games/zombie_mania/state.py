"""Zombie Mania! in play."""

from bisect import bisect_right
from collections.abc import Hashable, Sequence
from operator import add
from typing import Self

from arena.games.core import CHANCE, TERMINAL, Game, IllegalActionError, State, rank
from arena.games.zombie_mania.dice import (
    DICE,
    NO_DICE,
    Counts,
    can_send,
    has_zombie,
    keeps,
    keeps_of,
    movable,
    pairs,
    rolls,
    to_counts,
    to_words,
)
from arena.games.zombie_mania.observation import Phase, ZombieManiaObservation
from arena.games.zombie_mania.setup import GRAVEYARD, ZombieManiaSetup, legal_moves


class ZombieManiaState(State):
    """A position of Zombie Mania!, in one of the games of a series."""

    __slots__ = (
        "graveyard",
        "kept",
        "number",
        "penalties",
        "phase",
        "roll",
        "rolled",
        "setup",
        "tokens",
        "turns",
    )

    def __init__(self, game: Game, setup: ZombieManiaSetup) -> None:
        self.game = game
        self.setup = setup
        self.number = 1
        """The number of the game in play, from 1."""
        self.penalties = (0,) * game.players
        """Penalty points of each seat from the finished games."""
        self._set_up()

    def _set_up(self) -> None:
        self.tokens = [self.setup.tokens] * self.game.players
        self.graveyard = 0
        self.phase: Phase = "throw"
        self.rolled: Counts = NO_DICE
        self.kept: Counts = NO_DICE
        self.turns = 0
        """Turns finished in this game."""
        self.roll = 1

    @property
    def active(self) -> int:
        """The seat whose turn it is; each game begins with the next one (66)."""
        return (self.number - 1 + self.turns) % self.game.players

    def current_player(self) -> int:
        if self.phase == "throw":
            return CHANCE
        if self.phase == "over":
            return TERMINAL
        return self.active

    def legal_actions(self) -> list[str]:
        if self.phase == "keep":
            return list(keeps_of(self.rolled))
        if self.phase == "continue":
            return ["roll", "stop"]
        if self.phase == "move":
            own, kept = self.active, self.kept
            most = min(movable(kept), self.tokens[own])
            return list(legal_moves(self.game.players, own, most, can_send(kept)))
        return []

    def is_legal(self, action: object) -> bool:
        if not isinstance(action, str):
            return False
        if self.phase == "keep":
            return action in keeps_of(self.rolled)
        return action in self.legal_actions()

    def chance_outcomes(self) -> list[tuple[str, float]]:
        """Return every multiset of icons the dice not yet kept can show."""
        if self.phase != "throw":
            return []
        return list(rolls(DICE - sum(self.kept)).outcomes)

    def chance_stream(self) -> str:
        """Return the game, the seat, its own turn and the roll of the coming throw.

        The game is left out where there is but one.
        """
        series = f"game {self.number} " if self.setup.games > 1 else ""
        turn = self.turns // self.game.players + 1
        return f"{series}seat {self.active} turn {turn} roll {self.roll}"

    def outcome_at(self, u: float) -> str:
        throws = rolls(DICE - sum(self.kept))
        return throws.outcomes[bisect_right(throws.cumulative, u)][0]

    def apply(self, x: str) -> None:
        if self.phase == "throw":
            self._throw(x)
        elif not self.is_legal(x):
            raise IllegalActionError(self, x)
        elif self.phase == "keep":
            self.kept = tuple(map(add, self.kept, keeps()[x]))
            self.rolled = NO_DICE
            if sum(self.kept) == DICE:
                self._stop()
            else:
                self.phase = "continue"
        elif x == "roll":
            self.phase = "throw"
            self.roll += 1
        elif x == "stop":
            self._stop()
        else:
            self._move(*self.setup.moves[x])
            self._end_turn()

    def _throw(self, outcome: str) -> None:
        rolled = rolls(DICE - sum(self.kept)).counts.get(outcome)
        if rolled is None:
            raise IllegalActionError(self, outcome)
        if has_zombie(rolled):
            self.rolled = rolled
            self.phase = "keep"
        else:
            self._end_turn()

    def _stop(self) -> None:
        if movable(self.kept):
            self.phase = "move"
        else:
            self._end_turn()

    def _move(self, amount: int, target: int) -> None:
        self.tokens[self.active] -= amount
        if target == GRAVEYARD:
            self.graveyard += amount
        else:
            self.tokens[target] += amount

    def _end_turn(self) -> None:
        self.turns += 1
        self.roll = 1
        self.kept = NO_DICE
        if self.tokens[self.active]:
            self.phase = "throw"
        else:
            self._end_game()

    def _end_game(self) -> None:
        """Give each seat its tokens as penalty points; begin the next game (67)."""
        self.penalties = tuple(map(add, self.penalties, self.tokens))
        if self.number == self.setup.games:
            self.phase = "over"
        else:
            self.number += 1
            self._set_up()

    def clone(self) -> Self:
        copy = self.__class__.__new__(self.__class__)
        copy.game = self.game
        copy.setup = self.setup
        copy.number = self.number
        copy.penalties = self.penalties
        copy.tokens = self.tokens.copy()
        copy.graveyard = self.graveyard
        copy.phase = self.phase
        copy.rolled = self.rolled
        copy.kept = self.kept
        copy.turns = self.turns
        copy.roll = self.roll
        return copy

    def _points(self) -> list[int]:
        """Return the penalty points; tokens of a game in play count as they lie."""
        if self.phase == "over":
            return list(self.penalties)
        return list(map(add, self.penalties, self.tokens))

    def scores(self) -> list[float]:
        """Return the penalty points of each seat, fewest are best.

        The tokens on the mats of a game in play are among them.
        """
        return [float(points) for points in self._points()]

    def places(self) -> list[int]:
        """Return the places by penalty points, fewest first.

        Who wins a single game has place 1 alone, even if others have no tokens.
        """
        points = self._points()
        if self.phase == "over" and self.setup.games == 1:
            points[self.active] = -1
        return rank(points, lowest_wins=True)

    def observation(self, seat: int) -> ZombieManiaObservation:
        return ZombieManiaObservation(
            seat=seat,
            game=self.game,
            tokens=tuple(self.tokens),
            graveyard=self.graveyard,
            phase=self.phase,
            rolled=to_words(self.rolled),
            kept=to_words(self.kept),
            turn=self.turns + 1,
            roll=self.roll,
            game_number=self.number,
            penalties=self.penalties,
        )

    def restore(self, seen: ZombieManiaObservation) -> Self:
        """Become the state in which `seen` was observed, and return it."""
        self.tokens = list(seen.tokens)
        self.graveyard = seen.graveyard
        self.phase = seen.phase
        self.rolled = to_counts(seen.rolled)
        self.kept = to_counts(seen.kept)
        self.turns = seen.turn - 1
        self.roll = seen.roll
        self.number = seen.game_number
        self.penalties = seen.penalties
        return self

    def key(self) -> Hashable:
        """Return all that decides the future; a third die of an icon is like any."""
        return (
            self.number,
            self.penalties,
            tuple(self.tokens),
            self.active,
            self.phase,
            self.rolled,
            pairs(self.kept),
            DICE - sum(self.kept),
        )

    def to_text(self) -> str:
        """Return the penalty points in a series, the tokens, the dice, what is next."""
        lines = []
        games = self.setup.games
        if games > 1:
            lines.append(f"game {self.number} of {games}")
            lines.append(f"penalty {_by_seat(self.penalties)}")
        lines.append(f"tokens  {_by_seat(self.tokens)}, graveyard: {self.graveyard}")
        lines.append(f"kept    {' '.join(to_words(self.kept)) or '-'}")
        if self.phase == "keep":
            lines.append(f"rolled  {' '.join(to_words(self.rolled))}")
        dice = DICE - sum(self.kept)
        coming = {
            "throw": f"throws {dice} dice",
            "keep": "must keep a zombie",
            "continue": f"may roll {dice} dice or stop",
            "move": f"may move {movable(self.kept)}",
            "over": "has won" if games == 1 else "has won the last game",
        }
        lines.append(f"seat {self.active} {coming[self.phase]}")
        return "\n".join(lines)


def _by_seat(points: Sequence[int]) -> str:
    return ", ".join(f"seat {seat}: {n}" for seat, n in enumerate(points))
