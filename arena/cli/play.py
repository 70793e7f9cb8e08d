"""`arena play`"""

import secrets
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack

import click

from arena.cli import EXIT_INTERRUPTED
from arena.cli._arguments import option_option, parse_game
from arena.cli.views.events import print_note
from arena.cli.views.human import Person, play_with_person
from arena.cli.views.terminal import echo, tell, terminal_width
from arena.errors import ConfigError
from arena.games import Game, Replay, derive_seed, game_paths
from arena.league.entries.bot_file import BotFile
from arena.league.entries.enrolment import enrol_one, one_hand_in
from arena.league.entries.isolation_level import isolated
from arena.league.play.interrupts import run_interruptible
from arena.plugins import load_plugins
from arena.records.game_record import GameRecord
from arena.records.prints import Printed
from arena.referee.sandbox import Sandbox
from arena.referee.unit_player import play_unit
from arena.referee.work_unit import EntrySpec, GameTask, Limits, WorkUnit
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

    The first BOT has seat 0. A BOT is a file or folder, FILE:CLASS where it has
    several, the name of one in bots/, or for a program in another language
    FILE=COMMAND: 'bots/bot.js=node bot.js'. The words "random" and "sensible" are bots
    that come with arena, unless bots/ has one of that name. The word "human" in place
    of a BOT is a seat for yourself; --human is the same as that word in front.
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
    record = None
    try:
        record = run_interruptible(table.play)
    except KeyboardInterrupt:
        if _HUMAN not in bots:
            raise
        echo()
    if record is None:
        tell(f"you have left; the same game again: --seed {seed}", err=True)
        return EXIT_INTERRUPTED
    table.tell(record, quiet=quiet)
    return 0


class _Table:
    """One game of the bots that are named on the command line."""

    def __init__(self, game: Game, bots: Sequence[str], seed: str) -> None:
        self._game = game
        self._bots = bots
        self._seed_text = seed
        self._seed = derive_seed("play", seed)
        self._names: list[str] = []
        self._prints: list[Printed] = []

    async def play(self) -> GameRecord | None:
        """Play the game, and print it if a person plays; None if that person leaves."""
        games = (self._game.name,)
        async with AsyncExitStack() as stack:
            files = {
                seat: await stack.enter_async_context(one_hand_in(text, games))
                for seat, text in enumerate(self._bots)
                if text != _HUMAN
            }
            isolation, sandbox = await stack.enter_async_context(
                isolated(files.values(), games)
            )
            print_note(isolation.warning())
            bots = await self._enrol(files, sandbox)
            if _HUMAN not in self._bots:
                return await self._play_unit([*bots.values()], sandbox)
            self._tell_head()
            echo("type ? for help, Ctrl-D to leave\n")
            person = Person(self._game, self._bots.index(_HUMAN))
            return await play_with_person(
                self._game, bots, self._names, self._seed, person, sandbox
            )

    async def _play_unit(
        self, bots: Sequence[EntrySpec], sandbox: Sandbox
    ) -> GameRecord:
        game = self._game
        path = game_paths()[game.name]
        seats = tuple(range(len(bots)))
        unit = WorkUnit(
            label=game.name,
            game=GameSpec(game.name, path, game.players, game.options_dict),
            entries=tuple(bots),
            games=(GameTask("play", "play", "play", self._seed, seats),),
            limits=Limits().in_game(game),
            max_decisions=game.max_decisions,
            in_flight=1,
        )
        (record,) = await play_unit(
            unit,
            sandbox,
            deliver_prints=lambda _, printed: self._prints.extend(printed),
        )
        return record

    async def _enrol(
        self, files: Mapping[int, BotFile], sandbox: Sandbox
    ) -> dict[int, EntrySpec]:
        """Return the bots by their seats, and find a name for every seat."""
        name = self._game.name
        entries = {
            seat: await enrol_one(
                file, self._bots[seat], name, Limits(), sandbox, print_note
            )
            for seat, file in files.items()
        }
        names = [
            entries[seat].name if seat in entries else "you"
            for seat in range(len(self._bots))
        ]
        self._names = [
            f"{name} ({seat})" if names.count(name) > 1 else name
            for seat, name in enumerate(names)
        ]
        return {seat: entry.spec() for seat, entry in entries.items()}

    def tell(self, record: GameRecord, *, quiet: bool) -> None:
        """Print a game that was played, or its end if a person has seen the rest."""
        width = terminal_width()
        if _HUMAN not in self._bots:
            self._tell_head()
            if not quiet:
                replay = Replay(self._game, record.history)
                faults, prints = record.faults, self._prints
                story = GameStory(replay, self._names, faults, prints)
                for line in story_lines(story, width):
                    echo(line)
        for fault in record.faults:
            text = fault_text(fault, self._names[fault.seat], width=width)
            echo(f"{text}\n")
        for line in result_lines(record, self._names, self._game):
            echo(line)

    def _tell_head(self) -> None:
        echo(f"{self._game.title}, seed {self._seed_text}")
        for rule in self._game.house_rules():
            tell(f"house rule: {rule}")
        for seat, name in enumerate(self._names):
            echo(f"  seat {seat}: {name}")
