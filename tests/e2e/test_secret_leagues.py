"""Luck that nobody can know: what a bot, a reader of the results and an heir can do."""

import base64
import json
import re
import shlex
import shutil
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from commands import BY_CHANCE, CAREFUL, TIMEOUT_S, Course, wait_for
from processes import children

from arena.league.results.secret import Secret, read_secret, secret_path
from arena.league.results.store import Store

TEXT = "Ein Geheimnis der Lehrerin"
GUESSES = """\
from hashlib import blake2b


def seed_of(*parts):
    framed = b""
    for part in parts:
        part = part if isinstance(part, bytes) else str(part).encode()
        framed += len(part).to_bytes(8, "little") + part
    return blake2b(framed, digest_size=32).digest()


def fixtures():
    rules = '["zombie_dice", 2, {}]'
    for league in (0, 1, 2, 2026):
        match = seed_of("match", league, rules, "ana:Ana", "seer:Seer")
        for repetition in range(20):
            yield seed_of(match, repetition)


def knows(bot, seat):
    told = [seed_of(fixture, "bot", seat)[:8] for fixture in fixtures()]
    return bot._arena_seed.to_bytes(8, "little") in told
"""
"""How a bot can work out its dice from what its author knows of the league.

It recognises its fixture by its own random numbers, and who knows the seed of a fixture
knows all of its dice.
"""
SEER = (
    "if knows(self, obs.seat): return 'leaked: I know my dice'",
    CAREFUL,
)


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """A small league that has not been played yet."""
    course = Course(tmp_path / "course")
    course.draws_keys = True
    course.write_bot("ana", BY_CHANCE)
    course.write_bot("ben", CAREFUL)
    course.write_league({"game": "zombie_dice", "fixtures": 5})
    return course


def seers_games(course: Course, results: str) -> Iterator[str]:
    """Yield how the games of the bot that guesses have ended."""
    for game in course.export(results):
        assert "Seer" in game["seats"]
        yield game["termination"]


def test_a_bot_can_not_work_out_its_dice(course: Course) -> None:
    (course.bots / "ben.py").unlink()
    course.write_bot("seer", *SEER)
    seer = course.bots / "seer.py"
    seer.write_text(GUESSES + "\n\n" + seer.read_text())
    course.write_league({"game": "zombie_dice", "fixtures": 5}, quarantine=0)
    course.league("small.yaml", "--seed", "2026")
    assert [*seers_games(course, "small-seed-2026")] == ["illegal_action"] * 10
    course.league("small.yaml")
    assert [*seers_games(course, "small")] == ["natural"] * 10


READER = """\
import base64, os
for path in {paths!r}:
    try:
        with open(path, "rb") as file:
            leaked = file.read(20)
    except OSError:
        leaked = b""
"""


def test_a_bot_can_not_read_the_keys(course: Course) -> None:
    """At the strongest level; weaker ones promise nothing of files."""
    path = secret_path(course.results())
    reader = READER.format(paths=[str(path), f"/proc/self/cwd/{path.name}"])
    course.write_bot(
        "ben",
        *reader.splitlines(),
        "return 'leaked: the keys' if leaked else 'stop'",
    )
    course.league("small.yaml")
    assert path.read_bytes()[:20]
    assert {game["termination"] for game in course.export()} == {"natural"}


def texts_of(secret: Secret) -> Iterator[bytes]:
    """Yield all that may show that somebody had a key in his hands."""
    for key in (secret.luck, secret.ids, secret.aliases, *secret.spent):
        yield from shown_as(key)
    yield secret.pseudonyms.encode()


def shown_as(key: bytes) -> Iterator[bytes]:
    """Yield the ways in which a key may be written."""
    yield key
    yield key.hex().encode()
    yield key.hex().upper().encode()
    yield base64.b64encode(key)[:40]
    yield base64.urlsafe_b64encode(key)[:40]


def test_nothing_that_is_handed_on_holds_a_key(course: Course) -> None:
    grading = {"rank_groups": [10]}
    course.write_league(
        {"game": "zombie_dice", "fixtures": 5}, pseudonyms=TEXT, grading=grading
    )
    course.league("small.yaml", "--json")
    course.league("small.yaml", "--fresh")
    said = [course.arena("report", "results/small", "--output", "pages").out]
    said += [course.arena("report", "results/small", "--names", "real").out]
    said += [course.arena("export", "results/small", "--moves").out]
    game = course.export()[0]["game_id"]
    said += [course.arena("replay", "results/small", game).out]
    secret = read_secret(course.results())
    assert secret is not None
    assert len(secret.spent) == 1
    assert secret.pseudonyms == TEXT
    files = [
        path
        for folder in ("results/small", "pages")
        for path in (course.folder / folder).rglob("*")
        if path.is_file()
    ]
    assert {path.suffix for path in files} >= {".sqlite", ".json", ".html", ".csv"}
    derived = [path.read_bytes() for path in files if path.suffix != ".sqlite"]
    derived += [text.encode() for text in said]
    for text in texts_of(secret):
        assert len(text) > 20
        assert text not in (course.results() / "league.sqlite").read_bytes()
        assert not [found for found in derived if text in found]
    # Pages need no seeds, either, so that no guess of a key can be tried on them.
    with Store.read(course.results()) as store:
        seeds = {record.seed for record in store.records()}
    assert len(seeds) == 5
    for seed in seeds:
        for text in shown_as(seed):
            assert not [found for found in derived if text in found]
    # But what may be told is: the commitments.
    board = json.loads((course.results() / "leaderboard.json").read_text())
    assert board["luck"] == {
        "commitment": secret.keys.commitment,
        "earlier": [*secret.keys.earlier],
    }
    assert secret.keys.commitment in (course.results() / "leaderboard.md").read_text()


@pytest.mark.exhaustive
def test_the_same_keys_give_the_same_league(course: Course) -> None:
    course.league("small.yaml", "--workers", "1")
    course.league("small.yaml", "--results", "results/other")
    assert course.export("other") != course.export("small")
    shutil.rmtree(course.results("other"))
    shutil.copy(
        secret_path(course.results("small")), secret_path(course.results("other"))
    )
    course.league("small.yaml", "--results", "results/other", "--workers", "2")
    course.check_same("small", "other")


@pytest.mark.exhaustive
def test_a_changed_bot_meets_new_luck_and_nobody_else_does(course: Course) -> None:
    course.write_bot("cid", "return 'stop' if obs.brains else 'roll'")
    course.league("small.yaml")

    def games(moves: bool) -> dict[frozenset[str], list[object]]:
        found: dict[frozenset[str], list[object]] = {}
        for game in course.export("small", *["--moves"] * moves):
            told = game["moves"][0] if moves else game
            found.setdefault(frozenset(game["seats"]), []).append(told)
        return found

    dice, whole = games(moves=True), games(moves=False)
    text = (course.bots / "cid.py").read_text()
    (course.bots / "cid.py").write_text(text + "# a comment\n")
    assert "20 games played, 10 taken" in course.league("small.yaml")
    others = frozenset({"Ana", "Ben"})
    assert games(moves=False)[others] == whole[others]
    for pair, first in games(moves=True).items():
        assert (first == dice[pair]) == (pair == others)


def test_fresh_luck_plays_all_games_again_and_is_told(course: Course) -> None:
    course.league("small.yaml")
    before = {game["game_id"] for game in course.export()}
    dry = course.arena("league", "small.yaml", "--fresh", "--dry-run")
    assert "10 games, of which 0 are recorded" in dry.out
    done = course.arena("league", "small.yaml", "--fresh")
    assert "note: luck is drawn anew (1 time by now), and all games are" in done.err
    assert "10 games played, 0 taken from earlier runs" in done.out
    assert not before & {game["game_id"] for game in course.export()}
    done = course.arena("league", "small.yaml")
    assert done.err.count("note: ") == 0
    assert "0 games played, 10 taken from earlier runs" in done.out
    assert "drawn anew 1 time" in (course.results() / "leaderboard.md").read_text()


@pytest.mark.exhaustive
def test_an_interrupted_final_run_goes_on_with_its_luck(course: Course) -> None:
    course.write_league({"game": "zombie_dice", "fixtures": 2000})
    words = ("league", "small.yaml", "--workers", "1", "--fresh")
    with course.running(*words) as league:
        wait_for(league, lambda: course.recorded() > 0)
        league.send_signal(signal.SIGINT)
        _, err = league.communicate(timeout=TIMEOUT_S)
    said = re.search(r"to go on:\n  (.*)\n$", err)
    assert said, err
    assert shlex.split(said[1]) == ["arena", *words[:-1]]
    secret = read_secret(course.results())
    assert secret is not None
    assert secret.keys.earlier == ()
    recorded = course.recorded()
    out = course.arena(*words[:-1], "--dry-run").out
    assert f"4000 games, of which {recorded} are recorded" in out


@pytest.mark.exhaustive
def test_a_seed_makes_luck_public_in_a_folder_of_its_own(course: Course) -> None:
    course.league("small.yaml")
    before = course.files()
    done = course.arena("league", "small.yaml", "--seed", "7")
    assert "note: the luck of this league is public: who knows the seed 7" in done.err
    assert "results in results/small-seed-7" in done.out
    assert course.files() == before
    assert not secret_path(course.results("small-seed-7")).exists()
    # So does one in the file, and the command line has the last word.
    course.write_league({"game": "zombie_dice", "fixtures": 5}, seed=7)
    out = course.league("small.yaml")
    assert "0 games played, 10 taken" in out
    assert "results/small-seed-8" in course.league("small.yaml", "--seed", "8")
    refused = course.arena("league", "small.yaml", "--results", "results/small")
    assert refused.code == 2
    assert "holds a league with secret luck, and the luck of seed 7" in refused.err
    refused = course.arena("league", "small.yaml", "--fresh")
    assert (refused.code, refused.out) == (2, "")
    assert "--fresh: the luck of this league is public (seed 7)" in refused.err
    course.arena("freeze", "small.yaml")
    for option in (("--seed", "7"), ("--fresh",)):
        refused = course.arena("league", "frozen/small", *option)
        assert (refused.code, refused.out) == (2, "")
        assert f"arena: {option[0]}: " in refused.err
    assert course.files() == before


@pytest.mark.exhaustive
def test_moved_results_say_where_their_keys_are_missing(course: Course) -> None:
    course.league("small.yaml")
    course.results().rename(course.results("moved"))
    words = ("league", "small.yaml", "--results", "results/moved")
    for option in ((), ("--dry-run",)):
        refused = course.arena(*words, *option)
        assert (refused.code, refused.out) == (2, "")
        assert str(secret_path(course.results("moved"))) in refused.err
        assert "`arena secret import`" in refused.err
    secret_path(course.results()).rename(secret_path(course.results("moved")))
    assert "0 games played, 10 taken" in course.league(*words[1:])


@pytest.mark.exhaustive
def test_a_dry_run_and_a_league_that_can_not_be_played_draw_nothing(
    course: Course,
) -> None:
    course.arena("league", "small.yaml", "--dry-run")
    assert not secret_path(course.results()).exists()
    course.write_league("zombie_dice", name="none", anchor={"bot": "nobody"})
    assert course.arena("league", "none.yaml").code == 2
    assert not secret_path(course.results("none")).exists()


def test_results_never_lie_in_what_a_bot_is_given(course: Course) -> None:
    """Their keys lie beside them."""
    (course.bots / "pack").mkdir()
    (course.bots / "ben.py").rename(course.bots / "pack" / "__init__.py")
    (course.folder / "link").symlink_to(course.bots / "pack")
    for name in ("bots/pack", "bots/pack/results", "link/deep/results"):
        refused = course.arena("league", "small.yaml", "--results", name)
        assert (refused.code, refused.out) == (2, "")
        assert f"arena: {name}: lies in {course.bots / 'pack'}, all of" in refused.err
    assert sorted(path.name for path in (course.bots / "pack").iterdir()) == [
        "__init__.py"
    ]


@pytest.mark.exhaustive
def test_replays_need_no_key(course: Course) -> None:
    course.league("small.yaml")
    game = course.export()[0]["game_id"]
    path = secret_path(course.results())
    path.unlink()
    path.parent.joinpath(".gitignore").unlink()
    path.parent.rmdir()
    done = course.arena("replay", "results/small", game)
    assert done.code == 0
    assert "it reproduces: the league's luck" in done.out
    asked = course.arena("replay", "results/small", game, "--bot", "bots/ana.py")
    assert "note: the league's luck is not known" not in asked.err
    assert course.arena("report", "results/small").code == 0


def below(pid: int) -> Iterator[int]:
    """Yield all processes below another."""
    for child in children(pid):
        yield child
        yield from below(child)


def memory_of(pid: int) -> Iterator[bytes]:
    """Yield what a process holds in memory, a mapping at a time."""
    maps = Path(f"/proc/{pid}/maps").read_text().splitlines()
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        for line in maps:
            places, rights, *_ = line.split()
            start, end = (int(x, 16) for x in places.split("-"))
            if rights.startswith("rw") and end < 2**63:
                with suppress(OSError, OverflowError):
                    memory.seek(start)
                    yield memory.read(end - start)


@pytest.mark.exhaustive
def test_no_process_but_the_coordinator_holds_a_key(course: Course) -> None:
    """Not the referees, which know the seeds of their fixtures, and no contestant."""
    course.write_league({"game": "zombie_dice", "fixtures": 2000})
    with course.running("league", "small.yaml", "--workers", "1") as league:
        wait_for(league, lambda: course.recorded() > 0)
        secret = read_secret(course.results())
        assert secret is not None
        keys = (secret.luck, secret.ids, secret.aliases)

        def holds(pid: int) -> bool:
            return any(key in part for part in memory_of(pid) for key in keys)

        try:
            assert holds(league.pid)
        except PermissionError:
            pytest.skip("only root can look into the memory of all processes")
        found = []
        for pid in below(league.pid):
            # Contestants come and go.
            with suppress(FileNotFoundError, ProcessLookupError):
                found.append(holds(pid))
        # A referee, a sandbox and its zygote at least.
        assert len(found) >= 3
        assert not any(found)
