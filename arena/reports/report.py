"""From the games of a results folder to standings with display names."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from dataclasses import replace as changed
from itertools import pairwise
from math import inf, isfinite
from typing import Any

import numpy as np
from msgspec.structs import replace

from arena.league.config.info import EntryInfo, LabelInfo, LeagueInfo
from arena.league.config.settings import Overall, Watch
from arena.league.results.luck_table import LabelValue
from arena.league.results.past_runs import (
    PastPlace,
    PastRun,
    PastStanding,
    bound,
    version_mark,
)
from arena.league.results.store import Store
from arena.ratings import (
    Crosstable,
    Fit,
    LabelFits,
    LabelStanding,
    Row,
    Standing,
    Standings,
    build_pools,
    crosstables,
    standings,
)
from arena.ratings.claims import Strengths
from arena.ratings.labels import label_strengths
from arena.ratings.match_ups.intransitivity import (
    Intransitivity,
    intransitivity,
)
from arena.ratings.overall import field_of
from arena.reports.anonymity import hide_entries
from arena.reports.forfeits import Forfeit
from arena.reports.in_common import in_common
from arena.reports.oddities import (
    Oddities,
    find_oddities,
    forfeits_to_one,
    owners_of,
)
from arena.reports.results_pass import GamesSoFar, ResultsPass, isolation_of
from arena.reports.times import TimesRow
from arena.reports.watched import watch_in_force


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedRow(Row):
    """One bot's row of a leaderboard, its numbers as they are printed."""

    rank: int | None
    """None without games; overall also of a bot that does not play all of them."""
    bot: str
    file: str
    is_anchor: bool
    """True if it holds the anchor's Elo in this table."""
    is_reference: bool
    """True if everybody meets it, in a gauntlet or with divisions."""
    division: int
    """From 1; 0 where there are none, and for the references."""
    can_be_told: bool
    """False if no number of games like these would tell it apart from the next."""
    versions: int
    """Number of its versions that the league was ever run with; 0 if that is not known
    or not told: under aliases, and in a label beside others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelRow(RankedRow):
    """One bot's row of the leaderboard of a label."""

    pool: int
    """Number of the group of bots that games link, from 0: as in `Board.pools`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRow(RankedRow):
    """One bot's row of the overall leaderboard."""

    missing: tuple[str, ...]
    """Labels that count and that it has no games in."""

    per_game: dict[str, LabelRow]
    """By label, in the league's order; a label without games is left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """The leaderboard of one label, with its fits, crosstable and luck."""

    label: LabelInfo
    pools: tuple[tuple[LabelRow, ...], ...]
    """The bots that have games there, in the groups that games link: by rank, then by
    name.  What they say can't be compared across groups."""
    value: LabelValue | None
    """The luck values of its games; None if luck was not worked out."""
    no_luck: str
    """Why no luck is taken from the scores, as the end of a sentence; empty if some
    is, or there is no game."""
    fits: LabelFits | None
    """None without games, as are the next two."""
    shape: Intransitivity | None
    """The test whether Elo explains who beats whom, and cycles that it does not."""
    crosstable: Crosstable | None
    """In the order of the overall rows."""

    @property
    def rows(self) -> tuple[LabelRow, ...]:
        """The rows of all groups."""
        return tuple(row for pool in self.pools for row in pool)

    @property
    def certain(self) -> Fit | None:
        """The fit of the games that were planned whatever came of others."""
        return None if self.fits is None else self.fits.certain

    @property
    def is_adaptive(self) -> bool:
        """True if some of its games were planned because of others."""
        return self.fits is not None and self.fits.confirmed is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The standings of a league; every bot goes by its display name."""

    league: str
    commitment: str
    """SHA-256 of the secret luck key; empty if the luck is public."""
    earlier: tuple[str, ...]
    """The commitments to luck keys that were given up by `--fresh`."""
    isolation: str
    """The level of all games; if they differ, all levels from the weakest, each with
    its number of games."""
    anchor: tuple[str, float] | None
    takes_luck: bool
    """False if Elo, ranks and marks are to rest on results alone."""
    ranks_any: bool
    """True if overall all bots are ranked, and a game that a bot misses is lost."""
    rows: tuple[ReportRow, ...]
    """Those with a rank by it, then the others by name."""
    overall: Strengths | None
    """The overall Elo of those with a rank, not rounded, and what is known of their
    differences; None if nobody has one."""
    shares: tuple[float, ...]
    """Of each of these in the field; empty where one label alone counts."""
    boards: tuple[Board, ...]
    """Of each label, in the league's order."""
    weights: dict[str, float]
    """In the overall Elo, of each label with games; 0 where games do not link all its
    bots, or these are of one owner and others are not."""
    house_rules: tuple[str, ...]
    """Each after the labels where it is in force."""
    crosstable: Crosstable
    """Of all games; in the order of the rows."""
    forfeits: tuple[Forfeit, ...]
    """In the order of the league's plan; under aliases, of the ids of the games."""
    times: tuple[TimesRow, ...]
    """Of each bot in the order of the rows, over all its games and by label."""
    refused: tuple[EntryInfo, ...]
    """Entries whose file could not be read, by name."""
    rejected: tuple[tuple[str, str], ...]
    """Files that take no part, and why."""
    planned: int
    played: int
    """Games of those that are planned."""
    oddities: Oddities
    """Results that honest play hardly explains; none under aliases, for nobody but the
    instructor should see them."""
    folder: str
    """What the results folder is called in commands, from the folder of all results."""
    names: Mapping[str, str]
    """The name that each entry has here, by its id; for the organiser also of some that
    the league no longer has."""
    is_anonymous: bool
    """True if these are aliases; then nothing here tells whose they are."""
    run: PastRun | None
    """This run, as it is kept for those after it; None under aliases."""
    past: tuple[PastRun, ...]
    """The runs before this one that came to something else, oldest first; none under
    aliases: who knows when a friend has changed his bot would know the friend's
    alias."""
    watch: Watch
    """Which games the pages let be watched; all of them only where all may see how bots
    play."""
    is_private: bool = False
    """True if it is for the instructor alone; then it may show what bots have
    printed."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, in the league's order."""
        return tuple(board.label.label for board in self.boards)

    @property
    def has_overall(self) -> bool:
        """False if the games of several labels rank nobody overall."""
        return len(self.boards) == 1 or self.overall is not None or not self.played

    @property
    def has_divisions(self) -> bool:
        """True if bots meet only those of their own division, and the references."""
        return any(row.division for row in self.rows)

    @property
    def columns(self) -> tuple[str, ...]:
        """The labels whose Elo stands beside the overall one, as a sole one's would
        only repeat it."""
        return self.labels if len(self.boards) > 1 else ()


def read_report(
    store: Store,
    names: Mapping[str, str] | None = None,
    *,
    called: Mapping[str, str] | None = None,
    so_far: GamesSoFar | None = None,
) -> Report:
    """Rate all games that count and return the standings.

    The order in which the games were recorded makes no difference.  With `names`, the
    aliases by entry id of `aliases_for`, the report says nothing that could tell who is
    behind them.  With `called`, the names of `organiser_names`, it is for the organiser
    alone.  With `so_far` it is that of a league that is played, without luck: each
    game is read once.

    Raises:
        RecordError: the file is damaged, holds no league, or has a game with an
            entry or label that the league does not have.
    """
    info = store.info()
    # Who is one of two is no matter of what they are called.
    shared = in_common(info.entries)
    plain = {entry.id: entry.name for entry in info.entries}
    if called:
        entries = (replace(x, name=called.get(x.id, x.name)) for x in info.entries)
        info = replace(info, entries=tuple(entries))
    if names is not None:
        hidden = hide_entries(info.entries, names)
        info = replace(info, entries=hidden, rejected=(), rejected_at=())
    if so_far is None:
        games = ResultsPass(info, is_anonymous=names is not None)
        pools = build_pools(games.results(store, store.records_with_luck()))
    else:
        games, pools = so_far.read(store, info, is_anonymous=names is not None)
    # A game that nobody has played says nothing about anybody's overall strength.
    rated = [label for label in info.labels if label.label in pools]
    anchor = _anchor(info)
    winner_only = [label.label for label in rated if label.placing == "winner"]
    owners = {entry.name: (*map(str, shared[entry.id]),) for entry in info.entries}
    table = standings(
        pools,
        [label.label for label in rated],
        {label.label: label.weight for label in rated},
        anchor,
        [entry.name for entry in info.entries],
        winner_only,
        owners=owners,
        results_alone=not info.takes_luck,
        ranks_any=info.overall == Overall.ANY,
    )
    by_name = {entry.name: entry for entry in info.entries}
    # Who knows how often a friend has tried would know the friend's alias.
    versions = {} if names is not None else store.count_versions()
    hopeless = {*_hopeless(table)}
    held = {*_held(table)}
    rows = tuple(
        _row(row, entry, held, info, versions.get(entry.id, 0), hopeless)
        for row in table.rows
        for entry in [by_name[row.entry]]
    )
    order = [row.bot for row in rows]
    scored = {found.label: found.scored for found in table.fits}
    everything, *by_label = crosstables(scored, table.labels, order)
    names_of = {entry.id: entry.name for entry in info.entries}
    oddities = Oddities()
    if names is None:
        theirs = {entry.name: owners_of(entry) for entry in info.entries}
        tables = zip(table.labels, by_label, strict=True)
        to_one = forfeits_to_one(games.forfeits(), tables)
        oddities = find_oddities(store, table, winner_only, theirs, names_of, to_one)
    run: PastRun | None = None
    past: tuple[PastRun, ...] = ()
    if names is None:
        run = _run(rows, info, plain, store.entered_versions(), games.levels.total())
        past = _before(run, store.runs.kept())
    values = {value.label: value for value in store.luck_table.values()}
    parts = dict(zip(table.labels, zip(table.fits, by_label, strict=True), strict=True))
    return Report(
        league=info.name,
        commitment=info.commitment,
        earlier=info.earlier,
        isolation=isolation_of(games.levels) or info.isolation,
        anchor=anchor,
        takes_luck=info.takes_luck,
        ranks_any=info.overall == Overall.ANY,
        rows=rows,
        overall=_as_printed(table),
        shares=_shares(table, owners),
        boards=tuple(
            _board(
                label,
                rows,
                values.get(label.label),
                *parts.get(label.label, (None, None)),
                takes_luck=info.takes_luck,
            )
            for label in info.labels
        ),
        weights=dict(zip(table.labels, table.weights, strict=True)),
        house_rules=tuple(info.house_rules()),
        crosstable=everything,
        forfeits=games.forfeits(),
        times=tuple(
            games.times.rows(
                [by_name[name] for name in order],
                [label.label for label in info.labels],
                info.limits.move,
            )
        ),
        refused=_refused(info.entries, is_anonymous=names is not None),
        rejected=tuple(sorted(info.rejected)),
        planned=store.planned(),
        played=games.levels.total(),
        oddities=oddities,
        folder=f"results/{store.path.absolute().parent.name}",
        names={**(called or {}), **names_of},
        is_anonymous=names is not None,
        run=run,
        past=past,
        watch=watch_in_force(info.watch, is_anonymous=names is not None),
    )


def _run(
    rows: Iterable[ReportRow],
    info: LeagueInfo,
    names: Mapping[str, str],
    versions: Mapping[str, str],
    games: int,
) -> PastRun:
    """Return what the league has come to, as it is kept.

    `names` are those for all eyes, as they may be shown to a later class; these and
    the `versions` are by id.
    """
    by_name = {row.bot: row for row in rows}
    sizes: Counter[tuple[str, int]] = Counter()
    for row in by_name.values():
        sizes["", 0] += row.rank is not None
        for label, part in row.per_game.items():
            sizes[label, part.pool] += 1

    def place(row: RankedRow, players: int) -> PastPlace | None:
        if row.rank is None or row.elo is None:
            return None
        return PastPlace(
            row.elo,
            None if row.open_below else bound(row.elo_low),
            None if row.open_above else bound(row.elo_high),
            row.rank,
            players,
            row.rank_low,
            row.rank_high,
        )

    standings = []
    for entry in sorted(info.entries, key=lambda entry: entry.id):
        row = by_name[entry.name]
        labels = {
            label: found
            for label, part in row.per_game.items()
            if (found := place(part, sizes[label, part.pool])) is not None
        }
        version = versions.get(entry.id)
        standings.append(
            PastStanding(
                entry.id,
                names[entry.id],
                "" if version is None else version_mark(version),
                place(row, sizes["", 0]),
                labels,
                row.games,
                row.forfeits,
            )
        )
    luck = info.commitment or f"seed {info.seed}"
    return PastRun(tuple(standings), games, luck, info.anchor)


def _before(run: PastRun, kept: tuple[PastRun, ...]) -> tuple[PastRun, ...]:
    """Return the runs before one that may be kept already, under any names."""
    is_kept = [_nameless(x) for x in kept[-1:]] == [_nameless(run)]
    return kept[:-1] if is_kept else kept


def _nameless(run: PastRun) -> PastRun:
    standings = tuple(replace(standing, name="") for standing in run.standings)
    return replace(run, standings=standings)


def _refused(
    entries: Iterable[EntryInfo], *, is_anonymous: bool
) -> tuple[EntryInfo, ...]:
    found = sorted((entry for entry in entries if entry.refused), key=lambda e: e.name)
    if is_anonymous:
        # An id has the file's name in it.
        found = [replace(entry, id=entry.name) for entry in found]
    return tuple(found)


def _row(
    row: Standing,
    entry: EntryInfo,
    held: Collection[tuple[str, str]],
    info: LeagueInfo,
    versions: int,
    hopeless: Collection[tuple[str, str]],
) -> ReportRow:
    """Return the row of an entry.

    `held` has where the anchor holds its Elo, `hopeless` of whom no games tell more.
    """

    def who(part: Standing | LabelStanding, versions: int) -> dict[str, Any]:
        label = part.label if isinstance(part, LabelStanding) else ""
        return {
            "can_be_told": (label, entry.name) not in hopeless,
            "rank": part.rank,
            "bot": entry.name,
            "file": entry.file,
            "is_anchor": (label, entry.name) in held,
            "is_reference": entry.id in info.references,
            "division": entry.division,
            "versions": versions,
            **_printed(part),
        }

    in_label = versions if len(info.labels) == 1 else 0
    return ReportRow(
        per_game={
            part.label: LabelRow(pool=part.pool, **who(part, in_label))
            for part in row.labels
            if part.rank is not None
        },
        missing=row.missing,
        **who(row, versions),
    )


def _board(
    label: LabelInfo,
    rows: Iterable[ReportRow],
    value: LabelValue | None,
    fits: LabelFits | None,
    crosstable: Crosstable | None,
    *,
    takes_luck: bool,
) -> Board:
    pools: dict[int, list[LabelRow]] = {}
    for row in rows:
        part = row.per_game.get(label.label)
        if part is not None:
            pools.setdefault(part.pool, []).append(part)
    shape = None
    if fits is not None:
        shape = intransitivity(
            fits.scored,
            fits.certain,
            winner_only=label.placing == "winner",
        )
    return Board(
        label=label,
        pools=tuple(
            tuple(sorted(pool, key=lambda row: (row.rank or inf, row.bot)))
            for _, pool in sorted(pools.items())
        ),
        value=value,
        no_luck=_no_luck(label, value, fits, takes_luck=takes_luck),
        fits=fits,
        shape=shape,
        crosstable=crosstable,
    )


def _no_luck(
    label: LabelInfo,
    value: LabelValue | None,
    fits: LabelFits | None,
    *,
    takes_luck: bool,
) -> str:
    if fits is None or fits.taken is not None:
        return ""
    if value is None:
        return "luck has not been worked out"
    if value.reason:
        return value.reason
    if not takes_luck:
        return "the league's file says so (by: results)"
    if label.placing == "winner" and label.players > 2:
        return "only who wins counts there"
    return "the luck of some games is not known"


def _held(table: Standings) -> Iterator[tuple[str, str]]:
    """Yield the label, or nothing for overall, and the name of an anchor that holds."""
    if table.anchor is None:
        return
    name, _ = table.anchor
    labels = [x.label for x in table.fits if x.fit.anchored]
    yield from ((label, name) for label in labels)
    weights = dict(zip(table.labels, table.weights, strict=True))
    ranked = () if table.overall is None else table.overall.entries
    if name in ranked and any(weights[label] for label in labels):
        yield "", name


def _hopeless(table: Standings) -> Iterator[tuple[str, str]]:
    """Yield the label, or nothing for overall, and the name of who can't be told apart.

    Those are the entries whose difference to the next lower one has no known error.
    """
    parts = [("", table.overall)] if table.overall is not None else []
    parts += [(x.label, own) for x in table.fits for own in label_strengths(x)]
    for label, own in parts:
        df = np.broadcast_to(own.df, own.variance.shape)
        order = sorted(range(len(own.entries)), key=lambda i: -own.elo[i])
        for i, lower in pairwise(order):
            if not isfinite(own.variance[i, lower]) or df[i, lower] < 1.0:
                yield label, own.entries[i]


def _as_printed(table: Standings) -> Strengths | None:
    """Return the overall strengths, with the zero of the rows."""
    if table.overall is None:
        return None
    elo = {row.entry: row.elo for row in table.rows}
    names = table.overall.entries
    return changed(table.overall, elo=np.array([elo[name] for name in names]))


def _shares(
    table: Standings, owners: Mapping[str, Collection[str]]
) -> tuple[float, ...]:
    """Return the share of each ranked entry in the field, where labels are mixed."""
    if table.overall is None or sum(weight > 0.0 for weight in table.weights) < 2:
        return ()
    return (*field_of(table.overall.entries, owners).shares.tolist(),)


def _printed(row: Row) -> dict[str, Any]:
    """Return the numbers of a row: Elo to 0.1, the score to 4 places."""
    numbers = {field.name: getattr(row, field.name) for field in fields(Row)}
    for name, number in numbers.items():
        if isinstance(number, float):
            numbers[name] = rounded(number, 4 if name == "score" else 1)
    return numbers


def rounded(number: float, places: int) -> float:
    """Return a number to so many places, and zero without a sign."""
    return round(number, places) + 0.0


def _anchor(info: LeagueInfo) -> tuple[str, float] | None:
    if info.anchor is None:
        return None
    id_, elo = info.anchor
    names = {entry.id: entry.name for entry in info.entries}
    return names.get(id_, id_), elo
