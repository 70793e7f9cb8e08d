"""A match as it is planned: who meets, and how often.

A league may have a million games, so none of them is kept: a match makes its games
when it is asked for them, and always the same.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import blake2b
from typing import Any

import msgspec

from arena.games import derive_seed
from arena.league.config.league_file import LeagueConfig, LeagueGame
from arena.league.entries.entry import Entry
from arena.league.entries.programs import command_line
from arena.referee.work_unit import EntrySpec, GameTask, Restart, WorkUnit

CONFIRMATION = "confirmation"
SERIES = ("", CONFIRMATION)
"""Of fixtures that are recorded; see `Match.series`."""
_SEED_SIZE = 32


@dataclass(frozen=True, slots=True)
class MatchTerms:
    """What all matches of a label have in common."""

    unit: WorkUnit
    """As every unit of the label is, without entries and games."""
    rules: str
    """Luck depends on these alone, beside who meets."""
    head: str
    tail: str
    """What else the ids of games depend on, before and after what is said of each
    entry."""
    said: Mapping[str, str] = field(compare=False, repr=False)
    """What they depend on of each entry, by its id."""
    seed: int
    """Of the league."""

    @classmethod
    def of(
        cls, config: LeagueConfig, game: LeagueGame, entries: Iterable[Entry]
    ) -> "MatchTerms":
        """Return the terms of one of the league's games, for those who play it."""
        limits = config.limits
        head = _canonical(
            game.label,
            game.game.rules_version,
            [limits.start, limits.move, limits.bank, limits.margin],
            [limits.memory, limits.output],
            game.max_decisions,
            [],
        )
        tail = _canonical([], *_changed_terms(config))
        return cls(
            unit=WorkUnit(
                label=game.label,
                game=game.spec,
                entries=(),
                games=(),
                limits=limits,
                max_decisions=game.max_decisions,
                in_flight=config.in_flight,
                restart=config.restart,
                patience=config.quarantine,
            ),
            rules=rules_of(
                game.spec.name,
                game.spec.players,
                game.spec.options,
                game.game.changed_options,
            ),
            head=head.removesuffix("]]"),
            tail=tail.removeprefix("[["),
            said={entry.id: _said(entry) for entry in entries},
            seed=config.seed,
        )


@dataclass(frozen=True, slots=True)
class Match:
    """Some fixtures between the same entries: each has a game for every rotation.

    A game is called by its place in the match, from 0.
    """

    terms: MatchTerms
    entries: tuple[Entry, ...]
    repetitions: range
    """Of which there are fixtures: a repetition is the same for good."""
    series: str = ""
    """Those of another one have luck of their own."""

    @property
    def label(self) -> str:
        """The label of its games."""
        return self.terms.unit.label

    def __len__(self) -> int:
        """Return how many games it has."""
        return len(self.repetitions) * len(self.entries)

    def again(self, repetitions: range, series: str = "") -> "Match":
        """Return other fixtures between the same entries."""
        return replace(self, repetitions=repetitions, series=series)

    def game_ids(self, games: Iterable[int]) -> Iterator[str]:
        """Yield the ids of some of its games."""
        return (game_id for _, _, game_id in self._games(self._seed(), games))

    def tasks(
        self, games: Iterable[int], places: Sequence[int] | None = None
    ) -> Iterator[GameTask]:
        """Yield some of its games, for a unit that has its entries at these `places`.

        Without them, the unit is taken to have the same entries.
        """
        seed = self._seed()
        match_id = seed.hex()[:16]
        for fixture, seats, game_id in self._games(seed, games):
            if places is not None:
                seats = tuple([places[i] for i in seats])
            yield GameTask(game_id, fixture.hex()[:16], match_id, fixture, seats)

    def unit(self, games: Iterable[int]) -> WorkUnit:
        """Return some of its games as a unit by themselves."""
        return msgspec.structs.replace(
            self.terms.unit,
            entries=tuple(map(entry_spec, self.entries)),
            games=tuple(self.tasks(games)),
        )

    def _seed(self) -> bytes:
        ids = (entry.id for entry in self.entries)
        return match_seed(self.terms.seed, self.terms.rules, ids)

    def _games(
        self, match: bytes, games: Iterable[int]
    ) -> Iterator[tuple[bytes, tuple[int, ...], str]]:
        """Yield seed, seats and id of games; what they share is hashed but once."""
        size = len(self.entries)
        said = ", ".join(self.terms.said[entry.id] for entry in self.entries)
        terms = _framed(f"{self.terms.head}{said}{self.terms.tail}")
        common = _framed(match) + (_framed(self.series) if self.series else b"")
        last = -1
        for game in games:
            number, rotation = divmod(game, size)
            if number != last:
                last = number
                fixture = _seed(common + _framed(self.repetitions[number]))
                rotations = _rotations(_around_the_table(fixture, size))
            seats, framed = rotations[rotation]
            yield fixture, seats, _seed(_GAME + fixture + framed + terms).hex()[:20]


def rules_of(
    game: str, players: int, options: Mapping[str, Any], changed: Iterable[str]
) -> str:
    """Return the rules that luck depends on: only what is `changed` of the options."""
    return _canonical(game, players, {name: options[name] for name in changed})


def match_seed(seed: int, rules: str, entries: Iterable[str]) -> bytes:
    """Return what all luck of a match comes from, in a league of this seed.

    `entries` are their ids in the order of the match.  Ids of its fixtures and games
    begin as the seeds do in hexadecimal digits.
    """
    return derive_seed("match", seed, rules, *entries)


def fixture_seed(match: bytes, series: str, repetition: int) -> bytes:
    """Return the seed of a fixture, from that of its match."""
    parts = (series, repetition) if series else (repetition,)
    return derive_seed(match, *parts)


def entry_spec(entry: Entry) -> EntrySpec:
    """Return what a referee needs to know of an entry."""
    return EntrySpec(
        id=entry.id,
        path=str(entry.path),
        bot=entry.bot,
        params=entry.params,
        files=tuple(map(str, entry.files)),
        command=command_line(entry.program, entry.command),
        code=entry.code,
        looks_back=entry.looks_back,
        refused=entry.refused,
    )


def _framed(part: str | int | bytes) -> bytes:
    """Return what `derive_seed` hashes of one of its parts."""
    data = part if isinstance(part, bytes) else str(part).encode()
    return len(data).to_bytes(8, "little") + data


def _seed(framed: bytes) -> bytes:
    """Return what `derive_seed` does of all parts together."""
    return blake2b(framed, digest_size=_SEED_SIZE).digest()


_GAME = _framed("game") + _SEED_SIZE.to_bytes(8, "little")
"""What is hashed of a game before the seed of its fixture."""


def _around_the_table(fixture: bytes, size: int) -> tuple[int, ...]:
    """Return an order of the entries; it matters who plays after whom."""
    if size < 3:
        return tuple(range(size))
    others = range(1, size)
    return (0, *sorted(others, key=lambda entry: derive_seed("order", fixture, entry)))


@lru_cache(1000)
def _rotations(order: tuple[int, ...]) -> list[tuple[tuple[int, ...], bytes]]:
    """Return who may sit where, each with what is hashed of it."""
    rotations = [(*order[i:], *order[:i]) for i in range(len(order))]
    # Whoever is left has the last seat.
    return [(seats, b"".join(map(_framed, seats[:-1]))) for seats in rotations]


def _said(entry: Entry) -> str:
    """Return what of an entry could change its games.

    A program counts by what its command says, wherever that is found on a machine.
    """
    command = [entry.command] if entry.command else []
    return _canonical(
        entry.code, entry.bot, entry.params, bool(entry.refused), *command
    )


def _changed_terms(config: LeagueConfig) -> Iterator[str]:
    """Yield the terms that are not the defaults: a further one makes no game stale."""
    if config.restart is not Restart.MATCH:
        yield f"restart: {config.restart}"
    if not config.limits.ponder:
        yield "no pondering"


def _canonical(*parts: object) -> str:
    return json.dumps(parts, sort_keys=True, default=str)
