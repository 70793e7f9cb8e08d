"""What the benchmarks share: the levels here, how things are timed, compared, shown."""

import argparse
import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

from sandboxes import why_not
from tabulate import tabulate

Row = dict[str, Any]
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Share:
    """What has been played in one turn."""

    games: int
    steps: int
    """Decisions, or what comes nearest to them."""
    wall: float
    """Seconds."""
    cpu: float
    """Seconds, of all processes."""
    roles: Mapping[str, float] = field(default_factory=dict)
    """Of these, whose they are, as far as that is known."""

    def less(self, other: "Share") -> "Share":
        """Return what this is more than another."""
        return Share(
            games=self.games - other.games,
            steps=self.steps - other.steps,
            wall=self.wall - other.wall,
            cpu=self.cpu - other.cpu,
            roles={role: x - other.roles[role] for role, x in self.roles.items()},
        )


def usable(levels: Iterable[str]) -> list[str]:
    """Return those of the levels that this machine gives."""
    return [level for level in levels if not why_not(level)]


def milliseconds(values: list[float]) -> Row:
    """Return median and worst of seconds."""
    return {
        "median, ms": round(1000 * median(values), 2),
        "worst, ms": round(1000 * max(values), 2),
        "runs": len(values),
    }


def take_turns(
    ways: Mapping[str, Callable[[], Found]], rounds: int
) -> dict[str, list[Found]]:
    """Go one way after the other, again and again; return what each has found."""
    found: dict[str, list[Found]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            found[name].append(way())
    return found


def medians(ours: Iterable[Share], value: Callable[[Share], float]) -> float | None:
    """Return the median of a value, as it is to be shown."""
    return shown(median(map(value, ours)))


def ratio(
    ours: Iterable[Share], theirs: Iterable[Share], value: Callable[[Share], float]
) -> float | None:
    """Return how many times theirs a value of ours is, in the median of the turns."""
    pairs = zip(ours, theirs, strict=True)
    return shown(median(per(value(a), value(b)) for a, b in pairs))


def games_per_second(share: Share) -> float:
    return per(share.games, share.wall)


def steps_per_second(share: Share) -> float:
    return per(share.steps, share.wall)


def cpu_per_game(share: Share) -> float:
    return per(share.cpu, share.games)


def cpu_per_step(share: Share) -> float:
    return per(share.cpu, share.steps)


def steps_per_cpu_second(share: Share) -> float:
    return per(share.steps, share.cpu)


def per(amount: float, of: float) -> float:
    """Return so much of one thing per another; not a number if there was none."""
    return amount / of if of > 0.0 else float("nan")


def rounded(number: Any, digits: int) -> float:
    """Return a plain number, of numpy's too."""
    return round(float(number), digits)


def shown(value: float | None) -> float | None:
    """Return a figure with three digits that count; None if there is none."""
    if value is None or value != value:
        return None
    return float(f"{value:.3g}") if abs(value) < 1000.0 else float(round(value))


def peak_memory(pid: int | str = "self") -> int:
    """Return the most resident memory of a process, in bytes; 0 if it is gone."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return 1024 * int(line.split()[1])
    return 0


def command_line(doc: str | None, **defaults: int | float) -> argparse.ArgumentParser:
    """Return what reads `--json`, and options by the names of their defaults."""
    parser = argparse.ArgumentParser(description=(doc or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="rows, not tables")
    for name, default in defaults.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    return parser


def show(tables: Mapping[str, list[Row]], *, as_json: bool) -> None:
    """Print tables with their titles, or all of them as JSON."""
    if as_json:
        print(json.dumps(tables, indent=1))
        return
    for title, rows in tables.items():
        print(f"{title}\n{tabulate(rows, headers='keys')}\n", flush=True)
