"""What each seat of Zombie Run! may know, and what random play keeps."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from math import ceil
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matrix import divided
from scipy.stats import chisquare
from zombie_runs import any_move, crowded, make, play, walk

from arena.games import CHANCE
from arena.games.zombie_run import ZombieRun, ZombieRunObservation, ZombieRunState

# Properties of random play

tables = st.sampled_from([(2, 4), (3, 5), (4, 6), (7, 4), (12, 6), (14, 5), (18, 4)])


@pytest.mark.parametrize("players", range(2, 19))
def test_random_play_keeps_the_cards(players: int) -> None:
    """Rulings 53 and 56: any number of seats, with cards conserved at every step."""
    hand = 4 + players % 3 if players <= 12 else 4
    rng = Random(players)
    for game in (make(players, hand=hand, rounds=2), crowded(players, hand)):
        for state, _ in walk(game, rng):
            cards = Counter(card.value for hand in state.hands for card in hand)
            cards.update({v: n for v, n in enumerate(state.draw) if n})
            cards.update({v: n for v, n in enumerate(state.discard) if n})
            if state.held is not None:
                cards[state.held] += 1
            assert tuple(cards[v] for v in range(16)) == game.setup.deck
            assert state.draw_size == sum(state.draw)


@settings(max_examples=30, derandomize=True)
@given(table=tables, seed=st.integers(0, 2**32), stop=st.integers(0, 150))
def test_sampled_state_is_what_the_seat_sees(
    table: tuple[int, int], seed: int, stop: int
) -> None:
    rng = Random(seed)
    game = crowded(*table)
    for step, (state, _) in enumerate(walk(game, rng, shout=0.01)):
        if step < stop:
            continue
        for seat in range(game.players):
            observation = state.observation(seat)
            guess = observation.sample_state(rng)
            assert guess.observation(seat) == observation
            assert guess.current_player() == state.current_player()
            assert guess.legal_actions() == observation.legal_actions
            assert guess.legal_actions() == state.legal_actions()
        while not guess.is_terminal():
            guess.apply(any_move(guess, rng))
        break


def hidden_slots(state: ZombieRunState, seat: int) -> dict[int, list[tuple[int, int]]]:
    """Return the places of the cards `seat` has not seen, by pool."""
    places: dict[int, list[tuple[int, int]]] = {}
    for owner, hand in enumerate(state.hands):
        for slot, card in enumerate(hand):
            if not card.seen_by >> seat & 1:
                places.setdefault(card.pool, []).append((owner, slot))
    return places


def permuted(
    state: ZombieRunState, seat: int, rng: Random, *, pile: bool
) -> ZombieRunState:
    """Return a copy with the unseen cards of each pool swapped at random.

    With `pile`, those of the draw pile and a hidden card in play take part.
    """
    twin = state.clone()
    for pool, places in hidden_slots(state, seat).items():
        cards = [state.hands[owner][slot].value for owner, slot in places]
        current = pile and pool == state.pool
        hold = current and state.observation(seat).drawn != state.held
        if current:
            cards += [v for v, n in enumerate(state.draw) for _ in range(n)]
        if hold:
            assert state.held is not None
            cards.append(state.held)
        rng.shuffle(cards)
        for owner, slot in places:
            hand = list(twin.hands[owner])
            hand[slot] = hand[slot]._replace(value=cards.pop())
            twin.hands[owner] = tuple(hand)
        if hold:
            twin.held = cards.pop()
        if current:
            twin.draw = [cards.count(v) for v in range(16)]
    return twin


def reveals(state: ZombieRunState, twin: ZombieRunState, move: str, seat: int) -> bool:
    """Say whether `move` rightly shows `seat` where the two states differ."""
    if move.startswith("peek"):
        return state.active == seat
    if not move.startswith("swap"):
        return move.endswith("shout")
    slot = int(move.split()[1]) - 1
    hands = state.hands[state.active], twin.hands[state.active]
    return hands[0][slot] != hands[1][slot] or move.endswith("shout")


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 7])
@settings(max_examples=25, derandomize=True)
@given(hand=st.integers(4, 6), seed=st.integers(0, 2**32), stop=st.integers(0, 300))
def test_observation_and_events_leak_nothing(
    players: int, hand: int, seed: int, stop: int
) -> None:
    """Swap cards that a seat has not seen, and it sees the same; so does its future."""
    rng = Random(seed)
    game = crowded(players, hand)
    state = game.new_state()
    for _ in range(stop):
        state.apply(any_move(state, rng, shout=0.01))
        if state.is_terminal():
            state = game.new_state()
    for seat in range(players):
        seen = state.observation(seat)
        for _ in range(3):
            assert permuted(state, seat, rng, pile=True).observation(seat) == seen
        truth, twin = state.clone(), permuted(state, seat, rng, pile=False)
        for _ in range(60):
            if truth.is_terminal():
                break
            move = any_move(truth, rng, shout=0)
            if reveals(truth, twin, move, seat):
                break
            assert truth.visible(move, seat) == twin.visible(move, seat)
            current = truth.round
            play(truth, move)
            play(twin, move)
            if truth.round != current or truth.is_terminal():
                break
            assert truth.observation(seat) == twin.observation(seat)


# Sampling against exact conditioning

SCRIPT = (
    *("peek 1 2", "peek 2 4"),
    *("draw", "swap 3", "draw", "swap 1", "draw", "discard"),
    *("draw", "swap 2", "draw", "swap 1", "take", "swap 4"),
    *("draw", "swap 3", "draw", "discard", "take", "discard", "draw", "swap 4"),
)
"""With twelve cards the fourth and the eighth `draw` reshuffle four discards."""


def script_line(seed: int) -> list[str]:
    """Return the moves of `SCRIPT` with chance outcomes in between."""
    rng = Random(seed)
    state = small_game().new_state()
    line: list[str] = []
    actions = iter(SCRIPT)
    while True:
        if state.current_player() == CHANCE:
            move = state.outcome_at(rng.random())
        else:
            move = next(actions, "")
        if not move:
            return line
        line.append(move)
        state.apply(move)


def small_game() -> ZombieRun:
    return make(2, copies=[4] + [0] * 8, streets=4, hordes=4)


def condition(
    game: ZombieRun, line: Sequence[str], seat: int
) -> Iterator[tuple[ZombieRunObservation, dict[Any, float]]]:
    """Yield what `seat` sees after each move of `line`, and how likely each state is.

    By walking all of chance from the start and dropping, after each move, what
    does not look to `seat` as the line does.
    """
    truth = game.new_state()
    beliefs = {truth.key(): (truth.clone(), 1.0)}
    for move in line:
        shown = truth.visible(move, seat)
        chance = truth.current_player() == CHANCE
        truth.apply(move)
        seen = truth.observation(seat)
        after: dict[Any, tuple[ZombieRunState, float]] = {}
        for state, weight in beliefs.values():
            for x, p in state.chance_outcomes() if chance else [(move, 1.0)]:
                if state.visible(x, seat) == shown:
                    new = state.clone()
                    new.apply(x)
                    if new.observation(seat) == seen:
                        key = new.key()
                        old = after[key][1] if key in after else 0.0
                        after[key] = new, old + weight * p
        beliefs = after
        total = sum(weight for _, weight in beliefs.values())
        yield seen, {key: weight / total for key, (_, weight) in beliefs.items()}


def check_samples(
    seen: ZombieRunObservation, expected: dict[Any, float], each: int, seed: int
) -> None:
    """Check states sampled so often that the rarest is expected `each` times."""
    assert len(expected) > 1
    rng = Random(seed)
    size = ceil(each / min(expected.values()))
    counts = Counter(seen.sample_state(rng).key() for _ in range(size))
    assert counts.keys() <= expected.keys()
    observed = [counts[key] for key in expected]
    assert chisquare(observed, [p * size for p in expected.values()]).pvalue > 0.001


@pytest.mark.parametrize(
    ("seat", "each"), divided(product((0, 1), (6, 24)), lambda x: x == (0, 6))
)
def test_sampling_is_exact(seat: int, each: int) -> None:
    """Ruling 53 for the later cases, after one and after two reshuffles."""
    pools = {5: 1, 13: 1, 17: 1, 22: 2, 25: 2, 28: 2, 38: 3, 39: 3}
    beliefs = condition(small_game(), script_line(9), seat)
    for moves, (seen, expected) in enumerate(beliefs, 1):
        if moves in pools:
            assert len(seen.unseen) == pools[moves]
            check_samples(seen, expected, each, seed=0)


TURNS = (
    *("draw", "swap 3"),
    *("draw", "discard"),
    *("draw", "swap 1"),
    *("take", "swap 4"),
)
"""Three draws empty the draw pile of the games below; the next one reshuffles."""


def lie_of_two_hordes(players: int, actions: int) -> tuple[ZombieRun, list[str]]:
    """Return a game and moves in it, so many of `TURNS` over and over among them.

    There are two Hordes among Empty Streets, few enough to walk all deals.  They lie
    at position 2 of seats 0 and 1, so that no seat has seen both.
    """
    game = make(players, copies=[0] * 9, streets=4 * players + 2, hordes=2)
    coming = ["peek 1 2"] * players + [*TURNS, *TURNS][:actions]
    state = game.new_state()
    line: list[str] = []
    while coming or state.current_player() == CHANCE:
        if state.current_player() == CHANCE:
            to_second = state.phase == "deal" and len(state.hands[state.active]) == 1
            move = "15" if to_second and state.active < 2 else "0"
        else:
            move = coming.pop(0)
        line.append(move)
        state.apply(move)
    return game, line


@pytest.mark.parametrize(("actions", "pools"), [(3, 1), (13, 2)])
@pytest.mark.parametrize("players", divided(range(2, 8), lambda n: n < 5))
def test_sampling_is_exact_at_any_table(players: int, actions: int, pools: int) -> None:
    """Ruling 53 for the last case, after a reshuffle."""
    game, line = lie_of_two_hordes(players, actions)
    for seat in (0, players - 1):
        *_, (seen, expected) = condition(game, line, seat)
        assert len(seen.unseen) == pools
        check_samples(seen, expected, each=30, seed=players)
