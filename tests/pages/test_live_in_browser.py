"""The live page in a browser: what is new shows itself, and a game plays."""

from pathlib import Path

import pytest
from browser import WIDTHS, scrolls_sideways
from leagues import bot, game, league, report_of
from matrix import divided
from playwright.sync_api import Page, expect
from recorded import Recorded, names_of, recorded

from arena.league.results.store import Store
from arena.reports.live import watching
from arena.reports.live.board import board_of
from arena.reports.live.page import LivePage
from arena.reports.live.process import LeagueState
from arena.reports.live.watching import GamePicker, WatchedGame

__all__ = ["recorded"]

ONCE = 3600
"""Seconds: a page that asks only once has nothing left to load when it is closed."""
ANA, BEN = bot("Ana", "dice"), bot("<b>Ben</b>", "dice")


@pytest.fixture(autouse=True)
def all_are_new(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let games of all batches be picked."""
    monkeypatch.setattr(watching, "_NEWEST_BATCHES", 100)


def write(page: LivePage, played: int, watched: WatchedGame | None) -> None:
    """Write the page of a league of so many games."""
    games = [game(i, [ANA, BEN], [1, 2]) for i in range(played)]
    report = report_of(league([ANA, BEN]), games)
    facts = dict.fromkeys(("is_open", "is_anonymous", "is_secretive"), False)
    told = board_of(report, LeagueState.PLAYING, {}, left="", **facts)
    page.write(told, watched, {"zombie_dice", "ox_blocks", "pig"})


def watched_games(recorded: Recorded) -> dict[str, WatchedGame]:
    """Return a game of each label that is picked, by label."""
    picker = GamePicker()
    found = {}
    with Store.read(recorded.folder) as store:
        names = names_of(store)
        for _ in recorded.info.labels:
            watched = picker.pick(store, names, dict.fromkeys(names.values(), 1))
            assert watched is not None
            found[store.record(watched.game_id).label] = watched
    return found


def test_labels_take_turns_and_no_forfeit_is_shown(recorded: Recorded) -> None:
    """Of a forfeit the replay would tell what only the author may see."""
    found = watched_games(recorded)
    assert found.keys() == {label.label for label in recorded.info.labels}
    shown = {game.game_id for game in found.values()}
    assert not shown & {x.game_id for x in recorded.records.values() if x.faults}


def test_what_is_new_shows_itself(
    page: Page, recorded: Recorded, tmp_path: Path
) -> None:
    games = watched_games(recorded)
    live = LivePage(tmp_path, 1)
    write(live, 2, games["ox"])
    page.goto((live.folder / "index.html").as_uri())
    page.evaluate("window.isSame = true")
    expect(page.locator(".count")).to_contain_text("2 of 2 games")
    expect(page.locator("#drawing .board")).to_be_visible()
    expect(page.locator("tbody th", has_text="<b>Ben</b>")).to_be_visible()
    write(live, 4, games["ox"])
    expect(page.locator(".count")).to_contain_text("4 of 4 games")
    # It speaks of what is new, and plays its game on.
    expect(page.locator("#said")).to_contain_text("games are played. First: Ana.")
    assert page.evaluate("window.isSame")
    before = page.locator("#status").inner_text()
    expect(page.locator("#status")).not_to_have_text(before)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    # Who has paused a game keeps it.
    live._seconds = ONCE
    write(live, 6, games["pig"])
    expect(page.locator(".count")).to_contain_text("6 of 6 games")
    expect(page.locator("#about")).to_contain_text("OX Blocks")


def test_who_wants_no_motion_sees_the_end_of_a_game(
    page: Page, recorded: Recorded, tmp_path: Path
) -> None:
    live = LivePage(tmp_path, ONCE)
    write(live, 2, watched_games(recorded)["dice"])
    page.emulate_media(reduced_motion="reduce")
    page.goto((live.folder / "index.html").as_uri())
    expect(page.locator("#status")).to_contain_text("The game is over.")
    page.emulate_media(reduced_motion="no-preference")


@pytest.mark.parametrize(
    "label", divided(["ox", "run of three", "mania"], "mania".__eq__)
)
def test_board_and_game_are_in_one_screen(
    label: str, page: Page, recorded: Recorded, tmp_path: Path
) -> None:
    """On a projector nobody scrolls; a phone scrolls down alone."""
    live = LivePage(tmp_path, ONCE)
    write(live, 2, watched_games(recorded)[label])
    page.emulate_media(reduced_motion="reduce")
    for width, height in ((WIDTHS["projector"], 1080), (1280, 720), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto((live.folder / "index.html").as_uri())
        expect(page.locator("#drawing > div")).to_be_visible()
        assert not scrolls_sideways(page)
        parts = (".standings", "#play", "#drawing", "#status") if width > 390 else ()
        for part in parts:
            box = page.locator(part).bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= height
            assert box["x"] + box["width"] <= width
        assert not page.evaluate(
            "(({ scrollHeight, clientHeight, scrollWidth, clientWidth }) =>"
            " scrollHeight > clientHeight || scrollWidth > clientWidth)"
            "(document.querySelector('#drawing'))"
        )
    page.emulate_media(reduced_motion="no-preference")
