"""No page keeps anybody out, as far as axe can tell: it finds nothing serious."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import WIDTHS
from classes import NAMES, cast, info_of, season, write
from playwright.sync_api import Page
from recorded import Recorded, recorded

from arena.league.results.store import Store
from arena.reports.games import read_games
from arena.reports.live.board import board_of
from arena.reports.live.page import LivePage
from arena.reports.live.process import LeagueState
from arena.reports.live.watching import GamePicker
from arena.reports.oddities import ADVICE
from arena.reports.pages.site import rendered
from arena.reports.pages.slugs import slug
from arena.reports.pages.write import write_pages
from arena.reports.report import read_report

__all__ = ["recorded"]

pytestmark = pytest.mark.exhaustive

LIVE: dict[str, Any] = {
    "state": LeagueState.PLAYING,
    "before": {("", name): 3 for name in NAMES},
    "left": "2 min",
    "is_open": True,
    "is_anonymous": False,
    "is_secretive": False,
}
END = {"state": LeagueState.FINISHED, "is_anonymous": True}
Scheme = Literal["light", "dark"]
AXE = Axe()


@pytest.fixture(scope="module")
def pages(
    tmp_path_factory: pytest.TempPathFactory, recorded: Recorded
) -> list[tuple[str, str]]:
    """The name and the address of a page of every kind."""
    league = tmp_path_factory.mktemp("class")
    write(league, info_of(cast()), season(cast()), luck=True)
    with Store.read(recorded.folder) as store:
        report = read_report(store)
        games = read_games(store, report)
        replays = recorded.folder / "report"
        write_pages(report, games, store, replays, "results/recorded")
    paths = [*(league / "report").glob("*.html")]
    # One that plays all games and often fails, and one that plays a single game.
    paths += [league / "report" / f"bots/{slug(NAMES[i])}.html" for i in (1, -1)]
    found = [(x.name, x.as_uri()) for x in sorted(paths) if x.name != "replay.html"]
    with Store.read(recorded.folder) as store:
        names = {who.id: who.name for who in recorded.info.entries}
        watched = GamePicker().pick(store, names, {})
    for name, folder, facts in (("live", replays, {}), ("live end", league, END)):
        # It asks for news only once.
        live = LivePage(folder, 3600)
        with Store.read(league) as store:
            told = board_of(read_report(store), **LIVE | facts)
        live.write(told, watched, {x.game for x in recorded.info.labels})
        found.append((name, (live.folder / "index.html").as_uri()))
    replay = (replays / "replay.html").as_uri()
    for name in ("everything", "ox", "run of three", "series", "pig", "forfeit"):
        found.append((name, f"{replay}#{recorded.records[name].game_id}/1"))
    odd = tmp_path_factory.mktemp("odd") / "surprises.html"
    told = [("dice: <b>Ana</b> wins too often.", ["arena replay results/class g001"])]
    odd.write_text(rendered("surprises.html", league="A", found=told, advice=ADVICE))
    return [*found, ("surprises", odd.as_uri())]


def serious(page: Page) -> Iterator[str]:
    """Yield what axe objects to, a line each."""
    # It would ask for the styles once more, which no page from a disk may.
    results = AXE.run(page, options={"preload": False}).response
    for found in results["violations"]:
        if found["impact"] in ("serious", "critical"):
            where = "; ".join(node["html"] for node in found["nodes"][:3])
            yield f"{found['id']}: {found['help']}: {where}"


@pytest.mark.parametrize("width", ["phone", "laptop"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(
    pages: list[tuple[str, str]], page: Page, scheme: Scheme, width: str
) -> None:
    page.set_viewport_size({"width": WIDTHS[width], "height": 800})
    page.emulate_media(color_scheme=scheme)
    found = []
    for name, address in pages:
        page.goto(address)
        # What is there on demand counts too.
        for box in page.locator(".demand").all():
            box.check()
        found += [f"{name}: {line}" for line in serious(page)]
    assert found == []


def test_axe_finds_what_is_wrong(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "wrong.html"
    path.write_text("<!DOCTYPE html><title>Wrong</title><p style='color:#ccc'>pale")
    page.goto(path.as_uri())
    assert {line.partition(":")[0] for line in serious(page)} >= {
        "color-contrast",
        "html-has-lang",
    }
