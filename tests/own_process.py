"""Keeps the tests' own process as it is, though a bot's file is run in it."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def own_process_kept() -> Iterator[None]:
    """Undo, at the end, what a file finds when it is run: see `arena.worker.start`."""
    lists = (sys.meta_path, sys.path_hooks, sys.path, sys.argv, sys.orig_argv)
    before = [[*kept] for kept in lists]
    main, folder, shell = sys.modules["__main__"], os.getcwd(), os.environ.get("PWD")
    try:
        yield
    finally:
        for kept, items in zip(lists, before, strict=True):
            kept[:] = items
        sys.modules["__main__"] = main
        os.chdir(folder)
        if shell is None:
            os.environ.pop("PWD", None)
        else:
            os.environ["PWD"] = shell
