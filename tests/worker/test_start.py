"""A file finds the same each time that it is run, whatever it has changed before."""

import io
import os
import sys
from pathlib import Path

from own_process import own_process_kept

from arena.worker.start import Start


def found() -> list[object]:
    streams = sys.stdin, sys.stdout, sys.stderr
    lists = [*sys.argv], [*sys.orig_argv], [*sys.path]
    return [os.getcwd(), os.environ["PWD"], streams, lists]


def test_it_is_as_at_the_first_time(tmp_path: Path) -> None:
    with own_process_kept():
        start = Start(str(tmp_path / "it.py"))
        start.restore()
        first = found()
        for _ in range(2):
            os.chdir("..")
            os.environ["PWD"] = "elsewhere"
            sys.argv.append("more")
            sys.orig_argv.clear()
            sys.path.insert(0, "lib")
            sys.stdin, sys.stdout = io.StringIO(), io.StringIO()
            sys.stderr = sys.stdout
            start.restore()
            assert found() == first
    assert first[0] == str(tmp_path)


def test_where_its_folder_is_not_there_any_other_does(tmp_path: Path) -> None:
    with own_process_kept():
        before = os.getcwd()
        start = Start(str(tmp_path / "gone" / "it.py"))
        start.restore()
        assert (os.getcwd(), os.environ["PWD"]) == (before, before)
        assert sys.path[0] == start.folder
