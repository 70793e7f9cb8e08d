"""`arena replay`"""

import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from arena.cli import EXIT_FAULTS
from arena.cli.views.events import print_note
from arena.cli.views.fitted_table import Heading, Kind, fitted_table
from arena.cli.views.terminal import echo, tell, terminal_width
from arena.errors import ConfigError
from arena.games import game_paths
from arena.league.entries.enrolment import enrol_one, one_hand_in
from arena.league.entries.isolation_level import isolated
from arena.league.play.interrupts import run_interruptible
from arena.league.results.store import Store
from arena.plugins import load_plugins
from arena.records.prints import Printed
from arena.referee.sandbox.library import Library, MissingPackageError, find_library
from arena.reports.fault_text import fault_text
from arena.reports.grading.private import organiser_names
from arena.reports.replay.finding import Recorded, find_game
from arena.reports.replay.second_opinion import Opinion, second_opinion
from arena.reports.replay.story import (
    GameStory,
    decision_lines,
    fault_lines,
    print_lines,
    result_lines,
    revealing_seats,
    sight_lines,
    story_lines,
)
from arena.text import counted, printable

_DIFFERENCES = (
    Heading("decision"),
    Heading("seat", Kind.TEXT),
    Heading("it played", Kind.TEXT),
    Heading("the bot plays", Kind.TEXT),
    Heading("ms"),
)
"""At which a bot that is asked would have played otherwise."""
REPRODUCES = "it reproduces: the league's luck, legal actions, the recorded result"


@click.command()
@click.argument("results", type=click.Path(path_type=Path))
@click.argument("game_id")
@click.option("--step", type=int, metavar="K", help="The decision to begin with.")
@click.option(
    "--bot",
    metavar="BOT",
    help="Ask this bot what it would have done: FILE, FILE:CLASS, FILE=COMMAND, or "
    "arena's own random or sensible.",
)
def command(results: Path, game_id: str, step: int | None, bot: str | None) -> int:
    """Step through a recorded game, or ask a bot what it would do there.

    RESULTS is the folder that the league has written, GAME_ID the beginning of a
    game's id, 6 characters or more. In a terminal keys lead through the game; ? lists
    them. Elsewhere the whole story is printed, or decision K. With --bot the bot is
    told all that the seat to act has seen, and answers at decision K; without --step
    it answers at every decision, in every seat.

    Exit code 1: the game does not come out again as it was recorded.
    """
    load_plugins()
    with Store.read(results) as store:
        called = organiser_names(store.info(), results)
        game = find_game(store, game_id, called)
    story = GameStory(game.replay, game.names, game.record.faults, game.prints)
    if step is not None and not 0 <= step < len(story):
        raise ConfigError(
            "--step", f"expected a decision from 0 to {len(story) - 1}; found {step}"
        )
    where = shlex.join(["arena", "replay", str(results), game.record.game_id])
    head = [printable(line, lines=False) for line in _head(game)]
    result = [
        printable(line, lines=False)
        for line in result_lines(game.record, game.names, story.replay.game)
    ]
    if bot is None and _is_terminal():
        from arena.cli.views.viewer import Viewer

        Viewer(story, head, result, step or 0).run()
        return _code(game)
    for line in head:
        tell(line)
    if bot is not None:
        _ask(game, story, bot, step)
    elif step is not None:
        _tell(story, step)
    else:
        for line in story_lines(story, terminal_width()):
            echo(line)
        for fault in game.record.faults:
            name = game.names[fault.seat]
            again = f"{where} --step {fault.step}" if fault.observation else ""
            echo(fault_text(fault, name, replay=again, width=terminal_width()) + "\n")
        echo("\n".join(result))
    return _code(game)


def _code(game: Recorded) -> int:
    return EXIT_FAULTS if game.difference else 0


def _is_terminal() -> bool:
    is_dumb = os.environ.get("TERM", "dumb") == "dumb"
    return sys.stdin.isatty() and sys.stdout.isatty() and not is_dumb


def _head(game: Recorded) -> Iterator[str]:
    """Yield the lines above the first move: game, seats, and whether it reproduces."""
    yield f"{game.record.game_id} of {game.info.name}: {game.label.description}"
    for seat, name in enumerate(game.names):
        yield f"  seat {seat}: {name}"
    if game.difference:
        yield f"it does not reproduce: {game.difference}"
    elif game.record.history:
        yield REPRODUCES
    else:
        yield "it was forfeited before it began: there is nothing to reproduce"
    if not game.is_planned:
        yield "it counts no more: a bot, the rules or the limits have changed since"


def _tell(story: GameStory, step: int) -> None:
    """Print one decision, with the observation of every seat."""
    view = story[step]
    lines = decision_lines(view, story, terminal_width())
    for seat in revealing_seats(view):
        lines += ["", *sight_lines(view, story, seat, terminal_width())]
    echo("\n" + "\n".join(lines))


def _ask(game: Recorded, story: GameStory, bot: str, step: int | None) -> None:
    """Print a bot's answer at one decision, or all decisions where it differs."""
    if not game.record.seed:
        print_note(
            "the league's luck is not known here, so the bot draws other random "
            "numbers than it would have had"
        )
    if step is None:
        seats: Sequence[int] = range(len(game.names))
        last = len(story)
    else:
        seat = story[step].seat
        if seat is None:
            raise ConfigError(
                "--step",
                f"nobody decides at {step}, the end of the game; choose a smaller one",
            )
        seats, last = [seat], step
    found = run_interruptible(_opinions, game, bot, seats, last)
    echo("")
    if step is None:
        _tell_differences(found, bot, game)
    else:
        echo("\n".join(decision_lines(story[step], story, terminal_width())) + "\n")
        _tell_opinion(found, bot, game, step, seats[0])


def _library(game: Recorded) -> Library | None:
    """Return the library for bots of its league; None if a package is missing here."""
    try:
        return find_library(game.info.packages, [game_paths()[game.label.game]])
    except MissingPackageError as error:
        print_note(
            f"bots of this league may import {error.package}, which is not installed "
            "here"
        )
        return None


async def _opinions(
    game: Recorded, bot: str, seats: Sequence[int], last: int
) -> list[Opinion]:
    name, limits = game.label.game, game.info.limits
    library = _library(game)
    async with (
        one_hand_in(bot, (name,)) as file,
        isolated([file], [name], library) as (isolation, sandbox),
    ):
        print_note(isolation.warning())
        one = await enrol_one(file, bot, name, limits, sandbox, print_note)
        entry = one.spec()
        found = []
        for seat in seats:
            found += await second_opinion(
                entry,
                game.replay,
                game.record.faults,
                seat,
                game.record.seed,
                limits,
                sandbox,
                last,
            )
    return sorted(found, key=lambda opinion: opinion.step)


def _tell_opinion(
    found: Sequence[Opinion], bot: str, game: Recorded, step: int, seat: int
) -> None:
    """Print the last answer, and how many of those before agree with the record."""
    if not found:
        tell(f"{bot}: nobody has asked for a decision in seat {seat}.")
        return
    *earlier, last = found
    agreed = sum(opinion.agrees for opinion in earlier)
    if earlier:
        tell(
            f"{bot} in seat {seat}: on the way it agreed with {agreed} of "
            f"{len(earlier)} decisions."
        )
    if last.step < step:
        tell(f"It would have forfeited before decision {step}.\n")
    if last.decision.fault is not None:
        echo("\n".join(fault_lines(last.decision.fault, bot, terminal_width())))
    else:
        tell(
            f"decision {step}: {bot} plays {last.answer!r}, after "
            f"{_milliseconds(last)} ms of CPU time."
        )
        for line in _prints(last):
            echo(line)
    if last.step == step:
        same = "the same" if last.agrees else f"{last.recorded!r}"
        tell(f"{game.names[seat]} has done {same}.")


def _tell_differences(found: Sequence[Opinion], bot: str, game: Recorded) -> None:
    """Print a table of all decisions at which a bot differs."""
    if not found:
        echo("Nobody has decided anything in this game.")
        return
    agreed = sum(opinion.agrees for opinion in found)
    tell(f"{bot} agrees with {agreed} of {len(found)} decisions.")
    differing = [o for o in found if not o.agrees]
    if differing:
        rows = [
            [
                o.step,
                f"{o.seat} {game.names[o.seat]}",
                o.recorded,
                o.answer,
                _milliseconds(o),
            ]
            for o in differing
        ]
        width = terminal_width()
        prints = [[*_prints(opinion)] for opinion in differing]
        echo("\n" + fitted_table(_DIFFERENCES, rows, width, prints))
    others = sum(bool(o.decision.printed) and o.agrees for o in found)
    if others:
        decisions = counted(others, "decision")
        tell(f"\nIt printed in {decisions} where it agrees: --step K shows what.")
    faults = [o.decision.fault for o in found if o.decision.fault is not None]
    texts = [fault_text(fault, bot, width=terminal_width()) for fault in faults]
    for text in dict.fromkeys(texts):
        echo("\n" + text)


def _prints(opinion: Opinion) -> Iterator[str]:
    printed = Printed(opinion.seat, opinion.step, opinion.decision.printed)
    if printed.text:
        yield from print_lines(printed, "  ", terminal_width())


def _milliseconds(opinion: Opinion) -> str:
    return f"{1000 * opinion.decision.seconds:.3g}"
