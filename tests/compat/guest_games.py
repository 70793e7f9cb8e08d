"""Plays guests in tests: by a referee, and in the tests' own process."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent
from types import ModuleType, SimpleNamespace
from typing import Any

import trio
from hand_ins import files_with, spec_of
from own_process import own_process_kept
from sandboxes import best_level, sandbox_of

from arena.bot import Bot
from arena.games import TERMINAL, Event, Game, derive_seed, game_paths, get_game
from arena.records.game_record import GameRecord
from arena.referee.ask_bot import ask_for_bots
from arena.referee.contestant.misconduct import Misconduct
from arena.referee.unit_player import UnitPlayer
from arena.referee.work_unit import EntrySpec, GameTask, Limits, WorkUnit
from arena.worker.compat import GUESTS
from arena.worker.file_loader import FileLoader
from arena.worker.protocol import BotInfo, GameSpec

BOTS = Path(__file__).parent / "bots"
GENEROUS = Limits(start=60.0, move=20.0, bank=20.0)
"""For games in which a fault of the clock would be a fault of the machine."""
_TIMEOUT_S = 120.0
"""Seconds after which games that do not end have failed their test."""


def entry(path: Path, bot: str) -> EntrySpec:
    """Return an entry for a bot of a file, with both in its id."""
    return spec_of(f"{path.name}:{bot}", path, bot)


def write(folder: Path, name: str, text: str) -> EntrySpec:
    """Write a file with one bot, and return its entry."""
    path = folder / f"{name.lower()}.py"
    path.write_text(dedent(text))
    return entry(path, name)


def unit(
    entries: Sequence[EntrySpec],
    tables: Sequence[tuple[int, int]],
    *,
    fixtures: int = 1,
    in_flight: int = 64,
    limits: Limits = GENEROUS,
    options: Mapping[str, Any] | None = None,
) -> WorkUnit:
    """Return games of two: each of `tables`, in both orders, by its entries' numbers.

    A fixture's number is all that its luck depends on, so all tables share it.
    """
    seatings = [seats for table in tables for seats in (table, table[::-1])]
    return WorkUnit(
        label="label",
        game=GameSpec(
            "zombie_dice", game_paths()["zombie_dice"], 2, dict(options or {})
        ),
        entries=tuple(entries),
        games=tuple(
            GameTask(
                game_id=f"game {fixture} {number}",
                fixture_id=f"fixture {fixture}",
                match_id="match",
                seed=derive_seed("guests", fixture),
                seats=seats,
            )
            for fixture in range(fixtures)
            for number, seats in enumerate(seatings)
        ),
        limits=limits,
        max_decisions=2000,
        in_flight=in_flight,
    )


def play(games: WorkUnit, level: str = "") -> list[GameRecord]:
    """Play a unit, at the strongest level unless another is named.

    Returns its records in its order.
    """
    records: dict[str, GameRecord] = {}
    level = level or best_level()
    folders = [entry.folder for entry in games.entries if entry.folder]

    def deliver(record: GameRecord) -> None:
        records[record.game_id] = record

    async def run() -> None:
        with trio.fail_after(_TIMEOUT_S), sandbox_of(level, folders) as sandbox:
            await UnitPlayer(games, sandbox, deliver).play()

    trio.run(run)
    return [records[task.game_id] for task in games.games]


def ask(
    paths: Sequence[Path], level: str = ""
) -> list[tuple[BotInfo, ...] | Misconduct]:
    """Return the bots of each file, as a contestant's process reports them."""
    heard: list[tuple[BotInfo, ...] | Misconduct] = []
    level = level or best_level()

    async def run() -> None:
        folders = [str(path) for path in paths if path.is_dir()]
        with trio.fail_after(_TIMEOUT_S), sandbox_of(level, folders) as sandbox:
            for path in paths:
                said = await ask_for_bots(
                    entry(path, ""), ("zombie_dice",), GENEROUS, sandbox
                )
                heard.append(said)

    trio.run(run)
    return heard


@contextmanager
def here(path: Path) -> Iterator[FileLoader]:
    """Let this process read a file as a contestant's does, and forget it then."""
    modules = set(sys.modules)
    sources = [(str(file), file.read_bytes()) for file in files_with(path)]
    known = ("arena", "greenlet", "msgspec")
    try:
        with own_process_kept():
            yield FileLoader(path, sources, known, dict(GUESTS))
    finally:
        for name in [n for n in sys.modules if n.partition(".")[0] in GUESTS]:
            del sys.modules[name]
        for name in set(sys.modules) - modules:
            if _lies_in(path.parent, sys.modules[name]):
                del sys.modules[name]
        sys.path_importer_cache.pop(str(path.parent), None)


def _lies_in(folder: Path, module: ModuleType) -> bool:
    return str(getattr(module, "__file__", None) or "").startswith(str(folder))


def seated(cls: type[Bot], game: Game, seat: int) -> Any:
    """Return an instance that has been told of the start of a game."""
    bot: Any = cls.__new__(cls)
    bot._arena_seed = seat
    bot.__init__()
    bot.start(SimpleNamespace(seat=seat, game=game, events=()))
    return bot


class Told:
    """A guest that is told of a game move by move, as in a contestant's process."""

    def __init__(self, bot: Any, seat: int, game: Game) -> None:
        self.bot = bot
        self.state: Any = game.new_state()
        self._seat = seat
        self._unseen: list[Event] = []
        self.history: list[str] = []

    def happens(self, *texts: str) -> None:
        """Let dice fall and others act."""
        for text in texts:
            player = self.state.current_player()
            assert player not in (self._seat, TERMINAL)
            self._apply(text, player)

    def decides(self) -> str:
        """Ask it, and do what it says."""
        assert self.state.current_player() == self._seat
        text: str = self.bot.zombie_dice(SimpleNamespace(events=self._unseen))
        self._unseen = []
        self._apply(text, self._seat)
        return text

    def ends(self) -> None:
        """Tell it that the game is over."""
        self.bot.end(SimpleNamespace(events=self._unseen))

    @property
    def log(self) -> list[Any]:
        """Notes of the guest, with rounds for states."""
        return [x["ROUND"] if type(x) is dict else x for x in self.bot.zombie.log]

    def _apply(self, text: str, player: int) -> None:
        self.state.apply(text)
        self.history.append(text)
        self._unseen.append(Event(player, text))


def told(
    folder: Path,
    text: str,
    seat: int = 0,
    players: int = 2,
    options: Mapping[str, Any] | None = None,
) -> Told:
    """Return the one bot of a text, at the start of a game."""
    path = folder / "keeper.py"
    path.write_text(dedent(text))
    game = get_game("zombie_dice", players, dict(options or {}))
    with here(path) as source:
        (cls,) = source.load().bots.values()
        return Told(seated(cls, game, seat), seat, game)
