"""Remedies for what is no text of Python: other kinds of files, encodings, signs.

A file of another kind may still be code that Python can read, such as a notebook; so
these are looked at whatever went wrong.
"""

import re
from keyword import kwlist

from arena.worker.remedies.bad_code import (
    BadCode,
    hide_texts,
    quote,
    show_texts,
    write,
)
from arena.worker.remedies.remedy import Remedy, remedy_for

_BEGINNING = 2000
"""Bytes that tell what kind of file it is."""
_COPY = "copy the code into a new file in an editor for code, and save it as .py"
_UTF_8 = "save the file as UTF-8; editors ask for it as encoding, at Save As"
_CODING = rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)"
_KINDS = (
    (b"PK\x03\x04", f"it is a packed file, such as .zip or .docx: {_COPY}"),
    (b"\x1f\x8b", f"it is a packed file: {_COPY}"),
    (b"7z\xbc\xaf", f"it is a packed file: {_COPY}"),
    (b"Rar!\x1a", f"it is a packed file: {_COPY}"),
    (b"%PDF-", f"it is a PDF: {_COPY}"),
    (b"{\\rtf", f"it is formatted text (RTF): {_COPY}"),
    (b"\xd0\xcf\x11\xe0", f"it is a document of Word: {_COPY}"),
    (b"bplist0", f"it is a saved web page: {_COPY}"),
    (b"\x89PNG", f"it is a picture: {_COPY}"),
    (b"\xff\xd8\xff", f"it is a picture: {_COPY}"),
    (b"GIF8", f"it is a picture: {_COPY}"),
    (b"\x7fELF", f"it is a program: {_COPY}"),
    (b"MZ\x90", f"it is a program: {_COPY}"),
    (b"version https://git-lfs", "the file is not here yet: get it with git lfs pull"),
)
_QUOTES = {
    **dict.fromkeys("“”„‟«»″〝〞＂「」", '"'),
    **dict.fromkeys("‘’‚‛′´‹›＇", "'"),
}
_FENCE = "```|~~~"
_KEYWORD = "|".join(kwlist)
_ENTITIES = {
    **{"&gt;": ">", "&lt;": "<", "&quot;": '"', "&#34;": '"', "&#39;": "'"},
    **{"&nbsp;": " ", "&amp;": "&"},
}
_SIGNS = {
    **dict.fromkeys("–—‒‑‐−⁃", "-"),
    **dict.fromkeys("×∗✕⋅•∙", "*"),
    **{"÷": "/", "⁄": "/", "∕": "/", "≤": "<=", "≥": ">=", "≠": "!=", "→": "->"},
    **{"²": "**2", "³": "**3", "∧": " and ", "∨": " or ", "¬": " not "},
    **{"≈": "==", "≡": "==", "、": ",", "。": "."},
    **{chr(0xFF00 + n): chr(0x20 + n) for n in range(1, 0x5F)},
}
"""Signs that look like those of Python, by what to write."""


def _kind(bad: BadCode) -> str:
    found = (words for begin, words in _KINDS if bad.data.startswith(begin))
    return next(found, "")


def _compiled(bad: BadCode) -> str:
    is_one = bad.data[2:4] == b"\r\n" and b"\0" in bad.data[:_BEGINNING]
    return "it is a compiled file (.pyc): hand in the .py it was made of" * is_one


def _notebook(bad: BadCode) -> str:
    begin = bad.data[:_BEGINNING].lstrip(b"\xef\xbb\xbf \t\r\n")
    if not re.match(rb'\{\s*"(?:cells|metadata|nbformat\w*)"\s*:', begin):
        return ""
    return (
        "it is a notebook, not a file in Python: in Jupyter use Save and Export "
        "Notebook As, Executable Script; in Colab Download, Download .py"
    )


def _page(bad: BadCode) -> str:
    begin = bad.data[:_BEGINNING].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if not begin.startswith((b"<!doctype html", b"<html", b"<head", b"<?xml")):
        return ""
    return (
        "it is a web page, not the file that it shows: on GitHub use the button "
        "Download raw file"
    )


def _utf_16(bad: BadCode) -> str:
    data = bad.data[:_BEGINNING]
    zeros = [data[k::2].count(b"\0") * 4 > len(data) for k in (0, 1)]
    is_one = data.startswith((b"\xff\xfe", b"\xfe\xff")) or zeros[0] != zeros[1]
    return f"it is UTF-16, which some editors call Unicode: {_UTF_8}" if is_one else ""


def _no_text(bad: BadCode) -> str:
    if "null bytes" not in bad.message:
        return ""
    return f"it is not plain text, or was damaged: {_COPY}"


def _fenced(bad: BadCode) -> str:
    """Tell code with words around it: the answer of a chat, or a part of a page."""
    kept, is_code = list[int](), False
    fences = [n for n, line in enumerate(bad.lines, 1) if re.match(_FENCE, line)]
    for number, line in enumerate(bad.lines, 1):
        if number in fences:
            is_code = not is_code
        elif is_code or not line.strip():
            kept.append(number)
    rest = {n: "" for n in range(1, len(bad.lines) + 1) if n not in {*kept}}
    if len(rest) == len(fences) or not fences or not bad.is_better(rest):
        return ""
    return "keep only the code, which is between the lines with ```"


def _coding(bad: BadCode) -> str:
    if (
        not any(re.match(_CODING, line) for line in bad.data.split(b"\n", 2)[:2])
        or "'utf-8'" in bad.message
        or not re.search("encoding|codec", bad.message)
        or "unicodeescape" in bad.message
    ):
        return ""
    return "take the line with coding out, and save the file as UTF-8"


def _encoding(bad: BadCode) -> str:
    return _UTF_8 if "'utf-8' codec" in bad.message else ""


def _quotes(bad: BadCode) -> str:
    sign = _sign(bad)
    if "unterminated string" in bad.message:
        sign = next((c for c in bad.code if _QUOTES.get(c)), "")
    if sign not in _QUOTES:
        return ""
    return (
        f"{sign} comes from a text editor such as Word; Python's quotes are \" and '"
        f"{_straightened(bad)}"
    )


def _left_out(bad: BadCode) -> str:
    if _sign(bad) != "…":
        return ""
    return "… stands for code that was left out: write that code here"


def _look_alike(bad: BadCode) -> str:
    meant, fixed = _SIGNS.get(_sign(bad), "").strip(), _straightened(bad)
    return f"Python writes {meant} for it{fixed}" if meant and fixed else ""


def _invisible(bad: BadCode) -> str:
    found = re.search(r"^invalid non-printable character U\+([0-9A-F]+)", bad.message)
    if not found:
        return ""
    sign = chr(int(found[1], 16))
    before = bad.code_before(sign)
    number = sum(line.count(sign) for line in bad.lines)
    many = f"; the file has {number} of them: let your editor replace all"
    return (
        f"{f'behind {quote(before)}' if before else 'where the line begins'} is a "
        "character that nobody sees, as in text from a web page: delete it, and "
        f"type a blank if one is needed{many * (number > 1)}"
    )


def _unknown(bad: BadCode) -> str:
    sign = _sign(bad)
    if not sign:
        return ""
    meant = _SIGNS.get(sign, "").strip()
    do = f"write {meant} if it means that, or" if meant else "take it out, or"
    return f"{do} put quotes around it if it is text"


def _line_numbers(bad: BadCode) -> str:
    """Tell the numbers of lines, which go on in the next line, from other numbers."""
    here = re.match(r"\s*(\d+)[.:|]?\s+[A-Za-z@#\"']", bad.line(bad.number))
    if here is None:
        return ""
    there = re.match(r"\s*(\d+)[.:|]?(?:\s|$)", bad.line(bad.number + 1))
    if there is None or int(there[1]) != int(here[1]) + 1:
        return ""
    return "take the numbers of the lines out of all lines"


def _entities(bad: BadCode) -> str:
    code = bad.code
    for entity, sign in _ENTITIES.items():
        code = code.replace(entity, sign)
    fixed = bad.tried(code) if code != bad.code else ""
    return f"it was copied from the text of a web page; write {fixed}" * bool(fixed)


def _sign(bad: BadCode) -> str:
    """Return the sign that is none of Python's."""
    found = re.search(r"^invalid character '(.)'", bad.message)
    return found[1] if found else ""


def _straightened(bad: BadCode) -> str:
    """Say to write the line with signs of Python's, if it is right then."""
    code, texts = hide_texts("".join(_QUOTES.get(c, c) for c in bad.code))
    fixed = bad.tried(show_texts("".join(_SIGNS.get(c, c) for c in code), texts))
    return f"; write {fixed}" * bool(fixed)


_PASTED: tuple[Remedy[BadCode], ...] = (
    Remedy(
        "conflict of git",
        write(
            "git could not join two versions here: keep the lines of one, and delete "
            "those with <<<<<<<, ======= and >>>>>>>",
            (r"^(?:<{7}|>{7}|\|{7})(?: .*)?$", "pass"),
            shows=False,
        ),
    ),
    Remedy(
        "signs of a diff",
        write(
            "this is a list of changes, with + and -; hand in the file itself",
            (r"^[-+]\s*(?=(?:from|import|class|def|if|for|return|@)\b)", ""),
            (r"^(?:@@ |diff |--- |\+\+\+ |index ).*$", "pass"),
            shows=False,
        ),
    ),
    Remedy(
        "prompts of Python",
        write(
            "Python prints this before each line; take it out of all lines",
            (r"^(?:>>>|\.\.\.)(?: |$)", ""),
            (r"^In ?\[\d*\]: ?|^Out ?\[\d*\]: ?", ""),
            shows=False,
        ),
    ),
    Remedy("numbers of lines", _line_numbers),
    Remedy("signs of HTML", _entities),
    Remedy(
        "words around the code",
        write(
            "this is no code; take the line out, or put # before it",
            (
                rf"^(?!(?i:{_KEYWORD})\b)[A-Z][A-Za-z',!]*(?: [\w',()!.:-]+){{3,}}$",
                "pass",
            ),
            shows=False,
            raw=True,
        ),
    ),
    Remedy(
        "fence of Markdown",
        write(
            "\\1 belongs to the text around the code; take the line out",
            (r"^(```|~~~).*$", "pass"),
            shows=False,
        ),
    ),
    Remedy(
        "line for a notebook",
        write(
            "only notebooks know this; take the line out",
            (r"^(?:%{1,2}|!|\?{1,2})\s*\w.*$", "pass"),
            (r"^\w[\w.]*\?{1,2}$", "pass"),
            shows=False,
        ),
    ),
    Remedy(
        "line for a terminal",
        write(
            "this is for a terminal; take the line out",
            (
                r"^(?!arena import)(?:\$|arena|pip3?|python3?|conda|git|cd|mkdir)"
                r"\s+[-\w./].*$",
                "pass",
            ),
            shows=False,
        ),
    ),
)


OF_TEXT: tuple[Remedy[BadCode], ...] = (
    Remedy("another kind of file", _kind),
    Remedy("compiled file", _compiled),
    Remedy("notebook for a file", _notebook),
    Remedy("web page for a file", _page),
    Remedy("UTF-16", _utf_16),
    Remedy("no text", _no_text),
    Remedy("code with words around it", _fenced),
    Remedy("line with a coding that is wrong", _coding),
    Remedy("other encoding than UTF-8", _encoding),
    Remedy("typographic quotes", _quotes),
    Remedy("code left out", _left_out),
    Remedy("sign that looks like one of Python's", _look_alike),
    Remedy("invisible character", _invisible),
    Remedy("sign that Python does not know", _unknown),
    *_PASTED,
)


def other_file(data: bytes) -> str:
    """Say what a file is that Python can read, but that is no code; else nothing."""
    return remedy_for(BadCode("", 1, data[:_BEGINNING]), (OF_TEXT[2],))
