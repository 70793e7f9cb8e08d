"""A game as a player of the package sees it, kept from the first move on."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from arena.games import CHANCE, Game
from arena.games.zombie_dice import DICE, Die


class Table(NamedTuple):
    """What lies on the table after a roll of one's own."""

    moves: int
    """So many moves and rolls have been made in the game."""
    cup: list[str]
    hand: list[str]
    brain_dice: list[str]
    """Names of dice, as are `cup` and `hand`."""
    brains: int
    shotguns: int
    """Of the turn, as are `brains`."""
    scores: dict[str, int]
    """By the names of the players."""


class SeenGame:
    """Follows a game, and writes what its player sees into his `GAME_STATE`."""

    def __init__(self, game: Game, seat: int, name: str, shown: dict[str, Any]) -> None:
        """Begin it; `shown` is that dict, and `name` the player's."""
        self.shown = shown
        self.moves = 0
        """So many moves and rolls have been made."""
        self._seat = seat
        self._state: Any = game.new_state()
        self._order = _names_of(game.players, seat, name)
        shown["ORDER"] = self._order[:]
        shown["SCORES"] = dict.fromkeys(self._order, 0)
        shown["ROUND"] = 0

    @property
    def kinds(self) -> tuple[Die, ...]:
        """The dice that there are in the game."""
        kinds: tuple[Die, ...] = self._state.setup.kinds
        return kinds

    @property
    def begins_turn(self) -> bool:
        """True if the next is the first roll of a turn of the player's."""
        return self._rolls and not self._state.turn.rolls

    @property
    def has_turn(self) -> bool:
        """True if the player must decide."""
        return bool(self._state.current_player() == self._seat)

    @property
    def _rolls(self) -> bool:
        state = self._state
        return bool(state.current_player() == CHANCE and state.seat == self._seat)

    def begin_turn(self, shuffle: Callable[[list[str]], object] = list) -> None:
        """Write what the package writes at the start of a turn."""
        cup = _dice(self._state.turn.cup)
        shuffle(cup)
        self.shown |= {
            "CURRENT_ZOMBIE": self._order[self._seat],
            "ROUND": self._state.round,
            "CURRENT_CUP": cup,
            "CURRENT_HAND": [],
            "SHOTGUNS_ROLLED": 0,
            "BRAINS_ROLLED": 0,
            "ROLLED_BRAINS_DETAILS": [],
        }
        self.enter_scores()

    def happens(self, text: str) -> Table | None:
        """Note a move or a roll; return the table after a roll of the player's."""
        is_own = self._rolls
        # After a roll that ends the turn it is no longer that of the state.
        turn = self._state.turn
        self._state.apply(text)
        self.moves += 1
        if not is_own:
            return None
        return Table(
            moves=self.moves,
            cup=_dice(turn.cup),
            hand=_dice(turn.hand),
            brain_dice=_dice(turn.brain_dice),
            brains=turn.brains,
            shotguns=turn.shotguns,
            scores=self._scores(),
        )

    def enter(self, table: Table) -> None:
        """Write a table, into the lists and the dict that are there already."""
        shown = self.shown
        _show(shown["CURRENT_CUP"], table.cup)
        _show(shown["CURRENT_HAND"], table.hand)
        _show(shown["ROLLED_BRAINS_DETAILS"], table.brain_dice)
        shown["SHOTGUNS_ROLLED"] = table.shotguns
        shown["BRAINS_ROLLED"] = table.brains
        shown["SCORES"].update(table.scores)

    def enter_scores(self) -> None:
        """Write the scores as they are now."""
        self.shown["SCORES"].update(self._scores())

    def _scores(self) -> dict[str, int]:
        return dict(zip(self._order, map(int, self._state.scores()), strict=True))


def seen_after(game: Game, seat: int, history: Sequence[str]) -> Mapping[str, Any]:
    """Return `GAME_STATE` as a player sees it after some moves; empty before his first.

    He is called `you`, for this is also shown where nobody is to know whose bot it is.
    The dice in the cup are counted, for only his own process knows their order.
    """
    shown: dict[str, Any] = {}
    seen = SeenGame(game, seat, "you", shown)
    for text in history:
        if seen.begins_turn:
            seen.begin_turn()
        table = seen.happens(text)
        if table is not None:
            seen.enter(table)
    if seen.begins_turn:
        seen.begin_turn()
    if "CURRENT_CUP" not in shown:
        return {}
    cup = shown["CURRENT_CUP"]
    shown["CURRENT_CUP"] = {die: cup.count(die) for die in dict.fromkeys(cup)}
    return shown


def copy_of(state: dict[str, Any]) -> dict[str, Any]:
    """Return a copy of the state, as deep as the package's own values are."""
    return {
        key: value.copy() if isinstance(value, (dict, list)) else value
        for key, value in state.items()
    }


def _names_of(players: int, seat: int, name: str) -> list[str]:
    """Return the names of all seats, of which one has its own name."""
    names = [f"zombie{number}" for number in range(1, players + 1)]
    names = [f"{other}_" if other == name else other for other in names]
    names[seat] = name
    return names


def _dice(counts: Iterable[int]) -> list[str]:
    """Return the names of dice, of each kind so many."""
    return [die.name for die, n in zip(DICE, counts, strict=True) for _ in range(n)]


def _show(shown: list[str], dice: Iterable[str]) -> None:
    """Make a list one of these dice; those that stay keep their order."""
    new = list(dice)
    for die in shown[:]:
        if die in new:
            new.remove(die)
        else:
            shown.remove(die)
    shown += new
