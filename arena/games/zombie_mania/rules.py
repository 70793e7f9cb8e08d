"""The rules of Zombie Mania! in words, from the tables that it is played by."""

from arena.games.core import Game
from arena.games.rulings import MARKS, assumed, ruled
from arena.games.zombie_mania.dice import (
    DICE,
    FACTOR,
    ICONS,
    MOST_TO_GRAVEYARD,
    MOST_TO_SEAT,
    PAIR,
    ZOMBIES,
)
from arena.games.zombie_mania.setup import ZombieManiaSetup
from arena.text import counted, listed


def rules_text(game: Game, setup: ZombieManiaSetup) -> str:
    """Return the rules of this game with its options, a line for each paragraph."""
    games = setup.games
    worths = listed(f"{icon} {worth}" for icon, worth in ZOMBIES.items())
    return "\n\n".join(
        (
            f"{game.title} for {game.players} seats, each with "
            f"{counted(setup.tokens, 'zombie token')} on its mat "
            f"{ruled(69, 'tokens')}. Whoever gets rid of them wins. "
            f"{counted(games, 'game')} {'is' if games == 1 else 'are'} played "
            f"{ruled(67, 'games')}.",
            f"There are {DICE} equal dice with {len(ICONS)} faces each, one for each "
            f"icon: the {len(ZOMBIES)} zombies {listed(ZOMBIES)}, and "
            f"{listed(ICONS[len(ZOMBIES) :])} {ruled(57)}.",
            f"A turn begins with a throw of all {DICE} dice. Of each throw at least "
            "one zombie must be kept, and any other dice of it may be. A throw "
            "without a zombie ends the turn with nothing done, whatever was kept "
            f"before {ruled(58)}. Then the seat throws all dice that are not kept once "
            f"more, or stops. Kept dice stay kept, and with all {DICE} kept the seat "
            f"must stop {ruled(59)}.",
            f"When a seat stops, an icon counts if at least {PAIR} kept dice show it, "
            f"and further dice of it add nothing {ruled(61)}. Without the gravestones "
            f"nothing moves {ruled(60)}. With them the zombies let the seat move "
            f"tokens: {worths}, in sum; x2 multiplies the sum by {FACTOR} "
            f"{ruled(61)}. That is at most {MOST_TO_GRAVEYARD} in a turn. The tokens "
            "go to the graveyard. With the buildings they may all go to one other "
            f"seat instead, at most {MOST_TO_SEAT} {ruled(62)}, and x2 holds for them "
            f"too {ruled(65)}. Any smaller number may be moved, also none, and no more "
            f"than the seat has {ruled(63)}.",
            "A seat that has no tokens when its turn begins wins the game; until then "
            f"others may send it some {ruled(64)}. Seat 0 begins, and turns go on to "
            f"the next higher seat {assumed(66)}.",
            _end(games),
            f"A {'game' if games == 1 else 'series'} that has no end within the "
            "decisions that a league allows (`max_decisions`) is decided by the "
            "penalty points so far, and tokens on the mats are among them; those who "
            f"have fewest share the win {assumed(68)}.",
            "Actions:\n"
            "    keep blue x2      keep these dice of the throw, icons in the order\n"
            f"                      {', '.join(ICONS)}\n"
            "    roll              throw the dice that are not kept\n"
            "    stop              throw no more\n"
            "    move 0            move no token\n"
            "    move 1 graveyard  move a token to the graveyard\n"
            f"    move 1 seat {game.players - 1}     send a token to that seat",
            MARKS,
        )
    )


def _end(games: int) -> str:
    if games == 1:
        return (
            "Who wins the game is first, alone. The tokens that the others have left "
            "are their penalty points and decide their places, fewest first; ties "
            f"share a place {ruled(67)}."
        )
    return (
        "At the end of each game every seat gets a penalty point for each token on "
        "its mat; then all tokens are set up anew and the next game begins "
        f"{ruled(67)}, with the first turn of the next higher seat {assumed(66)}. "
        f"After {games} games fewest penalty points win {ruled(67)}; those who tie "
        f"share the win {assumed(67)}."
    )
