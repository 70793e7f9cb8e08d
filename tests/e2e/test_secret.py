"""The keys of a league as an instructor keeps, moves, reveals and verifies them."""

import json
import re
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from commands import BY_CHANCE, CAREFUL, FIRST, Course
from msgspec.structs import replace

from arena.cli import EXIT_BAD_INPUT, EXIT_BUSY
from arena.league.results.store import Store
from arena.records.batch import Batch, read_histories, read_records, to_batches
from arena.records.game_record import GameRecord

GAMES = 3 * 2 * 2 + 3 * 2 + 3
"""Of three bots: fixtures of two games, Zombie Run once, and one table of three."""


class Unaided(Course):
    """A course whose leagues draw their keys themselves, as those of users do."""

    def _give_keys(self, words: Sequence[str | Path]) -> None:
        pass


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A league that has been played twice, with another version of a bot each time."""
    course = Unaided(tmp_path_factory.mktemp("secret") / "course")
    course.write_bot("ana", CAREFUL)
    course.write_bot("ben", BY_CHANCE)
    course.write_bot("cy", "raise SystemExit", FIRST)
    course.write_league(
        {"game": "zombie_dice", "fixtures": 2, "options": {"target": 5}},
        {"game": "zombie_run", "fixtures": 1},
        {"game": "zombie_dice", "label": "three", "fixtures": 1, "players": 3},
        isolation="process",
    )
    course.league("small.yaml")
    course.write_bot("cy", FIRST)
    course.league("small.yaml")
    return course


@pytest.fixture
def course(played: Course, tmp_path: Path) -> Course:
    """A copy of it."""
    course = Unaided(tmp_path / "course")
    shutil.copytree(played.folder, course.folder, dirs_exist_ok=True)
    return course


def secret(course: Course, *words: str) -> str:
    """Run a verb to its end; return what it prints."""
    done = course.arena("secret", *words)
    assert done.code == 0, done.err
    return done.out


def refused(course: Course, *words: str) -> str:
    """Return the sentence that a command ends with."""
    done = course.arena(*words)
    assert (done.code, done.out) == (EXIT_BAD_INPUT, "")
    (line,) = [x for x in done.err.splitlines() if not x.startswith("note: ")]
    return line


def commitment(course: Course) -> str:
    luck = json.loads(course.files()["leaderboard.json"])["luck"]
    return str(luck["commitment"])


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def private_file(course: Course) -> Path:
    return course.folder / "results" / ".secrets" / "small.json"


def test_a_league_is_revealed_and_anybody_can_verify_it(course: Course) -> None:
    told = commitment(course)
    key = secret(course, "reveal", "results/small").strip()
    assert sha256(bytes.fromhex(key)).hexdigest() == told
    # A copy without the private file is all that it takes.
    shutil.copytree(course.results(), course.folder / "handed on" / "small")
    out = secret(course, "verify", "handed on/small", key)
    assert out.startswith(f"{GAMES} games verified: their luck follows from the key, ")
    assert out.endswith(f"compare with what was told before:\n  {told}\n")
    # It is revealed but once, and says the same again.
    assert secret(course, "reveal", "results/small").strip() == key
    assert f"commitment: {told}" in secret(course, "show", "results/small")
    assert "key: revealed: new games" in secret(course, "show", "results/small")


def test_nothing_is_played_with_a_key_that_was_revealed(course: Course) -> None:
    told = commitment(course)
    key = secret(course, "reveal", "results/small").strip()
    # Its tables may be written again.
    (course.results() / "leaderboard.json").unlink()
    assert "0 games played" in course.league("small.yaml")
    assert told in course.files()["leaderboard.json"].decode()
    course.write_bot("ben", "return 'stop'")
    for words in ((), ("--dry-run",)):
        said = refused(course, "league", "small.yaml", *words)
        assert "has been revealed" in said
    course.write_bot("ben", BY_CHANCE)
    course.league("small.yaml", "--fresh")
    board = json.loads(course.files()["leaderboard.json"])
    assert board["luck"]["earlier"] == [told]
    # Another key, but the same number of versions: that is no new one.
    assert {row["bot"]: row["versions"] for row in board["rows"]} == {
        "Ana": 1,
        "Ben": 1,
        "Cy": 2,
    }
    assert "drawn anew: 1 time\n" in secret(course, "show", "results/small")
    words = "secret", "verify", "results/small", key
    assert "this is an earlier key of the league" in refused(course, *words)
    new = secret(course, "reveal", "results/small").strip()
    assert new != key
    assert secret(course, "verify", "results/small", new).startswith(f"{GAMES} games")


@pytest.mark.exhaustive
def test_the_commitment_of_another_league_is_not_shown(course: Course) -> None:
    shutil.copytree(course.results(), course.results("other"))
    third = course.write_league({"game": "zombie_dice", "fixtures": 1}, name="third")
    course.league(third)
    keys = private_file(course).parent
    shutil.copy2(keys / "third.json", keys / "other.json")
    why = refused(course, "secret", "show", "results/other")
    assert "has the keys of another league than results/other" in why


def test_without_a_verb_it_says_what_there_is(course: Course) -> None:
    out = secret(course)
    assert out.startswith("Usage: arena secret ")
    for verb in ("show", "export", "import", "reveal", "verify"):
        assert re.search(rf"^  {verb}  .*\.$", out, re.MULTILINE)
    assert "..." not in out.partition("Commands:")[2]


def test_what_is_shown_is_no_key(course: Course) -> None:
    keys = json.loads(private_file(course).read_text())
    out = secret(course, "show", "results/small")
    assert out == (
        f"commitment: {commitment(course)}\n"
        f"private file: {private_file(course)}\n"
        "drawn anew: 0 times\n"
        "key: secret\n"
    )
    for name in ("luck", "ids", "aliases"):
        assert keys[name] not in out
    # Revealing one tells no other.
    done = course.arena("secret", "reveal", "results/small")
    for name in ("ids", "aliases"):
        key = msgspec.json.decode(json.dumps(keys[name]), type=bytes)
        assert keys[name] not in done.out + done.err
        assert key.hex() not in done.out + done.err


@pytest.mark.exhaustive
def test_a_league_moves_to_another_machine(course: Course, tmp_path: Path) -> None:
    secret(course, "export", "results/small", "keys.json")
    exported = course.folder / "keys.json"
    assert mode(exported) == 0o600
    assert exported.read_bytes() == private_file(course).read_bytes()
    before = course.export("small", "--moves")
    shutil.rmtree(course.folder / "results" / ".secrets")
    assert "are missing" in refused(course, "league", "small.yaml")
    assert "is missing; `arena secret import`" in secret(
        course, "show", "results/small"
    )
    exported.chmod(0o644)
    secret(course, "import", "keys.json", "results/small")
    assert mode(private_file(course)) == 0o600
    assert mode(private_file(course).parent) == 0o700
    assert "0 games played" in course.league("small.yaml")
    assert course.export("small", "--moves") == before
    # Both ways it may be done again.
    secret(course, "import", "keys.json", "results/small")
    secret(course, "export", "results/small", "keys.json")
    # From the keys and the bots alone the same games come out again.
    secret(course, "import", "keys.json", "results/other")
    course.league("small.yaml", "--results", "results/other")
    assert course.export("other", "--moves") == before


@pytest.mark.exhaustive
def test_nothing_takes_the_place_of_other_keys(course: Course) -> None:
    kept = private_file(course).read_bytes()
    course.league("small.yaml", "--results", "results/other")
    secret(course, "export", "results/other", "other.json")
    other = (course.folder / "other.json").read_bytes()

    said = refused(course, "secret", "import", "other.json", "results/small")
    assert said.endswith(
        "small.json: is there already, and its keys are not those of other.json; move "
        "it away first"
    )
    said = refused(course, "secret", "export", "results/small", "other.json")
    assert said == (
        "arena: other.json: is there already, and does not hold these keys; name "
        "another file"
    )
    assert (course.folder / "other.json").read_bytes() == other
    private_file(course).unlink()
    said = refused(course, "secret", "import", "other.json", "results/small")
    assert "has not the keys that the games in results/small were played with" in said
    assert not private_file(course).exists()
    private_file(course).write_bytes(kept)
    private_file(course).chmod(0o600)
    # One that was revealed can't be made unknown again by an older copy.
    secret(course, "export", "results/small", "before.json")
    secret(course, "reveal", "results/small")
    said = refused(course, "secret", "import", "before.json", "results/small")
    assert "is there already" in said


@pytest.mark.exhaustive
def test_an_older_copy_than_the_games_is_refused(course: Course) -> None:
    secret(course, "export", "results/small", "old.json")
    course.league("small.yaml", "--fresh")
    private_file(course).unlink()
    said = refused(course, "secret", "import", "old.json", "results/small")
    assert f"their commitment is {commitment(course)}, and that of the file" in said


def test_the_page_of_a_bot_says_how_many_versions_there_were(course: Course) -> None:
    assert course.arena("report", "results/small").code == 0
    said = "This league has been run with 2 versions of it"
    pages = course.results() / "report" / "bots"
    found = {
        path.stem.partition("-")[0]: said in path.read_text()
        for path in pages.glob("*.html")
    }
    assert found == {"ana": False, "ben": False, "cy": True}


def test_what_is_no_key_is_refused(course: Course) -> None:
    (course.folder / "notes.txt").write_text("luck: 7")
    said = refused(course, "secret", "import", "notes.txt", "results/small")
    assert "notes.txt: is no private file of a league" in said
    for words in (
        ("import", "nothing.json", "results/small"),
        ("show", "results/nothing"),
        ("export", "results/nothing", "keys.json"),
        ("export", "results/small", "no/such/folder/keys.json"),
        ("export", "results/small", "results/small/keys.json"),
        ("reveal", "results/nothing"),
        ("verify", "results/nothing", "00" * 32),
        ("verify", "results/small", "00" * 31),
        ("verify", "results/small", "secret"),
    ):
        refused(course, "secret", *words)
    said = refused(course, "secret", "verify", "results/small", "00" * 32)
    assert "this is not the key of the league: its SHA-256 is 66687aadf862bd77" in said
    assert said.endswith(f"the league's commitment is {commitment(course)}")


@pytest.mark.exhaustive
def test_public_luck_has_no_keys(course: Course) -> None:
    course.league("small.yaml", "--seed", "7")
    results = "results/small-seed-7"
    assert secret(course, "show", results) == (
        "luck: public, all of it comes from the seed 7\n"
    )
    for words in (
        ("export", results, "keys.json"),
        ("reveal", results),
        ("verify", results, "00" * 32),
    ):
        assert "public" in refused(course, "secret", *words)


def test_a_league_that_is_not_over_is_not_revealed(course: Course) -> None:
    course.forget([course.export()[0]["game_id"]])
    said = refused(course, "secret", "reveal", "results/small")
    assert "1 game of this league are not played yet" in said


def test_nothing_is_moved_while_a_league_is_played(course: Course) -> None:
    secret(course, "export", "results/small", "keys.json")
    with Store.open(course.results()):
        for words in (
            ("reveal", "results/small"),
            ("import", "keys.json", "results/small"),
        ):
            done = course.arena("secret", *words)
            assert (done.code, done.out) == (EXIT_BUSY, "")
        secret(course, "show", "results/small")


@pytest.mark.exhaustive
def test_quarantined_games_have_no_luck_to_verify(course: Course) -> None:
    course.write_bot("cy", "return 'fly'")
    league = course.folder / "small.yaml"
    league.write_text(league.read_text() + "quarantine: 1\n")
    course.league("small.yaml")
    key = secret(course, "reveal", "results/small").strip()
    out = secret(course, "verify", "results/small", key)
    found = re.match(r"(\d+) games verified", out)
    unplayed = re.search(r"^(\d+) games? ended before any luck$", out, re.MULTILINE)
    assert found is not None
    assert unplayed is not None
    assert int(found[1]) + int(unplayed[1]) == GAMES


Change = Callable[[GameRecord], GameRecord]


def changed_moves(record: GameRecord) -> GameRecord:
    first = "green brain, green brain, green brain"
    if first in record.history:
        first = "green brain, green brain, green shotgun"
    return replace(record, history=(first, *record.history[1:]))


FORGERIES: dict[str, tuple[Change, str]] = {
    "dice that somebody wrote": (
        changed_moves,
        "what chance brought does not follow from its luck, from 'green brain, green ",
    ),
    "luck that somebody chose": (
        lambda record: replace(record, seed=bytes(32)),
        "its luck does not follow from this key; somebody has changed it, or played it "
        "with other luck",
    ),
    "the luck of others": (
        lambda record: replace(record, seats=("ana:Ana", "cy:Cy")),
        "its luck does not follow from this key; somebody has changed it, or played it "
        "with other luck",
    ),
    "no luck kept": (
        lambda record: replace(record, seed=b""),
        "its luck does not follow from this key; somebody has changed it, or played it "
        "with other luck",
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_game_that_somebody_changed_is_named(course: Course, name: str) -> None:
    change, said = FORGERIES[name]
    key = secret(course, "reveal", "results/small").strip()
    game_id = forge(course, change)
    error = refused(course, "secret", "verify", "results/small", key)
    assert error.startswith(
        f"arena: results/small/league.sqlite: game {game_id}: {said}"
    )


def forge(course: Course, change: Change) -> str:
    """Change the first game of Ana and Ben; return its id."""
    path = course.results() / "league.sqlite"
    with closing(sqlite3.connect(path)) as database:
        rows = database.execute("SELECT number, records, histories FROM batches")
        for number, records, histories in rows.fetchall():
            games = [
                replace(record, history=history)
                for record, history in zip(
                    read_records(records), read_histories(histories), strict=True
                )
            ]
            at = next(
                (i for i, x in enumerate(games) if x.seats == ("ana:Ana", "ben:Ben")),
                None,
            )
            if at is None or games[at].label != "zombie_dice":
                continue
            games[at] = change(games[at])
            (batch,) = to_batches(games)
            assert isinstance(batch, Batch)
            database.execute(
                "UPDATE batches SET records = ?, histories = ? WHERE number = ?",
                (batch.records, batch.histories, number),
            )
            database.commit()
            return games[at].game_id
    raise AssertionError("no such game")
