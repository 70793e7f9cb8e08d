"""Names that were changed on their way: put back, and others left alone."""

import pytest

from arena.collect.put_back import last_copies, put_back
from arena.collect.submission import Files

COPIES = """
bot-1 bot-12 bot_(1) bot__1_ bot(1) bot\u00a0(1)
bot - Copy|bot - Copy (2)|bot copy|bot copy 2|bot - Kopie|bot Kopie 2|bot - Copie
bot - copia|bot - Cópia|bot \u2014 kopia|bot (copy)|bot_copy|bot - Kopio|bot - Kopia (3)
Copy of bot|Kopie von bot|Copie de bot|Copia di bot|Copy_of_bot|Copy of Copy of bot
Copy of bot (1)
""".strip()
NAMES = [
    name
    for line in COPIES.splitlines()
    for name in (line.split("|") if "|" in line or "Copy" in line else line.split(" "))
]
OWN = ["bot", "bot2", "bot_2", "v1.2", "copy", "photocopy", "bot-final", "bot-2026",
       "-1", "copycat", "bot 2", "kopie_1", "of", "Copy", "(1)", "my-bot"]  # fmt: skip


def names(*given: str, code: bytes = b"", notes: list[str] | None = None) -> list[str]:
    files: Files = dict.fromkeys(given, (code, False))
    notes = [] if notes is None else notes
    return [*put_back(last_copies(files, notes), notes)]


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_has_its_plain_name(name: str) -> None:
    notes: list[str] = []
    assert names(f"{name}.py", f"a/{name}.ipynb", notes=notes) == [
        "a/bot.ipynb",
        "bot.py",
    ]
    assert f"{name}.py is called bot.py here" in notes


@pytest.mark.parametrize("name", OWN)
def test_other_names_stay(name: str) -> None:
    assert names(f"{name}.py") == [f"{name}.py"]


def test_of_copies_that_are_imported_each_stays() -> None:
    code = b"import bot, bot_copy\n"
    assert names("bot.py", "bot_copy.py", code=code) == ["bot.py", "bot_copy.py"]


@pytest.mark.parametrize("number", [2, 10, 99])
def test_the_highest_number_is_the_last(number: int) -> None:
    files: Files = {"bot.py": (b"1", False), "bot (1).py": (b"2", False)}
    files[f"bot-{number}.py"] = (b"3", False)
    assert last_copies(files, []) == {"bot.py": (b"3", False)}


def test_only_what_is_missing_is_renamed_for_an_import() -> None:
    code = b"import json, my_helper, arena\nfrom . import other\n"
    for given, expected in (
        (["a.py", "my-helper.py"], ["a.py", "my_helper.py"]),
        (["a.py", "My Helper!.py"], ["a.py", "my_helper.py"]),
        (["a.py", "my_helper.py", "my-helper.py"], None),
        (["a.py", "my_helper/x.py", "my-helper.py"], None),
        (["a.py", "myhelper.py", "my-helper.py"], None),
        (["a.py", "j-son.py", "ar_ena.py"], None),
        (["a.py", "my-helper.csv"], None),
    ):
        assert sorted(names(*given, code=code)) == sorted(expected or given)


def test_a_folder_has_copies_of_its_own() -> None:
    given = ["a/x.py", "b/x-1.py", "x (2).py"]
    assert names(*given) == ["a/x.py", "b/x.py", "x.py"]


def test_data_is_renamed_only_if_it_is_missed() -> None:
    for code, given, expected in (
        (b"open('w.csv')", ["b.py", "w-1.csv"], ["b.py", "w.csv"]),
        (b"open('w-1.csv')", ["b.py", "w-1.csv"], ["b.py", "w-1.csv"]),
        (b"open('w.csv')", ["b.py", "w-1.csv", "w.csv"], ["b.py", "w-1.csv", "w.csv"]),
        (b"open('v.csv')", ["b.py", "w-1.csv"], ["b.py", "w-1.csv"]),
    ):
        assert names(*given, code=code) == expected
