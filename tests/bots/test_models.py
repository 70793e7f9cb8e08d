"""The bots that come with the project play by the rules, and as well as they say."""

from itertools import product
from typing import Any

import pytest
from bot_games import models, play

from arena.bot import Bot
from arena.games import get_game
from arena.games.zombie_dice import PRESETS

ALL_GAMES = {"random", "all_rounder", "experts", "rollouts"}
PLAYERS = {
    "zombie_dice": {"stop_at_two", "weigh_the_odds"} | ALL_GAMES,
    "ox_blocks": {"line_counter", "two_ply"} | ALL_GAMES,
    "zombie_run": {"swap_lower", "card_counter"} | ALL_GAMES,
    "zombie_mania": {"pair_collector", "turn_planner"} | ALL_GAMES,
}
ENTRIES = [(game, name) for game in PLAYERS for name in sorted(PLAYERS[game])]


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


@pytest.mark.parametrize(("game", "name"), ENTRIES)
def test_legal_from_every_seat_and_the_same_each_time(game: str, name: str) -> None:
    rival = models()["all_rounder"]  # Games with it are short.
    for players in (2,) if game == "ox_blocks" else (2, 3, 5):
        for seat in range(players):
            bots = [rival] * players
            bots[seat] = models()[name]
            once = play(game, bots, seed=seat)
            assert sum(once[0]) == pytest.approx(1.0)
            # One repetition at each number of players tells.
            if seat == 0:
                assert play(game, bots, seed=seat) == once


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("zombie_dice", {"cup": "none", "target": 20}),
        ("zombie_dice", {"cup": "rest_first", "tiebreak_rounds": 1}),
        ("ox_blocks", {"size": 4}),
        ("ox_blocks", {"removal": "must", "faces": [3, 1, 2]}),
        ("zombie_run", {"hand": 6, "rounds": 2}),
        ("zombie_run", {"must_swap_from_discard": True, "round_cap": 5}),
        ("zombie_run", {"copies": [1] * 9, "streets": 2, "hordes": 2, "rounds": 2}),
        ("zombie_mania", {"tokens": 3}),
        ("zombie_mania", {"tokens": 1, "games": 2}),
    ],
)
def test_legal_under_other_options(game: str, options: dict[str, Any]) -> None:
    for name in sorted(PLAYERS[game]):
        for bots in (["random", name], [name, "random"]):
            play(game, [models()[bot] for bot in bots], seed=0, options=options)


@pytest.mark.parametrize("name", sorted(PLAYERS["zombie_dice"]))
@pytest.mark.parametrize("preset", PRESETS)
def test_legal_with_every_preset_the_bus_and_the_horde(preset: str, name: str) -> None:
    for bus, horde in product((False, True), repeat=2):
        options = {"preset": preset, "bus": bus, "horde": horde, "target": 5}
        play("zombie_dice", [models()[bot] for bot in (name, "random")], 0, options)


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


@pytest.mark.parametrize(
    ("game", "name", "at_least", "fixtures"),
    [
        ("zombie_dice", "stop_at_two", 0.7, 100),
        ("zombie_dice", "weigh_the_odds", 0.75, 100),
        ("zombie_dice", "rollouts", 0.75, 15),
        ("ox_blocks", "line_counter", 0.7, 100),
        ("ox_blocks", "two_ply", 0.75, 50),
        ("ox_blocks", "rollouts", 0.65, 40),
        ("zombie_run", "swap_lower", 0.9, 50),
        ("zombie_run", "card_counter", 0.9, 50),
        ("zombie_run", "rollouts", 0.8, 8),
        ("zombie_mania", "pair_collector", 0.9, 10),
        ("zombie_mania", "turn_planner", 0.9, 10),
        ("zombie_mania", "rollouts", 0.8, 3),
    ],
)
def test_beats_random(game: str, name: str, at_least: float, fixtures: int) -> None:
    assert score(game, name, "random", fixtures) >= at_least


@pytest.mark.parametrize(
    ("game", "stronger", "weaker", "at_least", "fixtures"),
    [
        ("zombie_dice", "weigh_the_odds", "stop_at_two", 0.53, 300),
        ("ox_blocks", "two_ply", "line_counter", 0.55, 300),
        ("zombie_run", "card_counter", "swap_lower", 0.57, 250),
        ("zombie_mania", "turn_planner", "pair_collector", 0.85, 20),
    ],
)
def test_calculation_beats_the_rule_of_thumb(
    game: str,
    stronger: str,
    weaker: str,
    at_least: float,
    fixtures: int,
) -> None:
    found = score(game, stronger, weaker, fixtures)
    assert found >= at_least


def test_bots_for_zombie_mania_play_well_in_a_series_too() -> None:
    pair, plan = "pair_collector", "turn_planner"
    assert score("zombie_mania", pair, "random", 3, games=3) >= 0.9
    assert score("zombie_mania", plan, pair, 20, games=3) >= 0.85


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


def test_weighing_beats_stopping_at_two_in_the_sequel_with_the_bus() -> None:
    options: dict[str, Any] = {"preset": "direct_to_video_sequel", "bus": True}
    found = score("zombie_dice", "weigh_the_odds", "stop_at_two", 20, **options)
    assert found >= 0.65


@pytest.mark.parametrize("game", sorted(PLAYERS))
def test_a_team_plays_like_its_members(game: str) -> None:
    members = sorted(PLAYERS[game] - ALL_GAMES)
    for team in ("all_rounder", "experts"):
        games = [
            play(game, [models()[bot], models()["random"]], seed=1)
            for bot in (team, *members)
        ]
        assert games[0] in games[1:]
