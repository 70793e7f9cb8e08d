"""One game under several labels: rankings of their own, and house rules in sight."""

import csv
import io
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from commands import BY_CHANCE, Course, announce

TESTS = Path(__file__).parents[1]
PIG = TESTS / "games" / "secret_pig.py"
PLUGIN = """\
from arena.hooks import hookimpl


@hookimpl
def arena_games():
    return {"house_pig": "house_rules:HousePig"}
"""
RULE = "The secret points are ours; no source has them."
HOUSE_PIG = f"""

class HousePig(SecretPig):
    name = "house_pig"
    title = "House Pig"

    def house_rules(self):
        return ({RULE!r},) if self.options.bonus else ()
"""

VARIANTS = {"short": {"target": 13}, "no_cup": {"cup": "none"}, "long": {"target": 20}}
ABOUT = {"short": "target: 13", "no_cup": "cup: none", "long": "target: 20"}
AT_HOME = {
    "ana": ("short", "options.target == 13"),
    "ben": ("no_cup", "options.cup == 'none'"),
    "cid": ("long", "options.target == 20"),
}
"""Each plays well under one label, and under the others one roll a turn."""
PAIR = 2 * 10


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> tuple[Course, str]:
    """A league of one game under three labels, and what it printed."""
    course = Course(tmp_path_factory.mktemp("labels") / "course")
    for stem, (_, here) in AT_HOME.items():
        course.write_bot(
            stem,
            "options = obs.game.options",
            f"if {here}: return 'stop' if obs.shotguns >= 2 else 'roll'",
            "return 'stop'",
            method="zombie_dice",
        )
    course.write_league(
        *(
            {"game": "zombie_dice", "label": label, "options": options, "fixtures": 10}
            for label, options in VARIANTS.items()
        )
    )
    return course, course.league("small.yaml")


def test_each_label_has_the_leaderboard_of_its_own_games(
    league: tuple[Course, str],
) -> None:
    course, _ = league
    board = json.loads(course.files()["leaderboard.json"])
    assert board["games"] == list(VARIANTS)
    assert {
        label["label"]: {key: label["options"][key] for key in VARIANTS[label["label"]]}
        for label in board["labels"]
    } == VARIANTS
    assert all(
        (label["game"], label["title"], label["players"])
        == ("zombie_dice", "Zombie Dice", 2)
        for label in board["labels"]
    )
    won = Counter(
        (game["label"], name)
        for game in course.export()
        for name, share in zip(game["seats"], game["returns"], strict=True)
        if share == 1.0
    )
    best = {label: stem.title() for stem, (label, _) in AT_HOME.items()}
    for row in board["rows"]:
        for label, part in row["per_game"].items():
            assert part["games"] == 2 * PAIR
            assert part["wins"] == won[label, row["bot"]]
            assert (part["rank"] == 1) is (row["bot"] == best[label])
    rows = list(csv.DictReader(io.StringIO(course.files()["leaderboard.csv"].decode())))
    for label in VARIANTS:
        (first,) = (row["bot"] for row in rows if row[f"{label}.rank"] == "1")
        assert first == best[label]


def test_each_label_has_its_table_on_the_page(league: tuple[Course, str]) -> None:
    course, _ = league
    page = course.files()["leaderboard.md"].decode()
    for stem, (label, _) in AT_HOME.items():
        about = f"Zombie Dice, tables of 2; {ABOUT[label]}\n"
        section = page.split(f"\n## {label}\n\n")[1].split("\n## ")[0]
        assert section.startswith(about)
        assert section.splitlines()[4].startswith(f"| 1 | {stem.title()} |")


def test_the_games_of_the_labels_are_kept_apart(league: tuple[Course, str]) -> None:
    course, _ = league
    games = course.export()
    assert Counter(game["label"] for game in games) == dict.fromkeys(VARIANTS, 3 * PAIR)
    for key in ("game_id", "fixture_id", "match_id"):
        labels: dict[str, set[str]] = {}
        for game in games:
            labels.setdefault(game[key], set()).add(game["label"])
        assert all(len(found) == 1 for found in labels.values())
    assert len({game["game_id"] for game in games}) == len(games)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A course with a game that has a house rule if it has a bonus."""
    folder = tmp_path_factory.mktemp("house")
    course = Course(folder / "course")
    site = folder / "site"
    announce(site, "house_game", PLUGIN, "house")
    (site / "house_rules.py").write_text(PIG.read_text() + HOUSE_PIG)
    course.environment["PYTHONPATH"] = f"{site}:{TESTS / 'packages' / 'pig'}"
    for stem in ("ana", "ben"):
        course.write_bot(stem, BY_CHANCE)
    return course


@pytest.mark.exhaustive
def test_house_rules_are_shown_wherever_results_are(house: Course) -> None:
    bonus = {"plain": 0, "secret": 3, "large": 9}
    game = {"game": "house_pig", "fixtures": 1}
    house.write_league(
        *(game | {"label": x, "options": {"bonus": n}} for x, n in bonus.items())
    )
    said = f"secret, large: house rule: {RULE}\n"
    done = house.arena("league", "small.yaml")
    assert done.code == 0
    assert f"note: {said}" in done.err
    assert f"\n\n{said}" in done.out
    files = house.files()
    rules = {
        label["label"]: label["house_rules"]
        for label in json.loads(files["leaderboard.json"])["labels"]
    }
    assert rules == {"plain": [], "secret": [RULE], "large": [RULE]}
    page = files["leaderboard.md"].decode()
    for label, section in re.findall(r"\n## (\w+)\n(.*?)(?=\n## |$)", page, re.S):
        assert (f"**House rule:** {RULE}\n" in section) == bool(bonus.get(label))


@pytest.mark.exhaustive
def test_a_house_rule_is_said_before_a_game(house: Course) -> None:
    words = ["play", "house_pig", "ana", "ben", "--seed", "1"]
    done = house.arena(*words, "-o", "bonus=3", "--quiet")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(
        f"House Pig, seed 1\nhouse rule: {RULE}\n  seat 0: Ana\n"
    )
    assert "house rule" not in house.arena(*words).out
