"""The folders in which a hand-in is wrapped: its bot belongs at the top."""

import re

from arena.collect.submission import Files
from arena.games import game_paths
from arena.league.entries.hand_ins.contents import MAIN, main_files
from arena.league.entries.hand_ins.outline import imported, outline
from arena.league.entries.hand_ins.regular_files import ReadFile, shown
from arena.worker.compat import GUESTS

_INIT = "__init__.py"
_MAX_WRAPPERS = 10
_RELATIVE = re.compile(rb"^[ \t]*from[ \t]+\.", re.MULTILINE)


def is_code(name: str) -> bool:
    """Return True if a file is in Python, by its name, or a notebook."""
    return name.endswith((".py", ".ipynb"))


def imports(files: Files) -> set[str]:
    """Return the names of the modules that files in Python seem to import."""
    return {
        module
        for name, (data, _) in files.items()
        if name.endswith(".py")
        for module in imported(data)
    }


def unwrapped(files: Files, notes: list[str]) -> Files:
    """Return files without a folder that has all that is in Python.

    If that is imported by its name it stays, and the bot's file is put beside it.
    """
    taken_off: list[str] = []
    while folder := _wrapper(files) if len(taken_off) < _MAX_WRAPPERS else "":
        if folder in imports(files):
            files = files | _lifted(files, folder, notes)
            break
        files = _without(files, folder, notes)
        taken_off.append(folder)
    if taken_off:
        where = shown("/".join(taken_off))
        notes.append(f"its files were moved out of the folder {where}")
    return files


def _wrapper(files: Files) -> str:
    """Return the folder at the top with all in Python, or all bots; empty if none."""
    tops = {name.partition("/")[0] for name in files if is_code(name)}
    if any(top in files for top in tops):
        return ""
    if len(tops) > 1:
        tops = {name.partition("/")[0] for name in files if _has_bot(name, files)}
    return tops.pop() if len(tops) == 1 else ""


def _has_bot(name: str, files: Files) -> bool:
    if not name.endswith(".py"):
        return False
    data = files[name][0]
    guests = [GUESTS[module] for module in set(imported(data)) if module in GUESTS]
    return bool(outline(data, [*game_paths()], guests))


def _without(files: Files, folder: str, notes: list[str]) -> Files:
    start = f"{folder}/"
    found = {
        name.removeprefix(start): content
        for name, content in files.items()
        if name.startswith(start)
    }
    for name, content in files.items():
        if not name.startswith(start) and found.setdefault(name, content) != content:
            notes.append(
                f"left out {shown(name)}, as there is another one in {shown(folder)}"
            )
    return found


def _lifted(files: Files, folder: str, notes: list[str]) -> Files:
    """Return a copy of the bot's file in a folder, under a name outside of it."""
    bots = [
        name
        for name in files
        if name.rpartition("/")[0] == folder and _has_bot(name, files)
    ]
    if len(bots) != 1 or _RELATIVE.search(files[bots[0]][0]):
        return {}
    [bot] = bots
    name = bot.rpartition("/")[2]
    name = MAIN if name == _INIT else name
    notes.append(
        f"put a copy of {shown(bot)} beside the folder {shown(folder)}, which its "
        "files import"
    )
    return {name: files[bot]}


def bots_of(files: Files) -> list[str]:
    """Return the files at the top of which one must be the bot."""
    if _INIT in files:
        return [_INIT]
    read = [ReadFile(f"x/{name}", *content) for name, content in files.items()]
    found = main_files("", read, [*game_paths()], dict(GUESTS))
    return [name.partition("/")[2] for name in found]
