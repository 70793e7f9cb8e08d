"""Quarantine: the same verdicts, whatever is known first."""

from collections.abc import Iterable
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plans import Faults, Games, by_the_rule

from arena.league.schedule.quarantine import Player, Quarantine

BOTS = "abcdef"
DICE = "dice"
LABELS = (DICE, "run")


@st.composite
def leagues(draw: st.DrawFn) -> tuple[Games, Faults, int, frozenset[str]]:
    """Draw games of a plan, who forfeits each of them if it is played, and k."""
    bots = st.lists(st.sampled_from(BOTS), min_size=2, max_size=4, unique=True)
    labels = st.sampled_from(LABELS)
    runs = draw(st.lists(st.tuples(labels, bots, st.integers(1, 5)), max_size=25))
    games = [(label, tuple(bots)) for label, bots, games in runs for _ in range(games)]
    # Some bots forfeit nearly always, else no row would ever be long.
    bad = draw(st.sets(st.sampled_from(BOTS), max_size=4))
    luck = draw(st.randoms(use_true_random=False))
    faults = {
        position: {
            bot: "crash"
            for bot in bots
            if luck.random() < (0.85 if bot in bad else 0.1)
        }
        for position, (_, bots) in enumerate(games)
    }
    patience = draw(st.integers(1, 4))
    exempt = frozenset(draw(st.sets(st.sampled_from(BOTS), max_size=1)))
    return games, faults, patience, exempt


def matches(games: Games) -> list[tuple[str, tuple[str, ...], int]]:
    """Return label and bots of each match, and how many games it has."""
    return [(*match, len([*same])) for match, same in groupby(games)]


def of_dice(games: Iterable[str]) -> Games:
    """Return games of one label, of bots with names of a letter."""
    return [(DICE, tuple(bots)) for bots in games]


def single(found: Iterable[range]) -> list[int]:
    """Return games one by one."""
    return [game for games in found for game in games]


@given(leagues(), st.data())
def test_the_order_of_arrival_makes_no_difference(
    league: tuple[Games, Faults, int, frozenset[str]], data: st.DataObject
) -> None:
    """What is said on the way stays true, and in the end all is said."""
    games, faults, patience, exempt = league
    out, ends = by_the_rule(games, faults, patience, exempt)
    quarantine = Quarantine(matches(games), patience, exempt)
    found: dict[int, tuple[str, ...]] = {}
    order = data.draw(st.permutations(range(len(games))))
    at_once = data.draw(st.integers(1, 9))
    for i in range(0, len(games), at_once):
        news = [(position, faults[position]) for position in order[i : i + at_once]]
        for other in single(quarantine.note(news)):
            assert other not in found
            found[other] = quarantine.out(other)
        assert found.items() <= out.items()
        assert quarantine.ends.items() <= ends.items()
    assert found == out
    assert quarantine.ends == ends
    assert all(map(quarantine.is_decided, range(len(games))))


@given(leagues(), st.data())
def test_what_can_be_said_of_a_part_is_said(
    league: tuple[Games, Faults, int, frozenset[str]], data: st.DataObject
) -> None:
    """A bot is uncertain after a game that is unknown, or had someone uncertain in it.

    But a bot that is out is out for certain, whoever else is at the table.
    """
    games, faults, patience, exempt = league
    quarantine = Quarantine(matches(games), patience, exempt)
    known = data.draw(
        st.sets(st.sampled_from(range(len(games)))) if games else st.just(set())
    )
    found = {p for k in known for p in single(quarantine.note([(k, faults[k])]))}
    out, ends = by_the_rule(games, faults, patience, exempt)
    uncertain: set[Player] = set()
    for position, (label, bots) in enumerate(games):
        players = {(label, bot) for bot in bots}
        gone = {x for x in players - uncertain if ends.get(x, position) < position}
        others = players - gone
        if others & uncertain or (not gone and position not in known):
            uncertain |= others
            assert not quarantine.is_decided(position)
            assert position not in found
        else:
            assert quarantine.is_decided(position)
            assert (position in found) == (position in out)


@pytest.mark.parametrize("patience", [1, 3, 10])
def test_it_takes_as_many_forfeits_in_a_row_as_the_league_says(patience: int) -> None:
    games = of_dice(["ab"] * (3 * patience))
    quarantine = Quarantine(matches(games), patience, frozenset())
    faults = [{"a": "timeout"}] * (patience - 1)
    for position, fault in enumerate([*faults, {}, *faults]):
        assert quarantine.note([(position, fault)]) == []
    assert quarantine.ends == {}
    last = 2 * patience - 1
    assert quarantine.note([(last, {"a": "crash"})]) == [range(last + 1, len(games))]
    assert quarantine.ends == {(DICE, "a"): last}
    assert quarantine.last_faults == {(DICE, "a"): "crash"}
    assert quarantine.out(last) == ()
    assert quarantine.out(last + 1) == ("a",)


def test_a_row_is_one_of_a_label_and_costs_that_label() -> None:
    games = [("dice", ("a", "b")), ("run", ("a", "b"))] * 4
    quarantine = Quarantine(matches(games), 2, frozenset())
    # It fails in every game of the one, and in the last of the other.
    faults = [{"a": "crash"} if i % 2 == 0 or i == 7 else {} for i in range(8)]
    out = quarantine.note(enumerate(faults))
    assert single(out) == [4, 6]
    assert quarantine.ends == {("dice", "a"): 2}


def test_without_patience_nobody_is_quarantined() -> None:
    quarantine = Quarantine([(DICE, ("a", "b"), 50)], 0, frozenset())
    found = [quarantine.note([(i, {"a": "crash"})]) for i in range(50)]
    assert found == [[]] * 50


def test_an_unreadable_bot_is_never_quarantined() -> None:
    quarantine = Quarantine([(DICE, ("a", "b"), 9)], 2, frozenset("a"))
    both = {"a": "start_failure", "b": "crash"}
    assert quarantine.note([(0, both)]) == []
    assert quarantine.note([(1, both)]) == [range(2, 9)]
    assert quarantine.ends == {(DICE, "b"): 1}
    assert quarantine.out(5) == ("b",)


@pytest.mark.parametrize(
    ("of_b", "end"),
    [
        ((True, False, True, False), 3),  # It does not break a row,
        ((False, True, True, True), 4),  # nor does a forfeit in it add to one.
    ],
)
def test_a_quarantined_game_leaves_the_rows_of_the_others_alone(
    of_b: tuple[bool, ...], end: int
) -> None:
    games = of_dice(["ab", "ac", "ab", "bc", "bc"])
    quarantine = Quarantine(matches(games), 2, frozenset())
    forfeits = dict(zip((0, 2, 3, 4), of_b, strict=True))
    for position, (_, bots) in enumerate(games):
        faults = {"a": "exit"} if "a" in bots else {}
        if forfeits.get(position):
            faults["b"] = "exit"
        quarantine.note([(position, faults)])
    assert quarantine.ends == {(DICE, "a"): 1, (DICE, "b"): end}


def test_a_bot_that_is_out_is_out_whatever_its_opponents_do() -> None:
    """Its games are settled one by one as theirs are, not all at the very end."""
    games = of_dice(["bc", "ac", "ab", "ac", "ad"])
    quarantine = Quarantine(matches(games), 1, frozenset())
    assert quarantine.note([(1, {"a": "crash"})]) == []  # Nothing is known of c yet.
    assert single(quarantine.note([(0, {})])) == [2, 3, 4]
    assert quarantine.ends == {(DICE, "a"): 1}


def test_a_league_of_many_games_is_looked_at_once() -> None:
    """The work for each game is bounded, even if the first comes last."""
    looked = 0

    class Counting(Quarantine):
        def _match_of(self, game: int) -> int:
            nonlocal looked
            looked += 1
            return super()._match_of(game)

    games = of_dice(BOTS[i % 5 : i % 5 + 2] for i in range(5000))
    quarantine = Counting(matches(games), 3, frozenset())
    for position in reversed(range(5000)):
        _, bots = games[position]
        quarantine.note([(position, {"b": "crash"} if "b" in bots else {})])
    assert all(map(quarantine.is_decided, range(5000)))
    assert looked < 5 * 5000
