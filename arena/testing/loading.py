"""Bots loaded from files into the process of a test, where a debugger finds them."""

import importlib.util
import inspect
import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

from arena.bot import Bot
from arena.games import game_paths
from arena.league.built_in.bots import built_in_bot, is_built_in
from arena.league.entries.hand_ins.contents import MAIN, main_file
from arena.league.entries.hand_ins.outline import imported
from arena.league.entries.hand_ins.regular_files import RefusedError, read_files
from arena.text import closest, listed
from arena.worker.compat import GUESTS
from arena.worker.explain import explain
from arena.worker.find_bots import find_bots, why_no_bot

_PARAMS = "_arena_params"
"""Attribute of an instance: the parameters it was made with."""


def load_bot(path: str | Path, cls: str | None = None, **params: Any) -> Any:
    """Return a bot of a file or folder, made with these parameters.

    The file is run anew each time, and finds what it imports from beside it; there is a
    warning if it would not find that in a league.

    Args:
        path: as seen from where the tests are run: `bots/my_bot.py`; or `random` or
            `sensible`, for the bots that come with arena.
        cls: name of the class, if there are several.
        params: of its `__init__`, as a league sets them.

    Raises:
        AssertionError: there is no such file, or not just one bot in it.  What the
            file itself raises comes out as it is.
    """
    file = Path(path)
    if not file.exists() and (own := built_in_bot(str(path))) is not None:
        path = file = own
    if file.is_dir() and not (file / "__init__.py").is_file():
        file = _main_file(file)
    source = file / "__init__.py" if file.is_dir() else file
    if not source.is_file():
        raise AssertionError(f"{path}: no such bot file{_near(file)}")
    module = _run(file.resolve(), source.resolve())
    if not Path(path).is_dir() and (others := _not_its_own(file.resolve())):
        warnings.warn(
            f"{path}: imports {listed(others)} from beside it; in a league it finds "
            "only its own files, and what is shared with all: put what it needs into "
            "one folder with it",
            stacklevel=2,
        )
    bots = find_bots(module)
    if not bots:
        raise AssertionError(f"{path}: {_no_bot(module)}")
    if cls is None and len(bots) > 1:
        names = ", ".join(bots)
        raise AssertionError(f"{path}: has several bots ({names}); say which by cls=")
    name = next(iter(bots)) if cls is None else cls
    if name not in bots:
        raise AssertionError(f"{path}: has no bot {name!r}; it has {', '.join(bots)}")
    return make(bots[name], params)


def _main_file(folder: Path) -> Path:
    """Return the file of a folder in which a league would find the bot.

    Raises:
        AssertionError: there is none.
    """
    place = folder.resolve()
    try:
        files = read_files(str(place))
        main = main_file(place.name, files, [*game_paths()], GUESTS)
        return place.parent / main
    except RefusedError as error:
        raise AssertionError(f"{folder} {error}") from None


def make(cls: type[Bot], params: dict[str, Any], seed: int = 0) -> Bot:
    """Return an instance that draws its random numbers by a seed."""
    bot = cls.__new__(cls)
    bot._arena_seed = seed
    setattr(bot, _PARAMS, params)
    bot.__init__(**params)  # type: ignore[misc]
    return bot


def make_again(bot: Bot | type[Bot], seed: int) -> Bot:
    """Return a new instance of a bot, made with the same parameters.

    Raises:
        AssertionError: it is not known with what that was made.
    """
    if isinstance(bot, type) and issubclass(bot, Bot):
        return make(bot, {}, seed)
    if not isinstance(bot, Bot):
        raise AssertionError(
            f"expected a bot, as from load_bot or a class; found {bot!r}"
        )
    params = vars(bot).get(_PARAMS)
    if params is None:
        wanted = inspect.signature(type(bot)).parameters
        if wanted:
            raise AssertionError(
                f"{type(bot).__name__} takes parameters ({', '.join(wanted)}), and a "
                "match needs a new bot for each game: use "
                f"load_bot({inspect.getfile(type(bot))!r}, {next(iter(wanted))}=...)"
            )
        params = {}
    return make(type(bot), params, seed)


def _run(path: Path, source: Path) -> ModuleType:
    """Run a bot's file as a module, and let its folder be found by its imports."""
    # Beside one of arena's own lies none that it imports, and `random.py` would be
    # everyone's `random` in processes that are started from here.
    if not is_built_in(path):
        _make_way(path.parent)
    name = path.stem if path.suffix == ".py" else path.name
    if not name.isidentifier() or name in sys.stdlib_module_names:
        # A bot called random.py must not become everyone's `random`.
        name = f"bot_{''.join(c if c.isalnum() else '_' for c in name)}"
    folders = [str(path)] if path.is_dir() else None
    for loaded in [m for m in sys.modules if m == name or m.startswith(f"{name}.")]:
        del sys.modules[loaded]
    spec = importlib.util.spec_from_file_location(
        name, source, submodule_search_locations=folders
    )
    if spec is None or spec.loader is None:
        raise AssertionError(f"{source}: not a Python file")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except ModuleNotFoundError as error:
        if error.name and error.name in GUESTS:
            raise AssertionError(f"{source.name}: {_of_guest(error.name)}") from None
        raise
    except SyntaxError as error:
        # Python names no file that is no text.
        error.filename = error.filename or str(source)
        file = Path(error.filename)
        if file.is_file():
            error.add_note(explain(error, {error.filename: file.read_bytes()})[0])
        raise
    return module


def _not_its_own(file: Path) -> list[str]:
    """Return what a bot has imported from beside it that a league takes for others'."""
    folder = file.parent
    if file.name in (MAIN, f"{folder.name}.py"):
        return []  # All in the folder may be its own.
    found = []
    for name in sorted({*imported(file.read_bytes())} - {file.stem, "arena"}):
        place = getattr(sys.modules.get(name), "__file__", None) or ""
        if Path(place) in (folder / f"{name}.py", folder / name / "__init__.py"):
            found.append(name)
    return found


def _make_way(folder: Path) -> None:
    """Let modules of a folder be found first, and forget others of their names."""
    text = str(folder)
    if text in sys.path:
        sys.path.remove(text)
    sys.path.insert(0, text)
    for file in folder.glob("*.py"):
        known = getattr(sys.modules.get(file.stem), "__file__", None)
        if file.stem not in sys.stdlib_module_names and known not in (None, str(file)):
            del sys.modules[file.stem]


def _near(file: Path) -> str:
    folder = file.parent
    if not folder.is_dir():
        return f": there is no folder {folder}; paths begin where the tests are run"
    names = [p.name for p in folder.iterdir() if p.suffix == ".py" or p.is_dir()]
    close = closest(file.name, names)
    if close:
        return f"; did you mean {folder / close}?"
    return "; paths begin where the tests are run"


def _of_guest(name: str) -> str:
    return f"it is written for {name}; try it with arena check or arena play"


def _no_bot(module: ModuleType) -> str:
    for name in GUESTS:
        if name in vars(module):
            return _of_guest(name)
    return str(why_no_bot([*game_paths()], module))
