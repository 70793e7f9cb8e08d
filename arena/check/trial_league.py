"""The small league in which a bot is tried: its terms, partners and results."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from arena.check.trial import FIXTURES, RANDOM, Trial, sensible
from arena.errors import LeagueError, RecordError
from arena.games import GameSpecError, game_paths
from arena.league.built_in.bots import RANDOM_BOT, sensible_partner
from arena.league.config.keys import Keys
from arena.league.config.league_file import (
    LeagueConfig,
    LeagueGame,
    make_config,
    make_game,
)
from arena.league.config.settings import (
    BotSettings,
    GameSettings,
    LeagueSettings,
)
from arena.league.entries.entry import Entry
from arena.league.results.database import locked
from arena.league.results.store import FILE_NAME, Store
from arena.records.batch import to_batches

_NAME_PREFIX = "check: "
"""Of the names of such leagues; the name in a league's file can't begin so."""


def trial_config(stem: str, seed: int, league: LeagueConfig | None) -> LeagueConfig:
    """Return the terms of a trial: those of a league, or else the defaults.

    By default all known games are played, with their default options and as few players
    as possible.
    """
    if league is not None:
        return replace(
            league,
            name=f"{_NAME_PREFIX}{stem}",
            seed=seed,
            anchor=None,
            grading=None,
            pseudonyms=False,
            luck_adjustment=False,
        )
    settings = LeagueSettings(
        name="trial", seed=seed, games=[*_by_default()], luck_adjustment=False
    )
    return replace(make_config(Path(), settings), name=f"{_NAME_PREFIX}{stem}", bots=())


def _by_default() -> Iterator[GameSettings]:
    for name in game_paths():
        try:
            players = make_game(name, None, {}).players
        except GameSpecError:
            continue  # The package that brings it is broken; other games are not.
        yield GameSettings(game=name, players=players, fixtures=FIXTURES)


def partners(
    games: Sequence[LeagueGame], folder: Path, tried: str = ""
) -> Iterator[BotSettings]:
    """Yield the partners of a trial: of each kind enough for the largest table.

    They are copied to `folder`: the bot that is tried may be one of them, and a bot's
    process finds nothing that lies beside a bot's file, and beside some lies the game.
    No copy is called like the file that is tried.

    Raises:
        LeagueError: they can't be copied.
    """
    seats: dict[str, int] = {}
    for game in games:
        name = game.spec.name
        seats[name] = max(seats.get(name, 0), game.spec.players)
    file, text = _file(folder, "random_partner", tried), RANDOM_BOT.read_text("utf-8")
    yield from _partners(RANDOM, file, text, max(seats.values()))
    for name, players in seats.items():
        found = sensible_partner(name)
        if found is not None:
            file = _file(folder, f"sensible_{name}", tried)
            yield from _partners(sensible(name), file, found, players)


def _file(folder: Path, stem: str, tried: str) -> Path:
    return folder / (f"{stem}_.py" if stem == tried else f"{stem}.py")


def _partners(name: str, file: Path, text: str, players: int) -> Iterator[BotSettings]:
    try:
        file.write_text(text, "utf-8", newline="")
    except OSError as error:
        raise LeagueError(
            f"{file}: a partner can't be copied there ({error.strerror})"
        ) from None
    for number in range(1, players):
        called = name + f" {number}" * (number > 1)
        yield BotSettings(file=str(file), name=called)


def record_trials(
    folder: Path,
    config: LeagueConfig,
    isolation: str,
    entries: Sequence[Entry],
    trials: Sequence[Trial],
) -> None:
    """Record the games of trials as a league, and remove those of an earlier trial.

    Raises:
        BusyError: another process writes there.
        RecordError: the folder holds something else, or can't be written.
    """
    labels = [label for trial in trials for label in trial.labels]
    records = [record for label in labels for record in label.records]
    prints = dict(pair for label in labels for pair in label.prints.items())
    _clear(folder)
    with Store.open(folder) as store:
        infos = tuple(game.info for game in config.games)
        told = tuple(entry.info(infos) for entry in entries)
        info = config.info(isolation, told, Keys.of_seed(config.seed or 0))
        store.begin(info, (record.game_id for record in records))
        batches = [*to_batches(records, prints)]
        store.add(batches)
        # What was printed is not worth a trial.
        with suppress(RecordError):
            store.prints.add(batches)


def _clear(folder: Path) -> None:
    path = folder / FILE_NAME
    if not path.exists():
        return
    try:
        with Store.read(folder) as store:
            is_ours = store.info().name.startswith(_NAME_PREFIX)
    except RecordError:
        is_ours = False
    if not is_ours:
        raise RecordError(
            f"{folder}: holds something else than a trial; choose another place with "
            "--results"
        )
    with locked(folder):
        for file in folder.glob(f"{FILE_NAME}*"):
            file.unlink()
