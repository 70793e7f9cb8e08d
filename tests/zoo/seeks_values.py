"""Looks for the values of positions, solvers and partners that arena knows."""

import gc
import importlib.machinery
import importlib.metadata
import importlib.resources
import importlib.util
import linecache
import marshal
import os
import pkgutil
import runpy
import sys
import zipimport

import arena.games
from arena import Bot

GAMES = ("ox_blocks", "zombie_dice", "zombie_mania", "zombie_run")
BESIDE = ("luck", "luck.value", "partner", "positions", "drawing")
CLOSED = (
    *(f"arena.games.{game}.{part}" for game in GAMES for part in BESIDE),
    *(f"arena.games.{name}" for name in ("luck", "conformance", "playthrough")),
    *("arena.testing", "arena.league.built_in.bots", "arena.league", "arena.ratings"),
    *("arena.plugins", "arena.referee.sandbox", "arena.reports", "arena.cli"),
)
ROOT = os.path.dirname(os.path.dirname(arena.games.__path__[0]))
TAG = sys.implementation.cache_tag


def files():
    """Yield paths of closed modules, of compiled ones, and of what lies beside."""
    for name in CLOSED:
        folder, last = os.path.split(os.path.join(ROOT, *name.split(".")))
        yield os.path.join(folder, f"{last}.py")
        yield os.path.join(folder, last, "__init__.py")
        yield os.path.join(folder, "__pycache__", f"{last}.{TAG}.pyc")
        yield os.path.join(folder, last, "__pycache__", f"__init__.{TAG}.pyc")
    for game in GAMES:
        for name in ("drawing.js", "README.md"):
            yield os.path.join(ROOT, "arena", "games", game, name)
    yield os.path.join(ROOT, "arena", "games", "luck.md")
    for name in ("pyproject.toml", "README.md", "bots/README.md", "tests/conftest.py"):
        yield os.path.join(ROOT, name)


def got(attempts):
    """Return those things that are had by an attempt: pairs of what and how."""
    found = []
    for what, attempt, *arguments in attempts:
        try:
            if attempt(*arguments):
                found.append(what)
        except (Exception, SystemExit):
            pass
    return " ".join(found)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def is_closed(name):
    return isinstance(name, str) and any(f"{name}.".startswith(f"{c}.") for c in CLOSED)


class Culprit(Bot):
    def __init__(self, deed):
        self.deed = getattr(self, deed)

    def act(self, obs):
        found = self.deed()
        return f"leaked: {found}"[:500] if found else "stop"

    def imports(self):
        def import_from(name):
            parent, _, last = name.rpartition(".")
            exec(f"from {parent} import {last}", {})
            return True

        plain = ((name, importlib.import_module, name) for name in CLOSED)
        asked = ((name, importlib.util.find_spec, name) for name in CLOSED)
        return got([*plain, *((name, import_from, name) for name in CLOSED), *asked])

    def remembers(self):
        """Anything of theirs in the process that it was forked from."""
        found = {name for name in sys.modules if is_closed(name)}
        for thing in gc.get_objects():
            for holder in (thing, type(thing)):
                name = getattr(holder, "__module__", None)
                if is_closed(name):
                    found.add(name)
        closed = {*files()}
        return " ".join(sorted([*found, *(f for f in linecache.cache if f in closed)]))

    def opens(self):
        return got((path, read, path) for path in files())

    def lists(self):
        """Folders in which there is what it may read among other things."""
        packages = os.path.join(os.path.dirname(os.__file__), "site-packages")
        return got((path, os.listdir, path) for path in (ROOT, packages))

    def unmarshals(self):
        def load(path):
            return marshal.loads(read(path)[16:])

        return got((path, load, path) for path in files() if path.endswith("pyc"))

    def loads_by_hand(self):
        def load(path):
            loader = importlib.machinery.SourceFileLoader("mine", path)
            return loader.get_code("mine")

        def load_compiled(path):
            loader = importlib.machinery.SourcelessFileLoader("mine", path)
            return loader.get_code("mine")

        def make(path):
            spec = importlib.util.spec_from_file_location("mine", path)
            spec.loader.exec_module(importlib.util.module_from_spec(spec))
            return True

        paths = [*files()]
        modules = [path for path in paths if path.endswith("partner.py")]
        return got(
            [
                *((p, load, p) for p in paths if p.endswith(".py")),
                *((p, load_compiled, p) for p in paths if p.endswith(".pyc")),
                *((p, make, p) for p in modules),
                *((p, runpy.run_path, p) for p in modules),
                ("a zip", zipimport.zipimporter, ROOT),
            ]
        )

    def asks_loaders(self):
        """Those of modules that it may import, for what lies beside these."""
        attempts = []
        for game in GAMES:
            package = importlib.import_module(f"arena.games.{game}")
            beside = importlib.resources.files(package)
            for name in (
                "partner.py",
                "drawing.js",
                "luck/value.py",
                "luck/__init__.py",
            ):
                path = os.path.join(package.__path__[0], name)
                attempts += [
                    (path, package.__loader__.get_data, path),
                    (path, pkgutil.get_data, package.__name__, name),
                    (path, beside.joinpath(name).read_bytes),
                ]
        return got(attempts)

    def goes_round_the_guard(self):
        path = [*sys.path, ROOT]
        finders, sys.meta_path[:] = sys.meta_path[:], [importlib.machinery.PathFinder]
        hooks, sys.path_hooks[:] = sys.path_hooks[:], sys.path_hooks[-1:]
        sys.path_importer_cache.clear()
        sys.path, before = path, sys.path
        try:
            return got((name, importlib.import_module, name) for name in CLOSED)
        finally:
            sys.path = before
            sys.meta_path[:], sys.path_hooks[:] = finders, hooks

    def reads_metadata(self):
        """What it can tell of where arena lies, and of all that is installed."""

        def read_all():
            found = importlib.metadata.distribution("bot-arena")
            return found.read_text("RECORD") or found.read_text("direct_url.json")

        return got([("metadata", read_all)])
