"""Identity and luck of games: how their ids and seeds are made.

    luck key, rules, terms, entries and their code    the seed of a match
    with series and repetition                        the seed of a fixture: its luck
    the seed of a fixture, the first seat             the seed of a game, where it has
                                                      luck of its own
    the key of ids, the seed of a match or fixture    its id
    the key of ids, a fixture's seed, seats, terms    the id of a game

So a game that is played anew, as a bot or a term has changed, meets new luck; who knows
the luck can't tell an id, nor the other way round.

With public luck the seed of a match depends on the league's seed, the rules and the
entries' ids alone, and ids of matches and fixtures are the first digits of their seeds.
There are leagues on disk, so none of this may ever come out differently.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from arena.games.chance import derive_seed, framed, seed_of
from arena.league.config.league_file import LeagueConfig, LeagueGame
from arena.league.entries.entry import Entry
from arena.referee.work_unit import Restart

CONFIRMATION = "confirmation"
"""A series of fixtures beside the usual one, with luck of its own."""
SERIES = ("", CONFIRMATION)
_OWN_LUCK = "restart: league, and luck for each seating"
_GAME_ID_DIGITS = 20
_SEED_ID_DIGITS = 16


def rules_of(
    game: str, players: int, options: Mapping[str, Any], changed: Iterable[str]
) -> str:
    """Return the rules that luck depends on: only what is `changed` of the options."""
    return f"[{_json(game, players, {name: options[name] for name in changed})}]"


def match_seed(
    luck: bytes | int, rules: str, entries: Iterable[str], terms: str
) -> bytes:
    """Return the seed that all luck of a match comes from.

    `luck` is that of the league's keys; `entries` are their ids in the order of the
    match, `terms` those of `GameTerms.between` them.
    """
    if isinstance(luck, int):
        return derive_seed("match", luck, rules, *entries)
    return derive_seed("match", luck, rules, terms, *entries)


def fixture_seed(match: bytes, series: str, repetition: int) -> bytes:
    """Return the seed of a fixture, from that of its match."""
    if series:
        return derive_seed(match, series, repetition)
    return derive_seed(match, repetition)


def seating_seed(fixture: bytes, first: int) -> bytes:
    """Return the seed of a game that does not share the luck of its fixture.

    `first` is who has the first seat, by index in the order of the match.
    """
    return derive_seed("seating", fixture, first)


def seed_id(seed: bytes, key: bytes) -> str:
    """Return the id of the match or fixture that has a seed.

    `key` is the one of ids; empty with public luck.
    """
    shown = derive_seed("id", key, seed) if key else seed
    return shown.hex()[:_SEED_ID_DIGITS]


def fixture_games(
    fixture: bytes, entries: int, terms: str, key: bytes
) -> list[tuple[tuple[int, ...], str]]:
    """Return the seats and the id of each game of a fixture: every rotation of entries.

    At tables of three or more luck puts them in an order first, since it matters who
    plays after whom.  `terms` are those of `GameTerms.between`.
    """
    others: Iterable[int] = range(1, entries)
    if entries > 2:
        others = sorted(others, key=lambda i: derive_seed("order", fixture, i))
    begin = framed("game", key, fixture) if key else framed("game", fixture)
    return [
        (seats, seed_of(begin + end).hex()[:_GAME_ID_DIGITS])
        for seats, end in _rotations((0, *others), terms)
    ]


@lru_cache(1000)
def _rotations(
    order: tuple[int, ...], terms: str
) -> list[tuple[tuple[int, ...], bytes]]:
    """Return the seats of each rotation, and all that its id needs but the fixture."""
    rotations = [(*order[i:], *order[:i]) for i in range(len(order))]
    # The entry that is left has the last seat.
    return [(seats, framed(*seats[:-1], terms)) for seats in rotations]


def quarantined_id(
    planned: str, patience: int, seats: Iterable[int], reasons: Iterable[str]
) -> str:
    """Return the id of the game that counts in the place of a planned one.

    The entries at `seats` are in quarantine, each because of a game whose id is in
    `reasons`.
    """
    seed = derive_seed("quarantine", planned, patience, *seats, *reasons)
    return seed.hex()[:_GAME_ID_DIGITS]


def entry_digest(entry: Entry) -> str:
    """Return the facts of an entry that could change its games, as JSON.

    A program counts by what its command says, wherever that is found on a machine.
    """
    command = [entry.command] if entry.command else []
    parts = (entry.code, entry.bot, entry.params, bool(entry.refused), *command)
    return f"[{_json(*parts)}]"


def version_of(digest: str) -> str:
    """Return what an entry's digest says of its code and settings.

    Whether its file could be read may also depend on the machine.

    Raises:
        ValueError: it is no digest.
    """
    code, bot, params, _, *command = json.loads(digest)
    return _json(code, bot, params, *command)


@dataclass(frozen=True, slots=True)
class GameTerms:
    """The settings that the ids of a label's games depend on, as items in JSON."""

    usual: str
    unusual: tuple[str, ...]
    """Only what differs from the defaults, so that a new term makes no game stale."""

    @classmethod
    def of(cls, config: LeagueConfig, game: LeagueGame) -> "GameTerms":
        """Return the terms of one of the league's games."""
        limits = config.limits
        usual = _json(
            game.label,
            game.game.rules_version,
            [limits.start, limits.move, limits.bank, limits.margin],
            [limits.memory, limits.output],
            game.max_decisions,
        )
        return cls(usual, tuple(map(_json, _unusual(config))))

    @property
    def has_own_luck(self) -> bool:
        """True if each seating of a fixture has luck of its own."""
        return _json(_OWN_LUCK) in self.unusual

    def between(self, digests: Iterable[str]) -> str:
        """Return the terms of games between entries of these digests."""
        entries = f"[{', '.join(digests)}]"
        return f"[{', '.join((self.usual, entries, *self.unusual))}]"


def _unusual(config: LeagueConfig) -> Iterator[str]:
    # A process may know the other seatings.  Leagues that were frozen before that
    # counted stay as they are.
    if config.restart is Restart.LEAGUE and config.form > 1:
        yield _OWN_LUCK
    elif config.restart is not Restart.MATCH:
        yield f"restart: {config.restart}"
    if config.ponder is False:
        yield "no pondering"
    if config.limits.game is not None:
        yield f"seconds a game: {config.limits.game}"


def _json(*parts: object) -> str:
    """Return the items of a list in JSON."""
    return ", ".join(json.dumps(x, sort_keys=True, default=str) for x in parts)
