"""`arena play`"""

import secrets
import shutil
from collections.abc import Sequence

import click

from arena.cli import EXIT_INTERRUPTED
from arena.cli._arguments import option_option, parse_game
from arena.cli.views.events import print_note
from arena.cli.views.human import Person, play_with_person
from arena.errors import ConfigError
from arena.games import Game, Replay, derive_seed, game_paths
from arena.league.entries.enrolment import enrol_one
from arena.league.entries.entry import Entry
from arena.league.entries.isolation_level import isolated
from arena.league.entries.sources import find_bot_file
from arena.league.play.interrupts import run_interruptible
from arena.plugins import load_plugins
from arena.records.game_record import GameRecord
from arena.referee.sandbox import Sandbox
from arena.referee.unit_player import play_unit
from arena.referee.work_unit import GameTask, Limits, WorkUnit
from arena.reports.fault_text import fault_text
from arena.reports.replay.story import GameStory, result_lines, story_lines
from arena.worker.protocol import GameSpec

_HUMAN = "human"


@click.command()
@click.argument("game")
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT ...")
@click.option("--seed", help="Repeats a game: its luck and that of the bots.")
@click.option("--human", is_flag=True, help="Take seat 0 yourself; the bots follow.")
@option_option
@click.option("--quiet", "-q", is_flag=True, help="Only the result.")
def command(
    game: str,
    bots: tuple[str, ...],
    seed: str | None,
    human: bool,
    options: tuple[str, ...],
    quiet: bool,
) -> int:
    """Play one GAME between bots and tell its story, or play against them.

    The first BOT has seat 0. A BOT is a file, FILE:CLASS where a file has several, or
    the name of a file in bots/. The word "human" in place of a BOT is a seat for
    yourself; --human is the same as that word in front.
    """
    load_plugins()
    if human:
        bots = (_HUMAN, *bots)
    if bots.count(_HUMAN) > 1:
        raise ConfigError(_HUMAN, "expected one person at a table; found two")
    if quiet and _HUMAN in bots:
        raise ConfigError("--quiet", "a person has to see the game; leave it out")
    rules = parse_game(game, len(bots), options)
    if seed is None:
        seed = str(secrets.randbelow(10**6))
    table = _Table(rules, bots, seed)
    if _HUMAN not in bots:
        record = run_interruptible(table.play)
        table.tell(record, quiet=quiet)
        return 0
    try:
        left = run_interruptible(table.play_with_person)
    except KeyboardInterrupt:
        click.echo()
        left = True
    if left:
        click.echo(f"you have left; the same game again: --seed {seed}", err=True)
        return EXIT_INTERRUPTED
    return 0


class _Table:
    """One game of the bots that are named on the command line."""

    def __init__(self, game: Game, bots: Sequence[str], seed: str) -> None:
        self._game = game
        self._bots = bots
        self._seed_text = seed
        self._seed = derive_seed("play", seed)
        self._names: list[str] = []

    async def play(self) -> GameRecord:
        """Play a game of bots only."""
        paths = [find_bot_file(text)[0] for text in self._bots]
        async with isolated(paths, [self._game.name]) as (isolation, sandbox):
            print_note(isolation.warning())
            entries = await self._enrol(sandbox)
            bots = [entries[seat] for seat in range(len(self._bots))]
            return await _play(self._game, bots, self._seed, sandbox)

    async def play_with_person(self) -> bool:
        """Play and print a game with a person; return True if that person has left."""
        paths = [find_bot_file(text)[0] for text in self._bots if text != _HUMAN]
        async with isolated(paths, [self._game.name]) as (isolation, sandbox):
            print_note(isolation.warning())
            entries = await self._enrol(sandbox)
            self._tell_head()
            click.echo("type ? for help, Ctrl-D to leave\n")
            record = await play_with_person(
                self._game,
                {seat: entry.spec() for seat, entry in entries.items()},
                self._names,
                self._seed,
                Person(self._game, self._bots.index(_HUMAN)),
                sandbox,
            )
        if record is not None:
            self._tell_end(record)
        return record is None

    async def _enrol(self, sandbox: Sandbox) -> dict[int, Entry]:
        """Return the bots by their seats, and find a name for every seat."""
        name = self._game.name
        entries = {
            seat: await enrol_one(text, name, Limits(), sandbox)
            for seat, text in enumerate(self._bots)
            if text != _HUMAN
        }
        names = [
            entries[seat].name if seat in entries else "you"
            for seat in range(len(self._bots))
        ]
        self._names = [
            f"{name} ({seat})" if names.count(name) > 1 else name
            for seat, name in enumerate(names)
        ]
        return entries

    def tell(self, record: GameRecord, *, quiet: bool) -> None:
        """Print a game that was played."""
        self._tell_head()
        if not quiet:
            replay = Replay(self._game, record.history)
            for line in story_lines(GameStory(replay, self._names, record.faults)):
                click.echo(line)
        self._tell_end(record)

    def _tell_head(self) -> None:
        click.echo(f"{self._game.title}, seed {self._seed_text}")
        for rule in self._game.house_rules():
            click.echo(click.wrap_text(f"house rule: {rule}", subsequent_indent="  "))
        for seat, name in enumerate(self._names):
            click.echo(f"  seat {seat}: {name}")

    def _tell_end(self, record: GameRecord) -> None:
        width = shutil.get_terminal_size().columns
        for fault in record.faults:
            text = fault_text(fault, self._names[fault.seat], width=width)
            click.echo(f"{text}\n")
        for line in result_lines(record, self._names):
            click.echo(line)


async def _play(
    game: Game, entries: Sequence[Entry], seed: bytes, sandbox: Sandbox
) -> GameRecord:
    spec = GameSpec(game.name, game_paths()[game.name], game.players, game.options_dict)
    task = WorkUnit(
        label=game.name,
        game=spec,
        entries=tuple(x.spec() for x in entries),
        games=(GameTask("play", "play", "play", seed, tuple(range(len(entries)))),),
        limits=Limits(),
        max_decisions=game.max_decisions,
        in_flight=1,
    )
    (record,) = await play_unit(task, sandbox)
    return record
