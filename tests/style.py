"""The code keeps its own rules: lint, format, types, and which way imports point.

`python tests/style.py` asks each tool once, all at the same time, and ends with 1 if
one of them finds something.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
SCRIPTS = Path(sys.executable).parent
COMMANDS = (
    ("mypy",),
    ("lint-imports",),
    ("ruff", "check"),
    ("ruff", "format", "--check"),
)


def main() -> int:
    """Run all tools; print what those say that find something."""
    started = [
        subprocess.Popen(
            [str(SCRIPTS / program), *options],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for program, *options in COMMANDS
    ]
    found = 0
    for command, process in zip(COMMANDS, started, strict=True):
        said, _ = process.communicate()
        print(
            f"{' '.join(command)}: {'found something' if process.returncode else 'ok'}"
        )
        if process.returncode:
            found = 1
            print(said)
    return found


if __name__ == "__main__":
    sys.exit(main())
