"""Puts the package of toy games and values where every process of a test finds it."""

import os
from pathlib import Path

_PACKAGE = Path(__file__).parent / "packages" / "toys"


def installed(folder: Path) -> str:
    """Return what is to be in PYTHONPATH, once the package is announced in a folder."""
    about = folder / "arena_toys-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: arena-toys\n")
    (about / "entry_points.txt").write_text("[arena]\ntoys = arena_toys\n")
    before = os.environ.get("PYTHONPATH", "").split(":")
    return ":".join(filter(None, [str(_PACKAGE), str(folder), *before]))
