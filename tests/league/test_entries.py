"""Who is enrolled, and under which name, whatever bots say of themselves."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import trio
from hand_ins import kept, taken_in
from sandboxes import best_level, sandbox_of

from arena.errors import ConfigError, LeagueError
from arena.league.config.settings import NEWEST_FORM, BotSettings
from arena.league.entries import bot_file
from arena.league.entries.enrolment import Enrolment, enrol
from arena.league.entries.entry import Entry, shown_files
from arena.league.entries.owners import Admission
from arena.referee.sandbox import Process, Sandbox
from arena.referee.work_unit import EntrySpec, Limits
from arena.worker.protocol import BotInfo

GAMES = ("zombie_dice", "ox_blocks")
NOWHERE = "bots[0]: no such file or folder: "
LIMITS = Limits(start=60.0)
IMPORT = "from arena import Bot\n"
OPEN: list[Sandbox] = []
"""The sandbox of all bots that are no packages."""


@pytest.fixture(autouse=True, scope="module")
def one_sandbox() -> Iterator[None]:
    """Open it but once: that takes longer than all else."""
    with sandbox_of(best_level()) as sandbox:
        OPEN.append(sandbox)
        yield
        OPEN.clear()


def bot(cls: str, name: str = "", method: str = "act", init: str = "self") -> str:
    """Return the text of a bot."""
    return (
        f"class {cls}(Bot):\n    name = {name!r}\n    def __init__({init}): pass\n"
        f"    def {method}(self, obs): return 'stop'\n"
    )


def write(folder: Path, **texts: str) -> None:
    """Write bot files; the key is the file's name."""
    folder.mkdir(exist_ok=True)
    for stem, text in texts.items():
        (folder / f"{stem}.py").write_text(IMPORT + text)


def enrol_all(*bots: BotSettings | Path, **how: Any) -> Enrolment:
    """Enrol the bots of files and folders."""
    settings = [
        b if isinstance(b, BotSettings) else BotSettings(file=str(b)) for b in bots
    ]
    admission = Admission(form=how.get("form", NEWEST_FORM))
    with TemporaryDirectory() as folder:
        files = taken_in(settings, Path(folder), GAMES, **how)
        read = [file.hand_in.read_folder for file in files if file.hand_in]
        if not any(read):
            return trio.run(enrol, files, GAMES, LIMITS, OPEN[0], "bots", admission)
        with sandbox_of(best_level(), [*filter(None, read)]) as sandbox:
            return trio.run(enrol, files, GAMES, LIMITS, sandbox, "bots", admission)


def names(enrolment: Enrolment) -> dict[str, str]:
    """Return the display names by id."""
    return {entry.id: entry.name for entry in enrolment.entries}


def test_identity_comes_from_file_and_class(tmp_path: Path) -> None:
    write(
        tmp_path,
        zoe=bot("Zoe", "Aaron"),
        ana=bot("Second") + bot("First", method="ox_blocks"),
        other=bot("_Hidden") + bot("Shown", method="zombie_dice", init="self, depth=1"),
    )
    (tmp_path / "team").mkdir()
    (tmp_path / "team" / "__init__.py").write_text("from .part import Captain\n")
    (tmp_path / "team" / "part.py").write_text(IMPORT + bot("Captain", "Käpt'n 1"))
    found = enrol_all(tmp_path)
    assert found.rejected == ()
    assert [(e.id, e.name, e.file, e.games) for e in found.entries] == [
        ("ana:First", "First", "ana.py", ("ox_blocks",)),
        ("ana:Second", "Second", "ana.py", GAMES),
        ("other:Shown", "Shown", "other.py", ("zombie_dice",)),
        ("team:Captain", "Käpt'n 1", "team", GAMES),
        ("zoe:Zoe", "Aaron", "zoe.py", GAMES),
    ]
    first, second, *_ = found.entries
    assert first.code == second.code
    assert len({entry.code for entry in found.entries}) == 4
    assert not any(entry.refused or entry.looks_back for entry in found.entries)


def test_one_class_can_be_entered_with_many_parameters(tmp_path: Path) -> None:
    write(tmp_path, ana=bot("Ana", "Ana", init="self, depth=1") + bot("Ben"))
    file = str(tmp_path / "ana.py")
    found = enrol_all(
        BotSettings(file=file, bot="Ana", name="deep", params={"depth": 9}),
        BotSettings(file=file, bot="Ana", name="ana", params={"depth": 2}),
        BotSettings(file=file, bot="Ana"),
    )
    assert [(e.id, e.name, e.bot, e.params) for e in found.entries] == [
        # What the league's file calls a bot stays; what a bot calls itself gives way.
        ("ana", "ana", "Ana", {"depth": 2}),
        ("ana:Ana", "Ana (ana:Ana)", "Ana", {}),
        ("deep", "deep", "Ana", {"depth": 9}),
    ]


def test_names_are_made_apart(tmp_path: Path) -> None:
    write(
        tmp_path,
        a=bot("A", "Same"),
        b=bot("B", "same"),
        c=bot("C", "\uff33\uff21\uff2d\uff25\u200b"),
        d=bot("D", "Same") + bot("E", "Same"),
        # Some have read how names are made apart.
        e=bot("F", "Same (a)"),
        f=bot("G", "same (B)"),
        g=bot("H", "same (b:B)"),
        h=bot("I", "other"),
    )
    found = names(enrol_all(tmp_path))
    assert found == {
        "a:A": "a",
        "b:B": "b",
        "c:C": "c",
        "d:D": "Same (d:D)",
        "d:E": "Same (d:E)",
        "e:F": "e",
        "f:G": "f",
        "g:H": "g",
        "h:I": "other",
    }
    assert len({name.casefold() for name in found.values()}) == len(found)


def test_files_of_one_name_are_all_entered(tmp_path: Path) -> None:
    """Else what one student calls a file would stop the league, or another's bot."""
    staff, week, more = tmp_path / "staff", tmp_path / "week", tmp_path / "x" / "week"
    write(staff, ana=bot("Ana"))
    write(staff, tables="")
    write(week, ana=bot("Ana", "Zoe"), ben=bot("Ben"))
    more.parent.mkdir()
    write(more, ana=bot("Other", "Ana"))
    (week / "ben").mkdir()
    (week / "ben" / "__init__.py").write_text(IMPORT + bot("Ben", "Package"))
    found = enrol_all(staff, week, more)
    # Who has no bot takes no name from anybody.
    assert [file for file, _ in found.rejected] == ["tables.py"]
    assert names(found) == {
        "ana:Ana": "staff",
        "ben:Ben": "Ben",
        "week/ana 2:Other": "x",
        "week/ana:Ana": "Zoe",
        "week/ben:Ben": "Package",
    }
    for name in ("ana", "ana.py", "ana:Ana"):
        entry = found.find(name)
        assert entry is not None
        assert entry.path.parent == staff
    assert found.find("week/ana").name == "Zoe"  # type: ignore[union-attr]
    here = tmp_path.name
    assert [e.file for e in found.entries] == [
        "staff/ana.py",
        "ben.py",
        "x/week/ana.py",
        f"{here}/week/ana.py",
        "ben",
    ]
    assert found.notes == (
        (
            f"{here}/week/ana.py, x/week/ana.py",
            "2 files are called like staff/ana.py; their bots are entered as "
            "week/ana:CLASS and so on; rename the files, or say in a students' file "
            "whose they are",
        ),
        (
            "ben",
            "is called like ben.py; its bots are entered as week/ben:CLASS; rename one "
            "of the files",
        ),
        (
            "",
            "the name 'Ana' is taken more than once; the tables say staff, x; "
            "give each bot a name of its own",
        ),
    )


SHOWN = [
    (["/x/ana.py", "/x/ben.py", "/y/ana"], ["ana.py", "ben.py", "ana"]),
    (["/x/a/bot.py", "/x/b/bot.py"], ["a/bot.py", "b/bot.py"]),
    (["/1/a/bot.py", "/2/a/bot.py", "/b/bot.py"], ["1/a/bot.py", "2/a/bot.py",
                                                  "b/bot.py"]),
    (["/bot.py", "/a/bot.py"], ["/bot.py", "a/bot.py"]),
    (["/x\n/bot.py", "/y/bot.py"], ["x\ufffd/bot.py", "y/bot.py"]),
    ([f"/{x * 250}/bot.py" for x in "ab"], [f"…{'a' * 192}/bot.py 1",
                                            f"…{'b' * 192}/bot.py 2"]),
]  # fmt: skip


@pytest.mark.parametrize(("paths", "expected"), SHOWN)
def test_files_are_shown_with_the_folders_that_tell_them_apart(
    paths: list[str], expected: list[str]
) -> None:
    found = shown_files(map(Path, paths))
    assert [found[Path(path)] for path in paths] == expected


def test_a_folder_with_a_dot_in_its_name_is_shown_whole(tmp_path: Path) -> None:
    """Two of one family name are not one; their ids stay as they were."""
    for folder in ("j.smith", "j.doe"):
        write(tmp_path / folder, bot=bot("Mine"))
    found = enrol_all(tmp_path)
    assert [(e.id, e.name, e.file) for e in found.entries] == [
        ("j:Mine", "j.doe", "j.doe"),
        (f"{tmp_path.name}/j:Mine", "j.smith", "j.smith"),
    ]
    assert found.entries[1].spec().called == "j.smith:Mine"
    assert found.find("j.smith") is found.entries[1]


def test_who_is_named_himself_is_not_taken_for_who_lies_in_a_folder(
    tmp_path: Path,
) -> None:
    """The league's file names reference bots; a student calls his file as one."""
    write(tmp_path / "students", reference=bot("Strong"))
    write(tmp_path / "staff", reference=bot("Weak"))
    found = enrol_all(tmp_path / "students", tmp_path / "staff" / "reference.py")
    assert names(found) == {
        "reference:Weak": "Weak",
        "students/reference:Strong": "Strong",
    }
    entry = found.find("reference")
    assert entry is not None
    assert entry.name == "Weak"


def test_a_later_twin_changes_no_id(tmp_path: Path) -> None:
    write(tmp_path / "a", ana=bot("Ana"), ben=bot("Ben"))
    before = names(enrol_all(tmp_path / "a"))
    write(tmp_path / "b", ana=bot("Ana", "Other"))
    after = names(enrol_all(tmp_path / "a", tmp_path / "b"))
    assert after == {**before, "b/ana:Ana": "Other"}


def test_what_is_probably_a_slip_is_told(tmp_path: Path) -> None:
    """Nobody would miss the class that is hidden, or the game that is not played."""
    other = "    def ox_block(self, obs): return 'pass'\n"
    write(
        tmp_path,
        ana=bot("Ana") + bot("Ben") + bot("Ana"),
        cid=bot("Cid", method="zombie_dice") + other,
        dot=bot("Dot") + other,
    )
    found = enrol_all(tmp_path)
    assert {entry.name: entry.games for entry in found.entries} == {
        "Ana": GAMES,
        "Ben": GAMES,
        "Cid": ("zombie_dice",),
        "Dot": GAMES,
    }
    assert found.notes == (
        (
            "ana.py",
            "line 10: a second class Ana takes the place of that of line 2; give it "
            "another name",
        ),
        (
            "cid.py",
            "line 6: no game is called 'ox_block'; did you mean 'ox_blocks'?",
        ),
    )


SELF_PRAISE = [
    # What a bot says its name is, and what is shown; if nothing, the name of its class.
    ("''", ""),
    (r"'  the   best \n bot\t'", "the best bot"),
    ("'a|b'", "a|b"),
    (r"'\x1b[31mred\x1b[0m'", "[31mred [0m"),
    (r"'\u202eevil'", "evil"),
    (r"'\n\r\v'", ""),
    ("'Ä' * 10_000", "Ä" * 60),
    (r"'\udc80'", r"\udc80"),
    # What is no text.
    ("3", ""),
    ("None", ""),
    ("type('S', (str,), {})('x')", ""),
    ("property(lambda s: 1)", ""),
]


def test_who_takes_long_to_be_read_is_told_how_often_that_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = [0.0]

    async def read(spec: EntrySpec, *others: Any) -> tuple[tuple[BotInfo, ...], float]:
        await trio.lowlevel.checkpoint()
        return (BotInfo("A", Path(spec.path).stem, "", GAMES, (), False),), taken[0]

    monkeypatch.setattr(bot_file, "read_bots", read)
    write(tmp_path, native=bot("A"), guest="import zombiedice\n" + bot("A"))
    for seconds, is_told in ((0.05 * LIMITS.start, False), (3.5, True)):
        taken[0] = seconds
        notes = dict(enrol_all(tmp_path).notes)
        assert bool(notes) == is_told
    for file, how_often in (("native", "processes"), ("guest", "games")):
        assert notes[f"{file}.py"] == (
            f"to read it takes 3.5 s (the limit start is 60 s), for each of its "
            f"{how_often}: do the work that stands outside of functions once, at home, "
            "and let the bot read the result from a data file in its folder"
        )


def test_names_are_fit_to_print(tmp_path: Path) -> None:
    expected = {}
    for i, (said, shown) in enumerate(SELF_PRAISE):
        write(tmp_path, **{f"b{i}": bot(f"Bot{i}", "?").replace("'?'", said)})
        expected[f"b{i}:Bot{i}"] = shown or f"Bot{i}"
    assert names(enrol_all(tmp_path)) == expected


def test_file_names(tmp_path: Path) -> None:
    stems = ("my bot", "my-bot", "über", "机器人", "random", "a.b", "3", "None", "__x")
    text = "import random\nrandom.random()\n"
    write(tmp_path, **{stem: text + bot("Ana", stem) for stem in stems})
    found = enrol_all(*(tmp_path / f"{stem}.py" for stem in stems))
    assert {(e.id, e.file, e.name) for e in found.entries} == {
        (f"{stem}:Ana", f"{stem}.py", stem) for stem in stems
    }


def test_file_names_that_can_not_be_shown(tmp_path: Path) -> None:
    write(tmp_path, good=bot("Good"))
    for name in (b"a\nb.py", b"\x1b[31m.py", b"\xff.py"):
        (tmp_path / os.fsdecode(name)).write_text(IMPORT + bot("Bad"))
    found = enrol_all(tmp_path)
    assert names(found) == {"good:Good": "Good"}
    assert {shown for shown, _ in found.rejected} == {
        "a\ufffdb.py",
        "\ufffd[31m.py",
        "\ufffd.py",
    }
    assert {why for _, why in found.rejected} == {
        "its name is no valid text; rename the file"
    }


def test_what_is_no_bot_is_named_but_drafts_are_not(tmp_path: Path) -> None:
    write(
        tmp_path,
        good=bot("Good"),
        guest="import zombiedice\nclass Mine:\n    def turn(self, state): pass\n",
        # What another one would like to import is not spared the note.
        curious="import empty\n" + bot("Curious"),
        empty="",
        broken="x = (",
        misspelt=bot("A", method="ox_block"),
    )
    for folder in ("week-6", "_drafts", "named", "void"):
        write(tmp_path / folder, **{} if folder == "void" else {"other": bot("Other")})
    for name in ("saved.ipynb", "saved.py.txt", "notes.txt", "SAVED.PY", "all.zip"):
        (tmp_path / name).write_text("{}")
    # Many keep a copy of what guests import beside their bots, which import it.
    write(tmp_path / "zombiedice", __init__="raise OSError")
    found = enrol_all(tmp_path, tmp_path / "named")
    assert names(found) == {
        "curious:Curious": "Curious",
        "good:Good": "Good",
        "guest:Mine": "Mine",
        "other:Other": "other",
        "week-6:Other": "week-6",
    }
    assert found.entries[2].hand_in.files == ("guest.py",)
    rejected = dict(found.rejected)
    misspelt = rejected.pop("misspelt.py")
    assert misspelt.endswith("'ox_block', did you mean 'ox_blocks'?\"")
    assert {name: why.partition(";")[0] for name, why in rejected.items()} == {
        "broken.py": "broken.py:2: its process says \"SyntaxError: '(' was never "
        "closed, in `x = (` (add the bracket that closes it",
        "empty.py": "empty.py: its process says 'no bot found",
        "zombiedice": "arena has a zombiedice of its own, which bots that import it "
        "get",
        "saved.ipynb": "is a notebook",
        "saved.py.txt": "is no Python file, whose name ends in .py",
        "SAVED.PY": "is no Python file, whose name ends in .py",
        "all.zip": "is no archive, but plain text",
    }


def test_no_file_can_flood_a_league_with_bots(tmp_path: Path) -> None:
    many = "".join(bot(f"Bot{i}") for i in range(21))
    write(tmp_path, good=bot("Good"), many=many)
    found = enrol_all(tmp_path)
    assert names(found) == {"good:Good": "Good"}
    assert found.rejected == (("many.py", "has 21 bots; a file may have 20"),)
    few = many.replace("class Bot20", "class _Bot20")
    write(tmp_path, many=few)
    assert len(enrol_all(tmp_path).entries) == 21


def test_a_bot_whose_file_can_not_be_read_is_entered_all_the_same(
    tmp_path: Path,
) -> None:
    # It meets its schedule and forfeits: a slip does not make a bot disappear.
    write(tmp_path, ana="import missing_package\n" + bot("Ana", method="ox_blocks"))
    (entry,) = enrol_all(tmp_path).entries
    assert (entry.id, entry.name, entry.games) == ("ana:Ana", "Ana", ("ox_blocks",))
    assert entry.refused.startswith(
        'ana.py:2: its process says "ModuleNotFoundError: No module named'
    )


def test_a_slip_in_a_file_of_many_bots_is_one_entry(tmp_path: Path) -> None:
    """It plays what they would have played, or those that the league's file names."""
    bots = bot("Ana", method="ox_blocks") + bot("Ben", method="zombie_dice")
    write(tmp_path, five=bots + bot("Cid") + bot("Dot") + bot("Eva") + "if:\n")
    (entry,) = enrol_all(tmp_path).entries
    assert (entry.id, entry.name, entry.games) == ("five:Ana", "Ana", GAMES)
    file = str(tmp_path / "five.py")
    named = [BotSettings(file=file, bot=cls) for cls in ("Ben", "Dot")]
    found = enrol_all(*named)
    assert [(e.id, e.games) for e in found.entries] == [
        ("five:Ben", ("zombie_dice",)),
        ("five:Dot", GAMES),
    ]
    (entry,) = enrol_all(BotSettings(file=file, name="Their bot")).entries
    assert (entry.id, entry.bot) == ("Their bot", "Ana")
    # So it was when leagues were frozen that are played again as they were.
    found = enrol_all(tmp_path, form=3)
    assert [e.bot for e in found.entries] == ["Ana", "Ben", "Cid", "Dot", "Eva"]
    write(tmp_path, five="".join(bot(f"Bot{i}") for i in range(99)) + "if:\n")
    (entry,) = enrol_all(tmp_path).entries
    assert entry.id == "five:Bot0"


def test_two_files_that_belong_together_are_told_so(tmp_path: Path) -> None:
    """Both are named, with what to do, and it helps; other failures say nothing."""
    guest = "import zombiedice\n"
    cls = "class A:\n    def turn(self, gameState): zombiedice.roll()\n"
    start = "import strategies\nzombiedice.runTournament([strategies.A()], 1)\n"
    bots = tmp_path / "bots"
    write(bots, main=guest + start, strategies=guest + cls, other="import missing\n")
    found = enrol_all(bots)
    assert names(found) == {"strategies:A": "A"}
    assert found.notes == (
        (
            "main.py",
            "imports strategies, which lies beside it and is a hand-in of its own; put "
            "both into one folder, such as main/bot.py and main/strategies.py",
        ),
    )
    (bots / "main").mkdir()
    (bots / "main.py").rename(bots / "main" / "bot.py")
    (bots / "strategies.py").rename(bots / "main" / "strategies.py")
    found = enrol_all(bots)
    assert (names(found), found.notes) == ({"main:A": "A"}, ())


LIES = """\
import os, sys
from arena.worker.protocol import BotInfo, LoadRequest, Ready, frame

caller = sys._getframe()
while not isinstance(caller.f_locals.get("request"), LoadRequest):
    caller = caller.f_back
serial = caller.f_locals["request"].serial

def info(bot, games):
    return BotInfo(bot, "\\x1b[31mL", "", games, (), False)

ready = Ready(serial, tuple(info(*said) for said in SAID))
for descriptor in range(3, 64):
    try:
        os.write(descriptor, frame(ready))
    except OSError:
        pass
"""
LIE_CASES: list[tuple[list[tuple[str, tuple[str, ...]]], tuple[str, ...]]] = [
    # The bots that a process says there are, and the games of the one that is believed.
    ([("L", ("ox_blocks",)), ("L", ("ox_blocks",))], ("ox_blocks",)),
    ([("L", ("chess", "ox_blocks"))], ("ox_blocks",)),
    ([("a\n\x1b", GAMES), ("L", GAMES)], GAMES),
    ([("L" * 1000, GAMES), ("L", GAMES)], GAMES),
    ([("good:Good", GAMES), ("L", GAMES)], GAMES),
    ([("a\n\x1b", GAMES)], ()),
    ([], ()),
]


def test_what_a_process_says_is_not_believed(tmp_path: Path) -> None:
    write(tmp_path, good=bot("Good"))
    expected = {"good:Good": GAMES}
    for i, (said, believed) in enumerate(LIE_CASES):
        write(tmp_path, **{f"liar{i}": LIES.replace("SAID", ascii(said))})
        if believed:
            expected[f"liar{i}:L"] = believed
    found = enrol_all(tmp_path)
    assert {entry.id: entry.games for entry in found.entries} == expected
    assert all(entry.name.isprintable() for entry in found.entries)


def test_an_entry_is_found_by_what_it_can_not_choose() -> None:
    enrolment = Enrolment(
        (
            entry("ana", "Ana", "Display"),
            replace(entry("ana2"), id="named", name="named", is_named=True),
            # These call themselves like the id, file or class of another.
            entry("spoof1", "A", "target:Target"),
            entry("spoof2", "B", "target"),
            entry("spoof3", "C", "Target"),
            entry("spoof4", "D", "two"),
            entry("target", "Target", "Target (target)"),
            entry("two", "First"),
            entry("two", "Second"),
        ),
        (),
    )

    def found(name: str) -> str:
        entry = enrolment.find(name)
        return entry.id if entry else ""

    for id_, *others in (
        ("ana:Ana", "ana", "ana.py", "Ana", "Display"),
        ("target:Target", "target", "Target"),
        ("two:First",),
        ("two:Second", "Second"),
        ("named",),
    ):
        assert {found(name) for name in (id_, *others)} == {id_}
    assert found("two") == found("nobody") == ""


def entry(stem: str, cls: str = "Bot", name: str = "") -> Entry:
    """Return an entry of a file and class."""
    path = Path(f"/bots/{stem}.py")
    hand_in = kept("code", path.name)
    return Entry(f"{stem}:{cls}", name or cls, path, cls, {}, GAMES, hand_in)


def test_what_the_league_asks_for_must_be_there(tmp_path: Path) -> None:
    write(tmp_path, ana=bot("Ana", init="self, depth=1") + bot("Ben"), empty="")
    write(tmp_path / "nothing", readme="")
    write(tmp_path / "two", ana=bot("Ana"), ben=bot("Ben"))
    for folder, name in (("empty", ""), ("data", "ben.csv"), ("notes", "ana.ipynb")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / (name or ".hidden")).write_text("{}")
    file = str(tmp_path / "ana.py")
    ana = BotSettings(file=file, bot="Ana", name="ana")
    cases: list[tuple[list[BotSettings | Path], str]] = [
        (
            [ana, BotSettings(file=file, bot="Anna")],
            "bots[1].bot: ana.py has no bot 'Anna'; did you mean 'Ana'?",
        ),
        (
            [ana, BotSettings(file=file, bot="Ana", params={"dept": 1})],
            "bots[1].params.dept: Ana takes no such parameter; did you mean 'depth'?",
        ),
        (
            [BotSettings(file=file, bot="Ben", params={"depth": 1})],
            "bots[0].params.depth: Ben takes no such parameter",
        ),
        (
            [BotSettings(file=file, name="both")],
            "bots[0].name: ana.py has 2 bots; say which with the key bot",
        ),
        ([ana, ana], "bots: 2 bots of one name: 'ana'; give each a name of its own"),
        ([tmp_path / "nobody.py"], "bots[0]: no such file or folder: "),
        ([tmp_path / "randm"], f"{NOWHERE}{tmp_path / 'randm'}; did you mean 'random'"),
        (
            [tmp_path / "empty", tmp_path / "data"],
            f"bots: no bot was found: {tmp_path / 'empty'} is an empty folder; "
            f"expected one with a Python file, such as bot.py; {tmp_path / 'data'} is "
            "a folder without a Python file, such as bot.py; found ben.csv",
        ),
        (
            [tmp_path / "notes"],
            "bots: ana.ipynb is a notebook; export it as a Python file, with ",
        ),
        ([tmp_path / ("a" * 300)], "bots[0]: no such file or folder: "),
        (
            [BotSettings(file=str(tmp_path / "two"), params={"depth": 1})],
            "bots: two has several files with bots (ana.py, ben.py), and a folder is "
            "one hand-in: call its main file bot.py; ",
        ),
        (
            [tmp_path / "nothing"],
            "bots: no bot in readme.py plays zombie_dice or ox_blocks: its "
            "process says 'no bot found; ",
        ),
    ]
    for bots, sentence in cases:
        with pytest.raises(ConfigError) as caught:
            enrol_all(*bots)
        assert str(caught.value).startswith(sentence)
        assert "\n" not in str(caught.value)


def test_a_full_machine_is_nobodys_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def no_process(*args: object, **keys: object) -> Process:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(OPEN[0], "spawn", no_process)
    write(tmp_path, ana=bot("Ana"), ben=bot("Ben"))
    with pytest.raises(LeagueError, match=r"no contestant could be started .*tempor"):
        enrol_all(tmp_path)
