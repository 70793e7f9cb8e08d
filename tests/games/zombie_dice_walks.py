"""Random games of Zombie Dice, each step of which is held against the rulings."""

from itertools import product
from operator import add
from random import Random
from typing import Any, NamedTuple

from zombie_dice_printed import TO_BE_RESCUED, Before, Fallen, settle

from arena.games import CHANCE, TERMINAL, get_game
from arena.games.zombie_dice import DICE, PRESETS, ZombieDice, ZombieDiceState
from arena.games.zombie_dice.turn import Turn

NAMES = [die.name for die in DICE]
SANTA, HORDE = NAMES.index("santa"), NAMES.index("horde")
MOST_EXTRA = {NAMES.index("hunk"): 1, SANTA: 1, HORDE: 3}
"""The most brains beyond the first that each kind of die can show."""

COMBINATIONS: list[dict[str, Any]] = [
    {"preset": preset, "bus": bus, "horde": horde}
    for preset, bus, horde in product(PRESETS, (False, True), (False, True))
]


class Rolled(NamedTuple):
    """An outcome, read from its text."""

    fallen: Fallen
    horde_is_out: bool
    """Whether the horde's die was rolled."""
    is_horde: bool
    shotguns: int
    """Those that stay: none with a yield sign."""
    shotgun_dice: tuple[int, ...]


def read(outcome: str) -> Rolled:
    """Return what an outcome says."""
    parts = [part.partition(" ")[::2] for part in outcome.split(", ")]
    dice = [(die, face) for die, face in parts if die != "bus"]
    sign = dict(parts).get("bus", "")
    shot = [(die, face) for die, face in parts if "shotgun" in face and sign != "yield"]
    return Rolled(
        Fallen(dice, sign),
        any(die == "horde" for die, _ in dice),
        ("horde", "horde") in dice,
        sum(2 if face == "double shotgun" else 1 for _, face in shot),
        tuple(sum(die == name for die, _ in shot) for name in NAMES),
    )


class Walk:
    """Games of random seats, with a ledger of shotguns that is not the game's.

    Of all steps the share `settled` is compared with what the printed faces and the
    rulings make of a roll, and before the share `examined` all is looked at that takes
    long.
    """

    def __init__(
        self, game: ZombieDice, rng: Random, settled: float, examined: float
    ) -> None:
        self.game = game
        self.turns = 0
        """Turns that have ended."""
        self._rng = rng
        self._settled = settled
        self._examined = examined
        self._options = game.options_dict
        self._read: dict[str, Rolled] = {}
        self._done: set[str] = set()
        self.state = self._new_game()

    def _new_game(self) -> ZombieDiceState:
        self._new_turn()
        return self.game.new_state()

    def _new_turn(self) -> None:
        self._shotguns = 0
        self._shotgun_dice: tuple[int, ...] = (0,) * len(DICE)
        self._horde_is_out = False
        # Half of the turns are long, so that what comes late in a turn is met too.
        self._is_long = self._rng.random() < 0.5

    @property
    def met(self) -> set[str]:
        """The faces that were shown, with their dice, and the actions played."""
        shown = {die for outcome in self._read for die in outcome.split(", ")}
        return shown | self._done

    def play(self, turns: int) -> None:
        """Play until so many turns have ended."""
        while self.turns < turns:
            self.step()

    def step(self) -> None:
        """Play a random step and check what it has led to."""
        state, rng = self.state, self._rng
        if rng.random() < self._examined:
            examine(state, rng)
        seat, round_, tied = state.seat, state.round, state.tied
        turn, banked = state.turn, state.banked[:]
        may_end = self._roll(banked) if state.player == CHANCE else self._act()
        self._check_dice(turn)
        is_bust = self._shotguns >= (4 if turn.helmet else 3)
        if state.turn is turn:
            assert not is_bust
            assert state.banked == banked
            return
        assert is_bust or may_end
        if not is_bust:
            banked[seat] += turn.brains
        assert state.banked == banked
        self.turns += 1
        self._new_turn()
        later = [s for s in tied or range(self.game.players) if s > seat]
        if later:
            assert (state.player, state.seat, state.round) == (CHANCE, later[0], round_)
        elif state.player == TERMINAL:
            check_end(state)
            self.state = self._new_game()
        else:
            assert state.round == round_ + 1
            assert state.seat == min(state.tied or (0,))
            assert state.tied or max(banked) < self.game.setup.target

    def _roll(self, banked: list[int]) -> bool:
        """Roll; say whether the turn may be over though it is no bust."""
        state, turn, rng = self.state, self.state.turn, self._rng
        bus, rolls, seat = turn.bus, turn.rolls, state.seat
        u = rng.random()
        x = state.outcome_at(u * u if self._is_long else u)
        if x not in self._read:
            self._read[x] = read(x)
        rolled = self._read[x]
        before = before_roll(turn) if rng.random() < self._settled else None
        state.apply(x)
        sign = rolled.fallen.sign
        assert bool(sign) == (bus == "boarded")
        assert turn.bus == ("gone" if sign == "run over" else bus)
        assert turn.rolls == rolls + 1
        self._shotguns += rolled.shotguns
        self._shotgun_dice = tuple(map(add, self._shotgun_dice, rolled.shotgun_dice))
        self._horde_is_out = self._horde_is_out or rolled.horde_is_out
        if rolled.is_horde:
            banked[seat] = 0
        if before:
            after = settle(rolled.fallen, before, self._options)
            assert after.is_bust == (turn.shotguns >= turn.limit)
            assert after.is_bust or after.brains == turn.brains - turn.is_run_over
        assert state.turn is not turn or sign != "stop"
        return sign == "stop" or is_short(turn)

    def _act(self) -> bool:
        """Decide; say whether the turn may be over."""
        state, turn = self.state, self.state.turn
        bus, noted, brains = turn.bus, turn.noted, turn.brains
        kept = turn.brain_dice[SANTA], turn.brain_dice[HORDE]
        legal = state.legal_actions()
        assert legal
        check_legal(state, legal)
        x = self._rng.choice(legal)
        if self._is_long and x == "stop":
            x = self._rng.choice(legal)
        state.apply(x)
        self._done.add(x)
        if x.startswith("lose "):
            assert turn.brains == brains - 1
        else:
            assert turn.brains == brains
            assert kept == (turn.brain_dice[SANTA], turn.brain_dice[HORDE])
            if turn.noted > noted:
                self._done.add("brain dice return")
        if x == "roll bus":
            bus = "boarded"
        elif x == "leave bus":
            bus = "waiting" if self.game.options.reboard else "gone"
        assert turn.bus == bus
        assert (state.turn is turn) or x == "stop" or x.startswith("lose ")
        return x == "stop" or is_short(turn)

    def _check_dice(self, turn: Turn) -> None:
        dice = self._shotgun_dice
        places = (turn.cup, turn.hand, turn.brain_dice, turn.aside, dice)
        assert tuple(map(sum, zip(*places, strict=True))) == self.game.setup.dice
        assert min(map(min, places)) >= 0
        assert turn.shotguns == self._shotguns >= sum(dice)
        assert turn.noted >= 0
        assert turn.brains == turn.noted + sum(turn.brain_dice) + sum(turn.extra)
        if any(turn.extra):
            for kind, extra in enumerate(turn.extra):
                most = MOST_EXTRA.get(kind, 0) * turn.brain_dice[kind]
                assert 0 <= extra <= most
        assert sum(turn.aside) == turn.aside[SANTA] + turn.aside[HORDE]
        assert turn.aside[SANTA] == turn.helmet + turn.energy_drink
        assert not (self._horde_is_out and turn.cup[HORDE])


def before_roll(turn: Turn) -> Before:
    """Return what the printed rulings need to know of a seat about to roll."""
    return Before(
        "",
        brains=turn.brains,
        heroes={
            name: 1 + turn.extra[kind]
            for kind, name in enumerate(NAMES)
            if name in TO_BE_RESCUED and turn.brain_dice[kind]
        },
        shotguns=turn.shotguns,
        helmet=turn.helmet,
        drink=turn.energy_drink,
    )


def is_short(turn: Turn) -> bool:
    """Say whether three dice can't be rolled (ruling 3)."""
    dice = sum(turn.cup) + sum(turn.hand)
    if turn.rules.options.cup != "none":
        kept = turn.brain_dice[SANTA] + turn.brain_dice[HORDE]
        dice += sum(turn.brain_dice) - kept
    return dice < 3


def check_legal(state: ZombieDiceState, legal: list[str]) -> None:
    """Check the legal actions of a seat (rulings 8, 25, 26 and 31)."""
    turn = state.turn
    if turn.is_run_over:
        lying = [name for name, n in zip(NAMES, turn.brain_dice, strict=True) if n]
        single = [name for name in lying if not turn.extra[NAMES.index(name)]]
        assert turn.bus == "gone"
        assert turn.noted == 0
        assert len(legal) > 1
        assert legal == [f"lose {name}" for name in single or lying]
        return
    expected = ["roll", "stop"]
    if turn.bus == "boarded":
        expected = ["stop", "roll bus", "leave bus"]
    elif turn.bus == "waiting" and sum(turn.hand) < 3:
        expected.append("roll bus")
    if sum(turn.cup) >= 3:
        assert legal == expected
    else:
        assert [action for action in expected if action in legal] == legal
        assert legal != ["stop"]


def check_end(state: ZombieDiceState) -> None:
    """Check that the game was over, and who has won it (rulings 6, 9 and 36)."""
    assert state.tied or max(state.banked) >= state.game.setup.target
    rivals = state.tied or range(len(state.banked))
    most = max(state.banked[seat] for seat in rivals)
    won = [seat for seat in rivals if state.banked[seat] == most]
    returns = [float(seat in won) / len(won) for seat in range(len(state.banked))]
    assert state.returns() == returns
    assert len(won) == 1 or state.tiebreak_round == state.game.options.tiebreak_rounds


def examine(state: ZombieDiceState, rng: Random) -> None:
    """Check what takes too long to be checked at every step."""
    outcomes = state.chance_outcomes()
    if state.player == CHANCE:
        assert abs(sum(p for _, p in outcomes) - 1) < 1e-12
        assert min(p for _, p in outcomes) > 0
        assert state.outcome_at(rng.random()) in dict(outcomes)
    else:
        assert not outcomes
        assert state.game.default_action(state) in state.legal_actions()
    for seat in range(state.game.players):
        seen = state.observation(seat)
        again = seen.sample_state(rng)
        assert again.key() == state.key()
        assert again.observation(seat) == seen
        assert again.to_text() == state.to_text()
    assert seen.brains == seen.noted + seen.brain_dice.total + seen.extra_brains.total


def make_walk(
    options: dict[str, Any],
    seed: int,
    players: int = 2,
    *,
    settled: float,
    examined: float,
) -> Walk:
    """Return a walk at its beginning."""
    game = get_game("zombie_dice", players, options)
    assert isinstance(game, ZombieDice)
    return Walk(game, Random(seed), settled, examined)
