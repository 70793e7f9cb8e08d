"""Kills processes of a league at random instants, and shows that nothing changes.

python tests/benchmarks/kills.py [NUMBER]
"""

import argparse
import sys
import tempfile
from pathlib import Path
from random import Random

sys.path += [str(Path(__file__).parents[1] / name) for name in ("", "e2e")]

from test_kills import kill_at_random, make_course


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("number", type=int, nargs="?", default=100)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        course = make_course(Path(folder, "course"))
        done = kill_at_random(course, arguments.number, Random(arguments.seed))
        course.league("small.yaml")
        course.check_same()
    print(f"killed {done}; the results are those of an undisturbed run")


if __name__ == "__main__":
    main()
