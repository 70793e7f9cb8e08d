"""`arena doctor`"""

import os
import sys

import click
from tabulate import tabulate

from arena.cli._run import run
from arena.games import game_paths
from arena.plugins import load_plugins
from arena.referee.isolation import TRUSTED_ONLY, Probe, probe
from arena.referee.library import find_library
from arena.referee.sandbox import LEVELS, SandboxSpec, sandbox_paths
from arena.referee.sandbox.attempts import ATTEMPTS


@click.command()
def command() -> int:
    """Try every isolation level on this machine and say what each contains.

    A real contestant tries at each level what no bot may. The exit code is 0 if
    the strongest that `auto` finds contains everything, else 1.
    """
    for problem in load_plugins():
        click.echo(f"note: {problem}", err=True)
    games = game_paths()
    library = find_library((), tuple(games.values()))
    others = [name for name in sandbox_paths() if name not in LEVELS]
    preload = tuple(name for name in ("numpy",) if name in library.modules)

    async def probe_all() -> list[Probe]:
        return [
            await probe(
                SandboxSpec(name, sandbox_paths()[name], library, preload=preload),
                games,
            )
            for name in (*LEVELS, *others)
        ]

    probes = run(probe_all)
    _show(probes)
    best = next((p for p in probes if p.is_usable and p.level in LEVELS), None)
    user = "root" if os.geteuid() == 0 else "an ordinary user"
    version = ".".join(map(str, sys.version_info[:3]))
    click.echo(
        f"\nPython {version} on {os.uname().sysname} {os.uname().release}, {user}"
    )
    if best is None:
        click.echo("isolation: none can be had; leagues can't be played here")
        return 1
    click.echo(f"isolation: auto is {best.level} ({best.parts})")
    if best.level not in LEVELS[:2]:
        click.echo(f"with it, {TRUSTED_ONLY}")
    return 0 if best.level in LEVELS[:2] else 1


def _show(probes: list[Probe]) -> None:
    rows = []
    for attempt in ATTEMPTS:
        cells = [_cell(p, attempt.name) for p in probes]
        rows.append([f"a bot can {attempt.words}", *cells])
    rows.append(["start of a contestant", *map(_start, probes)])
    click.echo(tabulate(rows, ["", *(p.level for p in probes)]))
    click.echo()
    for p in probes:
        lines = [p.problem] if p.problem else [p.parts, *p.lacks]
        click.echo(f"{p.level}: {'; '.join(lines)}")
        for hint in _hints(p):
            click.echo(f"  {hint}")
        for broken in p.broken_games:
            click.echo(f"  {broken}")


def _cell(found: Probe, attempt: str) -> str:
    if found.problem and not found.got and not found.parts:
        return "-"
    return "yes" if attempt in found.got else "no"


def _start(found: Probe) -> str:
    return f"{found.start * 1000:.1f} ms" if found.start else "-"


_HINTS = (
    ("bwrap)", "install bubblewrap (the package has this name on most systems)"),
    (
        "uid map",
        "this system restricts user namespaces: allow them for bwrap in AppArmor, or "
        "set kernel.apparmor_restrict_unprivileged_userns=0",
    ),
    ("RTM_NEWADDR", "as above: this system restricts user namespaces"),
    ("namespace", "containers and some systems forbid namespaces; filters do there"),
    ("Landlock", "Linux 5.13 or newer, with landlock among the kernel's lsm= modules"),
)


def _hints(found: Probe) -> list[str]:
    hints = (hint for words, hint in _HINTS if words in found.problem)
    return [f"hint: {hint}" for hint in hints][:1]
