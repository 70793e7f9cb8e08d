"""Every verb but `league`: what it prints, and that others can go on with it."""

import json
import subprocess
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from commands import BY_CHANCE, CAREFUL, LAST, Course
from matrix import divided
from recompute import check_rows

from arena.games import CHANCE, Game, Table, get_game
from arena.games.rulings import without_numbers
from arena.referee.work_unit import Limits

GAMES = ["zombie_dice", "ox_blocks", "zombie_run", "zombie_mania"]
PLAYERS = {"zombie_dice": 3, "zombie_mania": 5}
"""Where there are not two at a table."""
FIELDS = (
    "game_id fixture_id match_id label seats returns scores scores_better places luck "
    "explores rating in_common termination forfeits decisions seconds commitment"
)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """Some bots, and a league of four games that has been played."""
    course = Course(tmp_path_factory.mktemp("verbs") / "course")
    for stem in ("ana", "ben", "cid", "dot", "eve"):
        course.write_bot(stem, LAST if stem == "ben" else BY_CHANCE)
    (course.folder / "more").mkdir()
    (course.folder / "more" / "two.py").write_text(
        "from arena import Bot\n\n\n"
        "class Careful(Bot):\n"
        f"    def zombie_dice(self, obs):\n        {CAREFUL}\n\n\n"
        "class Wrong(Bot):\n"
        "    def zombie_dice(self, obs):\n        print('so far')\n"
        "        return 1 // 0\n"
    )
    (course.folder / "more" / "broken.py").write_text("import nothing_of_that_name\n")
    games = [{"game": name, "fixtures": 1, "players": 5} for name in GAMES]
    games[GAMES.index("ox_blocks")]["players"] = 2
    games[GAMES.index("zombie_run")]["placing"] = "winner"
    games[GAMES.index("zombie_mania")]["weight"] = 2
    course.write_league(*games, anchor={"bot": "ben", "elo": 900})
    course.league("small.yaml")
    return course


@pytest.mark.exhaustive
def test_a_dry_run_counts_and_writes_nothing(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(course, "draws_keys", True)
    course.write_league(
        {"game": "ox_blocks", "fixtures": 3},
        {"game": "zombie_dice", "fixtures": 2, "players": 3, "label": "trio"},
        name="dry",
        bots=["bots/ana.py", "bots/ben.py", "bots/cid.py", "more"],
    )
    before = sorted(course.folder.rglob("*"))
    done = course.arena("league", "dry.yaml", "--dry-run", "--workers", "1")
    assert done.code == 0
    assert 'note: broken.py: not entered: line 1: its process says "Module' in done.err
    lines = [line.split() for line in done.out.splitlines()]
    # Three bots play OX Blocks: 3 pairs, 3 fixtures of 2 seatings.  Five play Zombie
    # Dice: at all 10 tables of three, where every two meet thrice, once each.
    assert ["ox_blocks", "3", "2", "3", "3", "18"] in lines
    assert ["trio", "5", "3", "3", "10", "30"] in lines
    assert "48 games, of which 0 are recorded in results/dry" in done.out
    assert "with 1 worker on this machine" in done.out
    assert sorted(course.folder.rglob("*")) == before


def test_export_and_replay(course: Course) -> None:
    plain = course.arena("export", "results/small").out.splitlines()
    games = [json.loads(line) for line in plain]
    assert {" ".join(game) for game in games} == {FIELDS}
    assert Counter(game["label"] for game in games) == {
        # One table of five, and ten pairs.
        **dict.fromkeys(GAMES, 5),
        "ox_blocks": 20,
    }
    moves = course.arena("export", "results/small", "--moves").out.splitlines()
    for line, game in zip(moves, games, strict=True):
        record = json.loads(line)
        assert " ".join(record) == f"{FIELDS} moves"
        assert record == game | {"moves": record["moves"]}
        # Nothing but the moves and the rules is needed to have the game again.
        table = Table(get_game(game["label"], len(game["seats"])), b"")
        for move in record["moves"]:
            if table.state.current_player() == CHANCE:
                table.happen(move)
            else:
                table.act(move)
        assert table.decisions == game["decisions"]
        assert table.state.scores() == game["scores"]
        assert_better(game)
        if game["termination"] == "natural":
            assert table.state.returns() == game["returns"]
        else:
            assert game["termination"] == "adjudicated"
    assert Counter(game["termination"] for game in games)["natural"] > 20


def test_every_elo_follows_from_the_export(course: Course) -> None:
    """By another implementation, which knows nothing of the games."""
    games = [
        json.loads(line)
        for line in course.arena("export", "results/small").out.splitlines()
    ]
    rows = json.loads(course.files()["leaderboard.json"])["rows"]
    assert check_rows(rows, games) == 2 * len(rows) * (1 + len(GAMES))
    for label in GAMES:
        assert len({row["per_game"][label]["elo"] for row in rows}) > 1


def assert_better(game: dict[str, Any]) -> None:
    """Check that who has better points than another is ahead of it."""
    sign = {"more": 1, "fewer": -1}[game["scores_better"]]
    seats = zip(game["places"], game["scores"], strict=True)
    for (place, score), (other, more) in combinations(seats, 2):
        if score != more:
            assert (place < other) == (sign * score > sign * more)


@pytest.mark.parametrize(
    "words",
    divided(
        ("export results/small --moves", "league small.yaml"),
        lambda words: words.startswith("export"),
    ),
)
def test_a_reader_that_has_read_enough(course: Course, words: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "arena", *words.split()],
        cwd=course.folder,
        env=course.variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as command:
        assert command.stdout is not None
        assert command.stdout.readline()
        command.stdout.close()
        assert command.stderr is not None
        assert "Traceback" not in command.stderr.read()
        assert command.wait() == 0


def test_report(course: Course) -> None:
    done = course.arena("report", "results/small")
    assert (done.code, done.err) == (0, "")
    folder = course.results() / "report"
    assert done.out.startswith("pages of 5 bots, ")
    assert done.out.endswith("open results/small/report/index.html\n")
    for name in ("index", "labels", "crosstable", "times", "faults", "games", "replay"):
        assert (folder / f"{name}.html").is_file()
    assert len(list(folder.glob("bots/*.html"))) == 5
    # Who leads the league leads the page.
    page = (folder / "index.html").read_text()
    board = (course.results() / "leaderboard.json").read_text()
    first = json.loads(board)["rows"][0]["bot"]
    assert page.partition("<tbody>")[2].partition("<bdi>")[2].startswith(first)


@pytest.mark.parametrize("game", divided(GAMES, lambda game: game == "zombie_mania"))
def test_play(course: Course, game: str) -> None:
    bots = ["ana", "bots/ben.py", "cid:Cid", "dot", "ana"][: PLAYERS.get(game, 2)]
    words = ["play", game, *bots, "--seed", "7"]
    done = course.arena(*words)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].endswith(", seed 7")
    last = "  seat 4: Ana (4)" if len(bots) == 5 else f"  seat {len(bots) - 1}: "
    assert lines[len(bots)].startswith(last)
    assert lines[-len(bots)].startswith("  1. ")
    quiet = course.arena(*words, "--quiet")
    result = lines.index(next(line for line in lines if line.startswith("after ")))
    assert quiet.out.splitlines() == lines[: len(bots) + 1] + lines[result:]


@pytest.mark.exhaustive
def test_play_without_a_seed_says_which_it_took(course: Course) -> None:
    words = ["play", "zombie_dice", "ana", "ben"]
    done = course.arena(*words)
    seed = done.out.splitlines()[0].rpartition("seed ")[2]
    assert course.arena(*words, "--seed", seed) == done
    assert course.arena(*words, "--seed", f"{seed}1").out != done.out


@pytest.mark.exhaustive
def test_play_with_options_as_pairs_or_in_braces(course: Course) -> None:
    words = ["play", "zombie_dice", "more/two.py:Careful", "ana", "--seed", "1"]
    done = course.arena(*words, "--options", "target=1", "-o", "cup=none")
    assert "(target 1)" in done.out
    assert done.out != course.arena(*words).out
    for options in (["{target: 1, cup: none}"], [" {cup: none}", "target = 1"]):
        each = [word for text in options for word in ("--options", text)]
        assert course.arena(*words, *each) == done


def test_play_shows_a_forfeit_to_its_author(course: Course) -> None:
    done = course.arena(
        "play", "zombie_dice", "ana", "more/two.py:Wrong", "--seed", "1"
    )
    assert done.code == 0
    story = done.out[done.out.index("Wrong forfeits: ") :]
    assert story.startswith(
        "Wrong forfeits: crash: two.py:12: its process says 'ZeroDivisionError: "
    )
    assert "return 1 // 0" in story
    assert "  what it printed last:\n    so far\n" in story
    assert "\n  what it saw:\n    seat            1\n" in story
    assert "(crash):\n  1. Ana" in story
    assert story.endswith(" brains, lost, forfeited\n")
    # Only lines of the student's own are shown.
    assert "arena/" not in story.replace(str(course.folder), "")


def test_play_with_a_file_that_can_not_be_read(course: Course) -> None:
    ana = course.bots / "ana.py"
    late = course.folder / "more" / "late.py"
    late.write_text(ana.read_text().replace("Ana", "Late") + "import nothing_like_it\n")
    done = course.arena("play", "ox_blocks", late, "ana")
    late.unlink()
    assert done.code == 0
    assert (
        'Late forfeits: start_failure: late.py:5: its process says "Module' in done.out
    )
    assert "after 0 decisions (start_failure):\n  1. Ana" in done.out


def test_games(course: Course) -> None:
    done = course.arena("games")
    assert (done.code, done.err) == (0, "")
    rows = {line.split()[0]: line for line in done.out.splitlines()[2:]}
    assert set(GAMES) <= rows.keys()
    assert rows["zombie_mania"].split()[1:4] == ["Zombie", "Mania!", "2-5"]
    assert rows["ox_blocks"].split()[1:4] == ["OX", "Blocks", "2"]
    assert "size, faces, removal" in rows["ox_blocks"]


ALL = ["Ana", "Ben", "Cid", "Dot", "Eve"]
BOTS = [
    ("bots", ALL, ""),
    ("bots/ana.py", ["Ana"], ""),
    (
        "more",
        ["Careful", "Wrong"],
        "note: broken.py: not entered: line 1: its process says",
    ),
    ("small.yaml", ALL, ""),
]


@pytest.mark.parametrize(("where", "found", "note"), BOTS)
def test_bots(course: Course, where: str, found: list[str], note: str) -> None:
    done = course.arena("bots", where)
    assert done.code == 0
    assert done.err.startswith(note)
    assert done.err.count("\n") == bool(note)
    rows = [line.split() for line in done.out.splitlines()[2:] if line[0] != " "]
    assert [row[0] for row in rows] == found
    assert all(row[3].startswith("zombie_dice") for row in rows)


def unwrapped(text: str) -> str:
    return " ".join(text.split())


def said(game: Game) -> str:
    return unwrapped(without_numbers(game.rules_text()))


@pytest.mark.parametrize("game", GAMES)
def test_rules(course: Course, game: str) -> None:
    done = course.arena("rules", game)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[1] == "=" * len(lines[0])
    fewest = get_game(game).min_players
    assert said(get_game(game, fewest)) in unwrapped(done.out)
    assert max(map(len, lines)) <= 80
    assert "Limits on every bot" in done.out
    assert "move    0.5 s for each decision" in done.out
    limit = Limits().in_game(get_game(game, fewest)).game_seconds
    assert f"game    {limit:g} s for all decisions of a game of {game}" in done.out


def test_rules_with_options_and_of_a_league(course: Course) -> None:
    done = course.arena("rules", "zombie_dice", "-p", "4", "-o", "target=20")
    rules = get_game("zombie_dice", 4, {"target": 20})
    assert said(rules) in unwrapped(done.out)
    course.write_league(
        "ox_blocks",
        {"game": "zombie_dice", "label": "long", "options": {"target": 20}},
        name="rules",
        limits={"move": 3, "memory": None},
        most_bots=2,
    )
    whole = course.arena("rules", "--league", "rules.yaml").out
    part = course.arena("rules", "long", "--league", "rules.yaml").out
    assert said(get_game("ox_blocks")) in unwrapped(whole)
    assert "ox_blocks" not in part
    for out in (whole, part):
        rules = get_game("zombie_dice", 2, {"target": 20})
        assert said(rules) in unwrapped(out)
        assert "move    3 s for each decision" in out
        assert "memory  no limit" in out
        assert (
            "A student may bring 2 bots; so may a file that is nobody's."
            in unwrapped(out)
        )


def test_rules_keep_lists_and_break_only_long_lines(course: Course) -> None:
    options = "{size: 4, faces: [3, 2, 1]}"
    out = course.arena("rules", "ox_blocks", "--options", options).out
    game = get_game("ox_blocks", 2, {"size": 4, "faces": (3, 2, 1)})
    rules = without_numbers(game.rules_text())
    indented = [line for line in rules.splitlines() if line.startswith(" ")]
    assert "\n".join(indented) in out
    paragraphs = rules.split("\n\n")
    printed = out.split("\n\n")[1 : 1 + len(paragraphs)]
    assert list(map(unwrapped, printed)) == list(map(unwrapped, paragraphs))


VERBS = ["league", "play", "export", "rules", "games", "bots"]


def test_help(course: Course) -> None:
    done = course.arena("--help")
    assert (done.code, done.err) == (0, "")
    verbs = [line.split()[0] for line in done.out.split("Verbs:\n")[1].splitlines()]
    assert set(VERBS) <= set(verbs)
    for verb in verbs:
        shown = course.arena(verb, "--help")
        assert (shown.code, shown.err) == (0, "")
        assert shown.out.startswith(f"Usage: arena {verb} ")
    assert course.arena("play", "-h").out == course.arena("play", "--help").out
    assert course.arena("--version").out.startswith("arena 0")
    assert course.arena().code == 2


def test_the_installed_command_is_the_same(tmp_path: Path) -> None:
    script = Path(sys.executable).with_name("arena")
    done = subprocess.run(
        [script, "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("arena ")
