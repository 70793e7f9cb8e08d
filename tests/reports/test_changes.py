"""What changed since the run before is said of those that it happened to."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from leagues import bot, game, label_info, league, report_of
from msgspec.structs import replace as with_fields
from test_versions import ANA, BEN, CHANGED, GAMES, ONCE, digest

from arena.cli.league import show_results
from arena.cli.views.events import Output
from arena.errors import RecordError
from arena.league.play.recorder import Progress
from arena.league.results.past_runs import (
    PastPlace,
    PastRun,
    PastRunsTable,
    PastStanding,
)
from arena.league.results.store import Store
from arena.records.batch import to_batches
from arena.reports.changes import changes
from arena.reports.report import Report, read_report

REPORT = report_of(league([ANA, BEN]), GAMES)
LABELS = ("dice", "run")


def at(elo: float, place: int, half: float | None = 10.0) -> PastPlace:
    low, high = (None, None) if half is None else (elo - half, elo + half)
    return PastPlace(elo, low, high, place, 50, place, place)


def run(**bots: tuple[str, PastPlace | None]) -> PastRun:
    """Return a run of bots: the version and the place of each."""
    return PastRun(
        tuple(
            PastStanding(name, name, version, place, {"dice": place or at(0, 50)})
            for name, (version, place) in sorted(bots.items())
        ),
        100,
    )


def said(before: PastRun, now: PastRun) -> list[str]:
    return changes(replace(REPORT, run=now, past=(run(), before)))


A1, B1 = ("1", at(1200, 1)), ("1", at(1100, 2))


@pytest.mark.parametrize(
    ("before", "now", "sentences"),
    [
        (run(a=A1, b=B1), run(a=A1, b=B1), []),
        (
            run(a=A1, b=B1),
            run(a=("1", at(1190, 2)), b=("2", at(1243.4, 1))),
            [
                "b changed: Elo 1100 → 1243, place 2 → 1.",
            ],
        ),
        # The ranges of both leave that open.
        (
            run(a=A1),
            run(a=("2", at(1214.1, 1))),
            ["a changed: Elo 1200 → 1214 (may be luck), place 1 as before."],
        ),
        (
            run(a=A1),
            run(a=("2", at(1214.2, 1))),
            ["a changed: Elo 1200 → 1214, place 1 as before."],
        ),
        (
            run(a=A1),
            run(a=("2", at(1900, 1, None))),
            ["a changed: place 1 as before."],
        ),
        (
            run(a=A1),
            run(a=("2", at(1200.4, 1))),
            ["a changed: Elo 1200 as before, place 1 as before."],
        ),
        (run(a=A1), run(a=("2", None)), ["a changed: it has no place."]),
        (
            run(a=("1", None)),
            run(a=("2", at(1000, 3))),
            ["a changed: place 3; it had none."],
        ),
        # Of a run that noted no versions nobody knows whether it was changed.
        (run(a=("", at(1200, 1))), run(a=("2", at(1300, 1))), []),
        (
            run(a=A1, b=B1),
            run(a=A1, c=("1", at(1000, 3)), d=("1", None)),
            ["New: c (place 3) and d.", "No longer there: b."],
        ),
        (
            run(a=A1),
            with_fields(run(a=A1), games=2400),
            ["100 games counted then, 2,400 do now."],
        ),
        (
            run(a=A1),
            with_fields(run(a=("1", at(1300, 1))), luck="another", games=200),
            ["All games were played with new luck."],
        ),
        (
            run(a=A1),
            with_fields(run(a=("2", at(2200, 2))), anchor=("b", 2000.0)),
            [
                "Elo is counted from another point now, so only places are compared.",
                "a changed: place 1 → 2.",
            ],
        ),
    ],
)
def test_a_change_is_said_in_a_sentence(
    before: PastRun, now: PastRun, sentences: list[str]
) -> None:
    assert said(before, now) == sentences


def test_no_name_reads_like_words_of_ours() -> None:
    sly = "b and forfeits no more"
    (changed,) = said(run(**{sly: A1}), run(**{sly: ("2", at(1300, 1))}))
    assert changed.startswith(f"'{sly}' changed: ")
    (gone,) = said(run(a=A1, **{sly: B1}), run(a=("1", at(1200, 2))))
    assert gone == f"No longer there: '{sly}'."


def test_what_a_file_of_before_says_stays_in_its_sentence() -> None:
    """It may come from anybody."""
    (gone,) = run(x=A1).standings
    labels = {"dice": A1[1], "\x1b[2J": A1[1]}
    forged = with_fields(gone, name="a 9 → 1.\n\nb" + 400 * "!", labels=labels)
    before = with_fields(run(a=A1), standings=(*run(a=A1).standings, forged))
    assert said(before, run(a=A1)) == [
        "No longer in the league: '\ufffd[2J'.",
        f"No longer there: 'a 9 → 1. b{109 * '!'}…'.",
    ]


def test_who_forfeits_no_more_or_begins_to_is_told() -> None:
    fails = with_fields(
        run(a=A1), standings=(with_fields(run(a=A1).standings[0], games=9, forfeits=4),)
    )
    mended = run(a=("2", at(1200, 1)))
    assert said(fails, mended) == [
        "a changed, and forfeits no more: Elo 1200 as before, place 1 as before."
    ]
    worse = with_fields(fails.standings[0], version="2")
    assert said(run(a=A1), with_fields(fails, standings=(worse,))) == [
        "a changed, and forfeits 4 of its 9 games now: Elo 1200 as before, place 1 as "
        "before."
    ]


def test_a_move_that_luck_can_explain_names_nobody() -> None:
    """Places that the games leave open change from run to run."""
    wide = {"best": 1, "worst": 2}
    before = run(a=("1", with_fields(at(1200, 1), **wide)), b=B1)
    now = run(a=("1", at(1190, 2)), b=("1", with_fields(at(1191, 1), **wide)))
    assert said(before, now) == []


def test_who_is_let_past_by_others_has_not_moved() -> None:
    """He was fourth, and is second: of the two before him one is gone, one changed."""
    before = run(a=A1, b=B1, c=("1", at(1000, 3)), d=("1", at(900, 4)))
    now = run(a=A1, c=("2", at(800, 3)), d=("1", at(900, 2)))
    assert said(before, now) == [
        "c changed: Elo 1000 → 800, place 3 as before.",
        "No longer there: b.",
    ]
    # Of two that are unchanged one has passed the other.
    now = run(a=("1", at(1000, 3)), b=B1, c=("2", at(1200, 1)), d=A1)
    assert said(before, now)[1:] == [
        "Moved without a change of their own: d (place 4 → 1) and a (place 1 → 3)."
    ]


def test_few_are_named_and_the_rest_is_counted() -> None:
    names = [f"b{i:02}" for i in range(40)]
    before = {x: ("1", at(1000 - i, i + 1)) for i, x in enumerate(names)}
    changed = {x: ("2", at(1500 - i, 40 - i)) for i, x in enumerate(names)}
    moved = {x: ("1", at(1500 - i, 40 - i)) for i, x in enumerate(names)}
    assert said(run(**before), run(**changed)) == [
        "b39 changed: Elo 961 → 1461, place 40 → 1.",
        "b00 changed: Elo 1000 → 1500, place 1 → 40.",
        "b38 changed: Elo 962 → 1462, place 39 → 2.",
        "37 other bots changed.",
    ]
    assert said(run(**before), run(**moved)) == [
        "Moved without a change of their own: b39 (place 40 → 1), b38 (place 39 → "
        "2), b37 (place 38 → 3), b36 (place 37 → 4) and 36 others."
    ]
    assert said(run(), run(**before)) == [
        "New in the league: dice.",
        "New: b00 (place 1), b01 (place 2), b02 (place 3), b03 (place 4) and 36 "
        "others.",
    ]


def test_without_a_table_of_all_games_each_game_says_its_own() -> None:
    pairs = {label: [bot(f"{x}{label}", label) for x in "AB"] for label in LABELS}
    games = [game(i, pairs[LABELS[i // 4]], [1, 2], LABELS[i // 4]) for i in range(8)]
    info = league([*pairs["dice"], *pairs["run"]], [*map(label_info, LABELS)])
    report = report_of(info, games)
    assert not report.has_overall
    before, now = run(a=A1, b=B1), run(a=("2", at(1000, 2)), b=("1", at(1100, 1)))
    assert changes(replace(report, run=now, past=(before,))) == [
        "a changed: dice: Elo 1200 → 1000, place 1 → 2.",
    ]


def kept(folder: Path, *runs: Mapping[str, str], games: int = 4) -> Report:
    """Return the report after the last of these runs, all of which are kept."""
    info = league([ANA, BEN])
    with Store.open(folder) as store:
        store.add(to_batches(GAMES))
        for versions in runs:
            store.begin(info, [x.game_id for x in GAMES[:games]], versions)
            report = read_report(store)
            assert report.run is not None
            store.runs.keep(report.run)
    return report


def test_a_run_is_compared_with_the_one_before_it(tmp_path: Path) -> None:
    assert kept(tmp_path, ONCE).past == ()
    report = kept(tmp_path, CHANGED)
    assert [len(x.standings) for x in report.past] == [2]
    assert changes(report) == ["Ana changed: place 1 as before."]
    # What was played is the same: so is what is said.
    again = kept(tmp_path, CHANGED)
    assert (again.run, again.past) == (report.run, report.past)
    with Store.read(tmp_path) as store:
        assert read_report(store).past == report.past


def test_for_the_organiser_bots_have_other_names_and_the_same_past(
    tmp_path: Path,
) -> None:
    report = kept(tmp_path, ONCE, CHANGED)
    with Store.read(tmp_path) as store:
        own = read_report(store, called={ANA.id: "Ana Alder", BEN.id: "Ben"})
    assert (own.run, own.past) == (report.run, report.past)
    assert changes(own) == [x.replace("Ana ", "Ana Alder ") for x in changes(report)]


def test_that_a_file_could_not_be_read_is_no_change(tmp_path: Path) -> None:
    refused = ONCE | {BEN.id: digest("b1", is_refused=True)}
    assert changes(kept(tmp_path, ONCE, refused)) == []


def test_under_aliases_nothing_is_said(tmp_path: Path) -> None:
    """Who knows when a friend has changed his bot would know the friend's alias."""
    kept(tmp_path, ONCE, CHANGED)
    with Store.read(tmp_path) as store:
        report = read_report(store, {ANA.id: "Shy Fox", BEN.id: "Bold Ox"})
    assert (report.run, report.past, changes(report)) == (None, (), [])


def test_a_run_that_can_not_be_kept_is_shown_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(runs: PastRunsTable, run: PastRun) -> None:
        raise RecordError("league.sqlite: can't be used (disk is full)")

    kept(tmp_path, ONCE)
    monkeypatch.setattr(PastRunsTable, "keep", fail)
    with Store.open(tmp_path) as store:
        done = Progress(planned=4, recorded=4)
        show_results(store, tmp_path, done, Output(False), columns=(), strict=False)
    printed = capsys.readouterr()
    assert "disk is full" in printed.err
    assert "Ana" in printed.out
