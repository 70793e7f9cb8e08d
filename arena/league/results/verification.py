"""Verify the games of a league with its luck key, once that has been revealed.

Who was told the commitment before the league was played, and has its results, needs to
trust nobody: the key is the one that was committed to, the luck of every game follows
from it, and its dice and cards from its luck.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import permutations, product

from arena.errors import RecordError
from arena.games import CHANCE, Game, GameSpecError, get_game
from arena.games.chance import Streams
from arena.league.config.info import LabelInfo, LeagueInfo
from arena.league.config.keys import commitment_to
from arena.league.results.store import Store
from arena.league.schedule.identity import (
    SERIES,
    fixture_seed,
    match_seed,
    seating_seed,
)
from arena.records.game_record import GameRecord
from arena.text import listed

_MAX_SEATS_IN_ANY_ORDER = 4
"""With more, entries are looked for in the order of their ids only."""
_AT_ONCE = 16
"""Fixtures of a series that are worked out together."""


@dataclass(frozen=True, slots=True)
class Verified:
    """What was verified of a league."""

    games: int
    """Whose luck follows from the key, and their dice and cards from their luck."""
    without_luck: int
    """In which nothing was played: somebody was in quarantine or could not start."""


def verify(store: Store, luck: bytes) -> Verified:
    """Verify all games of the plan that have been played.

    Raises:
        RecordError: the key is not the league's, or a game is not what follows from
            it; names the first of them, in the order of the plan.
    """
    info = store.info()
    _check_key(store, info, luck)
    labels = {label.label: label for label in info.labels}
    games: dict[str, Game] = {}
    origins = _Origins(store, luck)
    verified = without_luck = 0
    for record in store.records(history=True):
        where = f"{store.path}: game {record.game_id}"
        match = origins.match(record)
        if not record.history:
            without_luck += 1
            continue
        if record.label not in games:
            games[record.label] = _game(where, labels.get(record.label))
        if not match.explain(record.seed, record.seats[0]):
            raise RecordError(
                f"{where}: its luck does not follow from this key; somebody has "
                "changed it, or played it with other luck"
            )
        step = _first_other_outcome(games[record.label], record)
        if step is not None:
            raise RecordError(
                f"{where}: what chance brought does not follow from its luck, from "
                f"{record.history[step]!r} on (step {step} of its moves); somebody has "
                "changed it"
            )
        verified += 1
    gap = origins.first_gap()
    if gap and store.planned() == verified + without_luck:
        raise RecordError(
            f"{store.path}: {gap}: these are not the first fixtures that follow from "
            "the key, so somebody has chosen among them"
        )
    return Verified(verified, without_luck)


def _check_key(store: Store, info: LeagueInfo, luck: bytes) -> None:
    """Check that a key is the league's.

    Raises:
        RecordError: it is not.
    """
    found = commitment_to(luck)
    if not info.commitment:
        raise RecordError(
            f"{store.path}: the luck of this league is public (seed {info.seed}), so "
            "there is no key that could be revealed"
        )
    if found in info.earlier:
        raise RecordError(
            f"{store.path}: this is an earlier key of the league, whose luck has been "
            "drawn anew since; verify a copy of the results from before that"
        )
    if found != info.commitment:
        raise RecordError(
            f"{store.path}: this is not the key of the league: its SHA-256 is {found}, "
            f"and the league's commitment is {info.commitment}"
        )


def _game(where: str, label: LabelInfo | None) -> Game:
    if label is None:
        raise RecordError(f"{where}: has a label that the league does not have")
    try:
        return get_game(label.game, label.players, label.options)
    except GameSpecError as error:
        raise RecordError(
            f"{where}: {error}; install the plugin that the league was played with"
        ) from None


def _first_other_outcome(game: Game, record: GameRecord) -> int | None:
    """Return the first step at which chance brought what its luck did not.

    A step that the rules do not allow counts as one.
    """
    state = game.new_state()
    streams = Streams(record.seed)
    for step, x in enumerate(record.history):
        try:
            if state.current_player() == CHANCE and x != state.outcome_at(
                streams.uniform(state.chance_stream())
            ):
                return step
            state.apply(x)
        except Exception:
            return step
    return None


class _Origins:
    """Finds out what the seeds of games come from."""

    def __init__(self, store: Store, luck: bytes) -> None:
        self._luck = luck
        self._digests = store.entered()
        self._terms = store.luck_terms()
        self._most = store.planned()
        """No match has more fixtures than the league has games."""
        self._matches: dict[tuple[str, tuple[str, ...]], _Match] = {}

    def match(self, record: GameRecord) -> "_Match":
        """Return the match of a game, which is noted there."""
        meeting = record.label, tuple(sorted(record.seats))
        match = self._matches.get(meeting)
        if match is None:
            match = _Match(tuple(self._ways(*meeting)), self._most)
            self._matches[meeting] = match
        match.fixture_ids.add(record.fixture_id)
        return match

    def _ways(self, label: str, ids: tuple[str, ...]) -> Iterator["_Way"]:
        """Yield the ways in which some may have met; none if that is unknown."""
        terms = self._terms.get(label)
        if terms is None or not set(ids) <= self._digests.keys():
            return
        for order in _orders(ids):
            digests = [self._digests[id_] for id_ in order]
            between = terms.game_terms.between(digests)
            seed = match_seed(self._luck, terms.rules, order, between)
            yield _Way(seed, order, terms.game_terms.has_own_luck)

    def first_gap(self) -> str:
        """Return the words for a match without some of its first fixtures, or nothing.

        Of all fixtures that there could be, a league plays the first ones.
        """
        for (label, ids), match in self._matches.items():
            if match.has_gaps():
                return f"{label} between {listed(ids)}"
        return ""


@dataclass(frozen=True, slots=True)
class _Way:
    """A way in which entries may have met."""

    seed: bytes
    entries: tuple[str, ...]
    """In the order of the match."""
    has_own_luck: bool
    """True if each seating of a fixture has luck of its own."""

    def luck(self, fixture: bytes) -> Iterator[tuple[bytes, str]]:
        """Yield the seeds of a fixture's games, each with who has the first seat.

        No name if it is the seed of all of them.
        """
        if not self.has_own_luck:
            yield fixture, ""
            return
        for first, entry in enumerate(self.entries):
            yield seating_seed(fixture, first), entry


@dataclass(slots=True)
class _Match:
    """The fixtures of the same entries under a label."""

    ways: tuple[_Way, ...]
    most: int
    """Fixtures of a series that there may be."""
    fixture_ids: set[str] = field(default_factory=set)
    """Of all its games, be there luck in them or not."""
    known: dict[bytes, tuple[str, str, int]] = field(default_factory=dict)
    """Who has the first seat, series and repetition of what has been worked out so far,
    by the seed."""
    repetitions: int = 0
    """So many of each series are."""
    last: dict[str, int] = field(default_factory=dict)
    """The last repetition of each series that was played."""

    def explain(self, seed: bytes, first: str) -> bool:
        """Note the fixture of a game as played; False if there is none.

        The game has a seed, and an entry in the first seat.
        """
        while seed not in self.known and self.repetitions < self.most:
            more = range(self.repetitions, self.repetitions + _AT_ONCE)
            for repetition, series, way in product(more, SERIES, self.ways):
                fixture = fixture_seed(way.seed, series, repetition)
                for luck, entry in way.luck(fixture):
                    self.known[luck] = entry, series, repetition
            self.repetitions = more.stop
        if seed not in self.known:
            return False
        seated, series, repetition = self.known[seed]
        if seated not in ("", first):
            return False
        self.last[series] = max(repetition, self.last.get(series, 0))
        return True

    def has_gaps(self) -> bool:
        """Return whether these are others than the first fixtures of their series."""
        first = sum(last + 1 for last in self.last.values())
        return first > len(self.fixture_ids)


def _orders(ids: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the orders in which a match may have its entries, the likeliest first."""
    yield ids
    if len(ids) <= _MAX_SEATS_IN_ANY_ORDER:
        yield from permutations(ids)
