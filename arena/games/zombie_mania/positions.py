"""A position of Zombie Mania! from some of its fields."""

from typing import Any

from arena.games import uniform
from arena.games.position_fields import Given, for_each_seat, wrong
from arena.games.zombie_mania import ZombieMania
from arena.games.zombie_mania.dice import (
    DICE,
    ICONS,
    ZOMBIES,
    has_zombie,
    movable,
    rolls,
    to_counts,
)


def read(game: ZombieMania, seat: int, fields: dict[str, Any]) -> dict[str, Any]:
    """Return fields in their types: icons may be a text, and in any order."""
    for name in ("rolled", "kept"):
        if name not in fields:
            continue
        icons = fields[name]
        words = icons.split() if isinstance(icons, str) else icons
        if not isinstance(words, (list, tuple)) or not set(words) <= set(ICONS):
            wrong(name, f"expected icons of {', '.join(ICONS)}; found {icons!r}")
        fields = fields | {name: tuple(sorted(words, key=ICONS.index))}
    return fields


def complete(game: ZombieMania, seat: int, given: Given) -> None:
    """Fill in what is not given: a turn of this seat, in which it must decide.

    What has been rolled is drawn by the seed.

    Raises:
        PositionError: the fields that are given contradict each other.
    """
    tokens = given.default("tokens", (game.setup.tokens,) * game.players)
    for_each_seat("tokens", tokens, game.players)
    given.default("graveyard", game.setup.tokens * game.players - sum(tokens))
    number = given.default("game_number", 1)
    given.default("penalties", (0,) * game.players)
    given.default("turn", 1 + (seat - (number - 1)) % game.players)
    kept = given.default("kept", ())
    is_after_keep = "kept" in given and "rolled" not in given
    phase = given.default("phase", "continue" if is_after_keep else "keep")
    if phase == "keep" and len(kept) < DICE:
        given.default_by("rolled", lambda: _roll(DICE - len(kept), given.seed))
    given.default("rolled", ())
    given.default("roll", 2 if phase == "keep" and kept else 1)
    _check(game, seat, given)


def _roll(dice: int, seed: bytes) -> tuple[str, ...]:
    """Return a throw of so many dice with a zombie among them."""
    for attempt in range(1000):
        cumulative, outcomes = rolls(dice).cumulative, rolls(dice).outcomes
        u = uniform(seed, f"position {attempt}")
        place = next(i for i, up_to in enumerate(cumulative) if u < up_to)
        words = tuple(outcomes[place][0].split())
        if has_zombie(to_counts(words)):
            return words
    return ("blue",) * dice


def _check(game: ZombieMania, seat: int, given: Given) -> None:
    """Raise if the fields contradict each other."""
    v = given.values
    tokens, phase, rolled, kept = v["tokens"], v["phase"], v["rolled"], v["kept"]
    total = game.setup.tokens * game.players
    if min(*tokens, v["graveyard"]) < 0 or sum(tokens) + v["graveyard"] != total:
        wrong(
            "tokens",
            f"expected {total} with those in the graveyard ({v['graveyard']}); "
            f"found {sum(tokens)}",
        )
    if not tokens[seat]:
        wrong("tokens", f"seat {seat} has none: it has won when its turn begins")
    for_each_seat("penalties", v["penalties"], game.players)
    if not 1 <= v["game_number"] <= game.options.games:
        wrong(
            "game_number",
            f"expected 1 to {game.options.games}; found {v['game_number']}",
        )
    active = (v["game_number"] - 1 + v["turn"] - 1) % game.players
    if v["turn"] < 1 or active != seat:
        wrong("turn", f"turn {v['turn']} is that of seat {active}, not of seat {seat}")
    if phase not in ("keep", "continue", "move"):
        wrong("phase", f"nobody decides in {phase!r}; expected keep, continue or move")
    zombies = sum(icon in ZOMBIES for icon in kept)
    keeps = v["roll"] - (phase == "keep")
    if v["roll"] < 1 or zombies < keeps or bool(kept) != bool(keeps):
        wrong(
            "kept",
            f"expected a zombie from each of {keeps} rolls before; found "
            f"{' '.join(kept) or 'nothing'}",
        )
    if phase == "keep":
        if len(rolled) != DICE - len(kept) or not rolled:
            wrong(
                "rolled",
                f"expected the {DICE - len(kept)} dice that are not kept; "
                f"found {len(rolled)}",
            )
        elif not has_zombie(to_counts(rolled)):
            wrong("rolled", "without a zombie the turn is over: nobody decides")
    elif rolled:
        wrong("rolled", f"expected nothing in {phase!r}; found {' '.join(rolled)}")
    elif phase == "continue" and len(kept) == DICE:
        wrong("kept", "all dice are kept: there is nothing to roll")
    elif phase == "move" and not movable(to_counts(kept)):
        wrong("kept", f"{' '.join(kept)} let no token be moved")
