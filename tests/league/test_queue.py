"""The queue of a run: the same games count, however they are played."""

import tracemalloc
from collections import Counter
from collections.abc import Iterable, Set
from dataclasses import replace as changed
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matrix import divided
from msgspec.structs import replace
from plans import (
    by_the_rule,
    entry,
    game_ids,
    league,
    league_game,
    make_plan,
    next_of,
    whole,
)

from arena.league.config.league_file import LeagueGame
from arena.league.schedule.plan import Plan
from arena.league.schedule.queue import Queue
from arena.league.schedule.unit_picker import MOST_GAMES
from arena.records.game_record import Termination
from arena.referee.work_unit import GameTask, WorkUnit

Known = dict[str, dict[str, str]]
PATIENCE = 3


class Bots:
    """Bots that forfeit by a fixed whim: nearly always, or now and then.

    `bad` are those who nearly always do, each with the label where.
    """

    def __init__(self, bad: Set[tuple[str, str]], seed: int) -> None:
        self._bad = bad
        self._seed = seed

    def faults(self, match: WorkUnit, task: GameTask) -> dict[str, str]:
        """Return how each of a game's entries that forfeits it does so."""
        faults = {}
        for index in task.seats:
            who = match.entries[index]
            luck = Random(f"{self._seed} {task.game_id} {who.id}").random()
            if who.refused:
                faults[who.id] = str(who.refused_as)
            elif luck < (0.9 if (match.label, who.id) in self._bad else 0.1):
                faults[who.id] = "crash"
        return faults


class Executor:
    """Plays with several referees, each going on by some games at any time."""

    def __init__(self, queue: Queue, bots: Bots, luck: Random, workers: int) -> None:
        self.queue = queue
        self.known: Known = {}
        """What was played."""
        self.ids = list(queue.game_ids())
        """What counts, as it was told."""
        self._bots = bots
        self._luck = luck
        self._hands: list[WorkUnit | None] = [None] * workers

    def play(self, most: int) -> bool:
        """Play until so many games are over; say whether all are."""
        idle = 0
        while len(self.known) < most:
            hand = self._luck.randrange(len(self._hands))
            unit = self._hands[hand] or self.queue.next()
            if unit is None and not any(self._hands):
                return True
            if unit is not None:
                self._hands[hand] = self._some(unit)
                idle = 0
            idle += 1
            assert idle < 1000
        return False

    def _some(self, unit: WorkUnit) -> WorkUnit | None:
        """Play a few games of a unit; return the rest if it is not to be given back."""
        games = list(unit.games)
        rows: dict[str, int] = {}
        for _ in range(self._luck.randint(1, 2 * PATIENCE)):
            if not games:
                return None
            task = games.pop(0)
            assert task.game_id not in self.known
            faults = self._bots.faults(unit, task)
            self.known[task.game_id] = faults
            for places in self.queue.note([(task.game_id, faults)]):
                self.ids[places.start : places.stop] = self.queue.game_ids(places)
            for who in (unit.entries[i].id for i in task.seats):
                rows[who] = rows.get(who, 0) + 1 if who in faults else 0
            if unit.patience and any(
                rows[who.id] == unit.patience
                for who in unit.entries
                if who.id in rows and not who.refused
            ):
                self.queue.give_back(unit, games)
                return None
        return replace(unit, games=tuple(games)) if games else None


def a_plan(bots: int, players: int, fixtures: int, refused: int) -> Plan:
    """Return a plan of two games; some of the bots can't be read."""
    games = [
        league_game("zombie_dice", players=players, fixtures=fixtures),
        league_game("zombie_dice", "again", options={"target": 9}, fixtures=fixtures),
    ]
    return planned(games, bots, refused)


def planned(games: Iterable[LeagueGame], bots: int, refused: int = 0) -> Plan:
    """Return a plan of games; some of the bots can't be read."""
    entries = [
        changed(entry(f"bot{i}"), refused="no" if i < refused else "")
        for i in range(bots)
    ]
    return make_plan(league(*games, quarantine=PATIENCE), entries)


def expected(
    plan: Plan, bots: Bots, *, across: bool
) -> tuple[dict[int, tuple[str, ...]], list[str]]:
    """Return by the rule who is out of which game, and all ids as planned."""
    units = map(whole, plan.matches)
    games = [(match, task) for match in units for task in match.games]
    out, _ = by_the_rule(
        [
            ("" if across else m.label, tuple(m.entries[i].id for i in task.seats))
            for m, task in games
        ],
        {i: bots.faults(match, task) for i, (match, task) in enumerate(games)},
        PATIENCE,
        frozenset(e.id for m in plan.matches for e in m.entries if e.refused),
    )
    return out, [task.game_id for _, task in games]


@settings(max_examples=40)
@given(
    bots=st.integers(3, 9),
    players=st.integers(2, 3),
    fixtures=st.integers(1, 4),
    refused=st.integers(0, 1),
    bad=st.sets(
        st.tuples(st.sampled_from(["zombie_dice", "again"]), st.integers(0, 5)),
        max_size=4,
    ),
    across=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_the_same_games_count_however_they_are_played(
    bots: int,
    players: int,
    fixtures: int,
    refused: int,
    bad: set[tuple[str, int]],
    across: bool,
    seed: int,
) -> None:
    """With any number of referees, at any pace, after any interruptions."""
    plan = a_plan(bots, players, fixtures, refused)
    whims = Bots({(label, f"bot{i}:Bot") for label, i in bad}, seed)
    out, as_planned = expected(plan, whims, across=across)
    luck = Random(seed)
    known: Known = {}
    ids: list[str] = []
    is_over = False
    while not is_over:
        workers = luck.randint(1, 4)
        queue = Queue(plan, PATIENCE, known, workers, across=across)
        assert queue.missing == len(set(queue.game_ids()) - known.keys())
        executor = Executor(queue, whims, luck, workers)
        is_over = executor.play(luck.choice([20, 50, 10**6]))
        known |= executor.known
        ids = list(queue.game_ids())
        assert executor.ids == ids
        assert queue.missing == len(set(ids) - known.keys())
        assert queue.played == len(set(ids) & executor.known.keys())
        assert queue.unplayed == len(set(ids) - known.keys() - set(as_planned))
    assert len(set(ids)) == len(as_planned)
    for position, id_ in enumerate(ids):
        assert (id_ == as_planned[position]) == (position not in out)
        quarantined = {
            who for who, why in known[id_].items() if why == Termination.QUARANTINE
        }
        assert quarantined == set(out.get(position, ()))
    # Played by itself, from the first game to the last, it comes to the same.
    queue = Queue(plan, PATIENCE, {}, across=across)
    assert Executor(queue, whims, luck, 1).play(10**6)
    assert list(queue.game_ids()) == ids


LABELS = {
    "dice": league_game("zombie_dice", "dice"),
    "short": league_game("zombie_dice", "short", options={"target": 7}, fixtures=2),
    "three": league_game("zombie_dice", "three", players=3, fixtures=1),
}


def came_of(plan: Plan, whims: Bots) -> dict[str, list[tuple[str, dict[str, str]]]]:
    """Play a plan; return by label, in its order, what counts: ids and forfeits."""
    queue = Queue(plan, PATIENCE, {})
    executor = Executor(queue, whims, Random(0), 1)
    assert executor.play(10**6)
    labels = (match.label for match in plan.matches for _ in range(len(match)))
    found: dict[str, list[tuple[str, dict[str, str]]]] = {}
    for label, id_ in zip(labels, queue.game_ids(), strict=True):
        found.setdefault(label, []).append((id_, executor.known[id_]))
    return found


@settings(max_examples=25)
@given(
    order=st.permutations([*LABELS]),
    bad=st.sets(
        st.tuples(st.sampled_from([*LABELS]), st.integers(0, 3)),
        min_size=1,
        max_size=4,
    ),
    seed=st.integers(0, 2**32),
)
def test_what_comes_of_a_game_depends_on_no_other(
    order: list[str], bad: set[tuple[str, int]], seed: int
) -> None:
    """Nor on which comes first: a bot that fails in one fails in that one."""
    whims = Bots({(label, f"bot{i}:Bot") for label, i in bad}, seed)
    together = came_of(planned((LABELS[label] for label in order), 4), whims)
    for label in order:
        alone = came_of(planned([LABELS[label]], 4), whims)
        assert together[label] == alone[label]


def test_what_was_not_played_for_the_sake_of_another_game_is_played_now() -> None:
    """A bot was once out of all games; what was played by then is not played again."""
    plan = planned([LABELS["dice"], LABELS["short"]], 4)
    whims = Bots({("dice", "bot0:Bot")}, 5)
    before = Executor(Queue(plan, PATIENCE, {}, across=True), whims, Random(0), 1)
    assert before.play(10**6)
    assert before.queue.quarantined == {("dice", "bot0:Bot"), ("short", "bot0:Bot")}
    now = Executor(Queue(plan, PATIENCE, before.known), whims, Random(0), 1)
    assert now.queue.quarantined == {("dice", "bot0:Bot")}
    of_bot = [m for m in plan.matches if "bot0:Bot" in m.entry_ids]
    assert now.queue.missing == sum(len(m) for m in of_bot if m.label == "short")
    assert now.play(10**6)
    fresh = came_of(plan, whims)
    known = before.known | now.known
    ids = [*now.queue.game_ids()]
    assert [(id_, known[id_]) for id_ in ids] == [*fresh["dice"], *fresh["short"]]


def pair(patience: int, fixtures: int = 6) -> Plan:
    """Return the plan of a single match."""
    config = league(league_game("zombie_dice", fixtures=fixtures), quarantine=patience)
    return make_plan(config, (entry("ana"), entry("ben")))


def played(
    unit: WorkUnit, games: int, **faults: str
) -> list[tuple[str, dict[str, str]]]:
    """Return the first games of a unit; the same bots have forfeited each."""
    named = {f"{who}:Bot": reason for who, reason in faults.items()}
    return [(task.game_id, named) for task in unit.games[:games]]


@pytest.mark.parametrize(
    ("patience", "so_many"), [(1, "1 game in a row"), (10, "10 games in a row")]
)
def test_a_quarantined_game_says_why_and_what_to_do(
    patience: int, so_many: str
) -> None:
    queue = Queue(pair(patience), patience, {})
    unit = next_of(queue)
    last = unit.games[patience - 1]
    queue.note(played(unit, patience, ana="timeout"))
    queue.give_back(unit, unit.games[patience:])
    variant = next_of(queue)
    assert queue.next() is None
    ana, ben = variant.entries
    assert ben == unit.entries[1]
    assert ana.refused_as is Termination.QUARANTINE
    assert ana.refused == (
        f"not played: it forfeited {so_many}, the last by timeout against "
        f"ben:Bot (game {last.game_id[:8]}); mend the bot and run the league again"
    )
    assert (
        replace(ana, refused="", refused_as=unit.entries[0].refused_as)
        == (unit.entries[0])
    )
    assert [game.game_id for game in variant.games] == list(queue.game_ids())[patience:]
    planned = [replace(game, game_id="") for game in unit.games[patience:]]
    assert [replace(game, game_id="") for game in variant.games] == planned
    # Who is still in does not get any nearer to quarantine there.
    assert variant.patience == 0
    assert replace(
        variant, entries=unit.entries, games=unit.games, patience=patience
    ) == (unit)
    assert queue.missing == len(variant.games)
    queue.note(played(variant, len(variant.games), ana="quarantine"))
    assert (queue.missing, queue.played) == (0, queue.planned)


def test_a_quarantined_game_tells_files_where_ids_are_hashes() -> None:
    """Students' bots have such ids, which tell nobody anything."""
    config = league(league_game("zombie_dice", fixtures=6), quarantine=1)
    ana, ben = entry("ana"), entry("ben")
    bots = changed(ana, id="0" * 20), changed(ben, id="1" * 20)
    queue = Queue(make_plan(config, bots), 1, {})
    unit = next_of(queue)
    queue.note([(unit.games[0].game_id, {bots[0].id: "crash"})])
    queue.give_back(unit, unit.games[1:])
    out, _ = next_of(queue).entries
    assert out.refused.startswith("not played: it forfeited 1 game in a row, ")
    assert " against ben:Bot (game " in out.refused


def test_a_game_that_was_played_too_early_counts_for_nothing() -> None:
    queue = Queue(pair(2), 2, {})
    unit = next_of(queue)
    first, second, *others = played(unit, 6, ana="crash")
    assert queue.note(others) == []
    assert queue.quarantined == set()
    assert (queue.missing, queue.played) == (8, 4)
    assert queue.note([first]) == []
    changes = queue.note([second])
    assert queue.quarantined == {("zombie_dice", "ana:Bot")}
    assert changes == [range(2, 12)]
    assert (queue.missing, queue.played) == (10, 2)
    # A game that was on its way meanwhile is no news any more.
    assert queue.note([(unit.games[7].game_id, {})]) == []
    assert (queue.missing, queue.played) == (10, 2)


def test_quarantine_is_lifted_by_patience_and_comes_back() -> None:
    plan = pair(2)
    queue = Queue(plan, 2, {})
    assert Executor(queue, Bots({("zombie_dice", "ana:Bot")}, 1), Random(1), 1).play(
        10**6
    )
    known: Known = {id_: {} for id_ in (*queue.game_ids(), *plan.game_ids())}
    again = Queue(plan, 0, known)
    assert list(again.game_ids()) == game_ids(plan)
    assert (again.missing, again.next()) == (0, None)


def test_a_stricter_league_has_quarantined_games_of_its_own() -> None:
    """As these say how many forfeits it took."""
    queues = []
    for patience in (2, 3):
        plan = pair(patience)
        known = {id_: {"ana:Bot": "crash"} for id_ in plan.game_ids()}
        queues.append(Queue(plan, patience, known))
    two, three = (list(queue.game_ids()) for queue in queues)
    assert two[:2] == three[:2] == game_ids(plan)[:2]
    assert not set(two[2:]) & set(three[2:])


def test_who_is_out_is_not_played_while_it_is_open_who_else_is() -> None:
    """A bot that hangs does not hang on in games that will be quarantined."""
    config = league(league_game("zombie_dice", fixtures=16), quarantine=1)
    entries = [entry(name) for name in ("ana", "ben", "cid", "dot")]
    # There is a unit for each match.
    queue = Queue(make_plan(config, entries), 1, {}, workers=2)

    def players(unit: WorkUnit) -> list[str]:
        return [e.id.removesuffix(":Bot") for e in unit.entries if not e.refused]

    ana_ben, ana_cid, ana_dot = next_of(queue), next_of(queue), next_of(queue)
    assert players(ana_dot) == ["ana", "dot"]
    queue.note(played(ana_ben, 32))
    queue.note(played(ana_cid, 1, cid="timeout"))
    # Nothing else is open of these two: all that cid was to play with them is settled.
    assert players(next_of(queue)) == ["ana", "ben"]
    ben_dot = next_of(queue)
    assert players(ben_dot) == ["ben", "dot"]
    # Whether dot is out as well shows in its earlier games.
    assert queue.next() is None
    queue.note(played(ana_dot, 32))
    assert queue.next() is None
    queue.note(played(ben_dot, 32))
    assert players(next_of(queue)) == ["dot"]
    assert queue.next() is None


@pytest.mark.parametrize("workers", [1, 3])
def test_who_fails_is_quarantined_in_the_units_that_there_are_to_be(
    workers: int,
) -> None:
    names = ["ana", "ben", "dot", "eva", "lazy"]
    plan = make_plan(league(league_game("zombie_dice", fixtures=30)), map(entry, names))
    queue = Queue(plan, 10, {}, workers)
    seated: Counter[str] = Counter()
    for unit in queue.units({"zombie_dice": {"lazy:Bot"}}):
        for task in unit.games:
            specs = [unit.entries[place] for place in task.seats]
            if not any(spec.refused for spec in specs):
                seated.update(spec.id for spec in specs)
    assert queue.missing == 0
    assert queue.played == queue.planned == 600
    assert queue.quarantined == {("zombie_dice", "lazy:Bot")}
    # Each worker may have some of its games when that is found out.
    assert 10 <= seated["lazy:Bot"] <= 10 * workers
    assert seated["ana:Bot"] >= 3 * 60
    # As with nobody to fail, which is another label's business.
    queue = Queue(plan, 10, {}, workers)
    units = queue.units({"ox_blocks": {"lazy:Bot"}})
    assert sum(len(unit.games) for unit in units) == 600
    assert not queue.quarantined


@pytest.mark.parametrize("fixtures", divided((500, 5000), lambda n: n == 500))
def test_a_game_takes_some_bytes_whatever_becomes_of_it(fixtures: int) -> None:
    plan = pair(3, fixtures)
    tracemalloc.start()
    try:
        queue = Queue(plan, 3, {})
        assert (
            sum(len(unit.games) for unit in queue.units({}))
            == queue.played
            == 2 * fixtures
        )
        assert queue.missing == 0
        queue = Queue(plan, 3, {})
        unit = next_of(queue)
        queue.note(played(unit, len(unit.games), ana="crash"))
        assert queue.missing == queue.planned - 3
        while (unit := queue.next()) is not None:
            queue.note(played(unit, len(unit.games), ana="quarantine"))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 10 * queue.planned + 2**20


def test_units_of_quarantined_games_are_no_larger_than_others() -> None:
    plan = pair(1, fixtures=MOST_GAMES)
    first, *_ = plan.game_ids()
    queue = Queue(plan, 1, {first: {"ana:Bot": "crash"}})
    sizes = []
    fixtures: list[set[str]] = []
    while (unit := queue.next()) is not None:
        sizes.append(len(unit.games))
        fixtures.append({game.fixture_id for game in unit.games})
    # The rest of the first fixture, and all others whole.
    assert sizes == [MOST_GAMES - 1, MOST_GAMES]
    assert fixtures[0].isdisjoint(fixtures[1])
