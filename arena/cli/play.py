"""`arena play`"""

import secrets
from collections.abc import Sequence

import click

from arena.cli._arguments import option_option, parse_bot, parse_game
from arena.cli._run import run, warn_of
from arena.errors import ConfigError
from arena.games import CHANCE, Game, Table, derive_seed, game_paths
from arena.league.enrolment import enrol
from arena.league.entries import Entry
from arena.league.executors import play_here
from arena.league.isolate import isolated
from arena.league.matches import entry_spec
from arena.league.settings import BotSettings
from arena.plugins import load_plugins
from arena.referee.record import (
    Fault,
    GameRecord,
    GameTask,
    Limits,
    Unit,
)
from arena.referee.sandbox import Sandbox
from arena.worker.protocol import GameSpec


@click.command()
@click.argument("game")
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT ...")
@click.option("--seed", help="Repeats a game: its luck and that of the bots.")
@option_option
@click.option("--quiet", "-q", is_flag=True, help="Only the result.")
def command(
    game: str,
    bots: tuple[str, ...],
    seed: str | None,
    options: tuple[str, ...],
    quiet: bool,
) -> None:
    """Play one GAME between bots and tell its story.

    The first BOT has seat 0. A BOT is a file, FILE:CLASS where a file has
    several, or the name of a file in bots/.
    """
    load_plugins()
    rules = parse_game(game, len(bots), options)
    if seed is None:
        seed = str(secrets.randbelow(10**6))
    entries, record = run(_enrol_and_play, rules, bots, derive_seed("play", seed))
    names = _names_apart(entries)
    click.echo(f"{rules.title}, seed {seed}")
    for rule in rules.house_rules():
        click.echo(click.wrap_text(f"house rule: {rule}", subsequent_indent="  "))
    for seat, name in enumerate(names):
        click.echo(f"  seat {seat}: {name}")
    if not quiet:
        _narrate(rules, record, names)
    _tell_result(record, names)


async def _enrol_and_play(
    game: Game, bots: Sequence[str], seed: bytes
) -> tuple[list[Entry], GameRecord]:
    found = [parse_bot(text) for text in bots]
    paths = [path for path, _ in found]
    async with isolated(paths, [game.name]) as (isolation, sandbox):
        warn_of(isolation)
        entries = []
        for text, (path, bot) in zip(bots, found, strict=True):
            settings = BotSettings(file=str(path), bot=bot)
            enrolment = await enrol((settings,), (game.name,), Limits(), sandbox, text)
            if len(enrolment.entries) > 1:
                classes = ", ".join(e.bot for e in enrolment.entries)
                raise ConfigError(
                    text, f"has several bots ({classes}); say {text}:CLASS"
                )
            entries.append(enrolment.entries[0])
        return entries, await _play(game, entries, seed, sandbox)


async def _play(
    game: Game, entries: Sequence[Entry], seed: bytes, sandbox: Sandbox
) -> GameRecord:
    spec = GameSpec(game.name, game_paths()[game.name], game.players, game.options_dict)
    task = Unit(
        label=game.name,
        game=spec,
        entries=tuple(map(entry_spec, entries)),
        games=(GameTask("play", "play", "play", seed, tuple(range(len(entries)))),),
        limits=Limits(),
        max_decisions=game.max_decisions,
        in_flight=1,
    )
    (record,) = await play_here(task, sandbox)
    return record


def _names_apart(entries: Sequence[Entry]) -> list[str]:
    names = [entry.name for entry in entries]
    return [
        f"{name} ({seat})" if names.count(name) > 1 else name
        for seat, name in enumerate(names)
    ]


def _narrate(game: Game, record: GameRecord, names: Sequence[str]) -> None:
    """Tell a game from its record."""
    table = Table(game, b"")
    before = CHANCE
    for x in record.history:
        seat = table.state.current_player()
        if seat == CHANCE:
            click.echo(f"    {table.state.chance_stream()}: {x}")
            table.happen(x)
            continue
        if seat != before:
            position = table.state.to_text().strip().replace("\n", "\n  | ")
            click.echo(f"\n  | {position}")
        before = seat
        table.act(x)
        click.echo(f"  {names[seat]}: {x}")
    position = table.state.to_text().strip().replace("\n", "\n  | ")
    click.echo(f"\n  | {position}\n")


def _tell_result(record: GameRecord, names: Sequence[str]) -> None:
    for fault in record.faults:
        _tell_fault(fault, names[fault.seat])
    ending = f" ({record.termination})" if record.termination != "natural" else ""
    click.echo(f"after {record.decisions} decisions{ending}:")
    order = sorted(range(len(names)), key=lambda seat: (record.places[seat], seat))
    for seat in order:
        score = f"{record.scores[seat]:g}"
        gone = ", forfeited" if record.forfeits[seat] else ""
        click.echo(
            f"  {record.places[seat]}. {names[seat]}: {score} points, "
            f"{record.returns[seat]:g} of the win{gone}"
        )


def _tell_fault(fault: Fault, name: str) -> None:
    click.echo(f"{name} forfeits: {fault.termination}: {fault.message}")
    parts = [
        ("traceback", fault.traceback),
        ("observation", fault.observation),
        ("printed", fault.output),
    ]
    for title, text in parts:
        if text.strip():
            indented = text.strip().replace("\n", "\n    ")
            click.echo(f"  {title}:\n    {indented}")
