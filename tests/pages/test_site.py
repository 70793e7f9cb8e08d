"""The pages in a real browser, as a person uses them."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from browser import WIDTHS, scrolls_sideways
from classes import NAMES, cast, info_of, season, write
from matrix import divided
from playwright.sync_api import Locator, Page, expect

from arena.reports.pages.slugs import slug
from arena.reports.report import Report

CAST = cast()
RUINOUS = NAMES[1]
_WORST_CONTRAST = """() => {
      const canvas = document.createElement("canvas")
        .getContext("2d", {willReadFrequently: true});
      const rgb = (colour) => {
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
      };
      const light = (colour) => rgb(colour)
        .map((x) => x / 255)
        .map((x) => x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4)
        .reduce((sum, x, i) => sum + x * [.2126, .7152, .0722][i], 0);
      const behind = (element) => {
        for (let at = element; at; at = at.parentElement) {
          const colour = getComputedStyle(at).backgroundColor;
          if (!/, 0\\)|\\/ 0\\)|transparent/.test(colour)) return colour;
        }
      };
      const found = [...document.querySelectorAll("h1, p, a, td, th, footer")]
        .filter((x) => x.textContent.trim() && x.offsetWidth)
        .map((x) => {
          const pair = [light(getComputedStyle(x).color), light(behind(x))];
          return (Math.max(...pair) + .05) / (Math.min(...pair) + .05);
        });
      return Math.min(...found);
    }"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="module")
def report(root: Path) -> Report:
    return write(root, info_of(CAST), season(CAST), luck=True)


Open = Callable[[str], Page]
Scheme = Literal["light", "dark"]


@pytest.fixture
def show(root: Path, report: Report, page: Page) -> Open:

    def show(name: str) -> Page:
        path, _, fragment = name.partition("#")
        url = (root / "report" / path).as_uri()
        page.goto(f"{url}#{fragment}" if fragment else url)
        return page

    return show


def names(table: Locator) -> list[str]:
    """Return the bots of a table, without what stands beside them."""
    return [x.strip() for x in table.locator("tbody tr:visible th a").all_inner_texts()]


def test_the_leaderboard_sorts_and_says_so(show: Open, report: Report) -> None:
    page = show("index.html#columns=all")
    table = page.locator("#board-1")
    by_rank = [row.bot for row in report.rows]
    ranks, games = (
        table.locator("thead th", has=page.get_by_role("button", name=name, exact=True))
        for name in ("#", "Games")
    )
    expect(ranks).to_have_attribute("aria-sort", "ascending")
    assert names(table) == by_rank
    rules = table.locator("tr.break").count()
    assert rules > 0

    games.get_by_role("button").click()
    expect(games).to_have_attribute("aria-sort", "descending")
    expect(ranks).to_have_attribute("aria-sort", "none")
    # As many games as before another keep their order.
    by_games = sorted(report.rows, key=lambda row: (row.rank is None, -row.games))
    assert names(table) == [row.bot for row in by_games]
    # Groups are groups of ranks.
    assert table.locator("tr.break").count() == 0

    page.keyboard.press("Enter")
    expect(games).to_have_attribute("aria-sort", "ascending")
    # Who has no rank stays below those who have.
    assert names(table)[-1] == by_games[-1].bot == by_rank[-1]

    ranks.get_by_role("button").focus()
    page.keyboard.press("Space")
    assert names(table) == by_rank
    assert table.locator("tr.break").count() == rules

    table.get_by_role("button", name="Bot", exact=True).click()
    assert names(table) == [*sorted(by_rank[:-1], key=str.lower), by_rank[-1]]


# The bots after a click on each head, by what is written there.
_SORTED = """table => [...table.querySelectorAll("thead button")].map((button) => {
      button.click();
      const links = [...table.querySelectorAll("tbody th a")];
      return [button.textContent, links.map((link) => link.textContent.trim())];
    })"""


def test_every_column_sorts_by_its_numbers(show: Open, report: Report) -> None:
    page = show("index.html#columns=all")
    table = page.locator("#board-1")
    clicked: list[tuple[str, list[str]]] = table.evaluate(_SORTED)
    found = dict(clicked)
    by_elo = sorted(report.rows, key=lambda row: -(row.elo or -1e9))
    assert found["Elo ±"] == [row.bot for row in by_elo]
    by_forfeits = sorted(by_elo, key=lambda row: (row.rank is None, -row.forfeits))
    assert found["Forfeits"] == [row.bot for row in by_forfeits]
    by_place = sorted(
        report.rows, key=lambda row: (row.rank is None, row.rank_low or 0)
    )
    assert found["Places"] == [row.bot for row in by_place]
    assert len(found) == 12
    # What a bot does not have comes last, in both directions.
    clean = table.get_by_role("button", name="Clean")
    for _ in range(2):
        clean.click()
        assert names(table)[-2] == "broken"


def test_a_first_click_sorts_the_best_first(show: Open, report: Report) -> None:
    """Also where they are first already; the next click turns the order round."""
    page = show("index.html")
    table = page.locator("#board-1")
    by_rank = [row.bot for row in report.rows]
    ranks = table.get_by_role("button", name="#", exact=True)
    for expected in (by_rank, [*by_rank[-2::-1], by_rank[-1]]):
        ranks.click()
        assert names(table) == expected


def test_a_name_is_found_in_all_tables(show: Open) -> None:
    page = show("index.html")
    page.get_by_label("Find by name").fill("QUOTED")
    assert names(page.locator("#board-1")) == ["\"quoted\" & 'single'"]
    assert names(page.locator("table.by-game")) == ["\"quoted\" & 'single'"]
    expect(page.locator("output")).to_have_text(f"1 of {len(CAST)} bots")
    page.get_by_label("Find by name").fill("")
    assert len(names(page.locator("#board-1"))) == len(CAST)
    expect(page.locator("output")).to_have_text("")


def test_from_the_leaderboard_to_a_bot_and_its_fault(show: Open) -> None:
    page = show("index.html")
    page.locator("#board-1").get_by_role("link", name=RUINOUS).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(RUINOUS)
    assert page.url.endswith(f"bots/{slug(RUINOUS)}.html")
    expect(page.locator("pre")).to_contain_text("forfeits: crash")
    best = page.locator(".versus td").first
    assert best.locator("a").get_attribute("href")
    page.get_by_role("link", name="all its faults").click()
    # Of two bots that forfeit, the one that was asked for is unfolded.
    expect(page.locator("details[open] pre").last).to_be_visible()
    page.get_by_role("link", name="All games").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("All games")


@pytest.mark.exhaustive
def test_the_heat_map_has_a_scale_and_says_what_is_in_a_cell(show: Open) -> None:
    page = show("crosstable.html")
    games = page.get_by_role("navigation", name="Games").get_by_role("link")
    assert games.count() == 3
    games.last.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Crosstable of ")
    here = page.get_by_role("navigation", name="Pages").locator("[aria-current]")
    expect(here).to_have_text("Crosstable")
    page.get_by_role("link", name="All games").last.click()
    maps = page.locator("table.heat")
    assert maps.count() == 1
    rows = maps.first.locator("tbody tr")
    assert rows.count() == len(CAST)
    assert maps.first.locator("tbody td").count() == len(CAST) ** 2
    colour = "cell => getComputedStyle(cell).backgroundColor"
    worst, best = (
        maps.first.get_by_role("cell", name=text, exact=True).first.evaluate(colour)
        for text in ("0", "100")
    )
    assert worst != best
    # Behind it is only one that does not play all games.
    last = rows.first.locator("td").nth(len(CAST) - 2)
    last.hover()
    told = page.locator(".told").first
    name = rows.first.locator("th").inner_text()
    expect(told).to_contain_text(f"{name} against broken: 100 %, 12 games, 95 % range")
    expect(told).to_contain_text("more than luck")


@pytest.mark.parametrize("scheme", divided(("light", "dark"), "light".__eq__))
def test_text_is_readable_in_light_and_dark(scheme: Scheme, show: Open) -> None:
    """By the contrast of WCAG 2: 4.5 for text, also on the colours of a heat map."""
    page = show("crosstable.html")
    page.emulate_media(color_scheme=scheme)
    assert page.evaluate(_WORST_CONTRAST) >= 4.5
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    is_dark = sum(map(int, ground.removeprefix("rgb(").rstrip(")").split(","))) < 200
    assert is_dark == (scheme == "dark")


COMMON = ("index", "labels", "crosstable", "times", "faults", "games")
PAGES = (*COMMON, f"bots/{slug(RUINOUS)}")
# Whatever scrolls can be reached by keyboard, and has a name.
_UNREACHABLE = """() => {
      const named = (x) => x.getAttribute("aria-label")
        || document.getElementById(x.getAttribute("aria-labelledby"))?.textContent;
      return [...document.querySelectorAll("*")].filter((x) =>
        /auto|scroll/.test(getComputedStyle(x).overflowX)
        && x.scrollWidth > x.clientWidth
        && !(x.tabIndex === 0 && named(x))
      ).length;
    }"""


@pytest.mark.parametrize("width", divided(WIDTHS, "phone".__eq__))
def test_no_page_scrolls_sideways(width: str, show: Open, page: Page) -> None:
    page.set_viewport_size({"width": WIDTHS[width], "height": 800})
    for name in PAGES:
        show(f"{name}.html")
        assert not scrolls_sideways(page), name
        assert page.evaluate(_UNREACHABLE) == 0, name


def test_the_keyboard_begins_at_the_content(show: Open) -> None:
    page = show("index.html")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    outline = page.locator(".skip").evaluate("x => getComputedStyle(x).outlineStyle")
    assert outline != "none"
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
