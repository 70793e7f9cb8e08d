"""A league has so many games at the most, and says which key makes more."""

import re
from collections.abc import Sequence
from typing import Any

import pytest
from matrix import divided
from plans import entry, league, league_game, make_plan

from arena.errors import ConfigError
from arena.league.config.league_file import LeagueConfig
from arena.league.config.settings import DivisionSettings, ScheduleName
from arena.league.schedule.core import MAX_GAMES

BOTS = tuple(entry(f"bot{i:02}") for i in range(40))
NAMES = tuple(bot.name for bot in BOTS)
HUGE = 10**9


def dice(players: int = 2, fixtures: int = HUGE, **keys: Any) -> LeagueConfig:
    """Return a league of Zombie Dice; keys as in its file."""
    return league(
        league_game("zombie_dice", players=players, fixtures=fixtures), **keys
    )


def gauntlet(references: int, players: int, fixtures: int) -> LeagueConfig:
    return dice(
        players,
        fixtures,
        schedule=ScheduleName.GAUNTLET,
        references=NAMES[:references],
    )


DIVIDED: dict[str, Any] = {
    "schedule": ScheduleName.DIVISIONS,
    "references": NAMES[:2],
    "divisions": DivisionSettings(size=5),
}
ADAPTIVE: dict[str, Any] = {"schedule": ScheduleName.ADAPTIVE}


@pytest.mark.parametrize(
    ("config", "bots"),
    [
        (dice(), 2),
        (dice(), 40),
        (dice(4), 4),
        (dice(4), 7),
        (dice(4), 40),
        (dice(38), 40),
        (dice(**ADAPTIVE), 3),
        (dice(**DIVIDED), 40),
        (dice(3, **DIVIDED), 40),
        (gauntlet(2, 2, HUGE), 4),
        (gauntlet(30, 15, 1), 40),
        (gauntlet(30, 15, HUGE), 40),
    ],
    ids=range(12),
)
def test_more_games_than_anybody_can_plan(config: LeagueConfig, bots: int) -> None:
    with pytest.raises(ConfigError) as caught:
        make_plan(config, BOTS[:bots])
    text = str(caught.value)
    assert re.fullmatch(
        r"league\.yaml: games\[0\]\.fixtures: \d+ fixtures make \d+ games or more, "
        rf"and a league has {MAX_GAMES} at the most; "
        r"(set it to \d+ or less|let fewer bots meet)",
        text,
    ), text


@pytest.mark.parametrize(
    ("players", "bots"),
    divided([(2, 2), (2, 40), (4, 4), (4, 7), (5, 40)], lambda x: x[1] < 40),
)
def test_what_is_said_to_be_few_enough_is(players: int, bots: int) -> None:
    with pytest.raises(ConfigError) as caught:
        make_plan(dice(players), BOTS[:bots])
    found = re.search(r"set it to (\d+) or less", str(caught.value))
    assert found is not None
    assert len(planned(players, int(found[1]), BOTS[:bots])) <= MAX_GAMES
    with pytest.raises(ConfigError):
        planned(players, int(found[1]) * 2, BOTS[:bots])


def planned(players: int, fixtures: int, bots: Sequence[Any]) -> Any:
    return make_plan(dice(players, fixtures), bots)


def test_labels_are_counted_together() -> None:
    two = [
        league_game("zombie_dice", label, fixtures=MAX_GAMES // 3)
        for label in ("one", "two")
    ]
    assert len(make_plan(league(two[0]), BOTS[:2])) == MAX_GAMES // 3 * 2
    with pytest.raises(ConfigError) as caught:
        make_plan(league(*two), BOTS[:2])
    assert str(caught.value) == (
        "league.yaml: games: make 13333332 games together, and a league has 10000000 "
        "at the most; set fewer fixtures"
    )


def test_a_million_games_are_planned() -> None:
    assert len(make_plan(dice(fixtures=500_000), BOTS[:2])) == 1_000_000
    assert len(make_plan(dice(fixtures=641), BOTS)) == 999_960
