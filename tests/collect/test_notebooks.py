"""Notebooks: a module of their code, without what only a notebook can do."""

import ast
import json
from typing import Any

import pytest

from arena.collect.notebooks import Code, code_of
from arena.collect.submission import UnreadableError


def notebook(*cells: str | list[str], **more: Any) -> bytes:
    """Return a notebook of code cells, each with some output."""
    found = [
        {
            "cell_type": "code",
            "execution_count": number,
            "metadata": {},
            "outputs": [{"data": {"image/png": "iVBO"}, "text": ["x\n"]}],
            "source": text,
        }
        for number, text in enumerate(cells, 1)
    ]
    text = {"cell_type": "markdown", "metadata": {}, "source": ["# !not code\n"]}
    return json.dumps(
        {"cells": [text, *found], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        | more
    ).encode()


def python(*cells: str | list[str]) -> Code:
    """Return the code of cells, which Python can read."""
    code = code_of(notebook(*cells))
    ast.parse(code.module)
    return code


def test_cells_are_in_order_and_can_be_found() -> None:
    code = python(["import arena\n", "\n", "x = 1"], "\n\ny = 2\n\n", "  \n")
    assert code.module == (
        "# In [1]: cell 2\nimport arena\n\nx = 1\n\n\n# In [2]: cell 3\ny = 2\n"
    )
    assert (code.files, code.dropped) == ({}, [])


MAGICS = [
    ("%matplotlib inline\nx = 1", "# %matplotlib inline\nx = 1", ["%matplotlib"]),
    ("!pip install x \\\n  y\nx", "# !pip install x \\\n#   y\nx", ["!pip"]),
    ("if x:\n    !ls", "if x:\n    pass  # !ls", ["!ls"]),
    ("for x in y:\n\t%time f(x)", "for x in y:\n\tpass  # %time f(x)", ["%time"]),
    ("?len\nlen??\nx = 1", "# ?len\n# len??\nx = 1", ["?len", "len??"]),
    ("x = !ls\ny = %who", "# x = !ls\n# y = %who", ["!ls", "%who"]),
    ("%%time\nx = 1\n!ls", "# %%time\nx = 1\n# !ls", ["%%time", "!ls"]),
    ("\n%%capture out\nx = 1", "# %%capture out\nx = 1", ["%%capture"]),
    # What only looks so.
    ("x = (7\n  % 4)", None, []),
    ("x = [\n  1,\n  7\n  %\n 4]", None, []),
    ("x = 7 \\\n  % 4", None, []),
    ("x = '''\n%d\n!x\n?'''\ny = 1", None, []),
    ('x = """\n%d # \'\'\'\n"""\n# \'"(\ny = 1', None, []),
    ("x = 'it\\'s (' # [\ny = 5 % 3", None, []),
    ('"?"', None, []),
    ("x = 1 != 2", None, []),
    ("# what is it?", None, []),
]


@pytest.mark.parametrize(("text", "expected", "dropped"), MAGICS)
def test_magics_are_commented_out(
    text: str, expected: str | None, dropped: list[str]
) -> None:
    code = python(text)
    assert code.module == f"# In [1]: cell 2\n{expected or text}\n"
    assert code.dropped == dropped


@pytest.mark.parametrize("word", ["bash", "html", "R", "javascript", "unknown", "sh"])
def test_cells_in_other_languages_are_dropped(word: str) -> None:
    code = python("x = 1", f"%%{word}\nfor x; do (")
    assert code.module == "# In [1]: cell 2\nx = 1\n"
    assert code.dropped == [f"%%{word}"]


def test_files_that_cells_write_are_files() -> None:
    code = python(
        "%%writefile bot.py\nx = 1",
        "%%writefile -a 'bot.py'\ny = 2\n",
        "%%file sub/helper.py\nz = 3",
        "%%writefile ../evil.py\nz = 3",
        "%%writefile /etc/evil.py\nz = 3",
        "%%writefile notes.txt\nz = 3",
        "%%writefile .hidden.py\nz = 3",
        "%%writefile $name.py more\nz = 3",
        "from bot import x",
    )
    assert code.files == {"bot.py": "x = 1\ny = 2\n", "sub/helper.py": "z = 3\n"}
    assert code.dropped == ["%%writefile"] * 5
    assert code.module == "# In [9]: cell 10\nfrom bot import x\n"


def test_old_formats_are_read() -> None:
    cell = {
        "cell_type": "code",
        "input": ["x = 1"],
        "prompt_number": 7,
        "language": "p",
    }
    old = {"nbformat": 3, "metadata": {"name": ""}, "worksheets": [{"cells": [cell]}]}
    code = code_of(b"\xef\xbb\xbf" + json.dumps(old).encode())
    assert code.module == "# In [7]: cell 1\nx = 1\n"


def test_a_cell_that_was_never_run_has_no_number() -> None:
    cell = {"cell_type": "code", "source": "x", "execution_count": None}
    code = code_of(json.dumps({"cells": [cell]}).encode())
    assert code.module == "# In [ ]: cell 1\nx\n"


KERNELS = [
    ({"language_info": {"name": "python", "version": "3.11"}}, True),
    ({"kernelspec": {"name": "python3", "display_name": "Python 3"}}, True),
    ({"kernelspec": {"name": "x", "language": "python"}}, True),
    ({"kernelspec": {"name": "ir", "language": "R"}}, False),
    ({"language_info": {"name": "julia"}}, False),
]


@pytest.mark.parametrize(("metadata", "is_python"), KERNELS)
def test_only_python_is_taken(metadata: dict[str, Any], is_python: bool) -> None:
    data = notebook("x = 1", metadata=metadata)
    if is_python:
        assert code_of(data).module
        return
    with pytest.raises(UnreadableError, match=r"^is a notebook in (R|julia); expected"):
        code_of(data)


BROKEN = [
    (b" \n", "is an empty file; has it been saved?"),
    (b"import arena\n", "is no notebook; if there is Python in it, rename it"),
    (
        b'{"cells": [',
        "is a damaged notebook; have it handed in again, as Jupyter saves it",
    ),
    (b'{"x":' * 100_000, "is a damaged notebook"),
    (b'{"cells": {"a": 1}}', "is no notebook of Jupyter"),
    (b'{"cells": [{"cell_type": "code", "source": "\\ud800"}]}', "is a damaged"),
    (b'{"cells": []}', "is a notebook without a cell of Python"),
    (b'{"a": 1}', "is a notebook without a cell of Python"),
    (notebook("x" * 2**20 + "y"), "is a notebook with more than 1 MiB of code"),
    (b"{" + b" " * 2**25, "is a notebook of more than 32 MiB; clear its output"),
]


@pytest.mark.parametrize(("data", "why"), BROKEN, ids=lambda x: str(x)[:30])
def test_what_is_no_notebook_says_so(data: bytes, why: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        code_of(data)
    assert str(caught.value).startswith(why)


def test_many_cells_are_no_notebook() -> None:
    for number in (10_000, 10_001):
        data = json.dumps({"cells": [{"cell_type": "code", "source": "x"}] * number})
        if number == 10_000:
            assert code_of(data.encode()).module
            continue
        with pytest.raises(UnreadableError, match="more than 10,000 cells"):
            code_of(data.encode())


BUSY = [
    "'",
    "\"\"\"'''",
    "(",
    " ",
    "a,",
    "!x\\\n",
    "?",
    "%%\n",
    "a=",
    "\\",
    "'\\a",
    "\\\n",
]


@pytest.mark.parametrize("text", BUSY)
@pytest.mark.parametrize("start", ["", "!x"])
def test_no_text_keeps_it_busy(start: str, text: str) -> None:
    # Where time grows with the square, this takes minutes.
    try:
        code_of(notebook(start + text * (50_000 // len(text))))
    except UnreadableError:
        assert not text.strip() or text == "?"
