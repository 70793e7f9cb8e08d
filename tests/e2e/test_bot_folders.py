"""What a course may find in its bots folder, and how the tables show it."""

import csv
import io
import json
from pathlib import Path

import pytest
from commands import CAREFUL, FIRST, Course
from matrix import divided


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return Course(tmp_path / "course")


def write(course: Course, file: str, *classes: str, name: str = "") -> None:
    """Write a file with bots that play OX Blocks by chance."""
    text = ["import random", "from arena import Bot"]
    for cls in classes:
        text += [
            f"class {cls}(Bot):",
            f"    name = {name!a}",
            "    def ox_blocks(self, obs): return random.choice(obs.legal_actions)",
        ]
    path = course.bots / file
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(text) + "\n")


OX = {"game": "ox_blocks", "fixtures": 1}


def test_all_kinds_of_files(course: Course) -> None:
    write(course, "my bot.py", "Spaced")
    write(course, "my-bot.py", "Hyphened")
    write(course, "größe.py", "Größe")
    write(course, "random.py", "Random")
    write(course, "team/__init__.py", "Captain", "Mate")
    (course.bots / "empty.py").touch()
    (course.bots / "_notes.py").write_text("this is no Python")
    (course.bots / "readme.txt").write_text("hello")
    (course.bots / "slides.pdf").write_text("hello")
    (course.folder / "helper.py").write_text(f"def choose(obs): {FIRST}\n")
    course.write_bot("ana", "from helper import choose", "return choose(obs)")
    course.write_league(OX, shared=["helper.py"])
    done = course.arena("league", "small.yaml")
    assert done.code == 0
    notes = [line for line in done.err.splitlines() if line.startswith("note: ")]
    assert [note.split(": its process")[0] for note in notes] == [
        "note: empty.py: not entered",
        "note: bots/_notes.py: left out: name begins with _",
        "note: bots/slides.pdf: left out: no plain text; save the code alone in a file "
        "whose name ends in .py",
    ]
    rows = json.loads(course.files()["leaderboard.json"])["rows"]
    assert {(row["bot"], row["file"]) for row in rows} == {
        ("Ana", "ana.py"),
        ("Captain", "team"),
        ("Größe", "größe.py"),
        ("Hyphened", "my-bot.py"),
        ("Mate", "team"),
        ("Random", "random.py"),
        ("Spaced", "my bot.py"),
    }
    assert all(row["forfeits"] == 0 for row in rows)
    assert all(game["termination"] == "natural" for game in course.export())


@pytest.mark.exhaustive
def test_one_bot_with_many_parameters(course: Course) -> None:
    course.write_bot(
        "tuned",
        "return 'stop' if obs.brains >= self.stop_at else 'roll'",
        method="zombie_dice",
    )
    with (course.bots / "tuned.py").open("a") as text:
        text.write("    def __init__(self, stop_at=1): self.stop_at = stop_at\n")
    file = "bots/tuned.py"
    bots = [
        {"file": file, "name": f"at {n}", "params": {"stop_at": n}} for n in (1, 99)
    ]
    game = {"game": "zombie_dice", "fixtures": 4, "max_decisions": 200}
    course.write_league(game, bots=[*bots, {"file": file, "bot": "Tuned"}])
    course.league("small.yaml")
    games = {
        tuple(game["seats"]): game["scores"]
        for game in course.export()
        if "at 99" in game["seats"]
    }
    assert games
    # Who wants 99 brains of a turn never banks one.
    for seats, scores in games.items():
        assert scores[seats.index("at 99")] == 0.0
        assert scores[1 - seats.index("at 99")] >= 13.0
    names = {name for game in course.export() for name in game["seats"]}
    assert names == {"at 1", "at 99", "Tuned"}


HOSTILE = {
    "newline.py": "two\nlines",
    "pipe.py": "a|b|c",
    "ansi.py": "\x1b[2J\x1b[31mred\x07",
    "long.py": "long" * 2500,
    "markup.py": "<script>alert(1)</script>[x](y)`*_",
    "formula.py": '=HYPERLINK("x")',
    "ana.py": "Same",
    "ben.py": "Same",
    "empty.py": " \u200b ",
}


def test_names_that_want_to_break_the_tables(course: Course) -> None:
    for file, name in HOSTILE.items():
        write(course, file, "Bot" + file[:-3].title(), name=name)
    course.write_league(OX)
    out = course.league("small.yaml")
    rows = json.loads(course.files()["leaderboard.json"])["rows"]
    names = {row["file"]: row["bot"] for row in rows}
    assert names.keys() == HOSTILE.keys()
    assert len(set(names.values())) == len(names)
    assert {"ana", "ben", "BotEmpty"} <= set(names.values())
    assert all(name.isprintable() and len(name) <= 70 for name in names.values())
    texts = {file: data.decode() for file, data in course.files().items()}
    for text in (out, *texts.values()):
        assert all(c.isprintable() or c == "\n" for c in text)
    # Every table still has one line a bot, with as many cells as its header.
    (table,) = (x.splitlines() for x in out.split("\n\n") if x.startswith("-"))
    assert len(table) == 3 + len(names) + 1
    assert all(len(line) <= 100 for line in table)
    parts = texts["leaderboard.md"].split("\n\n")
    tables = [part.splitlines() for part in parts if part.startswith("|")]
    assert [len(lines) for lines in tables] == [2 + len(names)] * 3
    for lines in tables:
        assert len({line.replace("\\|", "").count("|") for line in lines}) == 1
    assert "<script>" not in texts["leaderboard.md"]
    for file in ("leaderboard.csv", "crosstable.csv"):
        lines = list(csv.reader(io.StringIO(texts[file])))
        assert len({len(line) for line in lines}) == 1
        assert not any(c[:1] in "=+@" for line in lines for c in line if c)
    assert {tuple(sorted(game["seats"])) for game in course.export()} == {
        tuple(sorted((a, b))) for a in names.values() for b in names.values() if a < b
    }


@pytest.mark.parametrize("size", divided((6, 56), lambda size: size == 6))
def test_a_large_class(course: Course, size: int) -> None:
    for i in range(size):
        course.write_bot(f"student{i}", CAREFUL, method="zombie_dice")
    for stem in ("ana", "ben", "cid", "dot"):
        write(course, f"{stem}.py", stem.title())
    course.write_league(OX)
    done = course.arena("league", "small.yaml")
    assert done.code == 0
    assert done.err.count(": not entered: ") == size
    assert len(course.export()) == 6 * 2


@pytest.mark.exhaustive
def test_names_that_look_like_numbers_stay_names(course: Course) -> None:
    names = ["1e5", "0x10", "inf", "-007", "1_000", "nan", ".5"]
    for number, name in enumerate(names):
        write(course, f"bot{number}.py", f"Bot{number}", name=name)
    shown = course.arena("bots", "bots").out.splitlines()[2:]
    assert sorted(line.split()[0] for line in shown) == sorted(names)
    course.write_league({**OX, "label": "1e5"})
    planned = course.arena("league", "small.yaml", "--dry-run").out.splitlines()
    assert planned[2].split()[:2] == ["1e5", "7"]


def test_a_dot_in_a_folder_that_is_no_package_is_explained(course: Course) -> None:
    folder = course.folder / "bots" / "risky"
    folder.mkdir(parents=True)
    (folder / "dice.py").write_text("SAFE = 0.3\n")
    write(course, "risky/bot.py", "Risky")
    bot = folder / "bot.py"
    bot.write_text("from .dice import SAFE\n" + bot.read_text())
    said = course.arena("check", "bots/risky").out
    assert "write it without the dot, which is for a folder with an __init__.py" in (
        " ".join(said.split())
    )
