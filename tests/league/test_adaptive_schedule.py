"""The adaptive schedule: stages that grow out of results, and a fixed confirmation."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matrix import divided
from plans import (
    entry,
    game_ids,
    ids_by_group,
    league,
    league_game,
    make_plan,
    scheduled,
    tasks,
)
from scipy.stats import kendalltau

from arena.errors import ConfigError
from arena.league.config.league_file import LeagueConfig, LeagueGame
from arena.league.config.settings import ScheduleName
from arena.league.entries.entry import Entry
from arena.league.schedule.core import Schedule, Stage, check_schedule
from arena.league.schedule.matches import Match
from arena.league.schedule.plan import Plan
from arena.league.schedule.quarantine import Player
from arena.ratings import Fit, Result, fit
from arena.ratings.claims import MAX_LOOKS
from arena.ratings.next_games import undecided

Wins = Callable[[str, str], float]
"""The chance of one bot to beat another."""

FIVE = [entry(name) for name in ("ana", "ben", "cid", "dot", "eve")]


def adaptive(fixtures: int = 12, label: str = "zombie_dice", **keys: Any) -> LeagueGame:
    return league_game("zombie_dice", label, fixtures=fixtures, **keys)


def config(*games: LeagueGame) -> LeagueConfig:
    return league(*(games or (adaptive(),)), schedule=ScheduleName.ADAPTIVE)


def play(match: Match, wins: Wins, seed: int = 0) -> list[Result]:
    """Return the results of a match's games, which luck and their ids decide."""
    results = []
    for task in tasks(match):
        seats = tuple(match.entries[i].id for i in task.seats)
        luck = Random(f"{seed} {task.game_id}").random()
        places = (1, 2) if luck < wins(*seats[:2]) else (2, 1)
        results.append(
            Result(
                match.label,
                task.fixture_id,
                seats,
                (*places, *range(3, len(seats) + 1)),
                (False,) * len(seats),
            )
        )
    return results


def stages(
    schedule: Schedule,
    wins: Wins,
    seed: int = 0,
    out: Collection[Player] = (),
    shuffle: Callable[[list[Result]], None] = lambda results: None,
) -> list[Stage]:
    """Return all stages of a league."""
    found = [schedule.first()]
    while not found[-1].is_whole:
        results = [r for m in found[-1].plan.matches for r in play(m, wins, seed)]
        shuffle(results)
        found.append(schedule.next(found[-1], results, out))
        assert len(found) <= MAX_LOOKS + 2
    return found


def even(first: str, second: str) -> float:
    return 0.5


def by_name(first: str, second: str) -> float:
    """Let the first in the alphabet win nearly always."""
    return 0.98 if first < second else 0.02


def fixtures(matches: Sequence[Match]) -> Counter[tuple[str, ...]]:
    """Return how many fixtures each label's group has."""
    found: Counter[tuple[str, ...]] = Counter()
    for match in matches:
        group = match.label, *(e.id for e in match.entries)
        found[group] += len(match.repetitions)
    return found


def ids(plan: Plan) -> dict[tuple[str, ...], set[str]]:
    return {group: set(own) for group, own in ids_by_group(plan).items()}


def parts(stage: Stage) -> tuple[list[Match], list[Match]]:
    """Return the matches of a whole plan before the confirmation, and those of it."""
    assert stage.is_whole
    assert stage.exploring_games
    games = 0
    for i, match in enumerate(stage.plan.matches):
        if games == stage.exploring_games[1]:
            return list(stage.plan.matches[:i]), list(stage.plan.matches[i:])
        games += len(match)
    raise AssertionError("there is no confirmation")


def test_a_round_robin_is_planned_at_once() -> None:
    found = scheduled(league(), FIVE)
    stage = found.first()
    plan = make_plan(league(), FIVE)
    assert (stage.plan, stage.is_whole, stage.title) == (plan, True, "")
    assert (stage.exploring_games, stage.most) == (None, len(plan))
    assert found.bound(stage) == plan
    assert not found.depends_on_results


def test_it_begins_with_two_fixtures_for_every_pair() -> None:
    stage = scheduled(config(), FIVE).first()
    assert stage.plan == make_plan(league(league_game("zombie_dice", fixtures=2)), FIVE)
    assert (stage.exploring_games, stage.looks, stage.is_whole) == ((40, 40), 0, False)
    assert (stage.most, stage.title) == (10 * 12 * 2, "first round")


def test_whoever_is_even_uses_up_the_budget_in_ten_looks() -> None:
    schedule = scheduled(config(), FIVE)
    *others, last = stages(schedule, even)
    # Of 12 fixtures a pair two are for the first round and three for the confirmation.
    batches = [20, *[7] * 10]
    assert [len(s.plan) for s in others] == [
        2 * sum(batches[: i + 1]) for i in range(11)
    ]
    assert {stage.most for stage in (*others, last)} == {240}
    assert last.exploring_games == (40, 180)
    before, confirmation = parts(last)
    assert sum(fixtures(before).values()) == 90
    assert fixtures(confirmation) == dict.fromkeys(
        [("zombie_dice", *(e.id for e in pair)) for pair in combinations(FIVE, 2)], 3
    )
    assert others[3].title == "look 3 of up to 10"
    assert last.title == "confirmation"
    assert stages(schedule, even, shuffle=Random(1).shuffle)[-1] == last


@pytest.mark.parametrize(
    ("bots", "each", "batches"),
    [
        # One fixture of each of 10 pairs is left: three at a time, four times at most.
        (5, 5, [2, 3, 2, 3]),
        # A pair by itself gets at least one.
        (2, 9, [1] * 5),
        (2, 100, [7, 7, 7, 8, 7, 7, 8, 7, 7, 8]),
    ],
)
def test_batches_are_a_quarter_of_a_round_or_as_large_as_ten_looks_take(
    bots: int, each: int, batches: list[int]
) -> None:
    found = stages(scheduled(config(adaptive(each)), FIVE[:bots]), even)
    sizes = [len(stage.plan) // 2 for stage in found[:-1]]
    assert [b - a for a, b in pairwise(sizes)] == batches


def test_it_stops_as_soon_as_all_is_decided() -> None:
    found = stages(scheduled(config(adaptive(40)), FIVE), by_name)
    assert len(found) < MAX_LOOKS
    before, confirmation = parts(found[-1])
    assert sum(fixtures(before).values()) < 10 * 30
    assert set(fixtures(confirmation).values()) == {10}
    assert found[-1].most == len(found[-1].plan) < found[0].most


def test_games_go_where_the_order_is_open() -> None:
    def wins(first: str, second: str) -> float:
        equal = {"ana:Bot", "ben:Bot"}
        if {first, second} == equal:
            return 0.5
        return by_name(first, second)

    before, _ = parts(stages(scheduled(config(adaptive(40)), FIVE), wins)[-1])
    (most, _), (_, next_) = fixtures(before).most_common(2)
    assert most == ("zombie_dice", "ana:Bot", "ben:Bot")
    assert fixtures(before)[most] > 10 * next_


def test_who_is_out_gets_no_further_games_of_that_label() -> None:
    refused = replace(FIVE[4], refused="eve.py:1: no bot")
    games = adaptive(), adaptive(label="again")
    schedule = scheduled(config(*games), [*FIVE[:4], refused])
    out = {("zombie_dice", "dot:Bot")}
    before, confirmation = parts(stages(schedule, even, out=out)[-1])
    for (label, *pair), count in fixtures(before).items():
        gone = {"eve:Bot"} | {bot for where, bot in out if where == label}
        assert (count == 2) == bool(gone & set(pair))
    assert len(fixtures(confirmation)) == 20


@pytest.mark.parametrize(
    ("bots", "each", "chances"),
    [(2, 5, [0.7]), (5, 6, [0.9, 0.5, 0.97, 1.0, 0.8, 0.3, 0.9, 0.5, 0.0, 0.99])],
)
def test_whatever_comes_out(bots: int, each: int, chances: list[float]) -> None:
    check_stages(bots, each, chances, 0)


@pytest.mark.exhaustive
@settings(max_examples=8)
@given(
    bots=st.integers(2, 5),
    each=st.integers(5, 12),
    chances=st.lists(st.floats(0.0, 1.0), min_size=10, max_size=10),
    seed=st.integers(0, 2**32),
)
def test_whatever_comes_out_of_any(
    bots: int, each: int, chances: list[float], seed: int
) -> None:
    check_stages(bots, each, chances, seed)


def check_stages(bots: int, each: int, chances: list[float], seed: int) -> None:
    """Check that every stage goes on from the one before, within the budget."""
    entries = FIVE[:bots]
    pairs = [frozenset((a.id, b.id)) for a, b in combinations(entries, 2)]

    def wins(first: str, second: str) -> float:
        chance = chances[pairs.index(frozenset((first, second)))]
        return chance if first < second else 1.0 - chance

    schedule = scheduled(config(adaptive(each)), entries)
    found = stages(schedule, wins, seed)
    for stage in reversed(found):
        bound = schedule.bound(stage)
        games = game_ids(stage.plan)
        assert len(bound) == stage.most
        assert game_ids(bound)[: len(games)] == games
        assert len(set(bound.game_ids())) == stage.most
    for earlier, later in pairwise(found):
        assert later.plan.matches[: len(earlier.plan.matches)] == earlier.plan.matches
        assert later.most <= earlier.most
        if not later.is_whole:
            assert later.most == earlier.most
    assert found[0].most == bots * (bots - 1) * each
    low, high = schedule.bound(found[0]).meetings_by_label()["zombie_dice"]
    assert low == high == each

    # A repetition is the same in any schedule; those of the confirmation are others.
    plain = ids(make_plan(league(league_game("zombie_dice", fixtures=200)), entries))
    before, confirmation = parts(found[-1])
    for group, own in ids(Plan(tuple(before), ())).items():
        assert own <= plain[group]
        some = league_game("zombie_dice", fixtures=len(own) // 2)
        assert own == ids(make_plan(league(some), entries))[group]
    assert confirmation == [*bound.matches[-len(confirmation) :]]
    for group, own in ids(Plan(tuple(confirmation), ())).items():
        assert not own & plain[group]
        assert len(own) == 2 * max(2, each // 4)


def test_a_bot_that_comes_leaves_what_is_fixed_as_it_is() -> None:
    fewer, more = (
        stages(scheduled(config(), entries), even) for entries in (FIVE[:2], FIVE)
    )
    for few, many in (
        (fewer[0].plan, more[0].plan),
        (Plan(tuple(parts(fewer[-1])[1]), ()), Plan(tuple(parts(more[-1])[1]), ())),
    ):
        assert ids(few).items() <= ids(many).items()


def test_all_that_explores_comes_before_all_that_confirms() -> None:
    """Also with several labels, of which one may be done long before another."""
    large = config(
        adaptive(),
        league_game("zombie_dice", "large", players=3, fixtures=2),
        adaptive(6, "short", options={"target": 9}),
    )
    found = stages(scheduled(large, FIVE), even)
    before, confirmation = parts(found[-1])
    assert {m.label for m in before} == {"zombie_dice", "short"}
    assert {m.label for m in confirmation} == {"zombie_dice", "large", "short"}
    round_robin = make_plan(replace(large, schedule=ScheduleName.ROUND_ROBIN), FIVE)
    assert [m for m in confirmation if m.label == "large"] == [
        m for m in round_robin.matches if m.label == "large"
    ]
    # The short one has two fixtures a pair to share out, three at a time.
    last_look = [
        max(s.looks for s in found[:-1] if label in s.exploring)
        for label in ("zombie_dice", "short")
    ]
    assert last_look == [10, 7]
    assert found[-1].plan.games_by_label() == round_robin.games_by_label()
    assert scheduled(large, FIVE).notes == [
        "large: only tables of two are adaptive; it is played as in a round robin"
    ]
    assert scheduled(league(), FIVE).notes == []


@pytest.mark.parametrize(
    ("players", "entries", "is_idle"),
    [(3, FIVE, False), (2, [], True), (2, FIVE[:1], True)],
)
def test_what_is_not_adaptive_is_planned_at_once(
    players: int, entries: list[Entry], is_idle: bool
) -> None:
    """There are only large tables, or too few who could sit down."""
    game = league_game("zombie_dice", players=players)
    stage = scheduled(config(game), entries).first()
    assert (stage.is_whole, stage.exploring_games) == (True, None)
    assert stage.plan == make_plan(league(game), entries)
    assert bool(stage.plan.idle) == is_idle


def test_too_few_fixtures_to_share_out_are_refused() -> None:
    check_schedule(config(adaptive(5)))
    check_schedule(league(league_game("zombie_dice", fixtures=1)))
    check_schedule(config(league_game("zombie_dice", players=3, fixtures=1)))
    with pytest.raises(ConfigError) as caught:
        check_schedule(config(adaptive(5), adaptive(4, "few")))
    assert str(caught.value) == (
        "league.yaml: games[1].fixtures: expected 5 or more with an adaptive schedule; "
        "found 4"
    )


@pytest.mark.parametrize(
    "leagues", divided([range(0, 7, 3), range(12)], lambda x: len(x) == 3)
)
def test_it_finds_the_order_with_fewer_games_and_its_intervals_hold(
    leagues: Sequence[int],
) -> None:
    """In leagues of bots of known strength, every two of them close to each other."""
    entries = [entry(f"bot{i}") for i in range(8)]
    strengths = [0.0, 25.0, 300.0, 325.0, 600.0, 625.0, 900.0, 925.0]
    schedule = scheduled(config(adaptive(16)), entries)
    shared_evenly = schedule.bound(schedule.first())
    found, plain, inside, wrong = [], [], 0, 0
    for seed in leagues:
        names = [e.id for e in entries]
        Random(seed).shuffle(names)
        truth = dict(zip(names, strengths, strict=True))

        def wins(a: str, b: str, truth: dict[str, float] = truth) -> float:
            return 1.0 / (1.0 + float(10.0 ** ((truth[b] - truth[a]) / 400.0)))

        *others, last = stages(schedule, wins, seed)
        results = [r for m in others[-1].plan.matches for r in play(m, wins, seed)]
        wrong += wrongly_decided(results, truth)
        confirmation = [r for m in parts(last)[1] for r in play(m, wins, seed)]
        inside += covered(fit(confirmation, "zombie_dice"), truth)
        found.append(tau(fit(results + confirmation, "zombie_dice"), truth))
        uniform = [r for m in shared_evenly.matches for r in play(m, wins, seed)]
        plain.append(tau(fit(uniform, "zombie_dice"), truth))
    assert sum(found) > sum(plain) + 0.01 * len(leagues)
    assert wrong <= 1
    assert inside > 0.88 * len(leagues) * len(entries)


def tau(found: Fit, truth: dict[str, float]) -> float:
    elo = [rating.elo for rating in found.ratings]
    return float(kendalltau(elo, [truth[r.entry] for r in found.ratings])[0])


def covered(found: Fit, truth: dict[str, float]) -> int:
    """Return how many intervals hold the true difference to the mean."""
    mean = sum(truth.values()) / len(truth)
    return sum(
        rating.elo_low <= 1000.0 + truth[rating.entry] - mean <= rating.elo_high
        for rating in found.ratings
    )


def wrongly_decided(results: list[Result], truth: dict[str, float]) -> int:
    """Return how many pairs are thought to be decided, the wrong way round."""
    elo = {rating.entry: rating.elo for rating in fit(results, "zombie_dice").ratings}
    is_open = undecided(results, "zombie_dice", MAX_LOOKS)
    return sum(
        (elo[a] - elo[b]) * (truth[a] - truth[b]) < 0
        for a, b in combinations(sorted(elo), 2)
        if (a, b) not in is_open
    )
