"""What patterns and folders of folders under `bots:` name, or why nothing."""

import os
from pathlib import Path

import pytest

from arena.errors import ConfigError
from arena.league.config.settings import BotSettings
from arena.league.entries.bot_file import files_of
from arena.league.entries.patterns import is_pattern, matches, pattern_of


@pytest.fixture(autouse=True)
def ground(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with hand-ins, in folders of several kinds."""
    for name in (
        "in/ana/mybot.py",
        "in/ana/helper.py",
        "in/ben/mybot.py",
        "in/cy/solution/bot.py",
        "in/cy/report.pdf",
        "in/dora/work.ipynb",
        "in/dora/data/more.ipynb",
        "in/zoe.py",
        "in/_earlier/ana-1/mybot.py",
        "in/.git/hooks.py",
        "in/readme.md",
        "sections/1/ana.py",
        "sections/2/group/ben.py",
        "sections/2/group/cy.py",
        "sections/2/group/all.zip",
        "a[1].py",
        "a1.py",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")
    monkeypatch.chdir(tmp_path)


def named(*texts: str, form: int = 5) -> list[str]:
    """Return what texts name under `bots:`."""
    bots = [BotSettings(file=os.path.abspath(text)) for text in texts]
    files = files_of(bots, "league.yaml: bots", form=form)
    return [os.path.relpath(file.path) for file in files]


NAMED = [
    ("in/*/mybot.py", ["in/ana/mybot.py", "in/ben/mybot.py"]),
    ("in/*", ["in/ana", "in/ben", "in/cy/solution", "in/dora", "in/zoe.py"]),
    ("in", ["in/ana", "in/ben", "in/cy/solution", "in/dora", "in/zoe.py"]),
    ("in/**", ["in/ana", "in/ben", "in/cy/solution", "in/dora", "in/zoe.py"]),
    ("in/**/bot.py", ["in/cy/solution/bot.py"]),
    ("in/**/*bot.py", ["in/ana/mybot.py", "in/ben/mybot.py", "in/cy/solution/bot.py"]),
    ("in/_*/*", ["in/_earlier/ana-1"]),
    ("in/_earlier/*", ["in/_earlier/ana-1"]),
    ("in/[ab]*", ["in/ana", "in/ben"]),
    ("in/[!ab]??.py", ["in/zoe.py"]),
    ("sections/*", ["sections/1", "sections/2/group"]),
    ("sections", ["sections/1", "sections/2/group"]),
    ("sections/*/*.py", ["sections/1/ana.py"]),
    ("sections/2/gr?up/*", ["sections/2/group/all.zip", "sections/2/group/ben.py",
                            "sections/2/group/cy.py"]),
    ("a[1].py", ["a[1].py"]),
    ("a[12].py", ["a1.py"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), NAMED)
def test_what_a_text_names(text: str, expected: list[str]) -> None:
    assert named(text) == expected


def test_what_is_named_twice_is_one_hand_in() -> None:
    assert named("in/a*", "in", "in/*") == named("in")
    files = files_of([BotSettings(file=os.path.abspath("in/a*"))] * 2, "bots")
    assert [len(file.settings) for file in files] == [1]


def test_a_file_of_a_hand_in_is_no_other_one() -> None:
    """Or one student would have two bots by two patterns."""
    whole = ["in/ana", "in/ben", "in/cy/solution", "in/dora", "in/zoe.py"]
    assert named("in/*", "in/*/*.py", "in/*/*/*") == whole
    assert named("in/*/*.py", "in/*") == whole
    # Who names it by itself means it.
    assert named("in/*", "in/ana/mybot.py") == [*whole, "in/ana/mybot.py"]


def test_older_leagues_look_through_no_folder() -> None:
    assert named("in", form=4) == ["in/ana", "in/ben", "in/zoe.py"]
    assert named("in", form=1) == ["in/zoe.py"]


def test_a_folder_is_looked_through_up_to_a_depth() -> None:
    for text in ("deep/1/2/3/4/5", "deep/1/2/3/4/6/7"):
        os.makedirs(text)
        Path(text, "bot.py").touch()
    assert named("deep") == ["deep/1/2/3/4/5"]


def test_no_link_leads_to_what_is_anothers() -> None:
    """Else a student could enter the bot of another one, or a file of the machine."""
    os.makedirs("in/eve")
    os.symlink("../ana", "in/eve/src")
    os.symlink("ana", "in/mallory")
    # They are matches themselves, so that each has a note when it is read.
    assert named("in/*/src/mybot.py", "in/*/mybot.py") == [
        "in/eve/src",
        "in/mallory",
        "in/ana/mybot.py",
        "in/ben/mybot.py",
    ]
    assert "in/eve/src/mybot.py" not in named("in/**/mybot.py")


WRONG = [
    ({"file": "in/*/mybt.py"}, "nothing matches {}/in/*/mybt.py: no 'mybt.py' in "
     "{}/in/ana and 3 other folders; did you mean 'mybot.py'?"),
    ({"file": "in/x*"}, "nothing matches {}/in/x*: no 'x*' in {}/in; found ana, ben, "
     "cy, dora, readme.md, …"),
    ({"file": "inn/*"}, "nothing matches {}/inn/*: no 'inn' in {}; did you mean 'in'?"),
    ({"file": "in/readme.md/*"}, "nothing matches {}/in/readme.md/*: no '*' in "
     "{}/in/readme.md; found nothing"),
    ({"file": "in/*/mybot.py", "name": "x"}, "{}/in/*/mybot.py names 2 files and "
     "folders (mybot.py, mybot.py); bot, name, params and command need one"),
    ({"file": "in/*", "command": "/bin/true"}, "{}/in/* names 6 files and folders "
     "(ana, ben, cy, …); bot, name, params and command need one"),
]  # fmt: skip


@pytest.mark.parametrize(("settings", "why"), WRONG)
def test_what_is_said_of_a_pattern_that_is_wrong(
    settings: dict[str, str], why: str
) -> None:
    file = os.path.abspath(settings["file"])
    with pytest.raises(ConfigError) as caught:
        files_of([BotSettings(**settings | {"file": file})], "bots")
    here = os.getcwd()
    assert str(caught.value) == "bots[0]: " + why.replace("{}", here)


def test_a_pattern_for_one_may_say_more() -> None:
    bot = BotSettings(file=os.path.abspath("in/b*/my*.py"), name="ben")
    (file,) = files_of([bot], "bots")
    assert (os.path.relpath(file.path), file.settings) == (
        "in/ben/mybot.py",
        [("bots[0]", bot)],
    )


@pytest.mark.parametrize("name", ["a", "ana", "a[1]", "!", "b!", "^", "[", "]*?", "ä-"])
def test_a_pattern_for_one_path_alone(name: str) -> None:
    for other in (name, f"{name}{name}", "x"):
        os.makedirs(f"place/{other}")
    pattern = pattern_of(Path("place", name))
    assert is_pattern(pattern)
    assert matches(pattern) == [Path("place", name)]
