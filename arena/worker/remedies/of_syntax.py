"""Remedies for code that Python can't read, whatever language its author knows.

Most are patterns, with what to write for what fits.  They speak only if Python gets
further with the line that they give; so a pattern may be short, and none misleads in a
line that is wrong for another reason.
"""

import builtins
import re
from keyword import kwlist, softkwlist

from arena.text import alike
from arena.worker.remedies.bad_code import (
    ASKING,
    HIDDEN,
    BadCode,
    either,
    hide_texts,
    said,
    show_texts,
    write,
)
from arena.worker.remedies.of_languages import OF_LANGUAGES
from arena.worker.remedies.of_text import OF_TEXT
from arena.worker.remedies.remedy import Remedy

_BLOCK = "if|elif|else|for|while|def|class|try|except|finally|with|match|case|async"
_STATEMENT = (
    r"return\b|break\b|continue\b|pass\b|raise\b|(?:self\.)?\w+ *[-+*]?=[^=]|"
    r"[a-z_][\w.]*\("
)
_END = rf"\w\])}}{HIDDEN}"
"""What an expression ends with."""
_BEGIN = rf"\w\[({{{HIDDEN}"
"""What an expression begins with."""
_KEYWORD = "|".join(kwlist)
_NO_VALUE = "|".join(word for word in kwlist if word.islower())
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_LIKENESS = 0.75
_MAX_WORDS = 6
_MAX_MEANT = 3


# Blocks and their columns.


def _column(line: str) -> int:
    line = line.expandtabs()
    return len(line) - len(line.lstrip())


def _empty_block(bad: BadCode) -> str:
    """Tell a block without a line of its own from one that is not indented."""
    found = re.search(r"expected an indented block after .*?on line (\d+)", bad.message)
    if not found:
        return ""
    head = bad.line(int(found[1]))
    number = bad.number
    if number <= int(found[1]) or not bad.code or bad.code.startswith("#"):
        return (
            "it has no code below it: is the end of the file missing? if not, write "
            "pass"
        )
    is_outside = _column(bad.line(number)) < _column(head)
    begins = re.match(r"@|(?:async def|def|class|else|elif|except)\b", bad.code)
    if is_outside or (begins and not head.lstrip().startswith("class")):
        return f"line {found[1]} has no code below it; write pass there, indented"
    return ""


def _first_column(bad: BadCode) -> str:
    is_one = "unexpected indent" in bad.message and not bad.last_code(bad.number)
    return "no line above begins a block: begin in the first column" * is_one


def _else_alone(bad: BadCode) -> str:
    """Say why an else or elif belongs to nothing."""
    found = re.match(r"(else|elif|except|finally)\b", bad.code)
    if not found or bad.message != "invalid syntax":
        return ""
    word, column = found[1], _column(bad.line(bad.number))
    number = bad.last_code(bad.number)
    while number and _column(bad.line(number)) > column:
        number = bad.last_code(number)
    above = bad.line(number).strip()
    head = "try" if word in ("except", "finally") else "if"
    same = _column(bad.line(number)) == column
    if same and re.match(r"else\b", above) and head == "if":
        return f"else comes last: put {word} above it"
    if same and re.match(rf"(?:{head}|elif|for|while|except)\b", above):
        return ""
    return (
        f"put {word} in the column of its {head}, with nothing between them but "
        "indented lines"
    )


# Brackets and quotes.


def _closed(bad: BadCode, opened: str) -> str:
    """Return the line with a bracket closed, if that is all that is missing."""
    code, texts = hide_texts(bad.code)
    if code.count(opened) > code.count(_PAIRS[opened]):
        for end in (r"\s*:?$", r"(?=\s*:)", r"(?=\s*->)"):
            fixed = re.sub(end, lambda m: _PAIRS[opened] + m[0], code, count=1)
            if line := bad.tried(show_texts(fixed, texts)):
                return f"; write {line}"
    return ""


def _never_closed(bad: BadCode) -> str:
    found = re.search(r"'(.)' was never closed", bad.message)
    if not found:
        return ""
    after = bad.next_code(bad.number)
    # What is indented further may belong into the brackets.
    goes_on = after and _column(bad.line(after)) > _column(bad.line(bad.number))
    return "add the bracket that closes it" + (
        "" if goes_on else _closed(bad, found[1])
    )


def _bracket_in_line(bad: BadCode) -> str:
    if bad.message != "invalid syntax":
        return ""
    for opened in _PAIRS:
        if line := _closed(bad, opened):
            return f"`{opened}` was never closed{line}"
    return ""


def _wrong_bracket(bad: BadCode) -> str:
    found = re.search(
        r"parenthesis '(.)' does not match opening parenthesis '(.)'", bad.message
    )
    if not found:
        return ""
    wanted = _PAIRS[found[2]]
    code = bad.code
    for at in (code.find(found[1]), code.rfind(found[1])):
        for new in (wanted, wanted + found[1]):
            line = bad.tried(code[:at] + new + code[at + 1 :])
            if line:
                return f"`{found[2]}` is closed by `{wanted}`; write {line}"
    return f"`{found[2]}` is closed by `{wanted}`, before this `{found[1]}`"


def _f_string_quotes(bad: BadCode) -> str:
    """Use other quotes inside of the braces of an f-string."""
    found = re.search(r"\b[fF][rR]?([\"'])", bad.code)
    if not found or not re.search("f-string|comma", bad.message):
        return ""
    outer = found[1]
    inner = "'" if outer == '"' else '"'
    fixed = re.sub(r"\{[^{}]*\}", lambda m: m[0].replace(outer, inner), bad.code)
    line = bad.tried(fixed) if fixed != bad.code else ""
    if not line:
        return ""
    return (
        "before Python 3.12 an f-string has other quotes inside of its braces; write "
        f"{line}"
    )


# Words.


def _needs_else(bad: BadCode) -> str:
    is_one = "expected 'else' after 'if'" in bad.message
    if not is_one or re.search(r"\b(?:else|for)\b", bad.code):
        return ""
    return "write else and a second value behind it"


def _cut(bad: BadCode) -> str:
    is_last = bad.lines and not bad.next_code(bad.number)
    if not is_last or bad.message != "expected ':'" or bad.code.endswith(":"):
        return ""
    return "the file ends here: is its end missing? a colon, and lines below, come next"


def _compares(bad: BadCode) -> str:
    is_one = re.match(rf"(?:{ASKING})\b", bad.code) and "instead of '='" in bad.message
    return "== compares, = gives a value" if is_one else ""


def _misspelt_word(bad: BadCode) -> str:
    """Ask for a word of Python's, if the line is right with it."""
    if not re.match("invalid syntax$|expected '(?::'$|else'|except')", bad.message):
        return ""
    code, texts = hide_texts(bad.code)
    words = dict.fromkeys(re.findall(r"\b[A-Za-z]{2,9}\b", code))
    known = [*kwlist, *softkwlist, "print"]
    for word in [*words][:_MAX_WORDS]:
        if word in known or hasattr(builtins, word):
            continue
        small = word.lower()
        meant = [other for other in known if sorted(other) == sorted(small)]
        for other in meant or alike(small, known, _MAX_MEANT, _LIKENESS):
            fixed = re.sub(rf"\b{word}\b", other, code)
            if line := bad.tried(show_texts(fixed, texts)):
                return f"did you mean {other} for {word}? write {line}"
    return ""


def _colon_in_line(bad: BadCode) -> str:
    """Put a colon between what begins a block and what it does."""
    code, texts = hide_texts(bad.code)
    word = re.match(rf"(?:{_BLOCK})\b", code)
    for place in [*re.finditer(rf"\s+(?={_STATEMENT})", code)][:_MAX_WORDS] * bool(
        word
    ):
        fixed = f"{code[: place.start()]}: {code[place.end() :]}"
        if word and (line := bad.tried(show_texts(fixed, texts))):
            return f"{word[0]} needs a colon before what it does; write {line}"
    return ""


def _needs_comma(bad: BadCode) -> str:
    """Put a comma between two things, where that is all that is missing."""
    code, texts = hide_texts(bad.code)
    is_list = re.search(rf"^(?:def|from|import)\b|[(\[{{,].*\w +[{HIDDEN}]", code)
    if "forgot a comma" not in bad.message and not is_list:
        return ""
    sign = ":" if "{" in code and ":" not in code else ","
    places = [m.end() for m in re.finditer(rf"[{_END}](?= +[{_BEGIN}])", code)]
    for at in [*places[:_MAX_WORDS], len(code)]:
        if line := bad.tried(show_texts(code[:at] + sign + code[at:], texts)):
            return (
                f"if a {'comma' if sign == ',' else 'colon'} is missing, write {line}"
            )
    return ""


_BLOCKS: tuple[Remedy[BadCode], ...] = (
    Remedy(
        "tabs and spaces",
        said(
            "inconsistent use of tabs",
            todo="indent with spaces only; most editors can turn tabs into spaces",
        ),
    ),
    Remedy("block without code", _empty_block),
    Remedy(
        "missing indentation",
        said(
            "expected an indented block",
            todo="indent what belongs to it by four spaces",
        ),
    ),
    Remedy("file that begins indented", _first_column),
    Remedy(
        "indentation for nothing",
        said(
            "unexpected indent", todo="begin it in the same column as the line before"
        ),
    ),
    Remedy(
        "indentation of no line above",
        said(
            "unindent does not match",
            todo="begin it in the column of the block that it belongs to",
        ),
    ),
    Remedy("else without its if", _else_alone),
)

_BRACKETS_AND_QUOTES: tuple[Remedy[BadCode], ...] = (
    Remedy("quotes in an f-string", _f_string_quotes),
    Remedy(
        "\\ in an f-string",
        said("include a backslash", todo="make this text in a line above"),
    ),
    Remedy(
        "braces of an f-string",
        either(
            write(
                "the } stands before the quotes that end the text",
                (r"(\{[\w.]+)([\"'])\}", r"\1}\2"),
                raw=True,
            ),
            said(
                "f-string: empty",
                "f-string: valid expression required",
                "f-string: expecting '}'",
                "f-string: single '}'",
                todo="each { of an f-string has code and a } behind it; for a brace "
                "itself write {{ or }}",
            ),
        ),
    ),
    Remedy("bracket left open", _never_closed),
    Remedy("bracket left open in the line", _bracket_in_line),
    Remedy(
        "bracket never opened",
        said("unmatched ", todo="take this bracket out, or open it before"),
    ),
    Remedy("bracket of another kind", _wrong_bracket),
    Remedy(
        "quotes of another kind",
        write(
            "a text ends with the quotes that it begins with",
            (r"'([^'\"]*)\"", r"'\1'"),
            (r"\"([^'\"]*)'", r'"\1"'),
            said="unterminated string",
        ),
    ),
    Remedy(
        "apostrophe in a text",
        write(
            "the ' inside ends the text; put it into \"",
            (r"'([^'\"]*\w'\w[^'\"]*)'", r'"\1"'),
            raw=True,
        ),
    ),
    Remedy(
        "quotes in a text",
        write(
            "the quotes inside end the text; use ' around it",
            (r"\"([^\"']+)\"(\w[^\"']*)\"([^\"']*)\"", r"""'\1"\2"\3'"""),
            raw=True,
        ),
    ),
    Remedy(
        "quotes left open",
        either(
            write(
                "add the quotes that end the text",
                (r"([\"'])([^\"'(),]+?)(\)*\s*:?)$", r"\1\2\1\3"),
                said="unterminated string",
            ),
            write(
                "add the quotes that begin the text",
                (r"(?<=[\s(=,])(\w+)([\"'])(\)*:?)$", r"\2\1\2\3"),
                said="unterminated string",
            ),
            said("unterminated", todo="a text has quotes at both its ends"),
        ),
    ),
    Remedy(
        "\\ of Windows in a text",
        said(
            "unicodeescape",
            todo=r"\ begins a sign of its own: write / or \\ for it",
        ),
    ),
    Remedy(
        "\\ in a line",
        said(
            "line continuation",
            todo=r"a \ may only end a line, without a blank behind it; / divides, "
            "and // divides and rounds down",
        ),
    ),
)

_NAMES_AND_VALUES: tuple[Remedy[BadCode], ...] = (
    Remedy(
        "missing dot",
        write(
            "put a dot behind \\1",
            (r"\b(self|obs)\s+(?!obs\b)(?=[a-z_])", r"\1."),
        ),
    ),
    Remedy(
        "name with a blank or -",
        write(
            "a name has no blanks and no -",
            (r"^(def|class)\s+(\w+)(?:-| +)(\w+)(?=\s*\()", r"\1 \2_\3"),
            (r"^(class)\s+(\w+)(?:-| +)(?!Bot\b)(\w+)(?=\s*:)", r"\1 \2_\3"),
            (r"^((?:self\.)?\w+)-([A-Za-z]\w*)(?=\s*[-+*/]?=(?!=))", r"\1_\2"),
            (rf"^(?!(?:{_KEYWORD})\b)([a-z]\w*) ([a-z]\w*)(?=\s*=(?!=))", r"\1_\2"),
        ),
    ),
    Remedy(
        "- in the name of a module",
        write(
            "a module has no - in its name: rename its file too",
            (r"^((?:import|from)\s+[\w.]+)-(\w+)", r"\1_\2"),
        ),
    ),
    Remedy(
        "name that begins with a number",
        write(
            "a name begins with a letter",
            (r"^(class|def)\s+(\d+)([A-Za-z_]\w*)", r"\1 \3\2"),
            (r"^(\d+)([A-Za-z_]\w*)(?=\s*=(?!=))", r"\2\1"),
        ),
    ),
    Remedy(
        "number before a name",
        write(
            "* multiplies",
            (r"(?<![\w.])(\d+(?:\.\d+)?)(?![eEjJ]\b)([A-Za-z]\w*)", r"\1 * \2"),
            said="invalid decimal",
        ),
    ),
    Remedy(
        "base without brackets",
        write(
            "the base of a class stands in round brackets",
            (r"^class\s+(\w+)[\s:\[]+((?:arena\.)?Bot)\b\]?\s*:?", r"class \1(\2):"),
        ),
    ),
    Remedy(
        "method without brackets",
        write(
            "parameters stand in round brackets",
            (r"^def\s+(\w+)\s*\[([^\[\]]*)\]", r"def \1(\2)"),
            (r"^def\s+(\w+)\s+(\w[\w, ]*?)\s*:?$", r"def \1(\2):"),
            (r"^def\s+(\w+)\s*:?$", r"def \1(self, obs):"),
        ),
    ),
    Remedy(
        "self before the name of a method",
        write(
            "self is the first parameter",
            (r"^def\s+self\.(\w+)\s*\(\s*(?:self\s*,?\s*)?", r"def \1(self, "),
        ),
    ),
    Remedy(
        "word of Python for a name",
        write(
            "`\\g<kw>` is a word of Python and can't be a name",
            (rf"^(?P<kw>{_NO_VALUE})(?=\s*[-+*/]?=(?!=))", r"\g<kw>_"),
            (rf"(?<=\bself\.)(?P<kw>{_KEYWORD})\b", r"\g<kw>_"),
            (rf"^(for|def|class)\s+(?P<kw>{_KEYWORD})\b", r"\1 \g<kw>_"),
            (rf"(?<=[(,])(\s*)(?P<kw>{_NO_VALUE})(?=\s*[,=)])", r"\1\g<kw>_"),
        ),
    ),
    Remedy(
        "from and import in another order",
        write(
            "the order is: from MODULE import NAME",
            (r"^import\s+([\w, ]+?)\s+from\s+([\w.]+);?$", r"from \2 import \1"),
            (r"^import\s+from\s+arena(?:\s+Bot)?$", r"from arena import Bot"),
            (r"^import\s+from\s+([\w.]+)\s+(?:import\s+)?(\w+)$", r"from \1 import \2"),
            (r"^from\s+([\w.]+)\s+(?!import\b)(\w+)$", r"from \1 import \2"),
            (r"^from\s+arena\s+import$|^from\s+import\s+Bot$", "from arena import Bot"),
            (r"^([\w.]+)\s+import\s+(\w.*)$", r"from \1 import \2"),
        ),
    ),
    Remedy(
        "one = for two",
        either(
            write(
                "== compares, = gives a value",
                (rf"^((?:{ASKING})\b.*[^=!<>])=(?!=)", r"\1=="),
            ),
            _compares,
        ),
    ),
    Remedy(
        "value on the left of =",
        either(
            write(
                "what gets a value stands on the left of =",
                (rf"^([\w{HIDDEN}][^=]*?)\s*=\s*([A-Za-z_][\w.]*)$", r"\2 = \1"),
                said="cannot assign",
            ),
            said(
                "cannot contain assignment",
                todo="in a call, = stands behind the name of a parameter; == compares",
            ),
            said(
                "cannot assign to",
                todo="on the left of = stands the name that gets the value; "
                "== compares",
            ),
        ),
    ),
    Remedy(
        "parameter with = before others",
        said(
            "non-default argument follows",
            "parameter without a default follows",
            "positional argument follows keyword",
            todo="put those with = last",
        ),
    ),
)

_LINES: tuple[Remedy[BadCode], ...] = (
    Remedy("file that was cut", _cut),
    Remedy(
        "missing colon",
        write(
            "put a colon at the end of the line",
            (rf"^((?:{_BLOCK})\b.*?)\s*[;,.:]*$", r"\1:"),
            (rf"^((?:{_BLOCK})\b.*?):\)$", r"\1):"),
        ),
    ),
    Remedy("missing colon in the line", _colon_in_line),
    Remedy(
        "missing def or class",
        write(
            "a method begins with def, a class with class",
            (r"^(\w+\(self\b[^()]*\):)$", r"def \1"),
            (r"^(\w+\((?:arena\.)?Bot\):)$", r"class \1"),
        ),
    ),
    Remedy(
        "two statements in a line",
        write(
            "begin a new line with \\2",
            (r"^((?:from|import)\b.*?)\s+((?:from|import)\b.*)$", r"\1; \2"),
            (r"^(if\b.+?:\s*.+?)\s+(else\s*:).*$", r"\1"),
            (rf"^(.*[=)].*?)\s+((?:{_STATEMENT}).*)$", r"\1; \2"),
            said="invalid syntax",
            shows=False,
        ),
    ),
    Remedy("misspelt word of Python", _misspelt_word),
    Remedy(
        "missing in or brackets of a loop",
        write(
            "a loop is `for NAME in VALUES:`",
            (r"\brange\s+([\w.]+)", r"range(\1)"),
            (r"^for\s+(\w+)\s*(?:=|of\b|:)?\s+(?=\w)(?!.*\bin\b)", r"for \1 in "),
        ),
    ),
    Remedy(
        "comparison cut in half",
        write(
            "`\\3` needs a whole comparison on both sides",
            (
                rf"([\w.{HIDDEN}]+)(\s*(?:[<>]=?|[!=]=)\s*[\w.{HIDDEN}]+\s+)"
                r"(and|or)\s+(?=[<>=!])",
                r"\1\2\3 \1 ",
            ),
        ),
    ),
    Remedy(
        "if in a line without else",
        either(
            write(
                "an if behind a value needs an else, or it stands first",
                (r"^(.+?)\s+if\s+(.+)$", r"if \2: \1"),
                said="expected 'else' after 'if'",
            ),
            _needs_else,
        ),
    ),
    Remedy(
        "line that ends too early",
        write(
            "something is missing behind \\1",
            (r"(\b(?:and|or|not|in|is|as|import)|[-+*/%<>=.|&])$", r"\1 x"),
            (r"(\b(?:and|or|not|in|is)|[-+*/%<>=!]+)\s*:$", r"\1 x:"),
            (r"^(def|class)\s*(?=[(:])", r"\1 x"),
            shows=False,
        ),
    ),
    Remedy("missing comma", _needs_comma),
    Remedy(
        "missing =",
        write(
            "a = may be missing",
            (
                rf"^(?!(?:{_KEYWORD})\b)([A-Za-z_][\w.\[\]]*)\s+(?=[{_BEGIN}-])(.*[^:])$",
                r"\1 = \2",
            ),
            said="invalid syntax",
        ),
    ),
    Remedy(
        "try without except",
        said(
            "expected 'except' or 'finally' block",
            todo="write except ...: below the lines of try, in the column of try",
        ),
    ),
    Remedy(
        "sign that is there twice",
        write(
            "a sign is there twice, or has nothing before it",
            (r",\s*,", ","),
            (r"\(\s*,\s*", "("),
            (r"::+", ":"),
            (r"\.\.+(?=\w)", "."),
        ),
    ),
    Remedy(
        "return outside of a method",
        said(
            "'return' outside function",
            "'yield' outside function",
            todo="indent it, so that it belongs to the method",
        ),
    ),
    Remedy(
        "break outside of a loop",
        said(
            "'break' outside loop",
            "'continue' not properly in loop",
            todo="it belongs in a for or while loop; to leave a method write return",
        ),
    ),
    Remedy(
        "await",
        said(
            "outside async function",
            todo="write it without async and await: bots wait for nothing",
        ),
    ),
    Remedy(
        "global below",
        said(
            "before global declaration",
            todo="make global the first line of the method; better, keep it in self",
        ),
    ),
)

OF_SYNTAX: tuple[Remedy[BadCode], ...] = (
    *OF_TEXT,
    *OF_LANGUAGES,
    *_BLOCKS,
    *_BRACKETS_AND_QUOTES,
    *_NAMES_AND_VALUES,
    *_LINES,
)
