"""Remedies for code in another language, which may be another Python."""

import re
import sys

from arena.worker.remedies.bad_code import ASKING, BadCode, write
from arena.worker.remedies.remedy import Remedy

_VERSION = f"Python {sys.version_info[0]}.{sys.version_info[1]}"
_TYPES = (
    "var|let|const|int|float|double|string|String|str|bool|boolean|auto|final|char|my"
)
_HEAD = r"(?:\}\s*)?(?:if|elif|else|for|while|def|class|try|except)\b"
_OPENED = r"\s*:?\s*\{\s*$"
_NEVER_PYTHON = r"(?:\)|\belse|\btry|\bdo)\s*\{$"
"""A brace that opens no dict and no set."""


def _braces(bad: BadCode) -> str:
    """Take out a brace around a block, in this line or in the one before."""
    is_one = bad.code in ("}", "};") and "unmatched" in bad.message
    is_one = is_one or re.search(_NEVER_PYTHON, bad.code) is not None
    for number in (bad.number, bad.last_code(bad.number)):
        code = bad.line(number).strip()
        if re.match(_HEAD, code) and re.search(_OPENED, code):
            begin = re.sub(_OPENED, ":", code).removeprefix("}").strip()
            is_one = is_one or bool(bad.tried(begin, number))
    return "for { and } Python writes a colon and indented lines" * is_one


_OF_PYTHON_2: tuple[Remedy[BadCode], ...] = (
    Remedy(
        "print without brackets",
        write(
            "in Python 3 print needs brackets",
            (r"\bprint\s+(.+?),?$", r"print(\1)"),
            said="call to 'print'",
        ),
    ),
    Remedy(
        "exec without brackets",
        write(
            "in Python 3 exec needs brackets",
            (r"\bexec\s+(.+)$", r"exec(\1)"),
            said="call to 'exec'",
        ),
    ),
    Remedy(
        "comma before the name of an exception",
        write(
            "for the comma Python 3 writes `as`",
            (r"^except\s+([\w.]+)\s*,\s*([a-z_]\w*)\s*:", r"except \1 as \2:"),
            (r"^except\s*(\(.*\))\s*,\s*([a-z_]\w*)\s*:", r"except \1 as \2:"),
        ),
    ),
    Remedy(
        "exceptions without brackets",
        write(
            "several exceptions need brackets",
            (r"^except\s+([^()]+?)\s*:", r"except (\1):"),
            said="must be parenthesized",
        ),
    ),
    Remedy(
        "comma behind the exception that is raised",
        write(
            "in Python 3 what an exception says stands in brackets",
            (r"^raise\s+([\w.]+)\s*,\s*(.+)$", r"raise \1(\2)"),
        ),
    ),
    Remedy(
        "backticks",
        write("for backticks Python 3 writes `repr()`", ("`([^`]+)`", r"repr(\1)")),
    ),
    Remedy("<> for !=", write("for `<>` Python 3 writes `!=`", ("<>", "!="))),
    Remedy(
        "number that begins with 0",
        write(
            "a number begins with no 0",
            (r"(?<![\w.])0+(\d+)", r"\1"),
            said="leading zeros",
        ),
    ),
    Remedy(
        "ur before a text",
        write("for `ur` Python 3 writes `r`", (r"\b[uU][rR](?=[\"'])", "r"), raw=True),
    ),
    Remedy(
        "L behind a number",
        write("Python 3 has no L behind numbers", (r"\b(\d+)[lL]\b", r"\1")),
    ),
)

_OF_OTHER_LANGUAGES: tuple[Remedy[BadCode], ...] = (
    Remedy(
        "else if",
        write(
            "for `else if` Python writes `elif`", (r"^(?:else\s*if|elsif)\b", "elif")
        ),
    ),
    Remedy(
        "&& or || for and, or",
        write(
            "for `&&` and `||` Python writes `and` and `or`",
            (r"\s*&&\s*", " and "),
            (r"\s*\|\|\s*", " or "),
        ),
    ),
    Remedy(
        "! for not",
        write("for `!` Python writes `not`", (r"(?<![=!])!\s*(?=[\w(])(?!=)", "not ")),
    ),
    Remedy(
        "=> for >=",
        write(
            "for `=\\2` Python writes `\\2=`",
            (rf"^((?:{ASKING}|return)\b.*?)=([<>!])(?!=)", r"\1\2="),
        ),
    ),
    Remedy("=== for ==", write("for `\\1=` Python writes `\\1`", (r"([=!]=)=", r"\1"))),
    Remedy(
        "blank in an operator",
        write(
            "the signs of an operator have no blank between them",
            (rf"^((?:{ASKING}|return)\b.*?)([=!<>])\s+=(?!=)", r"\1\2="),
            (r"([-+*/%!<>])\s+=(?!=)", r"\1="),
        ),
    ),
    Remedy(
        "walrus in a line of its own",
        write(
            "a variable gets its value with =",
            (r"^([\w.]+)\s*:\s*=\s*", r"\1 = "),
        ),
    ),
    Remedy(
        "arrow for lambda",
        write(
            "for `=>` Python writes `lambda`",
            (r"(?:\(([\w, ]*)\)|\b(\w+))\s*=>\s*(?!\{)", r"lambda \1\2: "),
        ),
    ),
    Remedy(
        "++ or --",
        write(
            "for `\\2\\2` Python writes `\\2= 1`",
            (r"^([\w.\[\]]+)\s*(\+|-)\2;?$", r"\1 \2= 1"),
        ),
    ),
    Remedy(
        "for with three parts",
        write(
            "for goes through a range",
            (
                r"^for\s*\(?\s*(?:\w+ +)?(\w+)\s*=\s*(\w+)\s*;\s*\1\s*<\s*([^;=]+);"
                r"[^)]*\)?\s*[:{]?$",
                r"for \1 in range(\2, \3):",
            ),
        ),
    ),
    Remedy(
        "switch",
        write(
            "for `switch` Python writes `match`",
            (r"^switch\s*\(?(.+?)\)?\s*[:{]*$", r"match \1:"),
        ),
    ),
    Remedy(
        "function of another language",
        write(
            "a function begins with `def`",
            (
                r"^(?:(?:public|private|static)\s+)*(?:function|func|fn|fun|void|sub)\s+"
                r"(\w+)\s*\(([^()]*)\)\s*[:{]?$",
                r"def \1(\2):",
            ),
        ),
    ),
    Remedy(
        "word before a variable",
        write(
            "a variable has no word before it",
            (rf"^(?:{_TYPES})\s+([\w.]+\s*=(?!=).*)$", r"\1"),
        ),
    ),
    Remedy(
        "comment of another language",
        write(
            "a comment begins with #, and // divides",
            (r"^//\s*(.*)$", r"# \1"),
            (r"\s+//\s*([A-Za-z]\w*\s+[A-Za-z].*)$", r"  # \1"),
            (r"^/\*\s*(.*?)\s*(?:\*/)?$", r"# \1"),
        ),
    ),
    Remedy(
        "question mark for if and else",
        write(
            "for `?` and `:` Python writes `if` and `else`",
            (r"(=|return)\s+(.+?)\s*\?\s*(.+?)\s*:\s*(.+?);?$", r"\1 \3 if \2 else \4"),
        ),
    ),
    Remedy(
        "word of another language",
        write(
            "`\\1` is not a word of Python",
            (r"^(throw)\b", "raise"),
            (r"^(catch)\b", "except"),
            (r"^(foreach)\b", "for"),
            (r"\b(new)\s+(?=\w+\()", ""),
        ),
    ),
    Remedy(
        "then",
        write("for `then` Python writes a colon", (r"\s+then\b\s*:?\s*", ": ")),
    ),
    Remedy("braces around a block", _braces),
)

_OF_NEWER_PYTHON: tuple[Remedy[BadCode], ...] = (
    Remedy(
        "type of Python 3.12",
        write(
            f"type came with Python 3.12, and this is {_VERSION}",
            (r"^type\s+(\w+)(?:\[[^\[\]]*\])?\s*=", r"\1 ="),
        ),
    ),
    Remedy(
        "[T] of Python 3.12",
        write(
            f"[] behind a name came with Python 3.12, and this is {_VERSION}: leave it "
            "out, with all names in it",
            (r"^(class|def)\s+(\w+)\s*\[(?!Bot\b)[A-Z]\w*[^\[\]]*\]", r"\1 \2"),
        ),
    ),
    Remedy(
        "text of Python 3.14",
        write(
            f"t before a text came with Python 3.14, and this is {_VERSION}",
            (r"\bt(?=[\"'])", "f"),
            raw=True,
        ),
    ),
)

OF_LANGUAGES: tuple[Remedy[BadCode], ...] = (
    *_OF_PYTHON_2,
    *_OF_OTHER_LANGUAGES,
    *_OF_NEWER_PYTHON,
)
