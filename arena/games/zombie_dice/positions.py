"""A position of Zombie Dice from some of its fields."""

from typing import Final

from msgspec.structs import astuple

from arena.games.position_fields import Given, for_each_seat, wrong
from arena.games.zombie_dice import ZombieDice
from arena.games.zombie_dice.dice import FATAL, FATAL_IN_HELMET, KIND, ROLLED, Counts
from arena.games.zombie_dice.observation import DiceCount

_ORDERS: Final = {
    "brain_dice": "green yellow red hunk hottie horde santa",
    "shotgun_dice": "red yellow green hottie hunk santa horde",
    "feet_dice": "yellow green red hottie hunk horde santa",
}
"""Which dice lie there, if that is not said."""
_COUNTED = {"brain_dice": "brains", "shotgun_dice": "shotguns", "feet_dice": "feet"}
_LYING = ("brain_dice", "shotgun_dice", "feet_dice", "aside_dice")
_OF_A_TURN = ("brains", "shotguns", "feet", "noted", "rolls", "is_run_over", "cup")


def complete(game: ZombieDice, seat: int, given: Given) -> None:
    """Fill in what is not given: a turn of this seat, in which it must decide.

    Raises:
        PositionError: the fields that are given contradict each other.
    """
    first = game.setup.first_sight
    if not any(name in given for name in (*_OF_A_TURN, *_LYING, "extra_brains")):
        given.default("brains", 1)
        given.default("shotguns", 1)
    for name in ("noted", "helmet", "energy_drink", "is_run_over", "target"):
        given.default(name, getattr(first, name))
    _lay_out(game, given)
    scores = given.default("scores", (0,) * game.players)
    for_each_seat("scores", scores, game.players)
    tied = given.default("tied", ())
    given.default("final_round", max(scores) >= game.setup.target)
    given.default("tiebreak_round", 1 if tied else 0)
    has_begun = any(scores[seat:]) or bool(tied)
    given.default("round", 2 if has_begun else 1)
    given.default("shotgun_limit", FATAL_IN_HELMET if given["helmet"] else FATAL)
    given.default("turn_seat", seat)
    given.default("current_player", seat)
    given.default("bus", "gone" if given["is_run_over"] else first.bus)
    _check(game, seat, given)


def _lay_out(game: ZombieDice, given: Given) -> None:
    """Find out which dice lie where."""
    none = DiceCount()
    extra = given.default("extra_brains", none).total
    santas = given["helmet"] + given["energy_drink"]
    given.default("aside_dice", DiceCount(santa=santas))
    left = list(game.setup.dice)
    for name in (*_LYING, "cup"):
        if name in given.values:
            _take(name, left, astuple(given[name]), game)
    is_open = "brain_dice" not in given
    if not is_open:
        brains = given["brain_dice"].total + extra + given["noted"]
        given.default("brains", brains)
    shown = given.default("brains", 0)
    if "shotgun_dice" in given:
        given.default("shotguns", given["shotgun_dice"].total)
    else:
        wanted = given.default("shotguns", 0)
        given.default("shotgun_dice", _choose("shotgun_dice", left, wanted))
    shown += given["shotguns"]
    if "feet_dice" in given:
        given.default("feet", given["feet_dice"].total)
    else:
        # Three dice have been rolled at least.
        feet = given.default("feet", max(0, ROLLED - shown - santas))
        given.default("feet_dice", _choose("feet_dice", left, feet))
    if is_open:
        lying = given["brains"] - extra - given["noted"]
        if lying < 0:
            wrong("brains", f"{given['brains']} are fewer than noted and extra brains")
        may_lack = "noted" not in given
        found = _choose("brain_dice", left, lying, may_lack=may_lack)
        given.default("brain_dice", found)
        given.values["noted"] += lying - found.total
    given.default("cup", DiceCount(*left))
    given.default("rolls", max(1, -(-(shown + given["feet"]) // ROLLED)))


def _take(name: str, left: list[int], dice: Counts, game: ZombieDice) -> None:
    for kind, n in enumerate(dice):
        left[kind] -= n
        if left[kind] < 0:
            die = DiceCount.__struct_fields__[kind]
            wrong(
                name,
                f"there are not so many {die} dice: the game has "
                f"{game.setup.dice[kind]}",
            )


def _choose(
    name: str, left: list[int], wanted: int, *, may_lack: bool = False
) -> DiceCount:
    """Take so many dice from those that are left."""
    counts = [0] * len(left)
    for kind in map(KIND.__getitem__, _ORDERS[name].split()):
        counts[kind] = min(left[kind], max(0, wanted - sum(counts)))
        left[kind] -= counts[kind]
    if sum(counts) < wanted and not may_lack:
        found = f"there are only {sum(counts)} dice left for them; found {wanted}"
        wrong(_COUNTED[name], found)
    return DiceCount(*counts)


def _check(game: ZombieDice, seat: int, given: Given) -> None:
    """Raise if the fields contradict each other."""
    v = given.values
    places = [astuple(v[name]) for name in (*_LYING, "cup")]
    found = tuple(map(sum, zip(*places, strict=True)))
    if found != game.setup.dice:
        wrong(
            "cup",
            f"expected {sum(game.setup.dice)} dice in all places; found {sum(found)}",
        )
    brains = v["brain_dice"].total + v["extra_brains"].total + v["noted"]
    if v["brains"] != brains:
        wrong(
            "brains",
            f"expected {brains}, those of the dice and noted; found "
            + str(v["brains"]),
        )
    if not game.setup.has_special_dice:
        if v["shotguns"] != v["shotgun_dice"].total:
            wrong(
                "shotguns", f"expected as many as shotgun dice; found {v['shotguns']}"
            )
        shown = v["brains"] + v["shotguns"] + v["feet"]
        if not ROLLED <= shown <= ROLLED * v["rolls"]:
            wrong(
                "rolls",
                f"{ROLLED} dice a roll can't show {v['brains']} brains, "
                f"{v['shotguns']} shotguns and {v['feet']} feet; found {v['rolls']}",
            )
    if v["feet"] > ROLLED:
        wrong("feet", f"expected at most {ROLLED} dice in hand; found {v['feet']}")
    if v["shotguns"] >= v["shotgun_limit"]:
        wrong("shotguns", f"{v['shotguns']} of them have ended the turn")
    if v["turn_seat"] != seat or v["current_player"] != seat:
        wrong("turn_seat", f"expected seat {seat}, which looks, to decide")
    if min(v["scores"]) < 0:
        wrong("scores", f"expected numbers from 0; found {v['scores']}")
    if (
        v["final_round"]
        and not v["tied"]
        and max((0, *v["scores"][:seat])) < game.setup.target
    ):
        wrong(
            "scores",
            f"the game is over: nobody who plays before seat {seat} has the "
            f"{game.setup.target} brains that make this the last round",
        )
    if any(not 0 <= s < game.players for s in v["tied"]):
        wrong("tied", f"expected seats; found {v['tied']}")
    elif v["tied"] and seat not in v["tied"]:
        wrong("tied", f"expected seat {seat}, which decides, among them")
