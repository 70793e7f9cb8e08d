"""What a trial shows of a league, and what follows for all of it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest
import trio
from msgspec.structs import replace as struct_replace
from plans import entry, league, league_game, make_plan, record_of

from arena.league.entries.entry import Entry
from arena.league.play.estimate import (
    _by_label,
    _coverage,
    _EntryTimes,
    _Label,
    _learn,
    _PlayedUnit,
    _rates,
    _Trial,
    _unit_cost,
)
from arena.league.schedule.matches import Match
from arena.records.batch import to_batches
from arena.records.decision_times import DecisionTimes
from arena.records.game_record import GameRecord
from arena.referee.work_unit import Restart, WorkUnit

NOBODY: Mapping[str, float] = {}
NAMES = ("ana", "ben", "eva", "ida", "leo", "max", "pia")


def matches_of(*entries: Entry) -> dict[str, list[Match]]:
    config = league(league_game("zombie_dice", fixtures=5), league_game("ox_blocks"))
    return _by_label(make_plan(config, entries))


def unit_of(*names: str, games: int = 10) -> WorkUnit:
    """Return a unit of one match."""
    config = league(league_game("zombie_dice", fixtures=games // 2))
    (match,) = make_plan(config, [entry(name) for name in names]).matches
    return match.unit(range(games))


def record(
    unit: WorkUnit,
    place: int,
    seconds: dict[str, float],
    decisions: int,
    slept: Mapping[str, float] = NOBODY,
    forfeits: str = "",
) -> GameRecord:
    """Return a game in which a quarter of the time went into the slowest decision."""
    seats = tuple(unit.entries[i].id for i in unit.games[place].seats)
    spent = tuple(seconds[seat] for seat in seats)
    return record_of(
        unit,
        place,
        decisions=decisions,
        seconds=spent,
        forfeits=tuple(seat == forfeits for seat in seats),
        times=tuple(
            DecisionTimes(seconds[seat] / 4, slept=slept.get(seat, 0.0))
            for seat in seats
        ),
    )


def label_with(
    unit: WorkUnit,
    seconds: dict[str, float],
    least: float,
    slept: Mapping[str, float] = NOBODY,
    forfeits: str = "",
) -> _Label:
    label = _Label(least=least)
    label.add(
        [
            record(unit, place, seconds, 20, slept, forfeits)
            for place in range(len(unit.games))
        ]
    )
    return label


def test_every_entry_is_seen_in_every_game_before_the_trial_repeats_itself() -> None:
    units = list(_coverage(matches_of(*map(entry, NAMES))))
    for label in ("zombie_dice", "ox_blocks"):
        played = [unit for unit in units if unit.label == label]
        assert {e.id for unit in played for e in unit.entries} == {
            f"{name}:Bot" for name in NAMES
        }
        assert len(played) < len(NAMES)
        assert all(len(unit.games) == 2 for unit in played)
    # If the time is not enough for all, it is for some of each.
    assert {unit.label for unit in units[:2]} == {"zombie_dice", "ox_blocks"}


def test_the_trial_shows_nothing_of_who_can_not_play() -> None:
    broken = replace(entry("eva"), refused="eva.py:1: SyntaxError")
    units = list(_coverage(matches_of(entry("ana"), entry("ben"), broken)))
    assert {e.id for unit in units for e in unit.entries} == {"ana:Bot", "ben:Bot"}
    assert _by_label(make_plan(league(), [entry("ana"), broken])) == {}


def test_the_quickest_play_each_other_for_all_referees() -> None:
    matches = matches_of(*map(entry, NAMES))
    seconds = {f"{name}:Bot": 0.5 for name in NAMES} | {"ida:Bot": 0.1, "eva:Bot": 0.2}
    labels = {"zombie_dice": _Label(), "ox_blocks": _Label()}
    for name, spent in seconds.items():
        labels["zombie_dice"].entries[name] = _EntryTimes([spent])
    units = list(_rates(matches, labels, 2))
    assert len(units) == 8
    for unit in units:
        assert {e.id for e in unit.entries} == {"ida:Bot", "eva:Bot"}
        assert len(unit.games) == 256
    ids = [task.game_id for unit in units for task in unit.games]
    assert len(set(ids)) == len(ids)


def test_a_unit_costs_starts_and_decisions_and_what_slow_bots_add() -> None:
    unit = unit_of("ana", "ben")
    quick = {"ana:Bot": 0.01, "ben:Bot": 0.015}
    cost = _unit_cost(label_with(unit, quick, 0.001), 0.5, busy=1)
    # Two processes for each seating; ten games of 20 decisions; nobody is slower
    # than usual.
    assert cost(unit) == pytest.approx(4 * 0.5 + 10 * 20 * 0.001)
    slow = {"ana:Bot": 0.01, "ben:Bot": 0.27}
    cost = _unit_cost(label_with(unit, slow, 0.001), 0.5, busy=1)
    assert cost(unit) == pytest.approx(2.2 + 10 * 0.25)
    # Whom the trial has not seen is like all others together.
    assert cost(unit_of("leo", "max")) == pytest.approx(2.2 + 2 * 10 * 0.125)
    assert _unit_cost(_Label(), 0.5, busy=1)(unit) == 0.0


def test_bots_that_compute_at_the_same_time_take_as_long_as_the_slowest() -> None:
    unit = unit_of("ana", "ben")
    known = unit_of("ida", "leo")
    label = label_with(known, {"ida:Bot": 0.01, "leo:Bot": 0.02}, 0.0)
    for name, seconds in (("ana:Bot", 0.52), ("ben:Bot", 1.02)):
        label.entries[name] = _EntryTimes([seconds])
    both = {busy: _unit_cost(label, 0.0, busy)(unit) for busy in (1, 2)}
    assert both == pytest.approx({1: 10 * 1.5, 2: 10 * 1.0})


def test_who_sleeps_holds_up_its_games_and_no_core() -> None:
    unit = unit_of("ana", "ben")
    times = {"ana:Bot": 2.0, "ben:Bot": 1.0, "ida:Bot": 0.0}
    costs = []
    for slept in (0.0, 1.5):
        label = label_with(unit, times, 0.0, {"ana:Bot": slept})
        label.entries["ida:Bot"] = _EntryTimes([0.0])
        costs.append(_unit_cost(label, 0.0, busy=1)(unit))
    assert costs == pytest.approx([10 * (2.0 + 1.0), 10 * 2.0])


def test_who_fails_begins_its_other_games_again_each_time() -> None:
    unit = unit_of("ana", "ben")
    times = {"ana:Bot": 4.0, "ben:Bot": 0.0}
    label = label_with(unit, times, 0.0, times, forfeits="ana:Bot")
    assert label.failing() == {"ana:Bot"}
    # Of each forfeit a second is its last decision; eight games are in flight.
    assert _unit_cost(label, 0.0, busy=1)(unit) == pytest.approx(10 * (8 * 3.0 + 1.0))
    assert _unit_cost(label, 0.0, busy=1)(unit_of("leo", "max")) == 0.0
    alone = struct_replace(unit, games=unit.games[:1])
    assert _unit_cost(label, 0.0, busy=1)(alone) == pytest.approx(4.0)
    # Who has played a single game to its end is taken to play on.
    label.add([record(unit, 0, times, 20)])
    assert label.failing() == set()
    assert _unit_cost(label, 0.0, busy=1)(unit) == pytest.approx(10 * 4.0)


def test_what_is_not_played_costs_nothing() -> None:
    unit = unit_of("ana", "ben")
    label = label_with(unit, {"ana:Bot": 4.0, "ben:Bot": 0.0}, 1.0)
    ana, ben = unit.entries
    out = struct_replace(unit, entries=(struct_replace(ana, refused="late"), ben))
    assert _unit_cost(label, 0.5, busy=1)(out) == 0.0


@pytest.mark.parametrize(
    ("restart", "starts"), [(Restart.GAME, 20), (Restart.MATCH, 4), (Restart.LEAGUE, 2)]
)
def test_processes_are_started_as_often_as_the_league_wants(
    restart: Restart, starts: int
) -> None:
    unit = struct_replace(unit_of("ana", "ben"), restart=restart)
    label = label_with(unit, {"ana:Bot": 0.01, "ben:Bot": 0.01}, 0.0)
    assert _unit_cost(label, 0.5, busy=1)(unit) == pytest.approx(starts * 0.5)


def test_a_trial_ends_with_its_time_and_knows_what_units_took(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0
    monkeypatch.setattr("arena.league.play.estimate.time.monotonic", lambda: now)
    first, second, third = (
        unit_of(*names, games=2)
        for names in (("ana", "ben"), ("eva", "ida"), NAMES[4:6])
    )

    def units() -> Iterator[WorkUnit]:
        yield from (first, second, third)

    trial = _Trial(units(), seconds=3.0, workers=0)
    assert trial.next() == first
    now = 1.0
    assert trial.next() == second
    now = 2.5
    seconds = {e.id: 0.1 for unit in (first, second) for e in unit.entries}
    games = [record(first, 0, seconds, 4), record(second, 0, seconds, 4)]
    trio.run(trial.deliver, list(to_batches(games)))
    assert [played.shows_most for played in trial.played] == [True, True]
    trio.run(trial.deliver, list(to_batches([record(first, 1, seconds, 4)])))
    played, _ = trial.played
    assert not played.shows_most
    assert (played.unit, played.seconds, len(played.records)) == (first, 2.5, 2)
    now = 3.0
    assert trial.next() is None


def test_what_is_played_while_referees_are_started_shows_no_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0
    monkeypatch.setattr("arena.league.play.estimate.time.monotonic", lambda: now)
    units = [unit_of("ana", name, games=2) for name in ("ben", "eva", "ida")]
    trial = _Trial(iter(units), seconds=100.0, workers=2)
    seconds = {f"{name}:Bot": 0.0 for name in NAMES}
    for unit in units:
        assert trial.next() == unit
    now = 10.0
    for unit in units:
        games = [record(unit, place, seconds, 5) for place in (0, 1)]
        trio.run(trial.deliver, list(to_batches(games)))
    labels = {"zombie_dice": _Label()}
    assert [played.is_warm_up for played in trial.played] == [True, True, False]
    trial.played[0].seconds = 5.0
    _learn(labels, trial, start=1.0)
    # Four processes were started, and ten decisions taken.
    assert labels["zombie_dice"].least == pytest.approx((10.0 - 4.0) / 10)
    # If no other has ended, they show what it costs at the most.
    del trial.played[2]
    for before, expected in ((0.3, 0.1), (0.05, 0.05)):
        labels["zombie_dice"].least = before
        _learn(labels, trial, start=1.0)
        assert labels["zombie_dice"].least == pytest.approx(expected)


def test_a_label_too_slow_for_many_games_keeps_what_its_first_have_shown() -> None:
    quick, slow = unit_of("ana", "ben", games=2), unit_of("eva", "ida", games=2)
    slow = struct_replace(slow, label="slow")
    seconds = {f"{name}:Bot": 0.0 for name in NAMES}

    def trial(**took: float) -> _Trial:
        found = _Trial(iter(()), seconds=1.0, workers=0)
        for unit in (quick, slow):
            if unit.label in took:
                games = [record(unit, place, seconds, 5) for place in (0, 1)]
                seconds_taken = took[unit.label]
                found.played.append(
                    _PlayedUnit(unit, 0.0, seconds=seconds_taken, records=games)
                )
        return found

    labels = {"zombie_dice": _Label(), "slow": _Label()}
    _learn(labels, trial(zombie_dice=5.0, slow=44.0), start=1.0)
    _learn(labels, trial(zombie_dice=4.1), start=1.0)
    assert labels["zombie_dice"].least == pytest.approx(0.1 / 10)
    assert labels["slow"].least == pytest.approx(40.0 / 10)
