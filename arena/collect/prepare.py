"""What a submission will be in the student's folder: unpacked and put in order.

Nothing is written here, and nothing of a student is run.  What is not taken as it came
has a sentence, so nothing vanishes.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from keyword import iskeyword
from pathlib import Path, PurePosixPath

from arena.collect.member_name import member_name
from arena.collect.notebooks import Code, code_of
from arena.collect.platforms.listing import distinct
from arena.collect.put_back import last_copies, put_back
from arena.collect.submission import (
    ExportFile,
    Files,
    Submission,
    TooLargeError,
    UnreadableError,
)
from arena.collect.unpacking import Unpacking, too_much, too_much_python
from arena.collect.wrapper import bots_of, unwrapped
from arena.league.entries.hand_ins.contents import (
    MAIN,
    MAX_PYTHON_BYTES,
    NO_MAIN,
    some_names,
)
from arena.league.entries.hand_ins.regular_files import (
    MAX_BYTES,
    MAX_DEPTH,
    MAX_FILES,
    shown,
)
from arena.league.entries.other_files import is_meant, why_no_bot
from arena.text import counted, some_of

_MAX_NOTES = 20
_SHOWN_MAGICS = 4
_UNLIKE = {".txt": 0, ".pyw": 0, ".md": 2, ".pdf": 2, ".png": 3, ".jpg": 3, ".csv": 3}
"""How unlike a bot files are, by how their names end."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A submission as it will lie in the student's folder."""

    files: Files
    notes: tuple[str, ...]
    """What was dropped, renamed or converted: each goes on after the student's name."""
    problem: str
    """Why nothing of it will play, and what to do; empty if it may."""
    found: str
    """What was handed in, in short."""


def prepare(submission: Submission) -> Prepared:
    """Return what a submission will be in the student's folder."""
    if not submission.files and submission.notes:
        first, *others = submission.notes
        return Prepared({}, tuple(others), f"{first}; ask for a file", "no file")
    unpacking = Unpacking()
    notes = unpacking.notes
    notes += submission.notes
    files: Files = {}
    try:
        files = unpacking.take(_by_safe_name(submission))
        files = last_copies(unwrapped(files, notes), notes)
        unread = dict(unpacking.unread)
        files = _without_notebooks(files, unread, notes)
        files = put_back(files, notes)
        _check_size(files)
        problem = _problem(files, unread)
        if not problem:
            notes += _doubts(files, unread)
    except TooLargeError as error:
        files, problem = {}, str(error)
    except MemoryError:
        files, problem = {}, "is too large to be read; have a smaller one handed in"
    if unpacking.litter_note:
        notes.append(unpacking.litter_note)
    more = len(notes) - _MAX_NOTES
    if more > 1:
        notes[_MAX_NOTES:] = [f"and {more} more notes like these"]
    return Prepared(files, tuple(notes), problem, unpacking.found)


def _without_notebooks(files: Files, unread: dict[str, str], notes: list[str]) -> Files:
    """Return files with modules in the place of notebooks."""
    found = dict(files)
    room = MAX_PYTHON_BYTES
    for name in [x for x in files if x.endswith(".ipynb")]:
        path = PurePosixPath(name)
        if str(path.with_suffix(".py")) in files:
            del found[name]
            notes.append(
                f"left out {shown(name)}, as {shown(path.stem)}.py is beside it"
            )
            continue
        try:
            code = code_of(files[name][0])
        except UnreadableError as error:
            unread[name] = str(error)
            continue
        room -= code.chars
        if room < 0:
            raise too_much_python()
        del found[name]
        module = str(path.with_name(f"{_module(path.stem)}.py"))
        made = {str(path.parent / own): text for own, text in code.files.items()}
        if code.module and module not in made:
            made[module] = code.module
        for own, text in made.items():
            if own in found:
                notes.append(
                    f"left out {shown(own)} of {shown(name)}, as there is another one"
                )
            else:
                found[own] = (text.encode("utf-8", "replace"), False)
        notes.append(_on_notebook(name, [*made], code))
    return found


def _by_safe_name(submission: Submission) -> dict[str, ExportFile]:
    """Return the files by paths that are safe, whoever has made up those they have."""
    return dict(
        distinct(
            (member_name(path.encode("utf-8", "surrogateescape")).text, file)
            for path, file in submission.files
        )
    )


def _module(stem: str) -> str:
    """Return a name that can be imported."""
    name = re.sub(r"\W+", "_", stem).strip("_")
    return name if name.isidentifier() and not iskeyword(name) else f"bot_{name}"


def _on_notebook(name: str, made: list[str], code: Code) -> str:
    note = f"made {some_names(made)} of the code in {shown(name)}"
    if code.dropped:
        words = [*Counter(code.dropped)]
        some = some_of(map(shown, words[:_SHOWN_MAGICS]), len(words))
        what = counted(len(code.dropped), "line or cell", "lines or cells")
        note += f"; commented out or dropped {what} for notebooks alone ({some})"
    return note


def _check_size(files: Files) -> None:
    """Check that a league takes as much as this."""
    if sum(len(data) for data, _ in files.values()) > MAX_BYTES:
        raise too_much()
    folders = {str(x) for name in files for x in PurePosixPath(name).parents}
    # What is known of a hand-in lies in its folder too.
    if len(files) + len(folders) > MAX_FILES:
        raise TooLargeError(
            f"has more than {MAX_FILES} files and folders; leave out what the bot does "
            "not need"
        )
    depth = 1 + max((name.count("/") for name in files), default=0)
    if depth > MAX_DEPTH:
        raise TooLargeError(
            f"has folders in each other, {depth} deep; {MAX_DEPTH} are allowed"
        )


def _problem(files: Files, unread: dict[str, str]) -> str:
    """Return why nothing of the files will play; empty if it may."""
    top = [name for name in files if name.endswith(".py") and "/" not in name]
    if top:
        if not any(files[name][0].strip() for name in top):
            return f"{shown(top[0])} {why_no_bot(top[0], Path(top[0]), b'')}"
        bots = bots_of(files)
        if not bots:
            return NO_MAIN
        if len(bots) > 1:
            return (
                f"has several files with bots ({some_names(bots)}); call the main one "
                f"{MAIN}, or remove the others"
            )
        return ""
    if folders := dict.fromkeys(
        x.rpartition("/")[0] for x in files if x.endswith(".py")
    ):
        return (
            f"has files in Python in folders alone ({some_names(folders)}); put the "
            f"bot's file {MAIN} beside these folders"
        )
    return next(_doubts(files, unread), "") or _why_nothing(files)


def _doubts(files: Files, unread: dict[str, str]) -> Iterator[str]:
    """Yield a sentence on each file that may have been meant to be the bot, or part."""
    for name, why in unread.items():
        yield f"{shown(name)} {why}"
    for name, (data, _) in files.items():
        path = Path(name)
        if name not in unread and is_meant(path) and path.suffix != ".zip":
            yield f"{shown(name)} {why_no_bot(name, path, data)}"


def _why_nothing(files: Files) -> str:
    """Return what the file is, of those not in Python, that seems most like a bot."""

    def rank(name: str) -> tuple[int, int, str]:
        suffix = PurePosixPath(name).suffix.lower()
        return _UNLIKE.get(suffix, 1), name.count("/"), name

    name = min(files, key=rank, default="")
    if not name:
        return f"has no file that can be taken; ask for one in Python, such as {MAIN}"
    if PurePosixPath(name).name.lower().startswith("readme"):
        # It was there before the student began, as in an assignment's repository.
        return f"has no file in Python, only {shown(name)}; ask for one, such as {MAIN}"
    return f"{shown(name)} {why_no_bot(name, Path(name), files[name][0])}"
