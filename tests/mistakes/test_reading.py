"""What a student reads of a file that can't be read, or that has no bot.

`test_mistakes.py` has some of them played by the real referee, and all of them among
the exhaustive tests.
"""

import sys
from pathlib import Path

import golden_files
import of_files
import of_syntax
import pytest
from mistake import method
from reading import files_of, told

from arena.referee.contestant.misconduct import saying
from arena.worker import explain, find_bots
from arena.worker.remedies import Remedy, of_errors, remedy_for
from arena.worker.remedies.bad_code import BadCode
from arena.worker.remedies.of_files import OF_FILES, OF_METHODS
from arena.worker.remedies.of_syntax import OF_SYNTAX

MISTAKES = (*of_files.MISTAKES, *of_syntax.MISTAKES)
REMEDIES = (*OF_FILES, *OF_METHODS, *OF_SYNTAX)
OF_3_11 = {
    "parameter without a default follows parameter with a default": (
        "non-default argument follows default argument"
    ),
    "Did you mean to use 'from ... import ...' instead? in": "invalid syntax, in",
    "f-string: expecting '}', in `print(f'brains {obs.brains'})`": (
        "closing parenthesis '}' does not match opening parenthesis '(', in "
        "`print(f'brains {obs.brains'})`"
    ),
    f"this is Python {sys.version_info[0]}.{sys.version_info[1]}": (
        "this is Python 3.11"
    ),
}
"""What other versions of Python say, by what 3.11 says."""


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The mistakes of the remedies that have spoken, the last one last."""
    found: list[str] = []

    def listen(case: object, remedies: tuple[Remedy[object], ...]) -> str:
        for remedy in remedies:
            if words := remedy_for(case, (remedy,)):
                found.append(remedy.mistake)
                return words
        return ""

    for module in (explain, find_bots, of_errors):
        monkeypatch.setattr(module, "remedy_for", listen)
    return found


def test_each_mistake_is_told_with_its_line_and_its_own_remedy(
    tmp_path: Path, heard: list[str]
) -> None:
    said = {True: "", False: ""}
    for mistake in MISTAKES:
        if sys.version_info < mistake.until:
            line, message = told(files_of(mistake, tmp_path), mistake.game)
            assert (mistake.name, heard[-1:]) == (mistake.name, [mistake.remedy])
            for other, of_3_11 in OF_3_11.items():
                message = message.replace(other, of_3_11)
            sentence = f"{mistake.name} | {line}: {saying(message)}\n"
            said[mistake.until < (4,)] += sentence
    golden_files.check(said[False], "mistakes/read.txt")
    if sys.version_info < (3, 12):
        golden_files.check(said[True], "mistakes/read_before_3_12.txt")


def test_who_follows_the_remedy_has_a_bot(tmp_path: Path) -> None:
    for mistake in MISTAKES:
        files = files_of(mistake, tmp_path, remedied=True)
        assert (mistake.name, *told(files, mistake.game)) == (mistake.name, "", "")


SILENT = (
    'x = """\nprint "a"\n""" 3 4',
    "s = 'a && b' c",
    "s = 'x++' 3",
    "x = 3 4  # if a <> b",
    "x = (a\n!b)",
    "x = {'a' => 3}",
    "x = a b c",
    "call(x y z)",
    "x = 1e",
    "x = y if z = 3 else 4",
    "[x if y for y in z]",
    "d = {\n    'a': {\n        'b' 1 2,\n    },\n}",
    "x = total // 'one two three' z",
    "x = new foo",
    "If obs is a brain more than three",
    "x = " + "a " * 200,
)
"""Code for which a remedy has a pattern, and would mislead."""


@pytest.mark.parametrize("code", SILENT)
def test_no_remedy_speaks_where_it_would_mislead(
    tmp_path: Path, heard: list[str], code: str
) -> None:
    path = tmp_path / "mistake.py"
    _, message = told({path: method(f"{code}\n").encode()}, "zombie_dice")
    assert message.startswith("SyntaxError: ")
    assert heard == []


def test_what_is_long_is_tried_a_few_times_only(tmp_path: Path) -> None:
    """Python reads a file again for each change; a bot has its time for that."""
    lines = ["x = 1"] * 8000
    bad = BadCode("invalid syntax", 8001, "\n".join([*lines, "retrun x"]).encode())
    tries = [bad.tried("return x") for _ in range(100)]
    assert (tries[0], tries[-1]) == ("`return x`", "")
    longer = "\n".join([*lines, *lines, "retrun x"]).encode()
    assert BadCode("invalid syntax", 16001, longer).tried("return x") == ""


def test_each_remedy_has_a_mistake_and_names_are_unique() -> None:
    names = [mistake.name for mistake in MISTAKES]
    assert len(set(names)) == len(names)
    known = [remedy.mistake for remedy in REMEDIES]
    assert len(set(known)) == len(known)
    assert set(known) <= {mistake.remedy for mistake in MISTAKES}
