"""The pages of a report, as files and in a browser."""

from pathlib import Path

import pytest
from browser import WIDTHS, scrolls_sideways
from leagues import entry, fill, game, league
from playwright.sync_api import Page

from arena.league.store import Store
from arena.reports.games import Games
from arena.reports.pages import write_pages
from arena.reports.report import read_report

ANA, BEN, CY = (entry(name, "dice") for name in ("Ana", "Ben", "Cy"))


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    fill(folder, league([ANA, BEN, CY]), [game(0, (ANA, BEN), (1, 2))])
    with Store.read(folder) as store:
        report = read_report(store)
        games = Games(refs=(), by_bot={}, worth=())
        write_pages(report, games, store, folder / "report", "results/classroom")
    return folder / "report"


@pytest.mark.parametrize("width", WIDTHS.values())
def test_no_page_scrolls_sideways(pages: Path, page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto((pages / "index.html").as_uri())
    assert page.locator("h1").count() == 1
    assert not scrolls_sideways(page)
