"""A bot that knows its dice has luck beyond chance, and honest ones have not."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from matrix import divided
from scipy.stats import binomtest
from score_blind import BOTS
from simulated import game

from arena.games import CHANCE, TERMINAL, State, Table, derive_seed, get_game
from arena.games.chance import Streams
from arena.games.luck import find_value, luck_of
from arena.ratings import Result, build_pools, standings
from arena.ratings.uncommon_luck import LEVEL, UncommonLuck, uncommon_luck

GAME = get_game("zombie_dice", 2)


def look(results: list[Result]) -> tuple[UncommonLuck, ...]:
    pools = build_pools(results)
    return uncommon_luck(standings(pools, list(pools)).fits)


def foresee(state: State, obs: Any, seed: bytes) -> str:
    """Stop just before the roll that would end the turn: the dice are known."""
    if "stop" not in obs.legal_actions or not obs.brains:
        return "roll"
    after, streams = state.clone(), Streams(seed)
    after.apply("roll")
    while after.current_player() == CHANCE:
        after.apply(after.outcome_at(streams.uniform(after.chance_stream())))
    return "roll" if after.current_player() == obs.seat else "stop"


def played(
    seed: str, bots: int, fixtures: int, oracle: int | None = None, label: str = "dice"
) -> list[Result]:
    """Return a league of Zombie Dice with its luck; one bot may know its dice."""
    value = find_value(GAME)
    assert value is not None
    results = []
    for i, j in combinations(range(bots), 2):
        for number in range(fixtures):
            luck_seed = derive_seed(seed, i, j, number)
            for seats in ((i, j), (j, i)):
                table = Table(GAME, luck_seed)
                while (seat := table.advance()) != TERMINAL:
                    obs = table.state.observation(seat)
                    if seats[seat] == oracle:
                        table.act(foresee(table.state, obs, luck_seed))
                    else:
                        table.act(BOTS[seats[seat]].decide(obs))
                first = table.state.returns()[0]
                results.append(
                    Result(
                        label,
                        f"{i} {j} {number}",
                        tuple(f"bot{bot}" for bot in seats),
                        (1 if first >= 0.5 else 2, 1 if first <= 0.5 else 2),
                        (False, False),
                        luck_of(value, table.history),
                    )
                )
    return results


def test_a_bot_that_knows_its_dice_is_named() -> None:
    (found,) = look(played("foreseen", 5, 4, oracle=3))

    assert (found.bot, found.label) == ("bot3", "dice")
    assert found.p < found.family_p < 0.01
    (luck,) = found.labels
    assert (luck.label, luck.games) == ("dice", 4 * 4 * 2)
    assert luck.luck > 0.2
    assert luck.elo - luck.adjusted_elo > 100.0
    # The same league is left in peace if it does not.
    assert not look(played("foreseen", 5, 4))


def lucky(fixtures: int, share: float) -> list[Result]:
    """Return fixtures of A, B and C; in a share of them luck is with A, as much in
    the others against it."""
    results = []
    for a, b in combinations("ABC", 2):
        for n in range(fixtures):
            points = 0.25 if n < share * fixtures else -0.25
            for seats, own in ((a + b, points), (b + a, -points)):
                luck = own if a == "A" else own * (1 if n % 2 else -1) * 0.5
                places = (1, 2) if n % 2 else (2, 1)
                results.append(game(f"{a}{b}{n}", seats, places, (luck,)))
    return results


def test_luck_that_evens_out_is_none() -> None:
    assert not look(lucky(30, 0.5))
    (found,) = look(lucky(30, 0.9))
    assert found.bot == "A"
    # The mean of 0.8 times a quarter.
    assert found.labels[0].luck == pytest.approx(0.2)
    # Bad luck beyond chance is as odd.
    (found,) = look(lucky(30, 0.1))
    assert found.bot == "A"
    assert found.labels[0].luck == pytest.approx(-0.2)


def test_few_fixtures_prove_nothing() -> None:
    assert not look(lucky(4, 1.0))
    assert look(lucky(5, 1.0))


def test_of_two_the_lucky_one_is_named() -> None:
    results = [r for r in lucky(30, 1.0) if {*r.seats} == {"A", "B"}]
    (found,) = look(results)
    assert found.bot == "A"


def test_labels_add_up() -> None:
    results = lucky(30, 0.62)
    assert not look(results)
    labels = [
        Result(label, r.fixture, r.seats, r.places, r.forfeits, r.luck)
        for label in "pqrstu"
        for r in results
    ]
    (found,) = look(labels)
    assert (found.bot, found.label) == ("A", "")
    assert [x.label for x in found.labels] == list("pqrstu")


def test_a_label_whose_luck_is_not_known_says_nothing() -> None:
    known = lucky(30, 0.9)
    hidden = [Result("h", r.fixture, r.seats, r.places, r.forfeits) for r in known]
    (found,) = look(known + hidden)
    assert [x.label for x in found.labels] == ["g"]
    assert not look(hidden)
    assert uncommon_luck(()) == ()


def test_a_label_that_has_only_explored_yet_says_nothing() -> None:
    explored = [game(n, "AB", luck=[0.5], explores=True) for n in range(20)]
    assert look(explored) == ()


def test_games_that_no_luck_decides_say_nothing() -> None:
    results = [
        Result(r.label, r.fixture, r.seats, r.places, r.forfeits, (0.0,))
        for r in lucky(30, 0.9)
    ]
    assert not look(results)


def test_luck_at_a_larger_table_is_that_against_each_other() -> None:
    """With four at a table, one is as lucky against each of the three others."""
    results = [
        game(n, "".join(seats), (1, 2, 3, 4), [own(a) - own(b) for a, b in pairs])
        for n in range(40)
        for turn in range(4)
        for seats in ["ABCD"[turn:] + "ABCD"[:turn]]
        for pairs in [list(combinations(seats, 2))]
        for own in [lambda x, n=n: 0.25 * (x == "A") if n % 4 else -0.125 * (x == "A")]
    ]
    found = look(results)
    assert found[0].bot == "A"
    (luck,) = found[0].labels
    # Three fixtures of four with a quarter, one with minus an eighth.
    assert luck.luck == pytest.approx((3 * 0.25 - 0.125) / 4)
    assert luck.games == 160


def test_the_order_of_games_makes_no_difference() -> None:
    results = lucky(30, 0.9)
    order = np.random.default_rng(1).permutation(len(results))
    assert look([results[i] for i in order]) == look(results)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("bots", "fixtures", "leagues"),
    divided(
        [(4, 4, 20), (4, 10, 60), (8, 3, 60), (8, 10, 20)],
        lambda case: case == (4, 4, 20),
    ),
)
def test_honest_leagues_are_left_in_peace(
    bots: int, fixtures: int, leagues: int
) -> None:
    alarms = sum(
        bool(look(played(f"honest {n}", bots, fixtures))) for n in range(leagues)
    )
    assert binomtest(alarms, leagues, LEVEL, alternative="greater").pvalue > 0.01


@pytest.mark.exhaustive
@pytest.mark.parametrize(("bots", "fixtures"), [(4, 5), (8, 2), (8, 5)])
def test_oracles_are_found(bots: int, fixtures: int) -> None:
    found = [look(played(f"oracle {n}", bots, fixtures, oracle=1)) for n in range(20)]
    assert sum([x.bot for x in named] == ["bot1"] for named in found) >= 18
