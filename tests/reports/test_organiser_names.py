"""What bots are called for their organiser alone, as the private folder says."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from leagues import bot, league

from arena.errors import ConfigError
from arena.league.config.whose_bots import WhoseBot, whose_bots_text
from arena.league.entries.entry import Entry
from arena.reports.grading.private import (
    organiser_names,
    private_folder,
    write_whose_bots,
)

BOTS = (bot("Ana", "dice"), bot("Ben", "dice"), bot("Cy", "dice"))


def names(folder: Path, called: Iterable[str]) -> list[str]:
    """Return the names of bots, some of which the private folder calls otherwise."""
    whose = (
        WhoseBot(entry.id, entry.name, entry.file, ("x",), name)
        for entry, name in zip(BOTS, called, strict=False)
    )
    path = private_folder(folder) / "students.json"
    path.write_text(whose_bots_text(tuple(whose)))
    found = organiser_names(league(BOTS), folder)
    return [found.get(entry.id, entry.name) for entry in BOTS]


def test_the_private_folder_says_who_is_who(tmp_path: Path) -> None:
    assert organiser_names(league(BOTS), tmp_path) == {}
    assert names(tmp_path, ["Zoe", "Ben"]) == ["Zoe", "Ben", "Cy"]
    assert names(tmp_path, ["", "Zoe"]) == ["Ana", "Zoe", "Cy"]


def test_a_folder_from_elsewhere_makes_no_names_alike(tmp_path: Path) -> None:
    assert names(tmp_path, ["Zoe", "zoe"]) == ["Ana", "Ben", "Cy"]
    # Nor does one change what another is called who has no other name.
    assert names(tmp_path, ["\u0421\u0443", "Ana"]) == ["Ana", "Ben", "Cy"]
    assert names(tmp_path, ["A\x1b[2J\n\u202eB"]) == ["A [2J B", "Ben", "Cy"]
    (tmp_path / "private" / "students.json").write_text("{")
    with pytest.raises(ConfigError, match=r"students\.json is damaged"):
        organiser_names(league(BOTS), tmp_path)


def enrolled(*names: str, **changes: Any) -> list[Entry]:
    """Return bots of a student each."""
    hand_in: Any = None
    usual = {"bot": "B", "params": {}, "games": ("dice",), "hand_in": hand_in}
    return [
        Entry(
            id=f"{name.lower()}:{name}",
            name=name,
            students=(name,),
            **(
                usual
                | {"called": f"{name} A.", "path": Path("bots", f"{name}.py")}
                | changes
            ),
        )
        for name in names
    ]


def test_who_is_gone_is_known_until_another_has_the_name(tmp_path: Path) -> None:
    three = ("ana:Ana", "ben:Ben", "zoe:Zoe")
    write_whose_bots(enrolled("Ana", "Zoe"), tmp_path)
    write_whose_bots(enrolled("Ana"), tmp_path, three)
    found = organiser_names(league(BOTS), tmp_path)
    assert found == {"ana:Ana": "Ana A.", "zoe:Zoe": "Zoe A."}
    # Now somebody else is called so.
    write_whose_bots(enrolled("Ana", called="Zoe A."), tmp_path, three)
    assert organiser_names(league(BOTS), tmp_path) == {"ana:Ana": "Zoe A."}
    # Of the run before the last nobody says anything.
    write_whose_bots(enrolled("Ana"), tmp_path, three[:2])
    assert organiser_names(league(BOTS), tmp_path) == {"ana:Ana": "Ana A."}
    # Who has the file of another is told of alone, as divisions go by files.
    write_whose_bots(enrolled("Zoe"), tmp_path, three)
    write_whose_bots(enrolled("Ana", path=Path("bots", "Zoe.py")), tmp_path, three)
    assert organiser_names(league(BOTS), tmp_path) == {"ana:Ana": "Ana A."}


def test_a_private_folder_that_is_open_is_closed(tmp_path: Path) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "private").chmod(0o777)
    assert private_folder(tmp_path).stat().st_mode & 0o777 == 0o700
