"""Leagues made by hand, for the tests of the reports."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec.structs import replace

from arena.games import TERMINAL, Table, get_game
from arena.league.config.info import EntryInfo, LabelInfo, LeagueInfo
from arena.league.results.luck_table import LabelValue
from arena.league.results.store import Store
from arena.ratings import Result
from arena.records.batch import to_batches
from arena.records.decision_times import DecisionTimes
from arena.records.game_record import Fault, GameRecord
from arena.referee.verdict import result
from arena.referee.work_unit import Limits
from arena.reports.report import Report, read_report


def entry(name: str, *labels: str, file: str = "", refused: str = "") -> EntryInfo:
    """Return an entry whose id is not its name."""
    file = file or f"bots/{name.lower()}.py"
    return EntryInfo(f"{file}:{name}", name, file, labels, refused)


def bot(name: str, *labels: str, **parts: str) -> EntryInfo:
    """Return the sole bot of a file that is called as it is."""
    made = entry(name, *labels, file=f"{name.lower()}.py")
    own = {"id": f"{name.lower()}:{name}", "bot": name} | parts
    stem = own["id"].rpartition(":")[0]
    own = {"stem": stem, "place": f"bots/{stem}"} | own
    return replace(made, **own)  # type: ignore[arg-type]


def label_info(label: str, *house_rules: str, **changed: object) -> LabelInfo:
    """Return a label of a game with these options and one that is at its default."""
    return LabelInfo(
        label=label,
        game=label.split("_")[0],
        title=label.split("_")[0].title(),
        players=2,
        options={"rounds": 3, **changed},
        changed=tuple(changed),
        house_rules=house_rules,
        weight=1.0,
    )


def label_of(label: str, game: str, players: int, **options: Any) -> LabelInfo:
    rules = get_game(game, players, options)
    return LabelInfo(
        label=label,
        game=game,
        title=rules.title,
        players=players,
        options=rules.options_dict,
        changed=rules.changed_options,
        house_rules=(),
        weight=1.0,
    )


def league(
    entries: Iterable[EntryInfo],
    labels: Sequence[str | LabelInfo] = ("dice",),
    anchor: tuple[str, float] | None = None,
    rejected: tuple[tuple[str, str], ...] = (),
    exploring: tuple[int, int] | None = None,
) -> LeagueInfo:
    """Return a league of two-player games."""
    return LeagueInfo(
        name="Classroom",
        seed=7,
        isolation="process",
        limits=Limits(move=0.5),
        anchor=anchor,
        labels=tuple(
            label if isinstance(label, LabelInfo) else label_info(label)
            for label in labels
        ),
        entries=tuple(entries),
        rejected=rejected,
        exploring=exploring,
    )


def game(
    number: int,
    seats: Sequence[EntryInfo],
    places: Sequence[int],
    label: str = "dice",
    faults: tuple[Fault, ...] = (),
) -> GameRecord:
    """Return a game; two with successive numbers, 2k and 2k + 1, are a fixture."""
    first = places.count(1)
    return GameRecord(
        game_id=f"g{number:03}",
        fixture_id=f"f{number // 2:03}",
        match_id="m",
        label=label,
        seats=tuple(who.id for who in seats),
        returns=tuple(1 / first if place == 1 else 0.0 for place in places),
        places=tuple(places),
        scores=tuple(float(10 - place) for place in places),
        termination=faults[0].termination if faults else "natural",
        forfeits=tuple(
            seat in {fault.seat for fault in faults} for seat in range(len(seats))
        ),
        decisions=4,
        seconds=tuple(0.125 for _ in seats),
        history=("roll", "1B", "stop"),
        faults=faults,
        times=tuple(DecisionTimes(0.25, ((135, 2),)) for _ in seats),
        isolation="limits",
    )


def fault(seat: int, who: EntryInfo, reason: str = "timeout", **parts: object) -> Fault:
    message = parts.pop("message", "decided after 9.00 s")
    return Fault(seat, who.id, 3, reason, message, **parts)  # type: ignore[arg-type]


def finished(
    table: Table,
    label: str,
    seats: Sequence[str],
    choose: Callable[[Table], str],
    *,
    forfeit: Callable[[Table, int], Fault | None] = lambda table, seat: None,
    faults: tuple[Fault, ...] = (),
    stop: int = 1000,
    **ids: str,
) -> GameRecord:
    """Play a game to its end, or so many decisions, and return its record.

    Before each decision `forfeit` may return the fault of the seat; then the default is
    played for it, or of two the other has won.
    """
    game = table.game
    while not (faults and game.players == 2):
        seat = table.advance()
        if seat == TERMINAL or table.decisions >= stop:
            break
        if not faults and (found := forfeit(table, seat)) is not None:
            faults = (found,)
        elif faults and seat == faults[0].seat:
            table.act(game.default_action(table.state))
        else:
            table.act(choose(table))
    gone = {fault.seat for fault in faults}
    termination = "natural" if table.is_over() else "adjudicated"
    places, returns = result(game, table.state, gone, termination)
    return GameRecord(
        **({"fixture_id": "f", "match_id": "m"} | ids),
        label=label,
        seats=tuple(seats),
        returns=tuple(returns),
        places=tuple(places),
        scores=tuple(table.state.scores()),
        termination=faults[0].termination if faults else termination,
        forfeits=tuple(seat in gone for seat in range(game.players)),
        decisions=table.decisions,
        seconds=(0.25,) * game.players,
        history=tuple(table.history),
        faults=faults,
        times=(DecisionTimes(0.25, ((135, 2),)),) * game.players,
        isolation="limits",
    )


def value_of(label: str, reason: str = "") -> LabelValue:
    """Return the value of a label, or why it has none."""
    if reason:
        return LabelValue(label=label, reason=reason)
    return LabelValue(label=label, game="dice", version="3", digest="0123456789abcdef")


def fill(
    folder: Path,
    info: LeagueInfo,
    records: Iterable[GameRecord],
    luck: Mapping[str, tuple[float, ...]] | None = None,
    values: Sequence[LabelValue] = (),
) -> None:
    """Write a league whose plan is the games' order by id.

    `luck` has that of games by their id.
    """
    records = list(records)
    ids = {value.label: value.id for value in values}
    with Store.open(folder) as store:
        store.begin(info, sorted(record.game_id for record in records))
        store.add(to_batches(records))
        for record in records:
            if luck and record.game_id in luck:
                pairs = luck[record.game_id]
                store.luck_table.add(ids[record.label], [(record.game_id, pairs)])
        store.luck_table.set_values(values)


def records_of(
    results: Iterable[Result], entries: Mapping[str, EntryInfo]
) -> tuple[list[GameRecord], dict[str, tuple[float, ...]]]:
    """Return results as games of entries by their names, and the luck of each by id."""
    records: list[GameRecord] = []
    luck = {}
    for played in results:
        seats = [entries[name] for name in played.seats]
        record = replace(
            game(len(records), seats, played.places, played.label),
            fixture_id=played.fixture,
            forfeits=played.forfeits,
        )
        records.append(record)
        if played.luck is not None:
            luck[record.game_id] = played.luck
    return records, luck


def report_of(
    info: LeagueInfo,
    records: Iterable[GameRecord] = (),
    luck: Mapping[str, tuple[float, ...]] | None = None,
    values: Sequence[LabelValue] = (),
) -> Report:
    """Return the report of a league; of its folder nothing stays."""
    with TemporaryDirectory() as parent:
        folder = Path(parent, "classroom")
        fill(folder, info, records, luck, values)
        with Store.read(folder) as store:
            return read_report(store)
