"""What is to be played: every match of the league, with the ids of its games.

A fixture's luck depends on who meets, not on who else takes part: adding or
removing a bot leaves all other games as they were.  Only at tables of three or more
it changes who sits with whom; the games of groups that remain stay as they were.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import combinations, groupby

import msgspec

from arena.games import derive_seed
from arena.league.config import LeagueConfig, LeagueGame
from arena.league.entries import Entry
from arena.league.groups import balanced_groups
from arena.referee.record import EntrySpec, GameTask, Restart, Unit

PART = 400
"""Games in a unit of work, at the most; larger than any fixture."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The games of a league."""

    matches: tuple[Unit, ...]
    """A match stands here once for each time that games of it are planned."""
    idle: tuple[str, ...]
    """Labels of games that too few entries play, each with the reason."""

    def game_ids(self) -> list[str]:
        """Return the ids of all games, in the order of the plan."""
        return [game.game_id for match in self.matches for game in match.games]

    def games_by_label(self) -> dict[str, int]:
        """Return how many games there are of each label."""
        counts: dict[str, int] = {}
        for match in self.matches:
            counts[match.label] = counts.get(match.label, 0) + len(match.games)
        return counts

    def matches_by_label(self) -> dict[str, int]:
        """Return how many matches there are of each label."""
        ids: dict[str, set[str]] = {}
        for match in self.matches:
            ids.setdefault(match.label, set()).update(
                game.match_id for game in match.games
            )
        return {label: len(found) for label, found in ids.items()}

    def meetings_by_label(self) -> dict[str, tuple[int, int]]:
        """Return how many fixtures two entries share, at least and at most."""
        shared: dict[str, Counter[tuple[str, ...]]] = {}
        for match in self.matches:
            pairs = shared.setdefault(match.label, Counter())
            fixtures = len(match.games) // len(match.entries)
            for pair in combinations((entry.id for entry in match.entries), 2):
                pairs[pair] += fixtures
        return {
            label: (min(pairs.values(), default=0), max(pairs.values(), default=0))
            for label, pairs in shared.items()
        }

    def units(self, played: Set[str]) -> list[Unit]:
        """Return the units of work that the games not yet played make."""
        units = []
        for match in self.matches:
            missing = [game for game in match.games if game.game_id not in played]
            units += [_with_games(match, part) for part in parts(missing)]
        return units


def parts(games: Iterable[GameTask]) -> Iterator[list[GameTask]]:
    """Cut games into parts of no more than `PART`, and no fixture in two."""
    part: list[GameTask] = []
    for _, group in groupby(games, key=lambda game: game.fixture_id):
        fixture = list(group)
        if part and len(part) + len(fixture) > PART:
            yield part
            part = []
        part += fixture
    if part:
        yield part


def _with_games(match: Unit, games: Sequence[GameTask]) -> Unit:
    return msgspec.structs.replace(match, games=tuple(games))


@dataclass(frozen=True, slots=True)
class Group:
    """Entries that meet at a table of one of the league's games."""

    game: LeagueGame
    entries: tuple[Entry, ...]
    fixtures: int
    """Those of a round robin."""


def make_plan(config: LeagueConfig, entries: Sequence[Entry]) -> Plan:
    """Plan a round robin: every two entries that play a game meet equally often.

    Every fixture holds one game for every rotation of the seats.  At tables of three
    or more two entries may meet once more than two others (`balanced_groups`).
    """
    groups, idle = find_groups(config, entries)
    matches = (make_match(config, group, range(group.fixtures)) for group in groups)
    return Plan(tuple(matches), idle)


def find_groups(
    config: LeagueConfig, entries: Sequence[Entry]
) -> tuple[list[Group], tuple[str, ...]]:
    """Return who meets, by game; and which games too few play, as in `Plan.idle`."""
    groups: list[Group] = []
    idle = []
    for game in config.games:
        playing = [e for e in entries if game.spec.name in e.games]
        if len(playing) < game.spec.players:
            has = {0: "no bot plays", 1: "only one bot plays"}.get(
                len(playing), f"only {len(playing)} bots play"
            )
            idle.append(f"{game.label}: {has} it, a table takes {game.spec.players}")
            continue
        groups += _groups(game, playing)
    return groups, tuple(idle)


def _groups(game: LeagueGame, playing: Sequence[Entry]) -> Iterator[Group]:
    size = game.spec.players
    if size < 3:
        for pair in combinations(playing, size):
            yield Group(game, pair, game.fixtures)
        return
    ordered = sorted(playing, key=lambda entry: entry.id)
    found = Counter(balanced_groups(len(ordered), size, game.fixtures))
    for members, fixtures in found.items():
        yield Group(game, tuple(ordered[i] for i in members), fixtures)


def make_match(
    config: LeagueConfig, group: Group, repetitions: Iterable[int], series: str = ""
) -> Unit:
    """Plan some fixtures of a group: a repetition is the same for good.

    Those of another `series` have luck of their own.
    """
    game = group.game
    changed = {name: game.spec.options[name] for name in game.game.changed_options}
    rules = _canonical(game.spec.name, game.spec.players, changed)
    ids = [entry.id for entry in group.entries]
    match = derive_seed("match", config.seed, rules, *ids)
    match_id = match.hex()[:16]
    limits = config.limits
    terms = _canonical(
        game.label,
        game.game.rules_version,
        [limits.start, limits.move, limits.bank, limits.margin],
        [limits.memory, limits.output],
        game.max_decisions,
        [[e.code, e.bot, e.params, bool(e.refused)] for e in group.entries],
        *_changed_terms(config),
    )
    size = len(group.entries)
    games = []
    for repetition in repetitions:
        fixture = derive_seed(match, *([series] if series else []), repetition)
        fixture_id = fixture.hex()[:16]
        order = _around_the_table(fixture, size)
        for rotation in range(size):
            seats = (*order[rotation:], *order[:rotation])
            # Whoever is left has the last seat.
            game_id = derive_seed("game", fixture, *seats[:-1], terms).hex()[:20]
            games.append(GameTask(game_id, fixture_id, match_id, fixture, seats))
    return Unit(
        label=game.label,
        game=game.spec,
        entries=tuple(
            EntrySpec(
                id=entry.id,
                path=str(entry.path),
                bot=entry.bot,
                params=entry.params,
                files=tuple(map(str, entry.files)),
                code=entry.code,
                looks_back=entry.looks_back,
                refused=entry.refused,
            )
            for entry in group.entries
        ),
        games=tuple(games),
        limits=limits,
        max_decisions=game.max_decisions,
        in_flight=config.in_flight,
        restart=config.restart,
        patience=config.quarantine,
    )


def _changed_terms(config: LeagueConfig) -> Iterator[str]:
    """Yield the terms that are not the defaults: a further one makes no game stale."""
    if config.restart is not Restart.MATCH:
        yield f"restart: {config.restart}"
    if not config.limits.ponder:
        yield "no pondering"


def _around_the_table(fixture: bytes, size: int) -> tuple[int, ...]:
    """Return an order of the entries; it matters who plays after whom."""
    others = range(1, size)
    return (0, *sorted(others, key=lambda entry: derive_seed("order", fixture, entry)))


def _canonical(*parts: object) -> str:
    return json.dumps(parts, sort_keys=True, default=str)
