"""Leagues to be timed: their bots, their files, and what a run of one has taken."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commands import BY_CHANCE, Course
from metering import Spent, arena, run
from timing import Share

from arena.league.results.store import Store

GAMES = ("zombie_dice", "ox_blocks", "zombie_run", "zombie_mania")
SHOTGUNS = {"ana": 1, "ben": 2}
"""At how many shotguns the bots stop that play Zombie Dice."""

_MOST_FIXTURES = 10**6


@dataclass(frozen=True)
class Options:
    """How much is to be measured."""

    rounds: int = 3
    """Runs of each, in turn."""
    seconds: float = 4.0
    """About how much CPU time a league plays in a turn, and three times a peer."""
    games: tuple[str, ...] = GAMES
    peers: tuple[str, ...] = ()
    """Interpreters to look for peers in; this one if none is named."""
    most_games: int = 100_000
    """Of the largest league in `scaling`."""
    most_entries: int = 300
    workers: tuple[int, ...] = (1, 2)


@dataclass(frozen=True, slots=True)
class Run:
    """A league that was played to its end, and run again with nothing to play."""

    games: int
    decisions: int
    whole: Spent
    again: Spent

    @property
    def share(self) -> Share:
        """What was played, and what the second run has not taken."""
        whole, again = self.whole, self.again
        return Share(
            games=self.games,
            steps=self.decisions,
            wall=whole.wall - again.wall,
            cpu=whole.cpu - again.cpu,
            roles={
                "coordinator": whole.coordinator - again.coordinator,
                "referees": whole.referees - again.referees,
                "contestants": whole.contestants - again.contestants,
            },
        )

    def beyond(self, start: "Run") -> Share:
        """Return the same, less that of a league that does little but start."""
        return self.share.less(start.share)


def shares(
    found: Mapping[str, Sequence[Run | Share]], starts: Mapping[str, str]
) -> dict[str, list[Share]]:
    """Return what was played; of leagues, beyond those that do little but start.

    Which one that is `starts` says, by name.
    """

    def share(name: str, each: Run | Share, turn: int) -> Share:
        if isinstance(each, Share):
            return each
        start = found[starts[name]][turn]
        assert isinstance(start, Run)
        return each.beyond(start)

    return {
        name: [share(name, each, turn) for turn, each in enumerate(turns)]
        for name, turns in found.items()
        if name not in starts.values()
    }


class League:
    """A league of two bots or more in a folder of its own."""

    def __init__(self, folder: Path, game: str, bots: int = 2, **keys: Any) -> None:
        self.course = Course(folder)
        self.game = game
        self._keys = keys
        for number in range(bots):
            self._write_bot(number)

    def _write_bot(self, number: int) -> None:
        name = ("ana", "ben")[number] if number < 2 else f"bot{number}"
        if self.game == "zombie_dice":
            most = SHOTGUNS.get(name, 1 + number % 2)
            self.course.write_bot(
                name,
                f"return 'stop' if obs.shotguns >= {most} else 'roll'",
                method=self.game,
            )
        else:
            self.course.write_bot(name, BY_CHANCE)

    def write(self, fixtures: int, **keys: Any) -> list[str]:
        """Write the league's file; return the words that run it."""
        game = {"game": self.game, "fixtures": fixtures}
        name = self.course.write_league(game, **({"seed": 0} | self._keys | keys))
        return [*arena(), "league", name, "--results", "results"]

    def forget(self) -> None:
        """Remove the results."""
        shutil.rmtree(self.course.folder / "results", ignore_errors=True)

    def run(self, command: Sequence[str]) -> Spent:
        """Run a command where the league is."""
        return run(command, self.course.folder)

    def play(self, fixtures: int, workers: int) -> Run:
        """Play from the beginning, and run the same command again."""
        command = [*self.write(fixtures), "--workers", str(workers)]
        self.forget()
        whole = self.run(command)
        games, decisions = self.recorded()
        return Run(games, decisions, whole, self.run(command))

    def recorded(self) -> tuple[int, int]:
        """Return how many games and decisions are recorded."""
        with Store.read(self.course.folder / "results") as store:
            decisions = [record.decisions for record in store.records()]
        return len(decisions), sum(decisions)

    def fixtures_for(self, seconds: float) -> int:
        """Return how many fixtures take about so much CPU time, by short trials."""
        start = self._trial(1)
        fixtures = 20
        while True:
            spent = self._trial(fixtures) - start
            if spent >= seconds / 2.0 or fixtures >= _MOST_FIXTURES:
                return max(2, round(fixtures * seconds / spent))
            fixtures *= 4

    def _trial(self, fixtures: int) -> float:
        self.forget()
        return self.run([*self.write(fixtures), "--workers", "1"]).cpu
