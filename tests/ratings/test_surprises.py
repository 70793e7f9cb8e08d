"""Pairs that help each other are named, and honest leagues are left in peace."""

from itertools import combinations, permutations
from math import sqrt

import numpy as np
import pytest
from matrix import divided
from scipy.stats import binomtest
from simulated import fixture, game, results_of
from styles import Shape, league, name, twins

from arena.ratings import Result, build_pools
from arena.ratings.elo.pool import build_pool
from arena.ratings.match_ups.surprises import (
    LEVEL,
    MOST_NAMED,
    LabelGames,
    Surprise,
    surprises,
)

MASTER, HELPER = 4, 6
BOTH = name(MASTER), name(HELPER)
ONE_FILE = {bot: ["team.py"] for bot in BOTH}
CLASSROOM = Shape(8, 15, spread=200.0)


def who(found: tuple[Surprise, ...]) -> list[tuple[str, str]]:
    return [(x.winner, x.loser) for x in found]


def won(numbers: str, shares: dict[str, int], fixtures: int = 20) -> list[Result]:
    """Return fixtures of A and others, of which it wins so many whole."""
    return [
        game(
            f"{numbers}{a}{b}{n}", seats, (1, 2) if (seats[0] == a) == wins else (2, 1)
        )
        for (a, b), share in ((tuple(pair), s) for pair, s in shares.items())
        for n in range(fixtures)
        for wins in [n < share]
        for seats in (a + b, b + a)
    ]


def even(bots: str, **but: int) -> list[Result]:
    """Return a league of equals but for some pairs, of 20 fixtures each."""
    pairs = {a + b: 10 for a, b in combinations(bots, 2)}
    return won("f", pairs | but)


def look(results: list[Result], **owners: str) -> tuple[Surprise, ...]:
    return surprises(
        [LabelGames("g", build_pool(results))], {x: [y] for x, y in owners.items()}
    )


def test_a_pair_that_helps_each_other_is_named() -> None:
    (found,) = look(even("ABCDEFGH", AB=20), A="team.py", B="team.py", C="c.py")

    assert (found.winner, found.loser, found.owner) == ("A", "B", "team.py")
    assert found.label == "g"
    assert found.p < found.family_p < 0.01
    (result,) = found.results
    assert (result.label, result.games, result.score) == ("g", 40, 1.0)
    # All others are beaten, and beat, in half of the games.
    assert result.expected == pytest.approx(0.5)
    # It scores 4/7 instead of 1/2: 50 Elo, less what the drawn game of all takes.
    assert 40.0 < result.elo < 50.0


def test_who_wins_is_named_first_whatever_the_alphabet_says() -> None:
    assert who(look(even("ABCDEFGH", AB=0), A="x", B="x")) == [("B", "A")]


def test_equals_and_champions_are_left_in_peace() -> None:
    assert not look(even("ABCDEFGH"))
    # Whoever wins all his games wins those against his friend too.
    best = {a + b: 20 for a, b in combinations("ABCDEFGH", 2) if a == "A"}
    assert not look(even("ABCDEFGH", **best), A="x", B="x")


def test_strangers_need_more_evidence_than_those_of_one_file() -> None:
    games = even("ABCDEFGH", AB=18)
    assert who(look(games, A="x", B="x")) == [("A", "B")]
    assert not look(games, A="x", B="y")
    assert not look(games)


def test_the_own_games_of_a_pair_say_nothing_of_what_is_expected() -> None:
    """Of few bots they would say much."""
    games = even("ABCDE", AB=20)
    (strangers,) = look(games)
    (kin,) = look(games, A="x", B="x")
    assert strangers.results == kin.results
    assert strangers.results[0].expected == pytest.approx(0.5)
    assert strangers.p == kin.p
    # Ten pairs are looked at; or one, with half of the 5 %.
    assert strangers.family_p == pytest.approx(10.0 * strangers.p)
    assert kin.family_p == pytest.approx(2.0 * kin.p)


def test_a_bot_and_its_helpers_are_all_named() -> None:
    games = even("ABCDEFGHIJ", AB=20, AC=20, AD=20)
    found = look(games, **dict.fromkeys("ABCD", "x"))
    assert who(found) == [("A", "B"), ("A", "C"), ("A", "D")]


def test_no_more_than_a_few_are_named() -> None:
    bots = "ABCDEFGHIJKLMN"
    pairs = {bots[i : i + 2]: 20 for i in range(0, len(bots), 2)}
    owners = {bot: pair for pair in pairs for bot in pair}
    assert len(look(even(bots, **pairs), **owners)) == MOST_NAMED


def test_labels_add_up() -> None:
    def results(label: str, share: int) -> list[Result]:
        return [
            Result(label, r.fixture, r.seats, r.places, r.forfeits)
            for r in even("ABCDEFGH", AB=share)
        ]

    labels = "pqrs"
    pools = build_pools([r for label in labels for r in results(label, 16)])
    games = [LabelGames(label, pools[label]) for label in labels]
    owners = {"A": ["x"], "B": ["x", "y"]}
    (found,) = surprises(games, owners)

    assert found.label == ""
    assert [x.label for x in found.results] == list(labels)
    assert all(not surprises([label], owners) for label in games)
    # One for and one against are no surprise.
    mixed = build_pools(
        [r for i, label in enumerate(labels) for r in results(label, (16, 4)[i % 2])]
    )
    assert not surprises([LabelGames(label, mixed[label]) for label in labels], owners)


def test_a_file_of_all_bots_is_nobodys_team() -> None:
    """If nobody else links the bots, none of them can be told from the rest."""
    games = even("ABCDEFGH", AB=20)
    found = look(games, **dict.fromkeys("ABCDEFGH", "all.py"))
    assert [x.owner for x in found] == ["" for x in look(games)]


def test_forfeits_are_no_surprise() -> None:
    clean = even("ABCDEFGH")
    spoilt = [
        game(f"s{n}", seats, (1, 2) if seats == "AB" else (2, 1), forfeits="B")
        for n in range(20)
        for seats in ("AB", "BA")
    ]
    assert not look(clean + spoilt, A="x", B="x")
    # Not even where there is nothing else.
    assert not look(spoilt, A="x", B="x")


def test_games_that_explore_do_not_count() -> None:
    exploring = fixture(0, 2, explores=True)
    games = even("ABCDEFGH") + [
        Result(r.label, f"x{n}", r.seats, r.places, r.forfeits, explores=True)
        for n in range(40)
        for r in exploring
    ]
    assert not look(games, A="x", B="x")


def test_bots_without_luck_are_no_surprise() -> None:
    """If every fixture of a pair ends alike, twenty of them say no more than one."""
    order = {a + b: 20 for a, b in combinations("ABCDEFGH", 2)}
    assert not look(won("f", order), C="x", D="x")
    circle = order | {"AH": 0, "BG": 0}
    assert not look(won("f", circle), A="x", H="x")


def test_nothing_to_look_at() -> None:
    assert surprises([], {}) == ()
    assert not look([])
    assert not look(won("f", {"AB": 20}), A="x", B="x")
    assert not look(won("f", {"AB": 20}))


def test_tables_of_more_than_two() -> None:
    """Three at a table, in every order; A is always ahead of B, all else is even."""
    order = list(permutations((1, 2, 3)))
    results = []
    number = 0
    for group in combinations("ABCDEFGH", 3):
        for places in order:
            number += 1
            given = dict(zip(group, places, strict=True))
            if {"A", "B"} <= given.keys() and given["A"] > given["B"]:
                given["A"], given["B"] = given["B"], given["A"]
            for turn in range(3):
                seats = group[turn:] + group[:turn]
                results.append(game(number, "".join(seats), [given[x] for x in seats]))
    assert who(look(results, A="x", B="x")) == [("A", "B")]
    assert not look([r for r in results if not {"A", "B"} <= {*r.seats}], C="x", D="x")


def test_the_order_of_games_makes_no_difference() -> None:
    rng = np.random.default_rng(2)
    (label,) = league(rng, CLASSROOM._replace(labels=1), {(MASTER, HELPER): 0.98})
    results = results_of(label.pool)
    shuffled = [results[i] for i in rng.permutation(len(results))]
    first, second = (
        surprises([LabelGames("g", build_pool(x))], ONE_FILE)
        for x in (results, shuffled)
    )
    assert first
    assert first == second


HONEST = (
    Shape(8, 10),
    Shape(4, 10, labels=1),
    Shape(6, 20, style=45.0, freedom=4.0, spread=600.0, twins=1),
    Shape(10, 2, style=30.0, freedom=4.0, shared=0.0, twins=2),
    Shape(10, 20, labels=1, style=0.0, twins=2),
    Shape(10, 20, labels=1, style=100.0, spread=800.0, shared=0.0, twins=2),
    Shape(10, 20, labels=1, style=100.0, freedom=3.0, spread=800.0, shared=0.8),
    Shape(10, 100, labels=1, style=45.0, freedom=4.0, spread=600.0),
    Shape(12, 300, labels=1, style=45.0, freedom=4.0, spread=600.0, twins=2),
    Shape(30, 10, labels=1, style=45.0, freedom=4.0, spread=600.0, twins=5),
    Shape(30, 1, labels=1, style=45.0, shared=0.0, spread=600.0, twins=5),
    Shape(100, 10, labels=1, twins=20),
)
QUICK = HONEST[0]


@pytest.mark.parametrize(
    "shape", divided(((x,) for x in HONEST), lambda x: x[0] is QUICK)
)
def test_honest_leagues_are_left_in_peace(shape: Shape) -> None:
    rng = np.random.default_rng(19)
    leagues = 60 if shape is QUICK else 300 if shape.bots <= 30 else 20
    alarms = sum(
        bool(surprises(league(rng, shape), twins(rng, shape))) for _ in range(leagues)
    )
    # That there are more than 5 % of them is not shown.
    assert binomtest(alarms, leagues, LEVEL, alternative="greater").pvalue > 0.01


@pytest.mark.parametrize(
    ("shape", "chance", "together", "apart"),
    divided(
        [
            (CLASSROOM, 0.98, 0.95, 0.9),
            (CLASSROOM._replace(labels=1), 0.98, 0.9, 0.5),
            (CLASSROOM, 0.8, 0.8, 0.5),
            (Shape(30, 10), 0.98, 0.95, 0.9),
            (Shape(30, 10, labels=1), 0.98, 0.6, 0.0),
        ],
        lambda case: case[:2] == (CLASSROOM, 0.98),
    ),
)
def test_helpers_are_found(
    shape: Shape, chance: float, together: float, apart: float
) -> None:
    """The table of `configs/README.md` says how often."""
    rng = np.random.default_rng(8)
    leagues = 8 if shape is CLASSROOM and chance > 0.9 else 20
    fixed = {(MASTER, HELPER): chance}
    for owners, share in ((ONE_FILE, together), ({}, apart)):
        found = [
            who(surprises(league(rng, shape, fixed), owners)) for _ in range(leagues)
        ]
        right = sum(BOTH in named for named in found)
        assert right / leagues >= share - 2.0 * sqrt(share * (1.0 - share) / leagues)
        # Who has nothing to do with it is not drawn into it.
        assert sum(any(x != BOTH for x in named) for named in found) <= 2
