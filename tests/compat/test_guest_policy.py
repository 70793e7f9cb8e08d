"""A policy is the same as a guest and as a bot of our own, and worth what it is."""

from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, variance
from textwrap import dedent, indent
from types import SimpleNamespace
from typing import Any

import pytest
from guest_games import here, play, seated, unit, write
from matrix import divided
from msgspec.structs import replace

from arena.games import CHANCE, Event, get_game
from arena.records.game_record import GameRecord
from arena.referee.work_unit import EntrySpec

TWO_SHOTGUNS = 2.075955158
"""Brains a turn on average if it ends at two shotguns, exactly."""
GUESTS = {
    "TwoShotguns": """
        def turn(self, gameState):
            guns = 0
            while guns < 2:
                guns += zombiedice.roll()["shotgun"]
    """,
    "Coin": """
        def turn(self, gameState):
            guns = 0
            while True:
                guns += zombiedice.roll()["shotgun"]
                if guns >= 3 or random.random() < 0.4:
                    return
    """,
    "Racer": """
        def newGame(self):
            self.turns = []

        def turn(self, gameState):
            scores = dict(gameState["SCORES"])
            lead = scores.pop(self.name) - max(scores.values())
            self.turns.append(random.choice((1, 2)) if lead > 0 else 3)
            guns = brains = 0
            while guns < 3 and brains < self.turns[-1] + len(self.turns) % 3:
                rolled = zombiedice.roll()
                guns += rolled["shotgun"]
                brains += rolled["brains"]
    """,
}
"""Methods of guests."""
NATIVES = {
    "TwoShotguns": """
        def zombie_dice(self, obs):
            return "stop" if obs.shotguns >= 2 else "roll"
    """,
    "Coin": """
        def zombie_dice(self, obs):
            return "stop" if random.random() < 0.4 else "roll"
    """,
    "Racer": """
        def start(self, obs):
            self.state = obs.game.new_state()
            self.turns = []

        def zombie_dice(self, obs):
            self.see(obs)
            goal = self.turns[-1] + len(self.turns) % 3
            return "stop" if obs.brains >= goal else "roll"

        def see(self, obs):
            for event in obs.events:
                mine = self.state.seat == obs.seat
                if mine and event.seat == -1 and self.state.turn.rolls == 0:
                    scores = list(self.state.scores())
                    lead = scores.pop(obs.seat) - max(scores)
                    self.turns.append(random.choice((1, 2)) if lead > 0 else 3)
                self.state.apply(event.text)
    """,
}
"""The same as bots of arena: what a guest is told in its turn, they are too."""
DEEDS = {"1 / 0": "crash", "sys.exit()": "exit", "os.abort()": "crash"}
"""By the deed of a guest to its process: the end of that game."""
FIXTURES = 12
HEAD = "import os, random, sys, zombiedice\nfrom arena import Bot\n\n"


def guest(folder: Path, name: str, body: str) -> EntrySpec:
    """Write a guest with a method."""
    text = f"{HEAD}class {name}:\n    name = {name!r}\n{indent(dedent(body), ' ' * 4)}"
    return write(folder, name, text)


def native(folder: Path, name: str, body: str) -> EntrySpec:
    """Write a bot of our own with a method."""
    text = f"{HEAD}class {name}(Bot):\n{indent(dedent(body), ' ' * 4)}"
    return write(folder, name, text.replace(", zombiedice", ""))


def moves(entry: EntrySpec, records: list[GameRecord]) -> dict[tuple[str, int], Any]:
    """Return the history of each game of an entry, by fixture and seat."""
    return {
        (r.fixture_id, r.seats.index(entry.id)): (r.history, r.returns)
        for r in records
        if entry.id in r.seats
    }


class Duel:
    """Guests and natives of the same policies, and one opponent of them all."""

    def __init__(self, folder: Path) -> None:
        (folder / "guests").mkdir()
        (folder / "natives").mkdir()
        opponent = native(folder, "Opponent", NATIVES["Coin"])
        guests = [guest(folder / "guests", n, body) for n, body in GUESTS.items()]
        natives = [native(folder / "natives", n, b) for n, b in NATIVES.items()]
        self.opponent = replace(opponent, id="opponent")
        self.guests = {e.bot: replace(e, id=f"guest {e.bot}") for e in guests}
        self.natives = {e.bot: replace(e, id=f"native {e.bot}") for e in natives}
        self.records = self.play([*self.guests.values(), *self.natives.values()])

    def play(
        self, entries: list[EntrySpec], fixtures: int = FIXTURES, in_flight: int = 64
    ) -> list[GameRecord]:
        """Let each play the opponent in both seats."""
        tables = [(number, 0) for number in range(1, len(entries) + 1)]
        players = [self.opponent, *entries]
        return play(unit(players, tables, fixtures=fixtures, in_flight=in_flight))

    def expected(self, policy: str) -> dict[tuple[str, int], Any]:
        """Return the games of the native one."""
        return moves(self.natives[policy], self.records)


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Duel:
    return Duel(tmp_path_factory.mktemp("duel"))


@pytest.mark.parametrize("policy", GUESTS)
def test_a_guest_plays_as_a_native_bot_does(policy: str, duel: Duel) -> None:
    assert not any(record.faults for record in duel.records)
    games = moves(duel.guests[policy], duel.records)
    assert len(games) == 2 * FIXTURES
    assert games == duel.expected(policy)


def test_these_policies_differ(duel: Duel) -> None:
    played = [tuple(duel.expected(policy).values()) for policy in NATIVES]
    assert len(set(played)) == len(NATIVES)


def test_it_plays_the_same_with_one_game_at_a_time(duel: Duel) -> None:
    records = duel.play(list(duel.guests.values()), fixtures=4, in_flight=1)
    for policy, entry in duel.guests.items():
        games = moves(entry, records)
        expected = duel.expected(policy)
        assert games == {key: expected[key] for key in games}


@pytest.mark.parametrize("deed", DEEDS)
def test_what_it_does_in_one_game_changes_no_other(
    deed: str, duel: Duel, tmp_path: Path
) -> None:
    first = 'scores = dict(gameState["SCORES"])'
    wrong = f"{first}; sum(scores.values()) == 10 and {deed}"
    body = GUESTS["Racer"].replace(first, wrong)
    assert deed in body
    culprit = replace(guest(tmp_path, "Racer", body), id="culprit")
    records = duel.play([culprit])
    faults = {r.game_id: r.faults[0] for r in records if r.faults}
    assert {fault.termination for fault in faults.values()} == {DEEDS[deed]}
    assert 2 <= len(faults) <= FIXTURES
    games = moves(culprit, [r for r in records if r.game_id not in faults])
    expected = duel.expected("Racer")
    assert games == {key: expected[key] for key in games}


@pytest.mark.parametrize("turns", divided((2_000, 25_000), lambda n: n == 2_000))
def test_a_turn_is_worth_what_its_policy_is(turns: int, tmp_path: Path) -> None:
    path = Path(guest(tmp_path, "TwoShotguns", GUESTS["TwoShotguns"]).path)
    game = get_game("zombie_dice", 2, {"target": 10**6})
    state: Any = game.new_state()
    luck = Random(7).random
    unseen: list[list[Event]] = [[], []]
    gains: list[int] = []
    with here(path) as source:
        seats = [
            seated(source.load().bots["TwoShotguns"], game, seat) for seat in (0, 1)
        ]
        while len(gains) < turns:
            player, seat, before = state.current_player(), state.seat, state.banked[:]
            if player == CHANCE:
                text = state.outcome_at(luck())
            else:
                text = seats[player].zombie_dice(SimpleNamespace(events=unseen[player]))
                unseen[player] = []
            state.apply(text)
            for events in unseen:
                events.append(Event(player, text))
            if state.seat != seat:
                gains.append(state.banked[seat] - before[seat])
    error = sqrt(variance(gains) / turns)
    assert error < 2.4 / sqrt(turns)
    assert abs(fmean(gains) - TWO_SHOTGUNS) < 3 * error
