"""Notebooks of Jupyter, made into modules of their code cells.

The formats 2 to 4, as `nbformat/v4/nbformat.v4.schema.json` of jupyter/nbformat and its
older siblings say (read November 2026); the magics are those of IPython 8's page
"Built-in magic commands".  A module is what a bot is loaded from, so what only a
notebook can do is commented out.  No line of it is run or parsed by Python.
"""

import re
from dataclasses import dataclass, field

import msgspec

from arena.collect.member_name import member_name
from arena.collect.submission import UnreadableError
from arena.text import cut, printable

_MAX_BYTES = 2**25
_MAX_CODE_CHARS = 2**20
_MAX_CELLS = 10_000
_MAX_WORD_CHARS = 40
_KEPT = frozenset(("capture", "prun", "time", "timeit"))
"""Magics of a cell that run it as what it is."""
_WRITES = frozenset(("file", "writefile"))
_MAGIC = re.compile(
    r"[ \t]*+(?:%{1,2}|!{1,2}|\?{1,2})[ \t]*+\S|[ \t]*+[\w.]++\?{1,2}[ \t]*+$"
)
_ASSIGNED = re.compile(r"[\w.,\[\] \t]++=[ \t]*+[%!][ \t]*+\w")
"""A line whose value is that of a magic or of a command."""
_PLAIN = re.compile(r"[^'\"()\[\]{}\\]*+")
"""A line in which nothing begins that may end in another one."""
_CELL_MAGIC = re.compile(r"\s*%%(\w+)[ \t]*(.*)")
_TOKEN = re.compile(
    r"""#.*|('{3}|"{3})(?:[\s\S]*?\1)?"""
    r"""|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'?|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"?"""
    r"""|\\\n|[()\[\]{}\n]"""
)
"""What decides where a statement of Python begins."""


class _Cell(msgspec.Struct):
    cell_type: str
    source: str | list[str] | None = None
    input: str | list[str] | None = None
    """Its text in the formats 2 and 3."""
    execution_count: int | None = None
    prompt_number: int | None = None


class _Worksheet(msgspec.Struct):
    cells: list[_Cell]


class _Language(msgspec.Struct):
    name: str | None = None
    language: str | None = None


class _Metadata(msgspec.Struct):
    kernelspec: _Language | None = None
    language_info: _Language | None = None


class _Notebook(msgspec.Struct):
    metadata: _Metadata = msgspec.field(default_factory=_Metadata)
    cells: list[_Cell] = []
    worksheets: list[_Worksheet] = []


@dataclass
class Code:
    """The code of a notebook."""

    module: str = ""
    """Its cells in their order, each below its number."""
    files: dict[str, str] = field(default_factory=dict)
    """What its cells write into files of Python, by their names."""
    dropped: list[str] = field(default_factory=list)
    """The words that magics begin with which are commented out."""
    chars: int = 0
    """Of all its cells of code."""


def code_of(data: bytes) -> Code:
    """Return the code of a notebook.

    Raises:
        UnreadableError: it has none, none in Python, or is damaged.
    """
    if not data.strip():
        raise UnreadableError("is an empty file; has it been saved?")
    if len(data) > _MAX_BYTES:
        raise UnreadableError(
            f"is a notebook of more than {_MAX_BYTES // 2**20} MiB; clear its output, "
            "and save it"
        )
    notebook = _decoded(data)
    language = _language(notebook.metadata)
    if language and not re.match(r"(i?python|pypy)", language, re.IGNORECASE):
        found = cut(printable(language, lines=False), _MAX_WORD_CHARS)
        raise UnreadableError(f"is a notebook in {found}; expected one in Python")
    cells = notebook.cells or [x for sheet in notebook.worksheets for x in sheet.cells]
    if len(cells) > _MAX_CELLS:
        raise UnreadableError(
            f"is a notebook with more than {_MAX_CELLS:,} cells; put its code into a "
            "file in Python"
        )
    texts = {
        f"# In [{cell.execution_count or cell.prompt_number or ' '}]: cell {i}": text
        for i, cell in enumerate(cells, 1)
        if cell.cell_type == "code" and (text := _text(cell)).strip()
    }
    code = Code(chars=sum(map(len, texts.values())))
    if code.chars > _MAX_CODE_CHARS:
        raise UnreadableError(
            f"is a notebook with more than {_MAX_CODE_CHARS // 2**20} MiB of code; put "
            "tables into a file of data"
        )
    parts = []
    for head, text in texts.items():
        python = _python(text, code).strip("\n")
        if python.strip():
            parts.append(f"{head}\n{python.rstrip()}\n")
    code.module = "\n\n".join(parts)
    if not code.module and not code.files:
        raise UnreadableError("is a notebook without a cell of Python")
    return code


def _decoded(data: bytes) -> _Notebook:
    data = data.removeprefix(b"\xef\xbb\xbf")
    if not data.lstrip().startswith(b"{"):
        raise UnreadableError(
            "is no notebook; if there is Python in it, rename it so that its name ends "
            "in .py"
        )
    # What is not asked for, such as pictures, is passed over.
    try:
        return msgspec.json.decode(data, type=_Notebook)
    except msgspec.ValidationError:
        why = "is no notebook of Jupyter"
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        why = "is a damaged notebook"
    raise UnreadableError(f"{why}; have it handed in again, as Jupyter saves it")


def _language(metadata: _Metadata) -> str:
    info, kernel = metadata.language_info, metadata.kernelspec
    return (info and info.name) or (kernel and kernel.language) or ""


def _text(cell: _Cell) -> str:
    text = cell.source if cell.source is not None else cell.input
    # JSON may hold halves of characters, which no file can.
    text = "".join(text) if isinstance(text, list) else text or ""
    return re.sub(r"\r\n?", "\n", text)


def _python(text: str, code: Code) -> str:
    """Return the Python of a cell; put elsewhere what is none."""
    first, _, rest = text.lstrip("\n").partition("\n")
    match = _CELL_MAGIC.match(first)
    if not match:
        return _without_magics(text, code)
    word, what = match.groups()
    if word in _WRITES:
        return _written(what.split(), rest, code)
    code.dropped.append(f"%%{cut(word, _MAX_WORD_CHARS)}")
    if word in _KEPT:
        return f"# {first}\n{_without_magics(rest, code)}"
    return ""


def _written(words: list[str], text: str, code: Code) -> str:
    """Note a file of Python that a cell writes; another one is dropped."""
    adds = "-a" in words
    names = [word.strip("\"'") for word in words if not word.startswith("-")]
    name = member_name("".join(names[:1]).encode("utf-8", "replace"))
    is_hidden = any(part.startswith(".") for part in name.text.split("/"))
    if len(names) != 1 or name.refused or is_hidden or not name.text.endswith(".py"):
        code.dropped.append("%%writefile")
        return ""
    before = code.files.get(name.text, "") if adds else ""
    code.files[name.text] = before + text.rstrip("\n") + "\n"
    return ""


def _without_magics(text: str, code: Code) -> str:
    """Return a text with those of its lines commented out that are not Python's.

    They stand where a statement begins; elsewhere, `%` is an operator.
    """
    found = []
    begin = 0
    while begin < len(text):
        end = text.find("\n", begin)
        end = len(text) if end < 0 else end
        line = text[begin:end]
        if _MAGIC.match(line) or _ASSIGNED.match(line):
            while text[end - 1] == "\\" and end < len(text):
                after = text.find("\n", end + 1)
                end = len(text) if after < 0 else after
            found.append(_commented(text[begin:end], code))
        else:
            if not _PLAIN.fullmatch(line):
                end = _statement_end(text, begin)
            found.append(text[begin:end])
        begin = end + 1
    return "\n".join(found)


def _statement_end(text: str, begin: int) -> int:
    """Return where the line ends in which a statement does."""
    depth = 0
    for match in _TOKEN.finditer(text, begin):
        token = match[0]
        if token == "\n" and depth <= 0:
            return match.start()
        depth += (token in "([{") - (token in ")]}")
    return len(text)


def _commented(line: str, code: Code) -> str:
    """Return lines as comments; in a block there may be no others, so it passes."""
    stripped = line.lstrip()
    indent = line[: len(line) - len(stripped)]
    word = re.search(r"[%!]+\S+", stripped) or re.search(r"\S+", stripped)
    code.dropped.append(cut(word[0] if word else "", _MAX_WORD_CHARS))
    first, *others = stripped.split("\n")
    start = f"{indent}pass  # " if indent else "# "
    return "\n".join([start + first, *(f"{indent}# {x}" for x in others)])
