"""`arena secret`"""

from pathlib import Path

import click

from arena.cli.views.events import print_note
from arena.cli.views.terminal import echo, tell
from arena.errors import ConfigError
from arena.league.config.keys import KEY_BYTES
from arena.league.play.interrupts import signals_as_interrupts
from arena.league.results.custody import (
    export_secret,
    import_secret,
    reveal,
    shown,
)
from arena.league.results.secret import secret_path
from arena.league.results.store import Store
from arena.league.results.verification import verify
from arena.plugins import load_plugins
from arena.text import counted

_PATH = click.Path(path_type=Path)


@click.group(invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """Keep, move, reveal or verify the keys that a league's luck hangs on.

    They lie in one private file beside the results folder, and nothing else
    holds them.
    """
    if context.invoked_subcommand is None:
        echo(context.get_help())


@command.command()
@click.argument("results", type=_PATH)
def show(results: Path) -> None:
    """Say what anybody may know of the luck of RESULTS; no key."""
    for line in shown(results):
        echo(line)


@command.command("export")
@click.argument("results", type=_PATH)
@click.argument("file", type=_PATH)
def export_(results: Path, file: Path) -> None:
    """Copy the keys of RESULTS into FILE, which only you may read."""
    with signals_as_interrupts():
        export_secret(results, file)
    tell(f"{file} has the keys of {results}; keep it where nobody else can read it")


@command.command("import")
@click.argument("file", type=_PATH)
@click.argument("results", type=_PATH)
def import_(file: Path, results: Path) -> None:
    """Give RESULTS the keys in FILE.

    `arena secret export` has written it.  They must be those that its games were
    played with.
    """
    with signals_as_interrupts():
        import_secret(file, results)
    tell(f"{secret_path(results)} has the keys of {results}")


@command.command("reveal")
@click.argument("results", type=_PATH)
def reveal_(results: Path) -> None:
    """Print the luck key of RESULTS, for all to verify.

    Nothing more is played with it. The keys of ids and aliases stay secret.
    """
    with signals_as_interrupts():
        secret = reveal(results)
    print_note(
        "nothing more is played with this key; to go on with new luck: arena league "
        "CONFIG --fresh"
    )
    echo(secret.luck.hex())


@command.command("verify")
@click.argument("results", type=_PATH)
@click.argument("key")
def verify_(results: Path, key: str) -> None:
    """Check that all luck in RESULTS follows from KEY.

    The key is the one that `arena secret reveal` prints.
    """
    for problem in load_plugins():
        print_note(problem)
    with Store.read(results) as store, store.snapshot():
        found = verify(store, _luck_key(key))
        commitment = store.info().commitment
    tell(
        f"{counted(found.games, 'game')} verified: their luck follows from the key, "
        "and their dice and cards from their luck"
    )
    if found.without_luck:
        tell(f"{counted(found.without_luck, 'game')} ended before any luck")
    tell(f"commitment, to compare with what was told before: {commitment}")


def _luck_key(text: str) -> bytes:
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise ConfigError(
            "KEY",
            f"expected the {2 * KEY_BYTES} digits that `arena secret reveal` prints; "
            f"found {text[:80]!r}",
        )
    return key
