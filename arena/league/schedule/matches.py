"""A match as it is planned: who meets, and how often.

A league may have a million games, so none of them is kept: a match makes its games
when it is asked for them, and always the same.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from arena.league.config.keys import Keys
from arena.league.config.league_file import LeagueConfig, LeagueGame
from arena.league.entries.entry import Entry
from arena.league.schedule.identity import (
    GameTerms,
    entry_digest,
    fixture_games,
    fixture_seed,
    match_seed,
    rules_of,
    seating_seed,
    seed_id,
)
from arena.referee.work_unit import GameTask, WorkUnit


@dataclass(frozen=True, slots=True)
class MatchTerms:
    """The terms that all matches of a label share."""

    unit: WorkUnit
    """A unit of the label, without entries and games."""
    rules: str
    """Beside the entries, public luck depends on these alone."""
    game_terms: GameTerms
    digests: Mapping[str, str] = field(compare=False, repr=False)
    """The digest of each entry, by its id."""
    keys: Keys

    @classmethod
    def of(
        cls,
        config: LeagueConfig,
        game: LeagueGame,
        entries: Iterable[Entry],
        keys: Keys,
    ) -> "MatchTerms":
        """Return the terms of one of the league's games, for those who play it."""
        spec = game.spec
        return cls(
            unit=WorkUnit(
                label=game.label,
                game=spec,
                entries=(),
                games=(),
                limits=config.limits.in_game(game.game),
                max_decisions=game.max_decisions,
                in_flight=config.in_flight,
                restart=config.restart,
                patience=config.quarantine,
            ),
            rules=rules_of(
                spec.name, spec.players, spec.options, game.game.changed_options
            ),
            game_terms=GameTerms.of(config, game),
            digests={entry.id: entry_digest(entry) for entry in entries},
            keys=keys,
        )


@dataclass(frozen=True, slots=True)
class Match:
    """Some fixtures between the same entries: each has a game for every rotation.

    A game is known by its place in the match, from 0.
    """

    terms: MatchTerms
    entries: tuple[Entry, ...]
    repetitions: range
    """One fixture for each: the fixture of a repetition never changes."""
    series: str = ""
    """Fixtures of another series have luck of their own."""

    @property
    def label(self) -> str:
        """The label of its games."""
        return self.terms.unit.label

    @property
    def entry_ids(self) -> tuple[str, ...]:
        """The ids of its entries."""
        return tuple([entry.id for entry in self.entries])

    def __len__(self) -> int:
        """Return the number of its games."""
        return len(self.repetitions) * len(self.entries)

    def again(self, repetitions: range, series: str = "") -> "Match":
        """Return other fixtures between the same entries."""
        return replace(self, repetitions=repetitions, series=series)

    def game_ids(self, games: Iterable[int]) -> Iterator[str]:
        """Yield the ids of some of its games."""
        return (id_ for _, _, id_ in self._games(self._seed(), games))

    def tasks(
        self, games: Iterable[int], places: Sequence[int] | None = None
    ) -> Iterator[GameTask]:
        """Yield some of its games, for a unit that has its entries at these `places`.

        Without them, the unit is taken to have the same entries.
        """
        match = self._seed()
        key = self.terms.keys.ids
        match_id = seed_id(match, key)
        has_own_luck = self.terms.game_terms.has_own_luck
        for fixture, seats, id_ in self._games(match, games):
            seed = seating_seed(fixture, seats[0]) if has_own_luck else fixture
            if places is not None:
                seats = tuple([places[i] for i in seats])
            yield GameTask(id_, seed_id(fixture, key), match_id, seed, seats)

    def unit(self, games: Iterable[int]) -> WorkUnit:
        """Return some of its games as a unit by themselves."""
        return msgspec.structs.replace(
            self.terms.unit,
            entries=tuple(entry.spec() for entry in self.entries),
            games=tuple(self.tasks(games)),
        )

    def _seed(self) -> bytes:
        return match_seed(
            self.terms.keys.luck, self.terms.rules, self.entry_ids, self._game_terms()
        )

    def _game_terms(self) -> str:
        return self.terms.game_terms.between(
            self.terms.digests[id_] for id_ in self.entry_ids
        )

    def _games(
        self, match: bytes, games: Iterable[int]
    ) -> Iterator[tuple[bytes, tuple[int, ...], str]]:
        """Yield the fixture's seed, the seats and the id of games."""
        size = len(self.entries)
        terms, key = self._game_terms(), self.terms.keys.ids
        last = -1
        for game in games:
            number, rotation = divmod(game, size)
            if number != last:
                last = number
                fixture = fixture_seed(match, self.series, self.repetitions[number])
                found = fixture_games(fixture, size, terms, key)
            yield fixture, *found[rotation]
