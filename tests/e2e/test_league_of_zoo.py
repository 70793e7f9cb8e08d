"""Bots that misbehave lose their own games, and nobody else's result is touched."""

import pytest
from commands import BY_CHANCE, CAREFUL, Course, Done, names_in, only

from arena.league.results.store import Store
from arena.ratings import Result, build_pools, standings

HONEST = {"Ana", "Ben", "Cid"}
QUICK = {"start": 60, "move": 0.2, "bank": 0, "output": 50_000}
ZOO = {
    "hangs": (["while True: pass"], "timeout"),
    "raises": (["return obs.no_such_field"], "crash"),
    "silent": (["return None"], "invalid_reply"),
    "nonsense": (["return 'bite'"], "illegal_action"),
    "exits": (["import os", "os._exit(0)"], "exit"),
    "prints": (["while True: print('braaains')"], "output_flood"),
    "absent": ([CAREFUL], "start_failure"),
}
PAIR = 2
"""Games of two bots."""


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A league of honest bots, and the same league with the zoo."""
    course = Course(tmp_path_factory.mktemp("zoo") / "course")
    course.write_bot("ana", CAREFUL)
    course.write_bot("ben", BY_CHANCE)
    course.write_bot("cid", "return 'stop' if obs.shotguns > 1 else 'roll'")
    game = {"game": "zombie_dice", "fixtures": PAIR // 2}
    course.write_league(game, name="honest", limits=QUICK)
    assert sorted(names_in(course.league("honest.yaml"))) == sorted(HONEST)
    for stem, (lines, _) in ZOO.items():
        course.write_bot(stem, *lines)
    absent = course.bots / "absent.py"
    absent.write_text("import no_such_package\n" + absent.read_text())
    course.write_league(game, name="zoo", limits=QUICK)
    return course


@pytest.fixture(scope="module", autouse=True)
def done(course: Course) -> Done:
    """What the league with the zoo has said."""
    return course.arena("league", "zoo.yaml", "--strict")


def test_a_league_with_the_zoo_comes_to_its_end(done: Done) -> None:
    assert done.code == 1
    assert "absent.py: forfeits all games: line 1: its process says " in done.err
    assert "Traceback" not in done.err
    assert set(names_in(done.out)) == HONEST | {stem.title() for stem in ZOO}
    assert set(names_in(done.out)[:3]) == HONEST


def test_each_loses_its_own_games_for_its_own_reason(course: Course) -> None:
    games = course.export("zoo")
    bots = len(HONEST) + len(ZOO)
    assert len(games) == PAIR * bots * (bots - 1) // 2
    for game in games:
        wild = [seat not in HONEST for seat in game["seats"]]
        if any(wild):
            # Two of the zoo do not both get the chance.
            assert any(game["forfeits"])
            assert all(w for w, f in zip(wild, game["forfeits"], strict=True) if f)
        else:
            assert game["termination"] == "natural"
            assert game["forfeits"] == [False, False]
        if wild.count(True) == 1:
            name = game["seats"][wild.index(True)]
            assert game["termination"] == ZOO[name.lower()][1]
            assert game["returns"] == [float(not w) for w in wild]


def test_every_forfeit_is_explained(course: Course) -> None:
    faults = [row for row in course.faults("zoo") if row["game_id"]]
    lost = [sum(game["forfeits"]) for game in course.export("zoo")]
    assert len(faults) == sum(lost)
    for fault in faults:
        assert fault["termination"] == ZOO[fault["bot"].lower()][1]
        assert fault["message"]
    crash = next(fault for fault in faults if fault["bot"] == "Raises")
    assert "return obs.no_such_field" in crash["traceback"]
    illegal = next(fault for fault in faults if fault["bot"] == "Nonsense")
    assert (illegal["action"], illegal["legal_actions"]) == ("bite", "roll; stop")


def test_honest_bots_have_the_games_that_they_have_without_the_zoo(
    course: Course,
) -> None:
    with_zoo = only(course.export("zoo", "--moves"), HONEST)
    assert with_zoo == course.export("honest", "--moves")
    assert len(with_zoo) == PAIR * 3


def test_honest_bots_have_the_standings_that_they_have_without_the_zoo(
    course: Course,
) -> None:
    tables = []
    for name in ("honest", "zoo"):
        with Store.read(course.results(name)) as store:
            ids = {e.id for e in store.info().entries if e.name in HONEST}
            results = [
                Result(r.label, r.fixture_id, r.seats, r.places, r.forfeits)
                for r in store.records()
                if set(r.seats) <= ids
            ]
        pools = build_pools(results, ("zombie_dice",))
        tables.append(standings(pools, ("zombie_dice",), {}, None, ids).rows)
    honest, zoo = tables
    assert honest == zoo
