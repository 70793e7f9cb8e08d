"""The list of all games, in a browser: what it shows, filters and leads to."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from urllib.parse import quote, urlencode

import pytest
from browser import WIDTHS, scrolls_sideways
from leagues import entry, fault, fill, game, label_info, league
from msgspec.structs import replace
from playwright.sync_api import BrowserContext, Page, expect

from arena.league.results.store import Store
from arena.reports.game_refs import GameRef
from arena.reports.games import Games, read_games
from arena.reports.highlights import Reason
from arena.reports.pages.game_list import write_game_list
from arena.reports.pages.site import Site
from arena.reports.pages.slugs import slug
from arena.reports.report import read_report

NAMES = (
    "Ana",
    "</script><b>&\"q\" 'q'",
    "a + b = 100 %",
    "Žofie 名前 🧟",
    "constructor",
)
BOTS = [entry(name, "dice", "run", file=f"bots/{i}.py") for i, name in enumerate(NAMES)]
ROWS = 50
RESULTS = "results/my class"
Show = Callable[..., Page]
Written = tuple[Path, Games]
# All rows, from the page of the list that is shown on.
_ROWS = """() => {
    const found = [];
    const after = document.getElementById("after");
    for (;;) {
        for (const row of document.querySelector("#games tbody").rows)
            found.push([0, 1, 3, 4].map(i => row.cells[i].innerText));
        if (after.disabled) return found;
        after.click();
    }
}"""
_GO = """hash => new Promise(done => {
    addEventListener("hashchange", done, { once: true });
    location.hash = hash;
})"""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    """A league with drawn, forfeited and quarantined games, and tables of three."""
    folder = tmp_path_factory.mktemp("games")
    rng = Random(8)
    records = []
    for number in range(220):
        label = "dice" if number < 160 else "run"
        seats = rng.sample(BOTS, 2 if label == "dice" else 3)
        places = [*range(1, len(seats) + 1)]
        rng.shuffle(places)
        faults = ()
        chance = rng.random()
        if chance < 0.2:
            places = [1] * len(seats)
        elif chance < 0.4:
            seat = places.index(max(places))
            end = rng.choice(["crash", "illegal_action", "quarantine"])
            faults = (fault(seat, seats[seat], end),)
        elif number % 20 == 0:
            # Nobody has won where all have forfeited.
            places = [1] * len(seats)
            faults = tuple(fault(i, who, "crash") for i, who in enumerate(seats))
        record = game(number, seats, places, label, faults)
        scores = tuple(rng.choice([0.5, 3.0, 12.0]) for _ in seats)
        records.append(replace(record, scores=scores, decisions=rng.randrange(2000)))
    tables = replace(label_info("run"), players=3)
    picked = replace(league(BOTS, ("dice", tables)), watch="picked")
    fill(folder, picked, records)
    with Store.read(folder) as store:
        report = read_report(store)
        games = read_games(store, report)
    site = Site(report, folder / "report", RESULTS)
    site.copy_static()
    write_game_list(site, games)
    return folder / "report", games


@pytest.fixture
def show(page: Page, written: Written) -> Show:
    """What opens the list with filters in its address."""

    def opened(**filters: str) -> Page:
        # Another address of the same page would not load it again.
        page.goto("about:blank")
        words = urlencode(filters, quote_via=quote)
        page.goto(f"{(written[0] / 'games.html').as_uri()}#{words}")
        expect(page.locator("#count")).not_to_have_text("Loading …")
        return page

    return opened


def shown(page: Page) -> list[tuple[str, ...]]:
    """Return the rows of all pages of the list, from the one that is shown on."""
    return [*map(tuple, page.evaluate(_ROWS))]


def expected(ref: GameRef) -> tuple[str, ...]:
    lines = []
    for bot, score, place, forfeits in zip(
        ref.bots, ref.scores, ref.places, ref.forfeits, strict=True
    ):
        lines.append(bot)
        if forfeits:
            lines.append("forfeited")
        elif place == 1:
            lines.append("won" if ref.places.count(1) == 1 else "shared")
        lines.append(f"{score:g}")
    end = ref.termination.replace("_", " ").replace("natural", "normal end")
    return ref.label, "\n".join(lines), end, str(ref.decisions)


def count(page: Page) -> int:
    return int((page.locator("#count").text_content() or "").split()[0])


def test_every_game_is_listed_as_it_was(show: Show, written: Written) -> None:
    refs = written[1].refs
    assert 4 * ROWS < len(refs) <= 5 * ROWS
    page = show()
    expect(page.locator("#count")).to_have_text(
        f"{len(refs)} of {len(refs)} games; shown: 1 to {ROWS}"
    )
    assert shown(page) == [expected(ref) for ref in refs]
    assert page.url.endswith("#page=5")
    page.reload()
    expect(page.locator("#place")).to_have_text("Page 5 of 5")
    page.get_by_role("button", name="Games before").click()
    expect(page.locator("#place")).to_have_text("Page 4 of 5")


def lost(ref: GameRef, bot: str) -> bool:
    seat = ref.bots.index(bot)
    return ref.places[seat] > 1 or ref.forfeits[seat]


def won(ref: GameRef, bot: str) -> bool:
    return not lost(ref, bot) and ref.places.count(1) == 1


FILTERS: list[tuple[dict[str, str], Callable[[GameRef], bool]]] = [
    ({"bot": NAMES[1]}, lambda x: NAMES[1] in x.bots),
    (
        {"bot": NAMES[2], "opponent": NAMES[3]},
        lambda x: {NAMES[2], NAMES[3]} <= {*x.bots},
    ),
    ({"opponent": NAMES[4]}, lambda x: NAMES[4] in x.bots),
    ({"label": "run"}, lambda x: x.label == "run"),
    ({"bot": "Ana", "outcome": "won"}, lambda x: "Ana" in x.bots and won(x, "Ana")),
    (
        {"bot": "Ana", "outcome": "lost", "label": "dice"},
        lambda x: x.label == "dice" and "Ana" in x.bots and lost(x, "Ana"),
    ),
    (
        {"outcome": "drawn"},
        lambda x: x.places.count(1) > 1 and not all(x.forfeits),
    ),
    ({"reason": "illegal_action"}, lambda x: x.termination == "illegal_action"),
    ({"reason": "forfeit"}, lambda x: any(x.forfeits)),
    # What is not offered is left out.
    ({"bot": "Nobody", "outcome": "lost"}, lambda x: True),
]


def test_filters_find_what_they_say(show: Show, written: Written) -> None:
    refs = written[1].refs
    page = show()
    for filters, passes in FILTERS:
        page.evaluate(_GO, urlencode(filters, quote_via=quote))
        own = [ref for ref in refs if passes(ref)]
        assert own
        assert count(page) == len(own), filters
        assert shown(page) == [expected(ref) for ref in own], filters
    closest = {
        x.game.game_id for x in written[1].highlights if x.reason is Reason.CLOSEST
    }
    page.evaluate(_GO, "reason=closest")
    own = [ref for ref in refs if ref.game_id in closest]
    assert shown(page) == [expected(ref) for ref in own]


def test_filters_are_set_by_keyboard_and_kept_in_the_address(
    show: Show, written: Written
) -> None:
    page = show()
    lost_option = page.locator("#outcome option[value=lost]")
    assert lost_option.is_disabled()
    page.get_by_label("Bot", exact=True).focus()
    page.keyboard.type("constr")
    page.keyboard.press("Tab")
    assert not lost_option.is_disabled()
    expect(page).to_have_url(f"{(written[0] / 'games.html').as_uri()}#bot=constructor")
    own = [ref for ref in written[1].refs if "constructor" in ref.bots]
    assert count(page) == len(own)
    assert page.evaluate("document.activeElement.id") == "opponent"
    page.get_by_role("button", name="Games after").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#place")).to_contain_text("Page 2 of")
    page.get_by_label("Game", exact=True).select_option("dice")
    expect(page.locator("#place")).to_have_text("Page 1 of 2")
    # From another game's link on the same page.
    page.evaluate("location.hash = 'bot=Ana&label=run'")
    expect(page.get_by_label("Game", exact=True)).to_have_value("run")
    expect(page.locator("#place")).to_contain_text("Page 1 of")
    page.get_by_role("button", name="Show all").click()
    assert count(page) == len(written[1].refs)
    assert "#" not in page.url


def test_a_row_leads_to_its_replay_or_names_the_command(
    show: Show, written: Written
) -> None:
    games = written[1]
    page = show(bot="Ana")
    steps = {x.game.game_id: x.step for x in games.highlights if x.step is not None}
    own = [ref for ref in games.refs if "Ana" in ref.bots][:ROWS]
    found = {"link": 0, "step": 0, "command": 0}
    for ref, row in zip(own, page.locator("#games tbody tr").all(), strict=True):
        links = row.locator("td a").evaluate_all(
            "all => all.map(a => a.getAttribute('href'))"
        )
        assert links[: len(ref.bots)] == [f"bots/{slug(bot)}.html" for bot in ref.bots]
        if ref.game_id not in games.replays:
            found["command"] += 1
            command = row.locator("code").inner_text()
            assert command == f"arena replay '{RESULTS}' {ref.game_id}"
            continue
        step = steps.get(ref.game_id)
        found["link" if step is None else "step"] += 1
        at = "" if step is None else f"/{step}"
        assert links[len(ref.bots) :] == [f"replay.html#{ref.game_id}{at}"]
    assert all(found.values())


def test_a_command_is_copied(show: Show) -> None:
    page = show(bot="Ana")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    row = page.locator("#games tbody tr", has=page.locator("code")).first
    row.get_by_role("button").click()
    expect(row.get_by_role("button")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == row.locator("code").inner_text()
    page.context.clear_permissions()


def test_only_what_is_wanted_is_loaded(show: Show, page: Page) -> None:
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url.rpartition("/")[2]))
    show(label="run")
    assert "1.js" in loaded
    assert "0.js" not in loaded
    page.get_by_label("Game", exact=True).select_option("")
    expect(page.locator("#count")).to_contain_text("games; shown")
    assert "0.js" in loaded


def test_it_is_for_phones_and_screen_readers(show: Show) -> None:
    page = show()
    page.set_viewport_size({"width": WIDTHS["phone"], "height": 800})
    assert not scrolls_sideways(page)
    assert page.locator("h1").count() == 1
    for name in ("Bot", "Opponent", "Game", "Outcome", "Reason"):
        assert page.get_by_label(name, exact=True).count() == 1
    assert page.get_by_role("table").locator("caption").count() == 1
    assert page.locator("thead th:not([scope=col])").count() == 0
    assert page.get_by_role("status").inner_text().endswith("shown: 1 to 50")
    named = page.get_by_role("link", name="Replay of Ana against").first
    assert named.count() == 1


def test_a_lost_file_is_named(shared: BrowserContext, written: Written) -> None:
    page = shared.new_page()
    page.route("**/games/1.js", lambda route: route.abort())
    page.goto((written[0] / "games.html").as_uri())
    expect(page.locator("#count")).to_contain_text("games/1.js is not there")
    page.get_by_label("Game", exact=True).select_option("dice")
    expect(page.locator("#count")).to_contain_text("games; shown")
    page.close()
