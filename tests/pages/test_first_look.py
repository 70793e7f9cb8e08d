"""The first screen: few columns that explain themselves, on a phone as well."""

from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest
from browser import scrolls_sideways
from classes import cast, info_of, season, write
from leagues import entry, game, league
from markup import Markup
from matrix import divided
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from arena.reports.report import Report

CAST = cast()
Open = Callable[[str], Page]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("first")


@pytest.fixture(scope="module")
def report(root: Path) -> Report:
    return write(root, info_of(CAST), season(CAST), luck=True)


@pytest.fixture
def show(root: Path, report: Report, page: Page) -> Open:

    def show(name: str) -> Page:
        path, _, fragment = name.partition("#")
        url = (root / "report" / path).as_uri()
        page.goto(f"{url}#{fragment}" if fragment else url)
        return page

    return show


def test_all_columns_are_there_on_demand_and_in_the_address(show: Open) -> None:
    """By keyboard alone; whoever gets the address sees the same columns."""
    page = show("index.html")
    extra = page.locator("#board-1 thead .extra").first
    mark = page.locator("#board-1 g.extra").first
    first = page.locator("#board-1 thead th:visible").count()
    expect(extra).to_be_hidden()
    expect(mark).to_be_hidden()
    page.get_by_label("All columns").focus()
    page.keyboard.press("Space")
    expect(extra).to_be_visible()
    expect(mark).to_be_visible()
    assert page.url.endswith("/index.html#columns=all")
    assert not scrolls_sideways(page)
    page.reload()
    expect(extra).to_be_visible()
    page.get_by_label("All columns").uncheck()
    expect(extra).to_be_hidden()
    assert page.url.endswith("/index.html")
    assert page.locator("#board-1 thead th:visible").count() == first <= 8


@pytest.mark.parametrize("width", divided((360, 390), (360).__eq__))
def test_a_phone_shows_forfeits_at_the_names(
    width: int, show: Open, report: Report, page: Page
) -> None:
    """Few bots have some, so they have no column that puts others out of sight."""
    page.set_viewport_size({"width": width, "height": 844})
    show("index.html")
    table = page.locator("#board-1")
    region = table.locator("xpath=..")
    assert region.evaluate("x => x.scrollWidth <= x.clientWidth")
    expect(table.locator("thead .at-name")).to_be_hidden()
    told = table.locator("tbody .forfeited:visible").all_text_contents()
    forfeits = [row.forfeits for row in report.rows if row.forfeits]
    assert forfeits
    assert told == [f"{number:,} forfeited" for number in forfeits]


def test_a_heading_explains_its_column(show: Open) -> None:
    """To the pointer, to a finger, to the keyboard and to who hears the page."""
    page = show("index.html")
    link = page.locator("#board-1 .num .about").first
    name = link.get_attribute("aria-label") or ""
    text = page.locator(f"#{link.get_attribute('aria-describedby')}").inner_text()
    assert name.startswith("About Elo")
    expect(link).to_have_accessible_description(text)
    tip = page.locator(".tip")
    expect(tip).to_be_hidden()

    link.focus()
    expect(tip).to_have_text(text)
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    link.hover()
    expect(tip).to_be_visible()
    # It stays as long as the pointer is on it.
    tip.hover()
    page.wait_for_timeout(400)
    expect(tip).to_be_visible()
    page.locator("h1").hover()
    expect(tip).to_be_hidden()
    ranks = page.locator("#board-1 tbody").first.inner_text()
    link.click()
    expect(tip).to_have_text(text)
    # That neither sorts nor leads away.
    assert page.locator("#board-1 tbody").first.inner_text() == ranks
    assert "#" not in page.url
    box = tip.bounding_box()
    assert box is not None
    assert 0 <= box["x"] <= box["x"] + box["width"] <= 1280


@pytest.mark.exhaustive
def test_without_scripts_it_is_a_footnote(
    root: Path, report: Report, browser: Browser
) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto((root / "report" / "index.html").as_uri())
        extra = page.locator("#board-1 thead .extra").first
        expect(extra).to_be_hidden()
        page.get_by_label("All columns").check()
        expect(extra).to_be_visible()
        link = page.locator("#board-1 .about").last
        link.click()
        assert page.url.endswith(link.get_attribute("href") or "?")
        expect(page.locator(":target")).to_be_in_viewport()


def test_every_column_is_explained_once_and_nothing_is_a_digest(
    root: Path, report: Report
) -> None:
    digest = "0123456789abcdef"
    for name in ("index", "labels"):
        page = Markup(root / "report" / f"{name}.html")
        links = {link for link in page.all("href") if link.startswith("#about-")}
        assert links == {f"#{x}" for x in page.all("id") if x.startswith("about-")}
        assert len(links) > 5
        assert digest not in page.path.read_text()
    assert digest in (root / "report" / "how.html").read_text()


LONG = "the_incredible_zombie_eating_bot_of_st"


@pytest.fixture(scope="module")
def long_names(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of bots whose names have forty characters."""
    folder = tmp_path_factory.mktemp("long")
    own = [entry(f"{LONG}{n:02}", "dice", file=f"bots/{n}.py") for n in range(12)]
    games = [
        replace(game(n, pair, (1, 2)), history=())
        for n, pair in enumerate([*combinations(own, 2), *combinations(own[::-1], 2)])
    ]
    write(folder, league(own, (info_of(CAST).labels[0],)), games)
    return folder / "report"


@pytest.mark.parametrize(
    ("width", "height", "rows"),
    divided(((1280, 720, 12), (390, 844, 3)), (1280, 720, 12).__eq__),
)
def test_a_class_is_in_sight_at_once(
    long_names: Path, page: Page, width: int, height: int, rows: int
) -> None:
    """All of a dozen on a laptop, the first ones on a phone, whatever their names."""
    page.set_viewport_size({"width": width, "height": height})
    page.goto((long_names / "index.html").as_uri())
    last = page.locator("#board-1 tbody tr").nth(rows - 1)
    box = last.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= height


# The right end of each number of the first columns, and that of the box they are in.
_ENDS = """() => {
      const scroll = document.querySelector("#board-1").closest(".scroll");
      const right = (x) => x.getBoundingClientRect().right;
      const cells = [...document.querySelectorAll("#board-1 tbody td:not(.chart)")];
      return [cells.filter((x) => x.offsetWidth).map(right), right(scroll)];
    }"""


@pytest.mark.parametrize("width", divided((360, 390), (360).__eq__))
def test_a_phone_shows_all_first_columns(
    long_names: Path, page: Page, width: int
) -> None:
    """None is cut off, and no name is broken in a word."""
    page.set_viewport_size({"width": width, "height": 800})
    page.goto((long_names / "index.html").as_uri())
    ends, box = page.evaluate(_ENDS)
    assert ends
    assert max(ends) <= box
    assert not scrolls_sideways(page)
    # A range has a line of its own, below the numbers.
    row = page.locator("#board-1 tbody tr").first
    chart = row.locator("td.chart svg.range").first.bounding_box()
    name = row.locator("th a").bounding_box()
    assert chart is not None
    assert name is not None
    assert chart["y"] >= name["y"] + name["height"]
    assert chart["x"] + chart["width"] <= width


def test_names_break_between_their_words(long_names: Path) -> None:
    text = (long_names / "index.html").read_text()
    words = "<wbr>".join(f"{x}_" for x in LONG.split("_")[:-1])
    assert f"<bdi>{words}<wbr>st01</bdi>" in text
    assert Markup(long_names / "index.html").texts["th"].count(f"{LONG}01") == 1
