"""From an empty folder to a bot in the league, by the commands of the student's guide.

They are run one after another in one shell, as they stand there.  Two are stood in for:
the clone is a copy of a few files, and what is to be installed is taken from here.
"""

import re
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml
from documents import GUIDE, README, ROOT, files, firsts, indented, section

import arena

pytestmark = pytest.mark.exhaustive
"""Each verb has quick tests of its own, and `test_docs.py` reads the commands."""
CLONE = "git clone ADDRESS arena"
INSTALL = "python3 -m venv .venv && .venv/bin/pip install -e ."
PYTEST = "pip install pytest"
RIVALS = ("random_bot.py", "teams/zombie_dice.py", "teams/ox_blocks.py")
SECTIONS = ("Five minutes", "Trying things out", "Testing your bot")
BLOCKS = files(GUIDE)
COMMANDS = indented("".join(section(GUIDE, heading) for heading in SECTIONS))
Evening = tuple[Path, Mapping[str, str]]


def write_copy(folder: Path) -> None:
    """Write what the guide needs of a clone, with a league that takes little time."""
    (folder / "bots" / "_tests").mkdir(parents=True)
    (folder / "configs").mkdir()
    for name in ("pyproject.toml", "bots/pytest.ini"):
        (folder / name).write_text((ROOT / name).read_text())
    for name in RIVALS:
        text = (ROOT / "bots" / name).read_text()
        (folder / "bots" / Path(name).name).write_text(text)
    league = yaml.safe_load((ROOT / "configs" / "classroom.yaml").read_text())
    league["games"] = [{"game": "zombie_dice", "fixtures": 1}]
    league["luck_adjustment"] = False
    league["anchor"] = {"bot": "random_bot"}
    (folder / "configs" / "classroom.yaml").write_text(yaml.safe_dump(league))
    (folder / "try_my_bot.py").write_text(BLOCKS["try_my_bot.py"])
    test = "test_my_bot.py"
    (folder / "bots" / "_tests" / test).write_text(BLOCKS[test])


def stand_ins(shelf: Path) -> dict[str, str]:
    """Return what is run in place of some commands; `shelf` is where its parts lie."""
    write_copy(shelf / "copy")
    (shelf / "my_bot.py").write_text(BLOCKS["my_bot.py"])
    around = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    around.append(str(Path(arena.__file__).parents[1]))
    (shelf / "around.pth").write_text("\n".join(around) + "\n")
    program = shelf / "arena"
    program.write_text("#!/usr/bin/env python\nfrom arena.cli import main\n\nmain()\n")
    program.chmod(0o755)
    return {
        CLONE: f"mv {shelf}/copy arena",
        INSTALL: f"{sys.executable} -m venv --without-pip .venv\n"
        f"cp {shelf}/around.pth .venv/lib/python*/site-packages\n"
        f"cp {program} .venv/bin",
        # Between two commands the reader puts a bot into the file.
        # Nor does whoever installs pytest get what arena's own tests need.
        PYTEST: "export PYTEST_DISABLE_PLUGIN_AUTOLOAD=1",
        "arena new my_bot": f"arena new my_bot\ncp {shelf}/my_bot.py bots",
    }


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """Run all commands; return the folder they lead to, and what each has printed."""
    folder = tmp_path_factory.mktemp("evening")
    (folder / "shelf").mkdir()
    (folder / "home").mkdir()
    run = stand_ins(folder / "shelf")
    script = "".join(f"echo '@@ {x}'\n{run.get(x, x)}\n" for x in COMMANDS)
    done = subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=folder / "home",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    parts = (part.partition("\n") for part in done.stdout.split("@@ ")[1:])
    return folder / "home" / "arena", {command: said for command, _, said in parts}


def test_every_command_is_run(evening: Evening) -> None:
    _, said = evening
    assert list(said) == COMMANDS
    assert {CLONE, INSTALL, PYTEST} <= set(said)


def test_it_is_installed_as_the_readme_says() -> None:
    assert f"    {INSTALL} && .venv/bin/arena league configs/classroom.yaml" in README


def test_the_bot_is_made_watched_and_found_without_a_fault(
    evening: Evening,
) -> None:
    folder, said = evening
    assert "made bots/my_bot.py\n" in said["arena new my_bot"]
    assert (
        "seat 0: my_bot"
        in said[starting("arena play zombie_dice bots/my_bot.py bots/")]
    )
    check = said[starting("arena check bots/")]
    assert "\nmy_bot: no fault in 40 games. A bot that fails in 1 of" in check
    told = firsts(section(GUIDE, "Trying things out"))
    assert len(told) == 14
    for word in set(told) - {"look at"}:  # There is nothing to look at in this bot.
        assert re.search(rf"\b{word}\b", check)
    assert (folder / "results" / "check" / "my_bot" / "league.sqlite").is_file()


def test_the_bot_is_in_the_league_and_has_a_page(
    evening: Evening,
) -> None:
    folder, said = evening
    assert re.search(r"^ *\d+  my_bot ", said[starting("arena league")], re.MULTILINE)
    report = folder / "results" / "classroom" / "report"
    assert f"`{report.relative_to(folder)}/index.html`" in section(
        GUIDE, "Five minutes"
    )
    assert "my_bot" in (report / "index.html").read_text("utf-8")
    assert (report / "bots" / "my_bot.html").is_file()


def test_a_position_is_tried_out_and_the_tests_of_a_bot_are_run(
    evening: Evening,
) -> None:
    _, said = evening
    assert said["python try_my_bot.py"].endswith("\nroll\n")
    assert re.search(r"= 3 passed in ", said["python -m pytest bots/_tests"])


def starting(text: str) -> str:
    """Return the only command that starts so."""
    (found,) = (x for x in COMMANDS if x.startswith(text))
    return found
