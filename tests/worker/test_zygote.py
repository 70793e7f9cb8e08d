"""What a zygote prepares for those that are forked from it."""

import os
import sys
from importlib.machinery import PathFinder
from pathlib import Path

import pytest

from arena.worker.zygote import keep_listings


def test_a_folder_that_changes_is_not_listed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A confined process may not list it, and would find nothing there any more."""
    monkeypatch.setattr(sys, "path_importer_cache", {})
    (tmp_path / "early.py").touch()
    search = [str(tmp_path)]
    assert PathFinder.find_spec("early", search)
    keep_listings()
    (tmp_path / "late.py").touch()
    os.utime(tmp_path, (0, 0))
    assert PathFinder.find_spec("early", search)
    assert PathFinder.find_spec("late", search) is None
