"""The rules in force, in words, from the tables that the game is played by."""

from typing import Final

from arena.games.core import Game
from arena.games.rulings import MARKS, ruled
from arena.games.zombie_dice import expansion_rules as expansions
from arena.games.zombie_dice.dice import DICE, FATAL, HORDE, HUNK, ROLLED, SANTA
from arena.games.zombie_dice.options import ZombieDiceOptions
from arena.games.zombie_dice.setup import ZombieDiceSetup
from arena.games.zombie_dice.turn import LOSE
from arena.text import counted, listed

_RETURN: Final = {
    "literal": "When at least one die must be drawn and the cup holds fewer than "
    f"{ROLLED}, all brain dice are first put back into it",
    "needed": "When the cup holds fewer dice than must be drawn, all brain dice are "
    "first put back into it",
    "rest_first": "When the cup holds fewer dice than must be drawn, those are taken, "
    "all brain dice are put back into the cup, and the remainder is drawn from them",
}
"""How brain dice return to the cup, by the option `cup`."""

_ACTIONS: Final = {
    "roll": f"roll the feet, with dice from the cup up to {ROLLED}",
    "stop": "bank the brains and end the turn",
    "roll bus": "board the bus, or stay on it, and roll",
    "leave bus": "get off the bus and roll",
}


def rules_text(game: Game, setup: ZombieDiceSetup) -> str:
    """Return the rules of this game with its options, a line for each paragraph.

    Lines of lists are indented by four spaces.
    """
    options = setup.options
    paragraphs = [_cup(game, setup), *expansions.dice_of_expansions(setup)]
    paragraphs += [_turn(), _too_few_dice(setup)]
    if setup.rules.has_heroes:
        paragraphs.append(expansions.rescues(setup))
    if setup.dice[SANTA]:
        paragraphs.append(expansions.santa(options))
    if options.bus:
        paragraphs += [expansions.bus(options), *expansions.signs(setup)]
    if options.horde:
        paragraphs.append(expansions.horde(setup))
    if setup.has_special_dice:
        paragraphs.append(expansions.order_of_effects(setup))
    paragraphs += [_end(setup), _tie(options), _notation(game), MARKS]
    return "\n\n".join(paragraphs)


def house_rules(setup: ZombieDiceSetup) -> tuple[str, ...]:
    """Return the rules that no source has, a sentence each: those of the horde."""
    options = setup.options
    if not options.horde:
        return ()
    target = "chosen by this league" if options.target else "the manual's"
    rules = [
        "The faces of the Zombie Horde die are "
        f"{expansions.faces_text(setup.kinds[HORDE])}: "
        f"{expansions.source_of_horde_faces(options)}, as no publisher's list of them "
        f"exists; the target of {counted(setup.target, 'brain')} is {target}."
    ]
    if expansions.has_horde_face(setup):
        rules.append(
            "The dice of brains that are lost to the horde go back to the cup, as no "
            "source says where they go."
        )
    places = expansions.places_of_horde(setup)
    if places:
        rules.append(
            f"In one roll the horde takes effect {listed(places)}, as no source says "
            "which comes first."
        )
    return tuple(rules)


def _cup(game: Game, setup: ZombieDiceSetup) -> str:
    options = setup.options
    origin = f"those of the preset `{options.preset}` {ruled(13, 'preset')}"
    if options.dice is not None:
        origin = f"chosen by this league {ruled(13, 'dice')}"
    if options.horde:
        origin += f", and the Zombie Horde die {ruled(35, 'horde')}"
    width = max(len(die.name) for die in DICE)
    lines = [
        f"    {n:2} {die.name:{width}}  {expansions.faces_text(die)}"
        for die, n in zip(setup.kinds, setup.dice, strict=True)
        if n
    ]
    return "\n".join(
        (
            f"{game.title} for {game.players} seats, to "
            f"{counted(setup.target, 'brain')}. The cup holds "
            f"{counted(sum(setup.dice), 'die', 'dice')}, {origin}. Dice and cup belong "
            f"to this game alone {ruled(10)}. All faces of a die are equally likely:",
            *lines,
        )
    )


def _turn() -> str:
    return (
        f"A turn begins with a compulsory roll of {ROLLED} dice drawn from the cup at "
        f"random {ruled(8)}. Brains are laid to one side and shotguns to the other, "
        f"feet stay in hand. With {FATAL} shotguns or more in all, the turn is over "
        f"and scores nothing {ruled(11)}. Otherwise the seat stops, which banks one "
        f"point for each brain, none if it has none {ruled(8)}; or it rolls the feet "
        f"again, together with as many dice drawn from the cup as make {ROLLED}. With "
        f"{ROLLED} feet nothing is drawn."
    )


def _too_few_dice(setup: ZombieDiceSetup) -> str:
    options = setup.options
    if options.cup == "none":
        return (
            f"Brain dice never return to a cup that is too empty {ruled(1, 'cup')}. A "
            f"seat that can't draw enough dice stops and scores {ruled(3)}."
        )
    doubles = ""
    if setup.dice[HUNK]:
        doubles = f" Both brains of the Hunk's double brain are noted {ruled(23)}."
    return (
        f"{_RETURN[options.cup]} {ruled(1, 'cup')}. Their brains are noted and still "
        f"score; shotguns stay out {ruled(2)}.{doubles} A seat that can't draw enough "
        f"dice even so stops and scores {ruled(3)}."
    )


def _end(setup: ZombieDiceSetup) -> str:
    mark = ruled(4, "target")
    revoked = ""
    if setup.options.horde:
        mark = ruled(36, "target")
        revoked = (
            " Whether a seat has so many is seen when the round ends: a bank that was "
            f"lost in it does not end the game {ruled(36)}."
        )
    return (
        f"Seat 0 begins; who sits there is the schedule's business {ruled(7)}. Once a "
        f"seat has banked {counted(setup.target, 'brain')} {mark}, the seats after it "
        "in that round still have their turn; if it is the last, the game is over at "
        f"once {ruled(5)}.{revoked} Brains in hand do not count: a seat may roll on "
        f"with enough of them, and lose them {ruled(4)}. Most banked brains win, not "
        f"the first to reach the target {ruled(9)}."
    )


def _tie(options: ZombieDiceOptions) -> str:
    limit = "until one of them is ahead"
    if options.tiebreak_rounds:
        limit = (
            f"in at most {counted(options.tiebreak_rounds, 'round')}, after which they "
            "share the win"
        )
    horde = ""
    if options.horde:
        horde = f" Nobody else can win then, whatever they lose {ruled(36)}."
    return (
        "If several seats lead, they alone play tiebreaker rounds, each time those who "
        f"are still tied, {limit} {ruled(6, 'tiebreak_rounds')}. The brains of these "
        f"rounds are added to the scores.{horde} Other ties share a place {ruled(6)}."
    )


def _notation(game: Game) -> str:
    width = max(map(len, game.actions))
    lines = [
        f"    {action:{width}}  {_ACTIONS.get(action) or _loss(action)}"
        for action in game.actions
    ]
    return "\n".join(("Actions:", *lines))


def _loss(action: str) -> str:
    kind = LOSE[action]
    die = expansions.NAMES.get(kind, f"a {DICE[kind].name} die")
    return f"after run over: give up a brain of {die}"
