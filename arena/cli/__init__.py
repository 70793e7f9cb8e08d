"""The command line: one module a verb, imported when it is used."""

import os
import shlex
import sys
from importlib import import_module
from typing import Any, NoReturn

import click

from arena import __version__
from arena.cli.views.events import are_events_wanted, write_event
from arena.cli.views.terminal import tell
from arena.errors import ArenaError, BusyError, LeagueError
from arena.text import did_you_mean

EXIT_FAULTS = 1
EXIT_BAD_INPUT = 2
EXIT_MACHINE = 3
EXIT_BUSY = 4
EXIT_INTERRUPTED = 130

_VERBS = {
    "new": "Make a bot file that plays as it is.",
    "check": "Try a bot as the league would, and say what would happen.",
    "play": "Play one game between bots, or against them, and tell its story.",
    "replay": "Step through a recorded game, or ask a bot what it would do there.",
    "league": "Run a league, or go on with it, and write its leaderboard.",
    "report": "Write a league's pages and grades.",
    "freeze": "Keep a league's bots and settings, to play it again on appeal.",
    "secret": "Keep, move, reveal or verify what a league's luck hangs on.",
    "export": "Print the games of a league, one JSON object a line.",
    "rules": "Print a game's rules, and the limits of a league.",
    "games": "List the games that can be played.",
    "collect": "Make hand-ins of what a learning platform exports.",
    "bots": "List the bots in a folder or a league.",
    "doctor": "Try what keeps bots in on this machine.",
}


class _Verbs(click.Group):
    """Imports a verb's module only when the verb is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _VERBS:
            return None
        command = import_module(f"arena.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _VERBS:
            hint = did_you_mean(args[0], _VERBS, "see arena --help")
            raise click.UsageError(f"there is no verb {args[0]!r}; {hint}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        # For numpy, which reads this when it is imported.  The last bits of a sum
        # depend on the number of threads, so machines would differ; and on a busy
        # machine threads wait for each other.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # The reader of our output has closed it, as `head` does.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl(list(_VERBS.items()))


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="arena %(version)s")
def cli() -> None:
    """Bot tournaments for AI courses.

    Exit codes: 0 done, 1 done but there were forfeits (with --strict), 2 bad
    input, 3 the machine could not play on, 4 another run holds the results folder, 130
    interrupted.
    """


def main() -> None:
    """Run the command line; print an error that a person caused as one sentence."""
    try:
        code = cli.main(prog_name="arena", standalone_mode=False)
    except click.UsageError as error:
        prefix = f"{error.ctx.command_path}: " if error.ctx is not None else "arena: "
        _stop(prefix + error.format_message(), EXIT_BAD_INPUT)
    except click.ClickException as error:
        _stop(f"arena: {error.format_message()}", EXIT_BAD_INPUT)
    except BusyError as error:
        _stop(f"arena: {error}", EXIT_BUSY)
    except LeagueError as error:
        _stop(f"arena: {error}", EXIT_MACHINE)
    except ArenaError as error:
        _stop(f"arena: {error}", EXIT_BAD_INPUT)
    except (KeyboardInterrupt, click.Abort):
        command_line = shlex.join(["arena", *sys.argv[1:]])
        message = f"arena: interrupted; the same again:\n  {command_line}"
        _stop(message, EXIT_INTERRUPTED, "interrupted")
    except Exception as error:
        # A bug of ours: the traceback helps to mend it.
        if are_events_wanted():
            write_event("error", exit=1, message=f"{type(error).__name__}: {error}")
        raise
    sys.exit(code if isinstance(code, int) else 0)


def _stop(message: str, code: int, event: str = "error") -> NoReturn:
    tell(message, err=True)
    if are_events_wanted():
        write_event(event, exit=code, message=message)
    sys.exit(code)
