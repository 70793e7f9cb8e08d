"""Measures how fast games are played, and what that depends on.

    python tests/benchmarks/speed.py [--json] [--rounds N] [SECTION ...]

What is compared takes turns in one run, so that a busy machine slows all of it alike;
figures are medians of these turns.
"""

import json
import os
import platform
import sys
from collections.abc import Callable
from pathlib import Path

sys.path += [str(Path(__file__).parents[1] / name) for name in ("", "e2e", "referee")]

from forward import measure_forward
from overhead import measure_overhead
from playing import GAMES, Options
from restarts import measure_restarts
from sandboxes import best_level
from scaling import measure_scaling
from startup import measure_startup
from throughput import measure_single, measure_throughput
from timing import Row, command_line, show

from arena.referee.cores import count_cores

SECTIONS: dict[str, Callable[[Options], dict[str, list[Row]]]] = {
    "throughput": measure_throughput,
    "single": measure_single,
    "overhead": measure_overhead,
    "forward": measure_forward,
    "restarts": measure_restarts,
    "scaling": measure_scaling,
    "startup": measure_startup,
}
_QUIET = 0.5
"""Load for each core from which on times are not to be trusted."""


def conditions() -> Row:
    """Return what figures depend on that are measured now."""
    return {
        "load": round(os.getloadavg()[0], 2),
        "cores": count_cores(),
        "Python": platform.python_version(),
        "kernel": platform.release(),
        "isolation": best_level(),
    }


def main() -> None:
    """Measure what the command line names, or all."""
    default = Options()
    parser = command_line(__doc__, rounds=default.rounds, seconds=default.seconds)
    parser.add_argument("section", nargs="*", choices=[[], *SECTIONS])
    parser.add_argument(
        "--only", action="append", choices=GAMES, help="a game; may be given again"
    )
    parser.add_argument(
        "--peers",
        action="append",
        metavar="PYTHON",
        help="an interpreter that has some of the peers; may be given again",
    )
    parser.add_argument(
        "--games", type=int, default=default.most_games, help="most in `scaling`"
    )
    parser.add_argument(
        "--entries", type=int, default=default.most_entries, help="most in `scaling`"
    )
    arguments = parser.parse_args()
    options = Options(
        rounds=arguments.rounds,
        seconds=arguments.seconds,
        games=tuple(arguments.only or GAMES),
        peers=tuple(arguments.peers or ()),
        most_games=arguments.games,
        most_entries=arguments.entries,
    )
    now = conditions()
    print(", ".join(f"{key} {value}" for key, value in now.items()), file=sys.stderr)
    if now["load"] > _QUIET * now["cores"]:
        print("warning: the machine is busy; times mean little", file=sys.stderr)
    found = {}
    for name in arguments.section or SECTIONS:
        tables = found[name] = SECTIONS[name](options)
        if not arguments.json:
            show(tables, as_json=False)
    if arguments.json:
        print(json.dumps({"conditions": now, **found}, indent=1))


if __name__ == "__main__":
    main()
