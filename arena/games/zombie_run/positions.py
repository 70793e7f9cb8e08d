"""A position of Zombie Run! from some of its fields."""

from typing import Any

from arena.games.position_fields import Given, for_each_seat, wrong
from arena.games.zombie_run import ZombieRun

_TOP = 5
_DRAWN = 5
_LOOKS = 2
"""Cards that a seat has looked at when the turns begin."""

Hands = tuple[tuple[int | None, ...], ...]


def read(game: ZombieRun, seat: int, fields: dict[str, Any]) -> dict[str, Any]:
    """Return fields in their types: `hand` stands for one's own of `hands`."""
    if "hand" not in fields:
        return fields
    players = game.players
    fields = dict(fields)
    hand = fields.pop("hand")
    if not isinstance(hand, (list, tuple)):
        wrong("hand", f"expected cards such as (0, None, 7, None); found {hand!r}")
    hands = fields.setdefault("hands", ((None,) * len(hand),) * players)
    if not isinstance(hands, (list, tuple)) or len(hands) != players:
        wrong("hands", f"expected one for each of {players} seats; found {hands!r}")
    fields["hands"] = (*hands[:seat], tuple(hand), *hands[seat + 1 :])
    return fields


def complete(game: ZombieRun, seat: int, given: Given) -> None:
    """Fill in what is not given: a turn of this seat, in which it must decide.

    Raises:
        PositionError: the fields that are given contradict each other.
    """
    players, size = game.players, game.options.hand
    round_ = given.default("round", 1)
    hands: Hands = given.default("hands", ((None,) * size,) * players)
    for_each_seat("hands", hands, players)
    if any(len(hand) != size for hand in hands):
        wrong("hands", f"expected {size} cards in each; found {hands!r}")
    is_placing = "drawn" in given or "taken" in given
    phase = given.default("phase", "place" if is_placing else "pick")
    step = given.default("step", (seat - (round_ - 1)) % players)
    given.default("scores", (0,) * players)
    given.default("revealed", ())
    is_taken = given.default("taken", False)
    drawn = given.default("drawn", _DRAWN if phase == "place" else None)
    top = given.default("top", None if is_taken else _TOP)
    looked = [(s - (round_ - 1)) % players < step for s in range(players)]
    if phase != "peek":
        looked = [True] * players
    given.default("seen_by", _seen_by(hands, seat, looked))
    given.default("pools", tuple((0,) * len(hand) for hand in hands))
    discard = [0] * len(game.setup.deck)
    if top is not None and 0 <= top < len(discard):
        discard[top] = 1
    discard_ = given.default("discard", tuple(discard))
    known = [v for hand in hands for v in hand if v is not None]
    known += [drawn] if drawn is not None else []
    left = list(game.setup.deck)
    for value in known:
        if not 0 <= value < len(left):
            wrong("hands", f"there is no card of {value}")
        left[value] -= 1
    left = [n - gone for n, gone in zip(left, discard_, strict=False)]
    given.default("unseen", (tuple(left),))
    hidden = sum(value is None for hand in hands for value in hand)
    given.default("draw_size", sum(map(sum, given["unseen"])) - hidden)
    _check(game, seat, given)


def _seen_by(hands: Hands, seat: int, looked: list[bool]) -> tuple[Any, ...]:
    """Return the seats that know each card, if nobody has told more than he must.

    What one sees of others they have taken from the discard pile, so all know it.
    """
    everybody = (1 << len(hands)) - 1
    found = []
    for owner, hand in enumerate(hands):
        row = []
        for slot, value in enumerate(hand):
            if value is not None:
                row.append(1 << seat if owner == seat else everybody)
            elif owner != seat and looked[owner] and slot < _LOOKS:
                row.append(1 << owner)
            else:
                row.append(0)
        found.append(tuple(row))
    return tuple(found)


def _check(game: ZombieRun, seat: int, given: Given) -> None:
    """Raise if the fields contradict each other."""
    v = given.values
    players, phase = game.players, v["phase"]
    for name in ("scores", "seen_by", "pools"):
        for_each_seat(name, v[name], players)
    if phase not in ("peek", "pick", "place"):
        wrong("phase", f"nobody decides in {phase!r}; expected peek, pick or place")
    if not 1 <= v["round"] <= game.options.rounds:
        wrong("round", f"expected 1 to {game.options.rounds}; found {v['round']}")
    active = (v["round"] - 1 + v["step"]) % players
    last = players if phase == "peek" else game.setup.turns_in_round
    if active != seat or not 0 <= v["step"] < last:
        wrong("step", f"step {v['step']} is that of seat {active}, not of seat {seat}")
    if phase == "peek" and any(x is not None for hand in v["hands"] for x in hand):
        wrong("hands", "nobody knows a card before looking; expected None for all")
    if phase == "place" and v["drawn"] is None:
        wrong("drawn", "expected the card that is to be placed; found None")
    if phase != "place" and (v["drawn"] is not None or v["taken"]):
        wrong("drawn", f"expected no card and not taken in {phase!r}")
    if (v["top"] is None) != (phase == "place" and v["taken"] is True) and not (
        phase == "place" and not sum(v["discard"])
    ):
        wrong(
            "top",
            "expected None exactly where the card was taken from the pile; "
            f"found {v['top']!r}",
        )
    if any(len(row) != len(game.setup.deck) for row in (v["discard"], *v["unseen"])):
        wrong(
            "discard",
            f"expected numbers of cards from 0 to {len(game.setup.deck) - 1}",
        )
    _check_cards(game, seat, given)


def _check_cards(game: ZombieRun, seat: int, given: Given) -> None:
    """Raise if the cards can't be where they are said to be."""
    v = given.values
    hands, unseen, discard = v["hands"], v["unseen"], v["discard"]
    known = [value for hand in hands for value in hand if value is not None]
    if v["drawn"] is not None:
        known.append(v["drawn"])
    for value, cards in enumerate(game.setup.deck):
        away = known.count(value) + discard[value]
        out = sum(row[value] for row in unseen)
        if away > cards:
            wrong("hands", f"the deck has {cards} cards of {value}; {away} are seen")
        elif away + out != cards or min(row[value] for row in unseen) < 0:
            wrong(
                "unseen",
                f"expected {cards - away} cards of {value}, for the deck has {cards}; "
                f"found {out}",
            )
    top = v["top"]
    if top is not None and (not 0 <= top < len(discard) or not discard[top]):
        wrong("top", f"expected a card of the discard pile; found {top}")
    hidden = [0] * len(unseen)
    for hand, seen_by, pools in zip(hands, v["seen_by"], v["pools"], strict=True):
        if not len(hand) == len(seen_by) == len(pools):
            wrong("seen_by", f"expected a number for each of {len(hand)} cards")
        for value, seats, pool in zip(hand, seen_by, pools, strict=True):
            if (value is not None) != bool(seats >> seat & 1):
                wrong("seen_by", f"expected seat {seat} exactly at the cards it knows")
            if not 0 <= pool < len(unseen):
                wrong("pools", f"expected rows of unseen; found {pool}")
            hidden[pool] += value is None
    hidden[-1] += v["draw_size"]
    if hidden != [sum(row) for row in unseen] or v["draw_size"] < 0:
        wrong(
            "draw_size",
            f"expected as many cards as are unseen and in no hand; "
            f"found {v['draw_size']}",
        )
