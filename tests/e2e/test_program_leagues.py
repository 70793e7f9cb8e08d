"""Bots in C, JavaScript and Python meet in one league, and keep to one set of rules."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import trio
from commands import BY_CHANCE, Course, names_in
from programs import compile_text, needs_cc, needs_node
from sandboxes import best_level

from arena.league.config.keys import Keys
from arena.league.config.league_file import load_config
from arena.league.entries.hand_ins.depot import temporary_depot
from arena.league.play.run import draft_league
from arena.records.game_record import GameRecord
from arena.referee.sandbox import open_sandbox
from arena.referee.unit_player import play_unit

BOTS = Path(__file__).parents[2] / "bots"
pytestmark = [needs_cc, needs_node]
QUICK = {"start": 60, "move": 0.2, "bank": 0}
TWO = {"game": "zombie_dice", "fixtures": 1}
ZOO = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **words)
{
    static char line[1 << 20];
    unsigned long id;

    while (count > 1 && fgets(line, sizeof line, stdin)) {
        id = strtoul(strstr(line, "\"id\":") + 5, NULL, 10);
        if (!strstr(line, "\"type\":\"act\""))
            printf("{\"id\":%lu,\"games\":[\"zombie_dice\",\"chess\"]}\n", id);
        else if (!strcmp(words[1], "crashes")) {
            fputs("I have had enough\n", stderr);
            abort();
        } else if (!strcmp(words[1], "hangs"))
            for (;;)
                ;
        else
            puts("braaains");
        fflush(stdout);
    }
    fputs("which one?\n", stderr);
    return 3;
}
"""
ZOO_JS = """
const lines = require("node:readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const { id, type } = JSON.parse(line);
  if (type !== "act") console.log(JSON.stringify({ id, games: ["zombie_dice"] }));
  else if (process.argv[2] === "crashes") throw new Error("I have had enough");
  else if (process.argv[2] === "hangs") for (;;);
  else console.log("braaains");
});
"""
FAULTS = {
    "crashes": ("crash", "SIGABRT"),
    "hangs": ("timeout", "after 0.25 s of CPU time"),
    "talks": ("invalid_reply", "braaains"),
    "crashes_in_js": ("exit", "exited with status 1"),
    "hangs_in_js": ("timeout", "after 0.25 s of CPU time"),
    "talks_in_js": ("invalid_reply", "braaains"),
}
"""How each of the zoo forfeits, and words of the sentence that says so."""
POLICY = {
    "in_c": {"file": "programs/two", "command": "./two"},
    "in_js": {"file": "programs/stop_at_two.js", "command": "node stop_at_two.js"},
    "in_python": {"file": "bots/two.py", "bot": "StopAtTwo"},
}


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A folder with one policy in three languages, and with a zoo."""
    course = Course(tmp_path_factory.mktemp("programs") / "course")
    course.write_bot("ana", BY_CHANCE)
    shutil.copy(BOTS / "teams" / "zombie_dice.py", course.bots / "two.py")
    programs = course.folder / "programs"
    programs.mkdir()
    shutil.copy(BOTS / "programs" / "stop_at_two.js", programs)
    compile_text((BOTS / "programs" / "stop_at_two.c").read_text(), programs / "two")
    compile_text(ZOO, programs / "zoo")
    (programs / "zoo.js").write_text(ZOO_JS)
    return course


@pytest.fixture(scope="module")
def league(course: Course) -> str:
    """What a league of them all has printed."""
    bots: list[Any] = ["bots/ana.py"]
    bots += [{**settings, "name": name} for name, settings in POLICY.items()]
    for name in FAULTS:
        misdeed, _, in_js = name.partition("_in_")
        file, command = ("zoo.js", ["node", "zoo.js"]) if in_js else ("zoo", ["./zoo"])
        command = [*command, misdeed]
        bots.append({"file": f"programs/{file}", "command": command, "name": name})
    bots.append({"file": "programs/zoo", "command": "./zoo", "name": "absent"})
    against = {"schedule": "gauntlet", "references": ["ana"]}
    course.write_league(TWO, bots=bots, limits=QUICK, **against)
    return course.league("small.yaml")


async def play(config: Path) -> list[GameRecord]:
    """Return the games of a league, played by this process."""
    with temporary_depot() as depot:
        draft = await draft_league(load_config(config), Keys.of_seed(0), depot)
        with open_sandbox(draft.isolation.spec) as sandbox:
            (match,) = draft.plan.matches
            return await play_unit(match.unit(range(len(match))), sandbox)


@pytest.mark.exhaustive
def test_one_policy_plays_the_same_games_in_every_language(course: Course) -> None:
    games = {}
    for name, settings in POLICY.items():
        bots = ["bots/ana.py", {**settings, "name": "two"}]
        file = course.write_league({**TWO, "fixtures": 4}, name=name, bots=bots)
        games[name] = sorted(
            (record.fixture_id, record.seats, record.history, record.termination)
            for record in trio.run(play, course.folder / file)
        )
        assert len(games[name]) == 8
        assert {game[-1] for game in games[name]} == {"natural"}
    assert games["in_c"] == games["in_js"] == games["in_python"]


def without_js(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the games in which the program that changes has no seat."""
    return [game for game in games if "in_js" not in game["seats"]]


def test_they_are_in_one_leaderboard(course: Course, league: str) -> None:
    assert set(names_in(league)) == {"Ana", "absent", *POLICY, *FAULTS}
    page = course.files()["leaderboard.md"].decode()
    assert f"Isolation of the bots: {best_level()}" in page
    rows = json.loads(course.files()["leaderboard.json"])["rows"]
    files = {row["bot"]: row["file"] for row in rows}
    assert files == {
        "Ana": "ana.py",
        "in_c": "two",
        "in_js": "stop_at_two.js",
        "in_python": "two.py",
        "absent": "zoo",
        **{name: "zoo.js" if "js" in name else "zoo" for name in FAULTS},
    }
    assert {row["bot"] for row in rows if not row["forfeits"]} == {"Ana", *POLICY}


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.usefixtures("league")
def test_each_of_the_zoo_forfeits_for_its_own_reason(course: Course, name: str) -> None:
    termination, word = FAULTS[name]
    rows = [row for row in course.faults() if row["bot"] == name]
    assert [row["termination"] for row in rows] == [termination] * 2
    for row in rows:
        assert word in row["message"]
        assert row["message"].count("\n") == 0
        assert json.loads(row["observation"])["cup"]["red"] in range(4)
        assert row["legal_actions"] == "roll; stop"
        assert ("I have had enough\n" in row["output"]) == name.startswith("crashes")


def test_what_can_not_be_started_forfeits_with_its_reason(
    course: Course, league: str
) -> None:
    why = (
        "exited with status 3 before it had answered \"load\"; it printed: 'which one?'"
    )
    rows = [row for row in course.faults() if row["bot"] == "absent"]
    assert [row["kind"] for row in rows] == [*["forfeit"] * 2, "refused"]
    assert {row["message"] for row in rows} == {why}
    assert {row["termination"] for row in rows[:-1]} == {"start_failure"}
    shown = " ".join(league.split())
    assert "absent forfeits all 2 games: start failure" in shown
    assert shown.count(why) == 1


@pytest.mark.exhaustive
@pytest.mark.usefixtures("league")
def test_what_is_missing_and_what_has_changed_is_played(course: Course) -> None:
    """As after an interruption, and with another program at the same place."""
    kept = without_js(course.export("small", "--moves"))
    fixtures = sorted({game["fixture_id"] for game in kept})
    gone = [g["game_id"] for g in kept if g["fixture_id"] in fixtures[::3]]
    course.forget(gone)
    script = course.folder / "programs" / "stop_at_two.js"
    text = script.read_text()
    assert ">= 2" in text
    script.write_text(text.replace(">= 2", ">= 1"))
    out = course.league("small.yaml")
    script.write_text(text)
    changed = 2
    played = changed + len(gone)
    assert f"\n{played} games played, {20 - played} taken from earlier runs" in out
    assert len(gone) == 6
    after = course.export("small", "--moves")
    assert without_js(after) == kept
    assert len(after) == len(kept) + changed


def test_a_listing_starts_each(course: Course) -> None:
    bots = [POLICY["in_js"], POLICY["in_c"] | {"name": "compiled"}]
    course.write_league(TWO, name="listed", bots=bots)
    done = course.arena("bots", "listed.yaml")
    assert done.code == 0
    lines = [re.split(r"  +", line) for line in done.out.splitlines()[2:]]
    assert lines == [
        ["compiled", "two", "program", "zombie_dice"],
        ["stop_at_two in JavaScript", "stop_at_two.js", "program", "zombie_dice"],
    ]


def test_a_program_that_is_not_there_is_a_mistake_in_the_leagues_file(
    course: Course,
) -> None:
    bots = ["bots/ana.py", POLICY["in_js"] | {"command": "no_such_node two.js"}]
    course.write_league(TWO, name="missing", bots=bots)
    done = course.arena("league", "missing.yaml")
    assert (done.code, done.out, done.err) == (
        2,
        "",
        "arena: missing.yaml: bots[1].command: no program 'no_such_node' is found on "
        "the PATH\n",
    )


def test_no_cluster_plays_them(course: Course) -> None:
    bots = ["bots/ana.py", POLICY["in_js"]]
    course.write_league(TWO, name="far", bots=bots)
    done = course.arena("league", "far.yaml", "--executor", "dask://127.0.0.1:1")
    assert (done.code, done.out, done.err) == (
        2,
        "",
        "arena: --executor: programs play on this machine only, and bots[1] of "
        "far.yaml is one; leave this option out\n",
    )
