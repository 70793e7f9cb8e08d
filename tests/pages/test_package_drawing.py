"""A package's game is drawn in replays as ours are; without its drawing it is told."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest
from arena_pig import drawing
from leagues import entry, fill, finished, label_of, league
from matrix import divided
from msgspec.structs import replace
from playwright.sync_api import Page

from arena.games import Replay, Table, derive_seed, get_game
from arena.games.registry import GAMES
from arena.league.results.store import Store
from arena.records.game_record import GameRecord
from arena.reports.pages.site import Site
from arena.reports.replay.packs import write_replays
from arena.reports.replay.story import GameStory
from arena.reports.report import Report

WHO = (entry("<b>Ana</b>"), entry("Bo"))
LOOK = """() => {
  const text = (query) => document.querySelector(query)?.textContent ?? null;
  const all = (query) =>
    [...document.querySelectorAll(query)].map((each) => each.textContent);
  return {
    banked: all("#drawing .score strong"),
    die: text("#drawing [data-zone=die]"),
    text: text("#drawing .as-text"),
    broken: text("#drawing p.muted"),
    log: all("#log button"),
    marks: all("#marks .turn").length,
  };
}"""


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameRecord]:
    """A game of the package's."""
    random = Random(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES._paths, "pig", "arena_pig:Pig")
        yield finished(
            Table(get_game("pig", 2, {"target": 20}), derive_seed("drawn")),
            "pig",
            [who.id for who in WHO],
            lambda table: random.choice(table.state.legal_actions()),
            game_id="ab" * 8,
        )


def write(folder: Path, record: GameRecord) -> tuple[str, ...]:
    """Write the pages that replay it; return what is wrong with its drawing."""
    pig = label_of("pig", "pig", 2, target=20)
    fill(folder, league(WHO, [pig]), [record])
    report = SimpleNamespace(
        league="Class", played=1, planned=1, columns=(), is_anonymous=False
    )
    site = Site(cast(Report, report), folder, "results/x")
    site.copy_static()
    problems = site.write_replay_page({"pig"})
    names = {who.id: who.name for who in WHO}
    with Store.read(folder) as store:
        ids = [record.game_id]
        return problems + write_replays(store, names, ids, folder, results="results/x")


def looks(page: Page, folder: Path, record: GameRecord) -> Iterator[dict[str, Any]]:
    """Yield how each position looks."""
    page.goto(f"{(folder / 'replay.html').as_uri()}#{record.game_id}/0")
    page.wait_for_selector("#drawing > div")
    for position in range(len(record.history) + 1):
        page.keyboard.press("ArrowRight" if position else "Home")
        assert page.input_value("#scrubber") == str(position)
        yield page.evaluate(LOOK)


def test_every_position_is_drawn(
    tmp_path: Path, page: Page, record: GameRecord
) -> None:
    assert write(tmp_path, record) == ()
    replay = Replay(get_game("pig", 2, {"target": 20}), record.history)
    states = [table.state.clone() for table in replay.walk()]
    seen = list(looks(page, tmp_path, record))
    for state, look in zip(states, seen, strict=True):
        assert look["banked"] == [f"{score:g}" for score in state.scores()]
        assert look["text"] is look["broken"] is None
    fallen = [x if x.isdigit() else None for x in record.history]
    assert [look["die"] for look in seen] == [None, *fallen]
    first, *_ = seen[-1]["log"]
    assert first == f"<b>Ana</b> rolls {record.history[0]}"
    # A story in a terminal says the same of the same events.
    pages = [line.partition(" → ")[2] for line in seen[-1]["log"]]
    names = [who.name for who in WHO]
    story = GameStory(replay, names).event_lines
    assert pages == ["".join(more).lstrip(" →") for _, *more in story]
    assert {line.split()[0] for line in filter(None, pages)} == {"bust", "banks"}
    turns = {(s.observation(0).turn, s.observation(0).turn_seat) for s in states[:-1]}  # type: ignore[attr-defined]
    assert seen[-1]["marks"] == len(turns)


def test_a_drawing_that_fails_in_python_is_told_as_text(
    tmp_path: Path, page: Page, record: GameRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "turn", lambda seen: seen.points // (seen.turn - 2))
    (problem,) = write(tmp_path, record)
    assert problem.startswith("game pig: its drawing can't be used: ")
    replay = Replay(get_game("pig", 2, {"target": 20}), record.history)
    states = [table.state.clone() for table in replay.walk()]
    for state, look in zip(states, looks(page, tmp_path, record), strict=True):
        assert look["text"] == state.to_text()
        assert look["broken"] == problem
        assert look["banked"] == []


@pytest.mark.parametrize("name", ["turn", "truth", "outcome", "facts"])
def test_whatever_fails_in_it_is_one_sentence(
    name: str, tmp_path: Path, record: GameRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = 7 if name == "outcome" else "x"
    for broken in (lambda *x: 1 / 0, lambda *x: wrong, lambda *x: exit("away")):
        monkeypatch.setattr(drawing, name, broken, raising=False)
        (problem,) = write(tmp_path, record)
        assert problem.startswith("game pig: its drawing can't be used: ")
        assert (tmp_path / "static" / "replay_pig.js").exists()


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        ("turn", lambda seen: (2, seen.turn)),
        ("truth", lambda state, seen: replace(seen, points=[1])),
        ("truth", lambda state, seen: replace(seen, points=object())),
    ],
)
def test_what_no_page_can_show_is_one_sentence(
    name: str,
    broken: Callable[..., object],
    tmp_path: Path,
    record: GameRecord,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(drawing, name, broken, raising=False)
    (problem,) = write(tmp_path, record)
    assert problem.startswith("game pig: its drawing can't be used: ")


@pytest.mark.parametrize(
    "script",
    divided(
        [
            "throw new Error('at once');",
            "arena.drawings.pig = { draw() { throw new Error('no die'); } };",
            "arena.drawings.pig = { draw() { return 5; }, tell() { return ''; } };",
        ],
        lambda script: "no die" in script,
    ),
)
def test_a_drawing_that_throws_is_told_as_text(
    script: str, tmp_path: Path, page: Page, record: GameRecord
) -> None:
    assert write(tmp_path, record) == ()
    quiet = f"addEventListener('error', (e) => e.preventDefault());\n{script}"
    (tmp_path / "static" / "replay_pig.js").write_text(quiet)
    for look in looks(page, tmp_path, record):
        assert look["text"].startswith("seat: 0\nscores: [")
        assert "\nrolls: " in look["text"]
        assert look["broken"].startswith("game pig: its drawing can't be used: ")


def test_it_is_on_no_page_of_a_league_without_the_game(
    tmp_path: Path, record: GameRecord
) -> None:
    report = SimpleNamespace(
        league="Class", played=0, planned=0, columns=(), is_anonymous=False
    )
    site = Site(cast(Report, report), tmp_path, "results/x")
    assert site.write_replay_page({"ox_blocks"}) == ()
    assert "replay_pig" not in (tmp_path / "replay.html").read_text()
    assert not (tmp_path / "static").joinpath("replay_pig.js").exists()
    assert not (tmp_path / "static").joinpath("replay_guard.js").exists()


def test_a_script_that_can_not_be_read_is_left_out(
    tmp_path: Path, record: GameRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "drawing.js"
    broken.write_bytes(b"\xff\xfe")
    monkeypatch.setattr(
        "arena.reports.replay.drawings.game_file", lambda name, file: broken
    )
    problems = write(tmp_path / "pages", record)
    assert "game pig: its drawing can't be used: UnicodeDecodeError" in problems[-1]
    assert "replay_pig" not in (tmp_path / "pages" / "replay.html").read_text()
