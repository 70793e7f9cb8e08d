"""Files of bots for tests, as a league would read them, but used where they lie."""

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import trio

from arena.games import game_paths
from arena.league.config.settings import BotSettings
from arena.league.entries.bot_file import BotFile, files_of
from arena.league.entries.enrolment import take_in
from arena.league.entries.hand_ins.contents import Contents, of_form_1
from arena.league.entries.hand_ins.depot import Depot
from arena.league.entries.hand_ins.hand_in import HandIn
from arena.league.entries.hand_ins.regular_files import ReadFile, read_files
from arena.referee.contestant.bot_code import code_hash
from arena.referee.work_unit import EntrySpec
from arena.worker.compat import GUESTS


def with_beside(path: Path) -> Contents:
    """Return what a bot consists of, with all that it imports from beside it."""

    def beside(module: str) -> Sequence[ReadFile]:
        for found in (path.parent / module, path.parent / f"{module}.py"):
            if found.is_file() or (found / "__init__.py").is_file():
                return read_files(str(found))
        return ()

    return of_form_1(path.name, read_files(str(path)), beside, dict(GUESTS))


def files_with(path: Path) -> list[Path]:
    """Return the paths of a bot's files, with all that it imports from beside it."""
    return [path.parent / file.name for file in with_beside(path).files]


def spec_of(id_: str, path: Path, bot: str, **more: object) -> EntrySpec:
    """Return an entry for a bot of any file or package, and what it imports."""
    files = tuple(map(str, files_with(path))) if os.path.lexists(path) else ()
    folder = str(path) if path.is_dir() else ""
    return EntrySpec(id_, str(path), bot, files=files, folder=folder, **more)  # type: ignore[arg-type]


def hash_of(files: Sequence[str | Path]) -> tuple[tuple[str, ...], str]:
    """Return what some files may be called in a hash, and that hash."""
    names = tuple(map(os.path.basename, map(str, files)))
    return names, code_hash(names, [Path(file).read_bytes() for file in files])


def kept(code: str, *files: str, home: str = "/bots") -> HandIn:
    """Return a hand-in of files that need not be there, its own first."""
    return HandIn(code=code, home=home, main=files[0], files=files, names=files)


def taken_in(
    bots: Sequence[BotSettings],
    folder: Path,
    games: Sequence[str] = (),
    **how: object,
) -> list[BotFile]:
    """Return the hand-ins of settings, read and kept in a folder."""
    shared = how.pop("shared", ())
    files = files_of(bots, "bots", **how)  # type: ignore[arg-type]
    form = how.get("form", 2)
    read = partial(take_in, shared=shared, form=form)  # type: ignore[call-arg]
    trio.run(read, files, tuple(games or game_paths()), Depot(folder), "shared")
    return files
