"""Packages bring reports of their own, as the page about results says."""

import re
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from leagues import entry, fault, fill, game, league

from arena import plugins
from arena.league.results.store import Store
from arena.reports.games import read_games
from arena.reports.publish import write_plugin_reports
from arena.reports.report import read_report

PAGE = (Path(__file__).parents[2] / "results" / "README.md").read_text()
PACKAGE = dict(
    re.findall(r"`(arena_forfeits/\w+\.py)`:\n\n```python\n(.*?)```", PAGE, re.DOTALL)
)
ANA, BEN = entry("Ana", "dice"), entry("Ben", "dice")


@pytest.fixture
def brought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have the page's package installed beside a broken one; return their folder."""
    for name, text in {
        **PACKAGE,
        "arena_broken.py": "from arena.hooks import hookimpl\n\n\n@hookimpl\n"
        "def arena_reports():\n    return {'broken': 'nowhere:write'}\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(plugins.REPORTS, "_paths", {})
    points = [
        EntryPoint("forfeits", "arena_forfeits.plugin", "arena"),
        EntryPoint("broken", "arena_broken", "arena"),
    ]
    monkeypatch.setattr(plugins, "entry_points", lambda group: points)
    return tmp_path


def test_the_pages_report_is_written_and_a_broken_one_named(brought: Path) -> None:
    assert sorted(PACKAGE) == [
        "arena_forfeits/by_opponent.py",
        "arena_forfeits/plugin.py",
    ]
    results = brought / "results"
    records = [
        game(0, (ANA, BEN), (2, 1), faults=(fault(0, ANA),)),
        game(1, (BEN, ANA), (1, 2), faults=(fault(1, ANA),)),
        game(2, (BEN, ANA), (2, 1), faults=(fault(0, BEN),)),
    ]
    fill(results, league((ANA, BEN)), records)
    assert plugins.load_plugins() == []
    with Store.read(results) as store:
        report = read_report(store)
        said = list(write_plugin_reports(report, read_games(store, report), results))
    assert said == [
        "note: report broken (nowhere:write): can't be written: ModuleNotFoundError: "
        "No module named 'nowhere'",
        f"report forfeits: in {results / 'forfeits'}",
    ]
    text = (results / "forfeits" / "forfeits.txt").read_text()
    assert text == "2 Ana against Ben\n1 Ben against Ana\n"


def test_a_report_takes_nobodys_place(
    brought: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, path, why in (
        ("gradescope", "a:b", "a report can't be called 'gradescope'"),
        ("hand_ins", "a:b", "a report can't be called 'hand_ins'"),
        ("../up", "a:b", "a report can't be called '../up'"),
        ("forfeits", "other:write", "there is a report 'forfeits' already"),
    ):
        plugins.load_plugins()
        with pytest.raises(ValueError, match=re.escape(why)):
            plugins.REPORTS.register(name, path)
