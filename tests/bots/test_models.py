"""The bots that come with the project play by the rules, and as well as they say."""

from fractions import Fraction
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
from bot_games import models, play
from matrix import divided

from arena.bot import Bot
from arena.games import get_game
from arena.games.zombie_dice import PRESETS
from arena.testing import ask, position

ALL_GAMES = {"random", "all_rounder", "experts", "rollouts"}
PLAYERS = {
    "zombie_dice": {"stop_at_two", "weigh_the_odds"} | ALL_GAMES,
    "ox_blocks": {"line_counter", "two_ply"} | ALL_GAMES,
    "zombie_run": {"swap_lower", "card_counter"} | ALL_GAMES,
    "zombie_mania": {"pair_collector", "turn_planner"} | ALL_GAMES,
}
ENTRIES = [(game, name) for game in PLAYERS for name in sorted(PLAYERS[game])]
SLOW = {"rollouts", "all_rounder", "experts", "turn_planner"}
"""Teams take no time of their own, but play what their members do."""


def score(game: str, first: str, second: str, fixtures: int, **options: Any) -> float:
    """Return the mean score of `first` over fixtures with both seatings."""
    one, other = models()[first], models()[second]
    total = 0.0
    for seed in range(fixtures):
        total += play(game, (one, other), seed, options)[0][0]
        total += play(game, (other, one), seed, options)[0][1]
    return total / (2 * fixtures)


def test_every_bot_has_a_name_of_its_own_and_a_line_about_it() -> None:
    assert set(models()) == set().union(*PLAYERS.values())
    for name, cls in models().items():
        assert name == name.lower()
        assert cls.__doc__
        assert cls.__doc__ != Bot.__doc__


def test_every_bot_plays_the_games_it_is_said_to() -> None:
    for game, names in PLAYERS.items():
        assert names == {
            name
            for name, cls in models().items()
            if hasattr(cls, game) or hasattr(cls, "act")
        }


def global_of(name: str, what: str) -> Any:
    """Return what a bot's file defines."""
    bot: Any = models()[name]
    method = getattr(bot, "zombie_mania", None) or bot.act
    return method.__globals__[what]


@pytest.mark.parametrize(
    ("game", "name", "players"),
    divided(
        [(*x, n) for x in ENTRIES for n in (2, 3, 5) if n == 2 or x[0] != "ox_blocks"],
        lambda x: (x[1] not in SLOW and x[2] == 3) or (x[0] == "ox_blocks"),
    ),
)
def test_legal_from_every_seat_and_the_same_each_time(
    game: str, name: str, players: int
) -> None:
    for seat in range(players):
        bots = [models()["all_rounder"]] * players  # Games with it are short.
        bots[seat] = models()[name]
        once = play(game, bots, seed=seat)
        assert sum(once[0]) == pytest.approx(1.0)
        # One repetition tells.
        if seat == 0:
            assert play(game, bots, seed=seat) == once


OPTIONS: list[tuple[str, dict[str, Any]]] = [
    ("zombie_dice", {"cup": "none", "target": 20}),
    ("zombie_dice", {"cup": "rest_first", "tiebreak_rounds": 1}),
    ("ox_blocks", {"size": 4}),
    ("ox_blocks", {"removal": "must", "faces": [3, 1, 2]}),
    ("zombie_run", {"hand": 6, "rounds": 2}),
    ("zombie_run", {"must_swap_from_discard": True, "round_cap": 5}),
    ("zombie_run", {"copies": [1] * 9, "streets": 2, "hordes": 2, "rounds": 2}),
    ("zombie_mania", {"tokens": 3}),
    ("zombie_mania", {"tokens": 1, "games": 2}),
]
PRESET_OPTIONS = [
    {"preset": preset, "bus": bus, "horde": horde, "target": 5}
    for preset, bus, horde in product(PRESETS, (False, True), (False, True))
]


@pytest.mark.parametrize(
    ("game", "options", "name"),
    divided(
        [(*x, name) for x in OPTIONS for name in sorted(PLAYERS[x[0]])]
        + [
            ("zombie_dice", options, name)
            for options in PRESET_OPTIONS
            for name in sorted(PLAYERS["zombie_dice"])
        ],
        lambda x: x[2] not in SLOW,
    ),
)
def test_legal_under_other_options(
    game: str, options: dict[str, Any], name: str
) -> None:
    both = (["random", name], [name, "random"])
    # There are many presets: one order does for each.
    for bots in both[1:] if "preset" in options else both:
        play(game, [models()[bot] for bot in bots], seed=0, options=options)


@pytest.mark.parametrize("name", sorted(PLAYERS["zombie_dice"]))
def test_legal_where_the_dice_do_for_the_bus_only(name: str) -> None:
    """Rulings 1 and 25: two feet, an empty cup, and no die returns to it."""
    options = {"bus": True, "cup": "none", "dice": {"green": 3}}
    state = get_game("zombie_dice", 2, options).new_state()
    state.apply("green brain, green feet, green feet")
    assert state.legal_actions() == ["stop", "roll bus"]
    bot: Any = models()[name]()
    decide = getattr(bot, "zombie_dice", None) or bot.act
    assert state.is_legal(decide(state.observation(0)))


@pytest.mark.parametrize(
    ("first_roll", "best"),
    [
        ("green brain, yellow brain, red brain", "lose green"),
        ("red brain, red brain, hottie brain", "lose hottie"),
    ],
)
def test_the_die_that_is_given_up_is_the_best_to_draw_again(
    first_roll: str, best: str
) -> None:
    """Ruling 31: the die goes back to the cup."""
    options = {"preset": "big_summer_action_movie", "bus": True}
    state = get_game("zombie_dice", 2, options).new_state()
    for x in (first_roll, "roll bus", "green feet, green feet, bus run over"):
        state.apply(x)
    assert len(state.legal_actions()) > 1
    bot: Any = models()["weigh_the_odds"]()
    assert bot.zombie_dice(state.observation(0)) == best


def test_weighing_counts_the_bank_that_the_horde_can_take() -> None:
    """Ruling 34: banked brains are lost too."""
    faces = ["horde", "horde", "horde", "horde", "horde", "feet"]
    options = {"horde": True, "horde_faces": faces, "dice": {"green": 4}}
    chosen = {}
    for banked in (0, 19):
        state: Any = get_game("zombie_dice", 2, options).new_state()
        state.banked[0] = banked
        state.apply("green brain, green feet, green feet")
        bot: Any = models()["weigh_the_odds"]()
        chosen[banked] = bot.zombie_dice(state.observation(0))
    assert chosen == {0: "roll", 19: "stop"}


DICE, BLOCKS, RUN, MANIA = PLAYERS
CALM, PAIR = "gravestone gravestone", "blue blue"
SHOT = {"brains": 2, "shotguns": 2}
LATE, AHEAD = {"step": 20}, {"players": 3, "tokens": (4, 3, 2)}
DECIDED: list[tuple[str, str, dict[str, Any], str]] = [
    ("stop_at_two", DICE, {"brains": 1, "shotguns": 2}, "stop"),
    ("stop_at_two", DICE, {"brains": 0, "shotguns": 2, "feet": 1}, "roll"),
    ("stop_at_two", DICE, {"brains": 9, "shotguns": 1}, "roll"),
    ("weigh_the_odds", DICE, {"brains": 1, "shotguns": 2}, "roll"),
    ("weigh_the_odds", DICE, SHOT, "stop"),
    ("weigh_the_odds", DICE, {"brains": 4, "shotguns": 1}, "stop"),
    # In the last turn of all it stops if that wins, and not if it loses.
    ("weigh_the_odds", DICE, {"brains": 1, "scores": (5, 12), "seat": 1}, "stop"),
    ("weigh_the_odds", DICE, {"brains": 1, "scores": (12, 5)}, "roll"),
    ("weigh_the_odds", DICE, {**SHOT, "scores": (0, 10)}, "stop"),
    ("weigh_the_odds", DICE, {"brains": 9, "scores": (14, 5), "seat": 1}, "stop"),
    ("weigh_the_odds", DICE, {"brains": 8, "scores": (14, 5), "seat": 1}, "roll"),
    ("swap_lower", RUN, {"phase": "peek"}, "peek 1 2"),
    ("swap_lower", RUN, {"hand": (9, 9, 9, 9), "top": 0}, "draw"),
    # Hidden cards are reckoned as 6, and 12 are few enough to shout.
    ("swap_lower", RUN, {"hand": (5, None, 5, 5), "drawn": 5}, "swap 2"),
    ("swap_lower", RUN, {"hand": (5, None, 5, 5), "drawn": 6}, "discard"),
    ("swap_lower", RUN, {"hand": (3, 3, 3, 3), "drawn": 9}, "discard shout"),
    ("swap_lower", RUN, {"hand": (3, 3, 3, 4), "drawn": 9}, "discard"),
    ("swap_lower", RUN, {"hand": (3, 3, 3, 4), "drawn": 3}, "swap 4 shout"),
    ("card_counter", RUN, {"phase": "peek"}, "peek 1 2"),
    ("card_counter", RUN, {"hand": (9, 9, 9, 9), "top": 2}, "take"),
    ("card_counter", RUN, {"hand": (9, 9, 9, 9), "top": 3}, "draw"),
    ("card_counter", RUN, {"hand": (0, 1, 2, 2), "top": 2}, "draw"),
    ("card_counter", RUN, {"hand": (9, None, 9, 9), "drawn": 8}, "swap 1"),
    ("card_counter", RUN, {"hand": (1, None, 1, 1), "drawn": 4}, "swap 2 shout"),
    ("card_counter", RUN, {"hand": (1, None, 1, 1), "drawn": 5}, "discard"),
    # It shouts at 12 in its first turn, and at 6 late in a round.
    ("card_counter", RUN, {"hand": (4, 3, 3, 3), "drawn": 9}, "discard"),
    ("card_counter", RUN, {"hand": (4, 3, 3, 2), "drawn": 9}, "discard shout"),
    ("card_counter", RUN, {"hand": (1, 1, 1, 4), "drawn": 9, **LATE}, "discard"),
    ("card_counter", RUN, {"hand": (1, 1, 1, 3), "drawn": 9, **LATE}, "discard shout"),
    *(
        (name, BLOCKS, fields, expected)
        for name in ("line_counter", "two_ply")
        for fields, expected in (
            ({"board": "... ... ..."}, "place b2"),
            ({"board": "XX. OO. ..."}, "place c1"),
            ({"board": "OO. X.. ..."}, "place c1"),
            ({"board": "X.. .O. ..."}, "place c1"),
            ({"board": "XX. OO. ...", "thrown": "O"}, "place b3"),
            ({"board": "X.O .O. ...", "thrown": "O"}, "place b1"),
            ({"board": "OO. X.X ...", "thrown": "open"}, "remove a1"),
        )
    ),
    # Who looks ahead blocks the line, where counting does not see the danger.
    ("line_counter", BLOCKS, {"board": ".O. OO. .X."}, "place a1"),
    ("two_ply", BLOCKS, {"board": ".O. OO. .X."}, "place c2"),
    ("rollouts", BLOCKS, {"board": "XX. OO. ..."}, "place c1"),
    *(
        (name, MANIA, {"phase": "move", "kept": kept, **fields}, expected)
        for name in ("pair_collector", "turn_planner")
        for kept, fields, expected in (
            (f"{PAIR} {CALM}", {}, "move 1 graveyard"),
            (f"brown brown {PAIR} {CALM}", {}, "move 3 graveyard"),
            (f"brown brown {CALM}", {"tokens": (1, 12)}, "move 1 graveyard"),
            (f"{PAIR} {CALM} building building", AHEAD, "move 1 seat 2"),
        )
    ),
    ("pair_collector", MANIA, {"kept": PAIR}, "roll"),
    ("pair_collector", MANIA, {"kept": f"{PAIR} {CALM}"}, "stop"),
    ("turn_planner", MANIA, {"kept": f"{PAIR} {CALM}"}, "roll"),
    *(
        (name, MANIA, {"rolled": f"{PAIR} green {CALM} building x2 x2"}, f"keep {kept}")
        for name, kept in (
            ("pair_collector", f"{PAIR} green {CALM}"),
            # A third die to throw again is worth more than a pair that is easily had.
            ("turn_planner", f"blue {CALM}"),
        )
    ),
]
"""Positions, and what a bot plays there."""


@pytest.mark.parametrize(("name", "game", "fields", "expected"), DECIDED)
def test_what_it_plays_in_a_position(
    name: str, game: str, fields: dict[str, Any], expected: str
) -> None:
    obs = position(game, **fields)
    bot: Any = models()[name]()
    bot.start(obs.game.new_state().observation(obs.seat))
    assert ask(bot, obs) == expected


@pytest.mark.parametrize(
    ("pairs", "dice", "tokens", "worth"),
    [
        ((1, 0, 0, 2, 0, 0), 1, 4, Fraction(1, 6)),
        ((0, 0, 1, 2, 0, 0), 1, 4, Fraction(1, 3)),
        ((1, 0, 0, 2, 0, 2), 1, 4, Fraction(1, 3)),
        ((1, 0, 0, 2, 0, 2), 1, 1, Fraction(1, 6)),
        ((1, 0, 0, 2, 2, 0), 1, 4, Fraction(1, 4)),
        ((2, 0, 1, 2, 0, 0), 1, 4, Fraction(1)),  # It stops: a roll is worth 5/6.
        # A pair at once, 4/36; else a zombie is kept, and the other die is thrown.
        ((0, 0, 0, 2, 0, 0), 2, 4, Fraction(29, 108)),
    ],
)
def test_what_a_plan_is_worth(
    pairs: tuple[int, ...], dice: int, tokens: int, worth: Fraction
) -> None:
    found = global_of("turn_planner", "worth")(pairs, dice, tokens)
    assert found == pytest.approx(float(worth))


@pytest.mark.parametrize(
    ("places", "scores", "seat", "standing"),
    [
        ((1, 2), (13, 3), 0, 0.75),
        ((1, 2), (13, 3), 1, 0.25),
        ((2, 1), (13, 3), 0, 0.25),  # Low scores win.
        ((1, 1), (5, 5), 0, 0.5),
        ((2, 1, 3), (10, 20, 0), 0, 0.25),
        ((1, 3, 2), (20, 0, 10), 0, 0.75),
    ],
)
def test_how_a_simulation_is_judged(
    places: tuple[int, ...], scores: tuple[int, ...], seat: int, standing: float
) -> None:
    state = SimpleNamespace(
        is_terminal=lambda: False, places=lambda: places, scores=lambda: scores
    )
    assert global_of("rollouts", "standing")(state, seat) == standing


SEQUEL: dict[str, Any] = {"preset": "direct_to_video_sequel", "bus": True}
STRONGER: list[tuple[str, str, str, dict[str, Any], tuple[int, float], int, float]] = [
    (DICE, "stop_at_two", "random", {}, (20, 0.7), 100, 0.7),
    (DICE, "weigh_the_odds", "random", {}, (10, 0.75), 100, 0.75),
    (DICE, "rollouts", "random", {}, (1, 0.5), 15, 0.75),
    (BLOCKS, "line_counter", "random", {}, (30, 0.7), 100, 0.7),
    (BLOCKS, "two_ply", "random", {}, (8, 0.7), 50, 0.75),
    (BLOCKS, "rollouts", "random", {}, (6, 0.6), 40, 0.65),
    (RUN, "swap_lower", "random", {}, (20, 0.9), 50, 0.9),
    (RUN, "card_counter", "random", {}, (20, 0.9), 50, 0.9),
    (RUN, "rollouts", "random", {}, (1, 0.5), 8, 0.8),
    (MANIA, "pair_collector", "random", {}, (2, 0.9), 10, 0.9),
    (MANIA, "turn_planner", "random", {}, (2, 0.9), 10, 0.9),
    (MANIA, "rollouts", "random", {}, (0, 0), 3, 0.8),
    (DICE, "weigh_the_odds", "stop_at_two", {}, (20, 0.5), 200, 0.53),
    (DICE, "weigh_the_odds", "stop_at_two", SEQUEL, (1, 0.5), 12, 0.65),
    (BLOCKS, "two_ply", "line_counter", {}, (12, 0.5), 120, 0.55),
    (RUN, "card_counter", "swap_lower", {}, (60, 0.55), 250, 0.57),
    (MANIA, "turn_planner", "pair_collector", {}, (10, 0.8), 20, 0.85),
    (MANIA, "turn_planner", "pair_collector", {"games": 3}, (4, 0.8), 20, 0.85),
    (MANIA, "pair_collector", "random", {"games": 3}, (1, 0.9), 3, 0.9),
]
"""Who beats whom: in a few fixtures, and in how many by how much."""


@pytest.mark.parametrize(
    ("game", "stronger", "weaker", "options", "fixtures", "at_least"),
    [
        *((*x[:4], *x[4]) for x in STRONGER if x[4][0]),
        *(pytest.param(*x[:4], *x[5:], marks=pytest.mark.exhaustive) for x in STRONGER),
    ],
)
def test_calculation_beats_the_rule_of_thumb_and_that_beats_chance(
    game: str,
    stronger: str,
    weaker: str,
    options: dict[str, Any],
    fixtures: int,
    at_least: float,
) -> None:
    assert score(game, stronger, weaker, fixtures, **options) >= at_least


@pytest.mark.parametrize("name", ["pair_collector", "turn_planner"])
def test_tokens_are_sent_to_the_rival_who_is_ahead(name: str) -> None:
    """In a series, by the penalty points of the games before as well."""
    bot: Any = models()[name]()
    game = get_game("zombie_mania", 3, {"games": 2, "tokens": 2})
    state: Any = game.new_state()
    # Seat 1 wins the first game.  In the second seat 2 has fewer tokens than seat 1.
    nothing, pairs = " ".join(["x2"] * 8), "blue blue green green gravestone gravestone"
    for step in (
        *(nothing, f"{pairs} x2 x2", f"keep {pairs}", "stop", "move 2 graveyard"),
        *(nothing, nothing),
        *(nothing, f"{pairs} x2 x2", f"keep {pairs}", "stop", "move 1 graveyard"),
        *(f"{pairs} building building", f"keep {pairs} building building"),
    ):
        state.apply(step)
    observed = state.observation(0)
    assert (observed.penalties, observed.tokens) == ((2, 0, 2), (2, 2, 1))
    assert bot.zombie_mania(observed) == "move 2 seat 1"


@pytest.mark.parametrize("game", sorted(PLAYERS))
def test_a_team_plays_like_its_members(game: str) -> None:
    members = sorted(PLAYERS[game] - ALL_GAMES)
    for team in ("all_rounder", "experts"):
        games = [
            play(game, [models()[bot], models()["random"]], seed=1)
            for bot in (team, *members)
        ]
        assert games[0] in games[1:]
