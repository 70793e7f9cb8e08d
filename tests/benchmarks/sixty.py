"""Measures the report of a large class: sixty bots, four games.

    python tests/benchmarks/sixty.py [--json] [--folder DIR] [--fixtures N] [--rounds N]

The league is played, unless the folder holds it already; its report is written,
weighed and opened in Chromium.  It ends with an error if the report is larger or the
leaderboard opens more slowly than promised.
"""

import shutil
import sys
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from statistics import median

sys.path += [str(Path(__file__).parents[1] / name) for name in ("", "e2e")]

from large_class import write_class
from metering import arena, run
from playwright.sync_api import Browser, sync_playwright
from timing import Row, command_line, per, show, shown, take_turns

from arena.league.results.store import Store
from arena.reports.games import read_games
from arena.reports.report import read_report

MODELS = Path(__file__).parents[2] / "bots"
MOST_BYTES = 25_000_000
MOST_SECONDS = 2.0
"""Until the leaderboard is open."""
_EMPTY = "<!DOCTYPE html><html lang='en'><title>Empty</title><p>Nothing.</p></html>"
_LOADED = "performance.getEntriesByType('navigation')[0].loadEventEnd / 1000"
_NOW = "performance.now() / 1000"
_PATIENCE = 120_000
"""Milliseconds."""


def main() -> None:
    """Play, write and open a league."""
    parser = command_line(__doc__, fixtures=2, rounds=5)
    parser.add_argument("--folder", type=Path, help="where the league is, or will be")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (arguments.folder or Path(temporary)).absolute()
        found = measure(folder, arguments.fixtures, arguments.rounds)
    show(found, as_json=arguments.json)
    check(found)


def measure(folder: Path, fixtures: int, rounds: int) -> dict[str, list[Row]]:
    """Return what the league's report takes, part by part."""
    config = write_class(folder, MODELS, fixtures)
    results = folder / "results"
    played = run([*arena(), "league", config.name, "--results", "results"], folder)
    report = results / "report"
    shutil.rmtree(report, ignore_errors=True)
    written = run([*arena(), "report", "results"], folder)
    with Store.read(results) as store:
        games = read_games(store, read_report(store))
    longest = max(games.highlights, key=lambda worth: worth.game.decisions).game
    return {
        "commands": [
            {
                "command": name,
                "games": len(games.refs),
                "replays": len(games.replays),
                "s": shown(spent.wall),
                "CPU-s": shown(spent.cpu),
                "MB at most": shown(spent.peak / 1e6),
            }
            for name, spent in (("league", played), ("report", written))
        ],
        "size": _sizes(report),
        "opening": _opening(report, longest.game_id, rounds),
    }


def _sizes(report: Path) -> list[Row]:
    sizes: dict[str, list[int]] = {}
    for path in sorted(report.rglob("*")):
        if path.is_file():
            part = path.relative_to(report).parts[0]
            sizes.setdefault(part, []).append(path.stat().st_size)
    sizes["all"] = [size for part in sizes.values() for size in part]
    return [
        {"part": part, "files": len(own), "bytes": sum(own), "largest": max(own)}
        for part, own in sorted(sizes.items(), key=lambda x: -sum(x[1]))
    ]


def _opening(report: Path, game_id: str, rounds: int) -> list[Row]:
    """Open pages in turn, each in a window of its own, with nothing cached."""
    empty = report.parent / "empty.html"
    empty.write_text(_EMPTY)
    bot = max((report / "bots").glob("*.html"), key=lambda path: path.stat().st_size)
    ways = {
        "an empty page": (empty.as_uri(), "p"),
        "index.html": ((report / "index.html").as_uri(), "tbody tr"),
        "crosstable.html": ((report / "crosstable.html").as_uri(), "tbody tr"),
        "faults.html": ((report / "faults.html").as_uri(), "h1"),
        f"bots/{bot.name}": (bot.as_uri(), "h1"),
        "games.html": ((report / "games.html").as_uri(), "#count:has-text('shown')"),
        "replay.html": (
            f"{(report / 'replay.html').as_uri()}#{game_id}",
            "#replay:not([hidden]) svg",
        ),
    }
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        opened = take_turns(
            {name: partial(_open, browser, *way) for name, way in ways.items()}, rounds
        )
        browser.close()
    base = median(loaded for loaded, _ in opened["an empty page"])
    return [
        {
            "page": name,
            "s until load": shown(median(loaded for loaded, _ in times)),
            "slowest": shown(max(loaded for loaded, _ in times)),
            "x an empty page": shown(per(median(x for x, _ in times), base)),
            "s until shown": shown(median(seen for _, seen in times)),
        }
        for name, times in opened.items()
    ]


def _open(browser: Browser, url: str, sign: str) -> tuple[float, float]:
    """Return the seconds until a page is loaded, and until its content is there."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(url, wait_until="load", timeout=_PATIENCE)
    page.locator(sign).first.wait_for(state="visible", timeout=_PATIENCE)
    seen = page.evaluate(_NOW)
    loaded = page.evaluate(_LOADED)
    context.close()
    return float(loaded), float(seen)


def check(found: Mapping[str, list[Row]]) -> None:
    """End with an error if the report is not as small or as quick as promised."""
    size = next(row["bytes"] for row in found["size"] if row["part"] == "all")
    index = next(row for row in found["opening"] if row["page"] == "index.html")
    if size > MOST_BYTES:
        sys.exit(f"the report has {size} bytes; expected at most {MOST_BYTES}")
    if index["s until load"] > MOST_SECONDS:
        sys.exit(
            f"index.html takes {index['s until load']} s; expected {MOST_SECONDS} s"
        )


if __name__ == "__main__":
    main()
