"""`arena doctor`"""

import os
import sys

import click

from arena.cli.views.events import print_note
from arena.cli.views.fitted_table import Heading, Kind, fitted_table
from arena.cli.views.terminal import echo, tell, terminal_width
from arena.games import game_paths
from arena.league.play.interrupts import run_interruptible
from arena.plugins import load_plugins
from arena.referee.isolation import TRUSTED_ONLY, Probe, probe, probe_program
from arena.referee.sandbox import LEVELS, SANDBOXES, SandboxSpec
from arena.referee.sandbox.level import ATTEMPTS
from arena.referee.sandbox.library import find_library


@click.command()
def command() -> int:
    """Try every isolation level on this machine and say what each contains.

    A real contestant tries at each level what no bot may, as a bot in Python and as a
    program in another language. The exit code is 0 if the strongest that `auto` finds
    contains everything, else 1.
    """
    for problem in load_plugins():
        print_note(problem)
    games = game_paths()
    library = find_library((), tuple(games.values()))
    others = [name for name in SANDBOXES if name not in LEVELS]
    preload = tuple(name for name in ("numpy",) if name in library.modules)

    async def probe_all() -> list[tuple[Probe, str]]:
        probed = []
        for name in (*LEVELS, *others):
            spec = SandboxSpec(name, SANDBOXES[name], library, preload=preload)
            found = await probe(spec, games)
            programs = await probe_program(spec) if found.is_usable else ""
            probed.append((found, programs))
        return probed

    probed = run_interruptible(probe_all)
    probes = [found for found, _ in probed]
    echo(f"{_table(probes)}\n")
    for found, programs in probed:
        _tell_level(found, programs)
    best = next((p for p in probes if p.is_usable and p.level in LEVELS), None)
    user = "root" if os.geteuid() == 0 else "an ordinary user"
    version = ".".join(map(str, sys.version_info[:3]))
    system = os.uname()
    tell(
        f"\nPython {version} on {system.sysname} {system.release} ({system.machine}), "
        f"as {user}"
    )
    if best is None:
        tell("isolation: none can be had; leagues can't be played here")
        return 1
    tell(f"isolation: auto is {best.level} ({best.parts})")
    if not _is_strong(best):
        tell(f"with it, {TRUSTED_ONLY}")
        return 1
    return 0


def _is_strong(found: Probe) -> bool:
    return found.level in LEVELS[:2]


def _table(probes: list[Probe]) -> str:
    headings = [Heading("a bot can", Kind.TEXT), *(Heading(p.level) for p in probes)]
    rows = [[a.words, *(_cell(p, a.name) for p in probes)] for a in ATTEMPTS]
    return fitted_table(headings, rows, terminal_width())


def _tell_level(found: Probe, programs: str) -> None:
    """Print the parts of a level, or why this machine can't give it.

    `programs` is why there are none in other languages, if so.
    """
    if found.is_usable:
        parts = [found.parts, f"starts a bot in {found.start * 1000:.1f} ms"]
        if not programs:
            parts.append("programs in other languages too")
        parts += [] if _is_strong(found) else [TRUSTED_ONLY]
    else:
        parts = [f"can't be had: {found.problem}"]
    tell(f"{found.level}: {'; '.join(parts)}")
    for hint in _hints(found):
        tell(hint, indent="  ")
    if programs:
        tell(f"no programs in other languages: {programs}", indent="  ")
    for broken in found.broken_games:
        tell(broken, indent="  ")


def _cell(found: Probe, attempt: str) -> str:
    if found.problem and not found.got and not found.parts:
        return "-"
    return "yes" if attempt in found.got else "no"


_RESTRICTED = (
    "this system restricts user namespaces: allow them for bwrap in AppArmor, or set "
    "kernel.apparmor_restrict_unprivileged_userns=0"
)
_HINTS = (
    ("bwrap)", "install bubblewrap (the package has this name on most systems)"),
    ("uid map", _RESTRICTED),
    ("RTM_NEWADDR", _RESTRICTED),
    ("namespace", "containers and some systems forbid namespaces; filters do there"),
    ("Landlock", "Linux 5.13 or newer, with landlock among the kernel's lsm= modules"),
)


def _hints(found: Probe) -> list[str]:
    hints = (hint for words, hint in _HINTS if words in found.problem)
    return [f"hint: {hint}" for hint in hints][:1]
