"""The work of a zygote before it forks, which no contestant has to repeat."""

from typing import Any

import pytest

from arena.games import TERMINAL, Game, State, get_game
from arena.worker import zygote


class Never(Game):
    """A game that can't be begun."""

    name = "never"
    min_players = max_players = 2

    def new_state(self) -> State:
        raise OSError("its cards are not there")


def test_every_game_is_played_a_little(monkeypatch: pytest.MonkeyPatch) -> None:
    played: dict[str, int] = {}
    play = zygote._play

    def play_and_note(game: Game, decisions: int) -> None:
        play(game, decisions)
        played[game.name] = decisions

    monkeypatch.setattr(zygote, "_play", play_and_note)
    zygote._warm_up()
    assert set(played) == {"zombie_dice", "ox_blocks", "zombie_run", "zombie_mania"}
    assert all(decisions > 100 for decisions in played.values())


def test_so_many_decisions_are_taken_and_looked_at_as_a_bot_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = get_game("ox_blocks")
    looks = []
    legal_actions: Any = game.observation_type.legal_actions

    def look(observation: Any) -> Any:
        assert observation.game is game
        looks.append(observation)
        return legal_actions.fget(observation)

    monkeypatch.setattr(game.observation_type, "legal_actions", property(look))
    zygote._play(game, 40)
    assert len(looks) == 40


def test_a_game_that_fails_is_left_to_those_who_play_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(zygote, "game_paths", lambda: {"never": "x:Never", "pig": "y"})
    tried = []

    def fail(name: str, players: int = 2) -> Game:
        tried.append(name)
        raise OSError("its cards are not there")

    monkeypatch.setattr(zygote, "game_class", lambda name: Never)
    monkeypatch.setattr(zygote, "get_game", fail)
    zygote._warm_up()
    assert tried == ["never", "pig"]


def test_a_game_that_is_over_at_once_is_not_played_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Over:
        def __init__(self, game: Game, seed: bytes) -> None:
            pass

        def advance(self) -> int:
            return TERMINAL

    monkeypatch.setattr(zygote, "Table", Over)
    zygote._play(get_game("ox_blocks"), 40)
