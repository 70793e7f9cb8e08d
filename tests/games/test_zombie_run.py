"""The rules of Zombie Run!, ruling by ruling."""

from random import Random
from typing import Any

import pytest
from zombie_runs import deal, make, play, start, values, walk

from arena.games import CHANCE, IllegalActionError, Table, derive_seed
from arena.games.zombie_run import ZombieRun, ZombieRunState

PLACES = [
    *("swap 1", "swap 2", "swap 3", "swap 4"),
    *("swap 1 shout", "swap 2 shout", "swap 3 shout", "swap 4 shout"),
    *("discard", "discard shout"),
]
SWAPS = PLACES[:8]


# The deck, the options, the players


def test_ruling_46_deck_has_75_cards_of_mean_6_and_variance_28() -> None:
    deck = make().setup.deck
    assert sum(deck) == 75
    assert deck == (15, *[5] * 9, 0, 0, 0, 0, 0, 15)
    assert sum(v * n for v, n in enumerate(deck)) == 450
    assert sum((v - 6) ** 2 * n for v, n in enumerate(deck)) / 75 == 28


def test_ruling_46_first_card_follows_the_deck() -> None:
    outcomes = dict(make().new_state().chance_outcomes())
    assert outcomes == {"0": 0.2, "15": 0.2, **{str(v): 5 / 75 for v in range(1, 10)}}


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (2, {}),
        (3, {"rounds": 2, "round_cap": 7}),
        (18, {"rounds": 10}),
        (18, {"rounds": 50, "round_cap": 1000}),
        (2, {"rounds": 50, "round_cap": 101}),
    ],
)
def test_the_referee_ends_no_game_that_its_round_cap_would_end(
    players: int, options: dict[str, Any]
) -> None:
    """Ruling 53: a look, and two decisions a turn, for as many turns as there are."""
    game = make(players, **options)
    rounds, cap = game.options.rounds, game.options.round_cap
    longest = rounds * players * (1 + 2 * cap)
    assert game.max_decisions >= longest
    assert game.max_decisions == max(ZombieRun.max_decisions, longest)


def test_longest_game_takes_as_many_decisions_as_are_counted_on() -> None:
    """Ruling 53: nobody shouts, and each round goes to its cap."""
    game = make(3, rounds=2, round_cap=7)
    decisions = sum(
        state.current_player() != CHANCE for state, _ in walk(game, Random(1), shout=0)
    )
    assert decisions == 2 * 3 * (1 + 2 * 7)


# The deal and the look


def test_ruling_47_deal_goes_round_one_card_at_a_time_from_the_first_player() -> None:
    state = make(3).new_state()
    play(state, *range(1, 10), 0, 0, 15)
    assert [values(state, seat) for seat in range(3)] == [
        [1, 4, 7, 0],
        [2, 5, 8, 0],
        [3, 6, 9, 15],
    ]
    assert state.phase == "open"


def test_dealer_and_first_player_move_on_clockwise() -> None:
    """Ruling 47: left of the dealer begins; the last seat deals the first round."""
    state = make(3).new_state()
    for first in (0, 1, 2, 0, 1):
        assert state.active == first
        assert state.chance_stream().endswith(f"deal seat {first} slot 1")
        deal(state, [[1, 1, 2, 2], [3, 3, 4, 4], [5, 5, 6, 6]], 7)
        assert state.current_player() == first
        assert state.observation(0).first == first
        play(state, "take", "discard shout")
    assert state.is_terminal()


def test_chance_streams_name_what_the_card_is_for() -> None:
    state = make().new_state()
    names = []
    for move in (*range(8), 9, "peek 1 2", "peek 1 2", "draw", 1, "discard", "draw", 2):
        if state.current_player() == CHANCE:
            names.append(state.chance_stream())
        state.apply(str(move))
    assert names[:3] == [
        "round 1 deal seat 0 slot 1",
        "round 1 deal seat 1 slot 1",
        "round 1 deal seat 0 slot 2",
    ]
    assert names[8:] == [
        "round 1 discard",
        "round 1 seat 0 turn 1 draw",
        "round 1 seat 1 turn 1 draw",
    ]


def test_decisions_do_not_shift_the_luck_of_the_next_round() -> None:
    hands = []
    for turns in (1, 20):
        table = Table(make(3), derive_seed("luck"))
        shout = ["swap 2"] * (turns - 1) + ["swap 2 shout"]
        for action in ["peek 1 2"] * 3 + [x for last in shout for x in ("draw", last)]:
            table.advance()
            table.act(action)
        table.advance()
        state = table.state
        assert isinstance(state, ZombieRunState)
        assert (state.round, state.phase) == (2, "peek")
        hands.append([values(state, seat) for seat in range(3)])
    assert hands[0] == hands[1]


@pytest.mark.parametrize(("hand", "choices"), [(4, 6), (5, 10), (6, 15)])
def test_each_seat_looks_once_at_two_positions_of_its_choice(
    hand: int, choices: int
) -> None:
    """Rulings 48 and 55: two cards, whatever the size of the hand."""
    game = make(2, hand=hand)
    state = play(game.new_state(), *[1, 2] * 4, *[3, 4] * (hand - 4), 9)
    assert len(state.legal_actions()) == choices
    assert all(action.startswith("peek ") for action in state.legal_actions())
    play(state, f"peek 2 {hand}", "peek 1 3")
    last = values(state, 0)[-1]
    assert state.observation(0).hands == (
        (None, 1, *[None] * (hand - 3), last),
        (None,) * hand,
    )
    assert state.observation(1).hand == (2, None, 2, *[None] * (hand - 3))
    assert state.observation(1).seen_by[0] == (0, 1, *[0] * (hand - 3), 1)
    assert state.legal_actions() == ["draw", "take"]


def test_a_look_shows_the_hand_to_its_owner_alone() -> None:
    """Ruling 48; the positions are public."""
    state = start([[1, 2, 3, 4], [5, 6, 7, 8]], 9)
    for seat, own in enumerate([(1, 2, None, None), (5, 6, None, None)]):
        observation = state.observation(seat)
        assert observation.hand == own
        assert observation.hands[1 - seat] == (None,) * 4
        assert observation.seen_by == ((1, 1, 0, 0), (2, 2, 0, 0))


# Turns


@pytest.mark.parametrize(
    ("must_swap", "source", "legal"),
    [
        (False, ["draw", 3], PLACES),
        (False, ["take"], PLACES),
        (True, ["draw", 3], PLACES),
        (True, ["take"], SWAPS),
    ],
)
def test_ruling_49_taken_card_may_be_put_back_unless_the_option_forbids_it(
    must_swap: bool, source: list[str | int], legal: list[str]
) -> None:
    hands = [[1, 2, 3, 4], [5, 6, 7, 8]]
    state = start(hands, 9, must_swap_from_discard=must_swap)
    play(state, *source)
    assert state.legal_actions() == legal
    assert state.observation(0).legal_actions == legal
    for action in PLACES:
        assert state.is_legal(action) == (action in legal)
    if "discard" not in legal:
        with pytest.raises(IllegalActionError):
            state.apply("discard")


def test_ruling_49_card_put_back_is_on_the_pile_again() -> None:
    state = play(start([[1, 2, 3, 4], [5, 6, 7, 8]], 9), "take", "discard")
    assert (state.top, sum(state.discard), values(state, 0)) == (9, 1, [1, 2, 3, 4])
    assert state.current_player() == 1


def test_ruling_50_replaced_card_is_seen_by_all() -> None:
    state = start([[1, 2, 3, 4], [5, 6, 7, 8], [9, 9, 9, 9]], 0)
    play(state, "draw", 15, "swap 3")
    for seat in range(3):
        observation = state.observation(seat)
        assert observation.top == 3
        assert observation.discard[3] == observation.discard[0] == 1
    assert values(state, 0) == [1, 2, 15, 4]


def test_ruling_50_drawn_card_is_known_to_its_owner_and_taken_card_to_all() -> None:
    state = play(start([[1, 2, 3, 4], [5, 6, 7, 8]], 9), "draw", 15)
    assert [state.observation(seat).drawn for seat in (0, 1)] == [15, None]
    play(state, "swap 4", "take")
    assert [state.observation(seat).drawn for seat in (0, 1)] == [4, 4]
    assert state.observation(0).top is None
    play(state, "swap 1")
    assert state.observation(0).hands == ((1, 2, None, 15), (4, None, None, None))
    assert state.observation(1).hands == ((None,) * 4, (4, 6, None, None))
    play(state, "draw", 0, "discard", "draw", 0, "swap 1")
    assert state.observation(0).hands[1] == (None,) * 4


def test_events_hide_what_a_seat_does_not_see() -> None:
    state = make().new_state()
    moves = [*"12345678", "9", "peek 1 2", "peek 3 4", "draw", "0", "swap 1", "take"]
    seen: list[list[str | None]] = [[], []]
    for move in moves:
        for seat in (0, 1):
            seen[seat].append(state.visible(move, seat))
        state.apply(move)
    assert seen[0] == [*[None] * 8, *moves[8:]]
    assert seen[1] == [*[None] * 8, *moves[8:12], None, *moves[13:]]


def test_shout_is_legal_in_any_own_turn_and_ends_the_round_at_once() -> None:
    """Ruling 51: with any discard, from the first turn on, no last turns."""
    for turns in range(5):
        for source in (["take"], ["draw", "1"]):
            for action in ("swap 2 shout", "discard shout"):
                state = start([[1, 2, 3, 4], [5, 6, 7, 8], [0, 0, 0, 9]], 9)
                play(state, *["take", "discard"] * turns, *source)
                play(state, action)
                assert (state.round, state.phase, state.step) == (2, "deal", 0)
                assert len(state.revealed) == 3


@pytest.mark.parametrize(
    ("hands", "top", "action", "scores"),
    [
        ([[1, 1, 1, 1], [2, 2, 2, 2]], 9, "discard shout", [4, 8]),
        ([[2, 2, 2, 2], [1, 1, 1, 1]], 9, "discard shout", [16, 4]),
        ([[1, 2, 3, 4], [4, 3, 2, 1]], 9, "discard shout", [10, 10]),
        ([[0, 0, 0, 9], [1, 1, 0, 0], [9, 9, 9, 15]], 5, "discard shout", [18, 2, 42]),
        ([[15, 1, 0, 0], [1, 1, 1, 1]], 0, "swap 1 shout", [1, 4]),
        ([[0, 1, 0, 0], [1, 1, 1, 1]], 15, "swap 1 shout", [32, 4]),
    ],
    ids=["lowest", "not lowest", "tie", "three seats", "after swap", "bad swap"],
)
def test_shouter_who_is_not_lowest_counts_double(
    hands: list[list[int]], top: int, action: str, scores: list[int]
) -> None:
    """Ruling 52: hands count after the exchange; others are unaffected."""
    state = play(start(hands, top), "take", action)
    assert state.scores() == scores
    assert state.observation(1).scores == tuple(scores)


def test_hands_are_turned_over_at_the_end_of_a_round() -> None:
    """Ruling 51: all see them, and all cards are shuffled for the next round."""
    state = play(start([[1, 2, 3, 4], [5, 6, 7, 8]], 9), "take", "swap 4 shout")
    for seat in (0, 1):
        assert state.observation(seat).revealed == ((1, 2, 3, 9), (5, 6, 7, 8))
    assert tuple(state.draw) == state.game.setup.deck
    assert (sum(state.discard), state.top) == (0, None)


# The end of the draw pile, of a round, of the game


def test_ruling_53_the_discard_pile_becomes_the_draw_pile_for_a_draw() -> None:
    options = {"copies": [2] * 4 + [0] * 5, "streets": 2, "hordes": 1}
    state = start([[1, 1, 2, 2], [3, 3, 4, 4]], 0, **options)
    play(state, "draw", 15, "discard", "draw", 0, "swap 1")
    assert (state.draw_size, state.top) == (0, 3)
    play(state, "take", "swap 4")
    assert state.draw_size == 0
    play(state, "draw")
    assert state.phase == "draw"
    assert sum(state.discard) == 0
    assert dict(state.chance_outcomes()) == dict.fromkeys(("0", "2", "15"), 1 / 3)
    # The shuffled cards are known, so seat 0 knows all but who holds which 4s.
    observation = state.observation(0)
    assert observation.unseen[-1] == tuple(state.draw)
    assert observation.hands == ((1, 1, None, 3), (None,) * 4)
    play(state, 15, "discard")
    assert (state.draw_size, state.top) == (2, 15)


def test_drawing_and_taking_are_possible_in_every_turn() -> None:
    """Ruling 53: even where the deal leaves no draw pile at all."""
    options = {"copies": [1] * 9, "streets": 0, "hordes": 0}
    state = start([[1, 2, 3, 4], [5, 6, 7, 8]], 9, **options)
    for seat in (0, 1, 0, 1):
        assert state.draw_size == 0
        assert (state.current_player(), state.legal_actions()) == (
            seat,
            ["draw", "take"],
        )
        play(state, "draw")
        ((card, probability),) = state.chance_outcomes()
        assert probability == 1
        play(state, card, "swap 1")


def test_round_cap_scores_the_hands_without_doubling() -> None:
    """Ruling 53: nobody need ever shout."""
    state = start([[9, 9, 9, 9], [1, 1, 1, 1]], 5, round_cap=3, rounds=2)
    for turn in range(6):
        assert (state.round, state.observation(0).turn) == (1, turn // 2 + 1)
        play(state, "take", "discard")
    assert (state.round, state.scores()) == (2, [36, 4])
    deal(state, [[1, 1, 1, 1], [9, 9, 9, 9]], 5)
    play(state, *["take", "discard"] * 5, "take", "discard shout")
    assert state.is_terminal()
    assert state.scores() == [40, 40]


def test_ruling_54_tie_after_the_last_round_is_a_shared_win() -> None:
    hands = [[1, 2, 3, 4], [4, 3, 2, 1], [0, 0, 15, 15]]
    state = play(start(hands, 9, rounds=1), "take", "discard shout")
    assert state.is_terminal()
    assert state.scores() == [10, 10, 30]
    assert state.places() == [1, 1, 3]
    assert state.returns() == [0.5, 0.5, 0.0]


@pytest.mark.parametrize("rounds", [1, 5, 10])
@pytest.mark.parametrize("hand", [4, 5, 6])
def test_ruling_55_a_game_has_as_many_rounds_as_its_option_says(
    rounds: int, hand: int
) -> None:
    game = make(3, rounds=rounds, hand=hand)
    seen = [state.round for state, _ in walk(game, Random(rounds), shout=0.3)]
    assert sorted(set(seen)) == list(range(1, rounds + 1))
    assert seen == sorted(seen)


def test_ruling_55_five_rounds_by_default() -> None:
    assert (make().options.rounds, make().options.hand) == (5, 4)


def test_cut_short_the_hands_count_as_they_are() -> None:
    state = play(start([[1, 1, 1, 1], [2, 2, 2, 2]], 9), "take", "discard shout")
    deal(state, [[9, 9, 9, 9], [3, 3, 3, 3]], 0)
    assert state.scores() == [4, 8]
    assert state.places() == [2, 1]
    assert state.game.adjudicate(state) == [0.0, 1.0]
    with pytest.raises(ValueError, match="at the end only"):
        state.returns()


# Actions


def test_actions_are_listed_in_order() -> None:
    game = make()
    peeks = ["peek 1 2", "peek 1 3", "peek 1 4", "peek 2 3", "peek 2 4", "peek 3 4"]
    assert list(game.actions) == [*peeks, "draw", "take", *PLACES]
    assert [game.action_id(action) for action in game.actions] == list(range(18))


@pytest.mark.parametrize(
    ("moves", "must_swap", "default"),
    [
        ([], False, "draw"),
        (["draw", 3], False, "discard"),
        (["draw", 3], True, "discard"),
        (["take"], False, "discard"),
        (["take"], True, "swap 1"),
    ],
)
def test_default_action_is_the_least_eventful(
    moves: list[str | int], must_swap: bool, default: str
) -> None:
    hands = [[1, 2, 3, 4], [5, 6, 7, 8]]
    state = start(hands, 9, must_swap_from_discard=must_swap)
    assert state.game.default_action(play(state, *moves)) == default


def test_default_look() -> None:
    state = play(make().new_state(), *range(9))
    assert state.game.default_action(state) == "peek 1 2"


def test_key_tells_who_knows_a_card() -> None:
    hands = [[1, 2, 3, 4], [5, 6, 7, 8]]
    drawn = play(start(hands, 9), "draw", 9, "swap 1")
    taken = play(start(hands, 9), "take", "swap 1")
    again = play(start(hands, 9), "take", "swap 1")
    assert taken.key() == again.key()
    assert hash(taken.key()) == hash(again.key())
    assert drawn.key() != taken.key()


def test_text_shows_hands_piles_and_scores() -> None:
    state = play(start([[1, 2, 3, 4], [5, 6, 7, 8]], 9), "draw", 15)
    assert state.to_text() == (
        "round 1 of 5, seat 0 turn 1 has drawn 15\n"
        "draw pile 65 cards, discard pile 1 cards, top 9\n"
        "seat 0, score 0: 1* 2* 3 4\n"
        "seat 1, score 0: 5* 6* 7 8"
    )
