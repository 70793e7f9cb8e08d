"""The rules of the expansions in force, in words."""

from collections.abc import Iterator
from typing import Final

from arena.games.rulings import assumed, ruled
from arena.games.zombie_dice.dice import (
    BUS,
    DICE,
    FACES,
    FATAL,
    FATAL_IN_HELMET,
    HORDE,
    HOTTIE,
    HUNK,
    RESCUES,
    ROLLED,
    SANTA,
    Die,
    Face,
)
from arena.games.zombie_dice.options import ZombieDiceOptions
from arena.games.zombie_dice.setup import ZombieDiceSetup
from arena.text import counted, listed

NAMES: Final = {
    HUNK: "the Hunk",
    HOTTIE: "the Hottie",
    SANTA: "Santa",
    HORDE: "the Zombie Horde die",
}
"""What people call the dice of the expansions."""

_RESCUABLE: Final = {
    HUNK: "the Hunk's double brain",
    HOTTIE: "the Hottie's brain",
    SANTA: "Santa's single brain",
}


def faces_text(die: Die) -> str:
    """Return the faces of a die with their numbers, in the order of the notation."""
    shown = sorted(set(die.faces), key=[*FACES].index)
    counts = [(die.faces.count(face), face) for face in shown]
    return ", ".join(face if n == 1 else f"{n} {face}" for n, face in counts)


def source_of_horde_faces(options: ZombieDiceOptions) -> str:
    """Return the source of the faces of the Zombie Horde die (ruling 33)."""
    is_default = options.horde_faces == ZombieDiceOptions().horde_faces
    return "a house default" if is_default else "chosen by this league"


def dice_of_expansions(setup: ZombieDiceSetup) -> Iterator[str]:
    """Yield the sentences about the faces of these dice."""
    options = setup.options
    heroes = _heroes(setup)
    if heroes:
        looks = listed(f"{NAMES[k]} ({DICE[k].colour})" for k in heroes)
        has = "has" if len(heroes) == 1 else "have"
        doubled = [NAMES[k] for k in heroes if setup.kinds[k] != DICE[k]]
        but = ""
        if doubled:
            but = f"; but each shotgun of {listed(doubled)} is a double one, as it says"
        yield (
            f"{_capital(looks)} {has} the faces of the published dice, as the manual "
            f"does not count them{but} {ruled(12, 'faces')}."
        )
    if options.horde:
        yield (
            "No publisher's list of the faces of the Zombie Horde die exists; these "
            f"are {source_of_horde_faces(options)} {assumed(33, 'horde_faces')}."
        )
    if options.bus:
        yield (
            f"The School Bus is a {BUS.colour} die with {len(BUS.faces)} faces, never "
            f"in the cup: {faces_text(BUS)} {ruled(24, 'bus')}."
        )
    shown = _faces(setup) + [FACES[name] for name in BUS.faces if options.bus]
    counting = [
        f"{face.name} as {_worth(face)}"
        for face in FACES.values()
        if face in shown and face.brains + face.shotguns > 1
    ]
    if counting:
        yield f"Some faces count for several: {'; '.join(counting)}."


def rescues(setup: ZombieDiceSetup) -> str:
    """Return the rules of rescues."""
    options = setup.options
    heroes = _heroes(setup)
    if len(heroes) == 1:
        return f"{_capital(NAMES[heroes[0]])} alone rescues nobody {ruled(19)}."
    is_first_only = options.rescue == "first_only"
    before = " before " if is_first_only else " and "
    who = [
        f"{NAMES[hero]} {before.join(NAMES[k] for k in others if k in heroes)}"
        for hero, others in RESCUES
        if hero in heroes
    ]
    sentences = [
        "These dice rescue each other: a shotgun on one of them, single or double, "
        "sends others that lie as brains back to the cup at once, and their brains are "
        f"lost {ruled(19)}. Nobody is asked {ruled(15)}.",
        f"Who rescues whom: {'; '.join(who)}.",
    ]
    if len(heroes) > 2:
        both = "only the one named first is" if is_first_only else "both are"
        sentences.append(
            f"If two others can be rescued, {both} {assumed(16, 'rescue')}."
        )
    sentences.append(
        f"Only {listed(_RESCUABLE[hero] for hero in heroes)} can be rescued "
        f"{ruled(14)}, from the same roll or from an earlier one. A shotgun that lies "
        f"there from an earlier roll rescues nobody {ruled(17)}."
    )
    if options.cup != "none":
        sentences.append(
            "The brains of a die that has returned to the cup are noted and can't be "
            f"rescued any more {ruled(18)}."
        )
    return " ".join(sentences)


def santa(options: ZombieDiceOptions) -> str:
    """Return the rules of Santa's gifts."""
    start = "that" if options.energy_drink == "same_roll" else "after the one that"
    stays = ""
    if options.cup != "none":
        stays = " Santa's brains stay on the table when brain dice return to the cup."
    return (
        f"With Santa's helmet it takes {FATAL_IN_HELMET} shotguns in place of {FATAL} "
        "to end the turn, from the roll that brings it to the end of the turn "
        f"{ruled(20)}. With Santa's energy drink green feet become brains like others, "
        f"from the roll {start} brings it to the end of the turn "
        f"{assumed(21, 'energy_drink')}.{stays} Santa's feet are rolled again; with a "
        f"gift Santa lies aside until the turn ends {ruled(22)}."
    )


def bus(options: ZombieDiceOptions) -> str:
    """Return the rules of boarding and leaving the School Bus."""
    cup = ""
    if options.cup != "none":
        cup = ", and only then it is seen whether brain dice return to it"
    again = "may be boarded again" if options.reboard else "is gone until the turn ends"
    return (
        "From its second roll on a seat may board the bus if at least one die would be "
        f"drawn. The bus takes the place of one: it is rolled with {ROLLED - 1} other "
        "dice, the feet in hand and new ones. This is decided before anything is drawn "
        f"{ruled(25)}. A seat on the bus may stay. Then it gives up its feet: they go "
        f"back to the cup before {ROLLED - 1} dice are drawn{cup} {ruled(27)}. Or it "
        f"gets off, also without feet: they and new dice make up {ROLLED} again, and "
        f"the bus {again} {ruled(26, 'reboard')}. Brains and shotguns of the bus are "
        "counters: they never return to the cup, and the shotguns count like others "
        f"{ruled(32)}."
    )


def signs(setup: ZombieDiceSetup) -> Iterator[str]:
    """Yield the rule of each sign of the bus."""
    options = setup.options
    heroes = _heroes(setup)
    faces = _faces(setup)
    double_shotgun = double_brain = rescued = drunk = heroic = ""
    if any(face.shotguns > 1 for face in faces):
        double_shotgun = ", a double one a single die of feet"
    if any(face.brains > 1 for face in faces):
        double_brain = (
            "; else a die with more brains does, and the others of its brains are noted"
        )
    if len(heroes) > 1:
        rescued = " Whom a shotgun has rescued is gone all the same."
    if setup.dice[SANTA]:
        becomes = "stay feet" if options.yielded_green == "feet" else "become brains"
        drunk = (
            f" Green dice among them {becomes} under an energy drink "
            f"{assumed(29, 'yielded_green')}."
        )
    if heroes:
        heroic = f", also {listed(NAMES[hero] for hero in heroes)}, with one brain each"
    yield f"Stop: the turn ends and scores, unless this roll was fatal {ruled(28)}."
    yield (
        f"Yield: all shotguns of this roll become feet{double_shotgun} {ruled(29)}."
        f"{drunk}{rescued}"
    )
    yield (
        "Dead end: each die that shows feet in this roll becomes a brain, of any "
        f"colour{heroic} {ruled(30)}."
    )
    yield (
        "Run over: after the brains of this roll are counted, one brain is lost. A "
        "noted one or a counter is taken first; else a die with a single brain goes "
        "back to the cup, and the seat names it if there are several kinds"
        f"{double_brain}. Without brains nothing is lost. The bus is gone until the "
        f"turn ends, and feet are rolled again as ever {ruled(31)}."
    )


def horde(setup: ZombieDiceSetup) -> str:
    """Return the rules of the Zombie Horde die."""
    loss = ""
    if has_horde_face(setup):
        loss = (
            " Horde: all brains of the seat are lost, those it has banked and those of "
            "this turn, this roll included. The turn goes on, and shotguns stay. A "
            f"hoard is another face {ruled(34)}. The dice of lost brains go back to "
            f"the cup {assumed(34)}."
        )
    stays = ""
    if setup.options.cup != "none":
        stays = "its brains stay on the table when brain dice return, and "
    return (
        "The Zombie Horde die is drawn from the cup like the others. Once it is out "
        f"of hand it does not go back before the turn ends: {stays}where a lost or "
        f"given up die would go back, it lies aside {ruled(35)}.{loss}"
    )


def order_of_effects(setup: ZombieDiceSetup) -> str:
    """Return the order in which the dice of one roll take effect."""
    has_bus = setup.options.bus
    horde = "the horde takes all brains"
    if places_of_horde(setup):
        horde += f" {assumed(34)}"
    steps = [
        (True, "all dice are laid out"),
        (has_bus, "the brains and shotguns of the bus are counted"),
        (setup.dice[SANTA], "the energy drink makes brains"),
        (len(_heroes(setup)) > 1, "rescues are made"),
        (has_horde_face(setup), horde),
        (has_bus, "the sign of the bus is obeyed"),
    ]
    done = ", ".join(step for is_there, step in steps if is_there)
    return f"In one roll it goes in this order: {done}; then the shotguns decide."


def places_of_horde(setup: ZombieDiceSetup) -> list[str]:
    """Return what the horde comes before or after in a roll, where that matters.

    No source has it (ruling 34).
    """
    if not has_horde_face(setup):
        return []
    places = ["after the energy drink"] if setup.dice[SANTA] else []
    return places + ["before the sign of the bus"] * setup.options.bus


def has_horde_face(setup: ZombieDiceSetup) -> bool:
    """Return whether any die in the cup has the face that takes all brains."""
    return FACES["horde"] in _faces(setup)


def _heroes(setup: ZombieDiceSetup) -> list[int]:
    return [hero for hero, _ in RESCUES if setup.dice[hero]]


def _faces(setup: ZombieDiceSetup) -> list[Face]:
    """Return every face of the dice in the cup."""
    dice = [die for die, n in zip(setup.kinds, setup.dice, strict=True) if n]
    return [FACES[name] for die in dice for name in die.faces]


def _worth(face: Face) -> str:
    counts = ((face.brains, "brain"), (face.shotguns, "shotgun"))
    return listed(counted(n, noun) for n, noun in counts if n)


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
