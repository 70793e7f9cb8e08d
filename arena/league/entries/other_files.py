"""What somebody may have named who meant a bot, and what to do with it."""

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.league.built_in.bots import NAMES
from arena.text import closest, listed, printable, some_of

_BEGIN_BYTES = 200
_MAX_LOOKED_AT = 1000
"""Files of a folder, in search of one in Python."""
_MAX_SHOWN = 3
"""Names of files in a sentence."""
_ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar")
_DOCUMENTS = (".doc", ".docx", ".odt", ".rtf", ".pdf", ".md", ".html", ".htm", ".pages")
_RUN_BY = {
    ".cjs": "node",
    ".js": "node",
    ".lua": "lua",
    ".mjs": "node",
    ".php": "php",
    ".pl": "perl",
    ".rb": "ruby",
    ".sh": "bash",
    ".jar": "java -Xmx256m -jar",
}
_COMPILED_BY = {
    ".c": "cc -O2 -o {stem} {name}",
    ".cc": "c++ -O2 -o {stem} {name}",
    ".cpp": "c++ -O2 -o {stem} {name}",
    ".go": "go build -o {stem} {name}",
    ".rs": "rustc -O -o {stem} {name}",
}
"""What is to be run in the folder of the file."""

_MISNAMED = re.compile(r"(.+?)\.py(?:[.w3~].*)?", re.IGNORECASE)
_PYTHON = (".py", ".pyw", ".py3")
_LIKE_PYTHON = re.compile(
    rb"^\s*(class \w+.*:|def \w+\(|import \w|from \w[\w.]* import )", re.M
)
_ENDINGS = {
    "notebook": (".ipynb",),
    "archive": _ARCHIVES,
    "compiled": (".pyc", ".pyo"),
    "program": (*_RUN_BY, *_COMPILED_BY, ".java"),
    "document": tuple(x for x in _DOCUMENTS if x != ".md"),
}
_SAID = {
    "python": "Python by another name; let the name end in .py",
    "notebook": "a notebook; export it as a Python file",
    "archive": "packed; unpack it into a folder of its own",
    "compiled": "compiled Python; ask for the text, NAME.py",
    "program": "in another language; name it under bots: with its command",
    "document": "no plain text; save the code alone in a file whose name ends in .py",
    "": "not Python",
}
"""What is said of a kind of file, the most likely meant as a bot first."""


def is_meant(path: Path) -> bool:
    """Return True if a name is that of a bot that was saved as something else."""
    name = path.name.lower()
    return path.suffix != ".py" and name.endswith((".py", ".py.txt", ".ipynb", ".zip"))


def misnamed(name: str) -> str:
    """Return what a file in Python with a wrong ending should be called; "" if none."""
    found = _MISNAMED.fullmatch(name)
    return f"{found[1]}.py" if found and not name.endswith(".py") else ""


def why_no_bot(text: str, path: Path, begin: bytes | None = None) -> str:
    """Say what a file is that is no Python file, and what to do.

    `text` is how it was named, `begin` what it begins with if it is not at `path`.
    """
    suffix = path.suffix.lower()
    name = shlex.quote(path.name)
    stem = shlex.quote(path.stem)
    begin = _begin(path) if begin is None else begin[:_BEGIN_BYTES]
    if not begin.strip():
        return "is an empty file; has it been saved?"
    kind = "archive" if suffix in _ARCHIVES and _is_text(begin) else ""
    if suffix == ".ipynb" and not begin.lstrip().startswith(b"{"):
        kind = "notebook"
    if kind:
        return (
            f"is no {kind}, but plain text; if there is Python in it, rename it to "
            f"{path.stem}.py"
        )
    if suffix == ".ipynb":
        return (
            "is a notebook; export it as a Python file, with File > Save and Export "
            "Notebook As > Executable Script in Jupyter, or with jupyter nbconvert "
            f"--to script {shlex.quote(text)}"
        )
    if suffix in (".pyc", ".pyo"):
        return "is Python that was compiled; take the file with the text, NAME.py"
    python = next((x for x in path.suffixes if x.lower() == ".py"), "")
    if suffix in (".py", ".py3", ".pyw", ".txt") or python:
        meant = path.name.partition(python)[0] if python else path.stem
        return (
            "is no Python file, whose name ends in .py; if there is Python in it, "
            f"rename it to {meant}.py"
        )
    if suffix in _ARCHIVES:
        return "is an archive; unpack it, and name the file or folder that comes out"
    if suffix in _DOCUMENTS:
        return (
            "is a document; save the code alone, as plain text, in a file whose name "
            "ends in .py"
        )
    if suffix in (".yaml", ".yml"):
        return f"is a league's file; name a bot, and the league with --league {text}"
    if suffix == ".java":
        folder = shlex.quote(f"{os.path.dirname(text) or '.'}=java -cp . {path.stem}")
        return (
            f"is the text of a program; compile it first, with javac {name} in its "
            f"folder, then name that with what starts it: {folder}"
        )
    if suffix in _COMPILED_BY:
        command = _COMPILED_BY[suffix].format(stem=stem, name=name)
        return (
            f"is the text of a program; compile it first, with {command} in its "
            f"folder, then name what comes out, {os.path.splitext(text)[0]}"
        )
    runner = _RUN_BY.get(suffix) or _runner(begin)
    if runner:
        command = f"{runner} {name}"
        return (
            "is a program in another language; name it with what starts it: "
            f"{shlex.quote(f'{text}={command}')}, or under bots: with its command"
        )
    return (
        "is no Python file, whose name ends in .py; a program in another language is "
        f"named with what starts it in its folder: {shlex.quote(f'{text}=COMMAND')}"
    )


def _begin(path: Path) -> bytes:
    """Return the first bytes of a file; some that mean nothing if it can't be read."""
    try:
        if not os.path.isfile(path):
            return b"?"
        # It may be a pipe by now, to which nobody writes.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        with open(descriptor, "rb") as file:
            return file.read(_BEGIN_BYTES)
    except OSError:
        return b"?"


def _is_text(begin: bytes) -> bool:
    # It may end within a character.
    text = begin.decode(errors="ignore").encode()
    return b"\0" not in begin and len(text) > len(begin) - 4


def _runner(begin: bytes) -> str:
    """Return the program that a script names in its first line; nothing if none."""
    line = begin.partition(b"\n")[0].decode(errors="replace")
    words = line.removeprefix("#!").split() if line.startswith("#!") else []
    names = [os.path.basename(word) for word in words if not word.startswith("-")]
    return next((name for name in names if name != "env"), "")


def why_not_found(text: str) -> str:
    """Say why a text names no hand-in, and what may be meant."""
    if not text.strip():
        return f"expected FILE, FILE:CLASS or FILE=COMMAND; found {text!r}"
    path = Path(text)
    if os.path.islink(path) and not os.path.exists(path):
        return f"is a link to {os.readlink(path)}, which does not exist"
    if os.path.isdir(path):
        return why_no_python(path)
    if os.path.exists(path):
        return "is neither a file nor a folder"
    expected = "; expected FILE, FILE:CLASS, FILE=COMMAND, " + listed(NAMES, "or")
    return f"no such file or folder{hint_at(path) or expected}"


def hint_at(path: Path) -> str:
    """Return what may be meant by a path where there is nothing, behind a semicolon."""
    known = dict(_known(path.parent)) | {name: name for name in NAMES}
    close = closest(path.name.removesuffix(".py"), known)
    return f"; did you mean {known[close]!r}?" if close else ""


def why_no_python(folder: Path, text: str = "") -> str:
    """Say what is in a folder that no file in Python is in, and what to do.

    `text` is how it was named, if not by its path.
    """

    def named(path: Path | str) -> str:
        return os.path.join(text or str(folder), os.path.relpath(path, folder))

    if not os.access(folder, os.R_OK | os.X_OK):
        return "is a folder that can't be read (Permission denied)"
    deeper = next(_deeper(folder), "")
    if deeper:
        return f"is a folder without a Python file; there is one in {named(deeper)}"
    names = _visible(folder)
    if not names:
        return "is an empty folder; expected one with a Python file, such as bot.py"
    path, kind = _most_likely(folder, names)
    if kind:
        what = why_no_bot(named(path), path)
        return (
            f"is a folder without a Python file, and {_shown(path.name)} in it {what}"
        )
    found = some_of(map(_shown, names[:_MAX_SHOWN]), len(names))
    return f"is a folder without a Python file, such as bot.py; found {found}"


def what_it_is(path: Path) -> str:
    """Say what a file is that is no Python file, and what to do.

    In words that fit one file and several: they stand behind the names.
    """
    if path.is_symlink():
        return "a link; put what it leads to in its place"
    return _SAID[_kind(path)] if path.is_file() else "neither a file nor a folder"


def what_is_in(folder: Path) -> str:
    """Say what a folder is that nothing in Python was found in, and what to do.

    In words that fit one folder and several.
    """
    if not os.access(folder, os.R_OK | os.X_OK):
        return "can't be read (Permission denied)"
    names = _visible(folder)
    if not names:
        return "empty"
    deeper = next(_deeper(folder), "")
    if deeper:
        place = _shown(os.path.relpath(deeper, folder.parent))
        return f"too many folders in each other; name {place} itself under bots:"
    path, kind = _most_likely(folder, names)
    if not kind:
        return "without Python"
    return f"without Python, but with {_shown(path.name)}: {_SAID[kind]}"


def _most_likely(folder: Path, names: Sequence[str]) -> tuple[Path, str]:
    """Return the file of a folder that is most likely meant as a bot, and its kind."""
    files = [x for name in names if not (x := folder / name).is_symlink()]
    kinds = [(_kind(path), path) for path in files if path.is_file()]
    order = [*_SAID]
    kind, path = min(kinds, key=lambda x: order.index(x[0]), default=("", folder))
    return path, kind


def _kind(path: Path) -> str:
    """Return the kind of a file that is no Python file, as in `_SAID`."""
    suffix = path.suffix.lower()
    is_python = any(x.lower().rstrip("~") in _PYTHON for x in path.suffixes)
    if is_python or (suffix in (".txt", "") and _LIKE_PYTHON.search(_begin(path))):
        return "python"
    for kind, endings in _ENDINGS.items():
        if suffix in endings:
            return kind
    return "program" if _runner(_begin(path)) else ""


def _visible(folder: Path) -> list[str]:
    return sorted(x for x in os.listdir(folder) if x[0] != ".")


def _shown(name: str) -> str:
    return printable(name, lines=False)


def _deeper(folder: Path) -> Iterator[str]:
    """Yield the folders in a folder that have files in Python."""
    looked_at = 0
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(x for x in folders if x[0] not in "._")
        if any(file.endswith(".py") for file in files):
            yield place
        looked_at += len(files) + len(folders)
        if looked_at > _MAX_LOOKED_AT:
            return


def _known(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield names of bots of a folder, and of `bots`, and how each can be called."""
    for place in dict.fromkeys((folder, Path("bots"))):
        try:
            names = sorted(os.listdir(place))
        except OSError:
            continue
        for name in names:
            is_bot = name.endswith(".py") or any((place / name).glob("*.py"))
            if is_bot and name[0] not in "._" and (place / name) != Path("bots"):
                yield name.removesuffix(".py"), str(place / name)
