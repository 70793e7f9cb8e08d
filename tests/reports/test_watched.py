"""Which games the pages hold where there is not room for all."""

import pytest

from arena.league.config.settings import Watch
from arena.reports import watched
from arena.reports.game_refs import End, GameRefs, Seating
from arena.reports.watched import fill_up, watch_in_force


def games(*pairs: tuple[str, str], decisions: int = 10) -> GameRefs:
    """Return games whose ids come in the contrary order."""
    refs = GameRefs()
    end = End((1.0, 0.0), (1, 2), (False, False), "natural")
    for number, bots in enumerate(pairs):
        own = refs.numbers(Seating("dice", bots), end)
        refs.add(f"g{999 - number}", *own, decisions)
    return refs


def test_all_games_are_held_if_there_is_room() -> None:
    refs = games(*[("Ana", "Ben")] * 50)
    assert fill_up(refs, ["g999"]) == {*refs.ids}


def test_picked_ones_come_first_and_then_each_bot_in_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watched, "MOST_GAMES", 4)
    # The two that met rarely do so in games whose ids come last.
    refs = games(("Cy", "Dot"), ("Dot", "Cy"), *[("Ana", "Ben")] * 50)
    picked = {"g960"}
    held = fill_up(refs, picked)
    assert picked < held
    assert len(held) == 4
    assert held - picked == {"g948", "g949", "g998"}
    # What is picked is held, even if it is more than there is room for.
    assert fill_up(refs, refs.ids[:6]) == {*refs.ids[:6]}


def test_long_games_take_more_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watched, "MOST_DECISIONS", 100)
    refs = games(*[("Ana", "Ben")] * 50, decisions=30)
    assert len(fill_up(refs, refs.ids[:2])) == 3


@pytest.mark.parametrize(
    ("said", "named", "hidden"),
    [
        (None, Watch.ALL, Watch.PICKED),
        (Watch.ALL, Watch.ALL, Watch.PICKED),
        (Watch.PICKED, Watch.PICKED, Watch.PICKED),
        (Watch.NONE, Watch.NONE, Watch.NONE),
    ],
)
def test_under_aliases_not_all_games_can_be_watched(
    said: Watch | None, named: Watch, hidden: Watch
) -> None:
    assert watch_in_force(said, is_anonymous=False) == named
    assert watch_in_force(said, is_anonymous=True) == hidden
