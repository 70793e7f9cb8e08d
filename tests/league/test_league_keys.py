"""The keys of a results folder: made once, kept, missed, drawn anew."""

import errno
import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from plans import league

from arena.errors import ConfigError, RecordError
from arena.league.config.info import LeagueInfo
from arena.league.config.keys import Keys
from arena.league.config.league_file import LeagueConfig
from arena.league.results.league_keys import ChosenKeys, choose_keys
from arena.league.results.secret import (
    Secret,
    decode_secret,
    read_secret,
    secret_path,
    write_secret,
)
from arena.league.results.store import Store

SECRET = Secret(b"luck" * 8, b"ids." * 8, b"name" * 8)
CONFIG = league(seed=None)


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return tmp_path / "results" / "small"


def info_of(keys: Keys, config: LeagueConfig = CONFIG) -> LeagueInfo:
    return config.info("process", (), keys)


def choose(
    results: Path, config: LeagueConfig = CONFIG, *, fresh: bool = False
) -> ChosenKeys:
    """Choose the keys as a run does, before it plays."""
    with Store.open(results) as store:
        return choose_keys(config, results, store, fresh=fresh)


def run(
    results: Path, config: LeagueConfig = CONFIG, *, fresh: bool = False
) -> ChosenKeys:
    """Do all of a run but the games."""
    with Store.open(results) as store:
        chosen = choose_keys(config, results, store, fresh=fresh)
        chosen.keep(results)
        store.begin(info_of(chosen.keys, config), [])
    return chosen


def sentence(ask: Callable[[], Any], kind: type[Exception] = RecordError) -> str:
    """Return the sentence by which something is refused."""
    with pytest.raises(kind) as caught:
        ask()
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_the_first_run_makes_keys_that_all_later_ones_keep(results: Path) -> None:
    first = run(results)
    path = results.parent / ".secrets" / "small.json"
    assert secret_path(results) == path
    assert [note for note in first.notes if str(path) in note]
    before = path.read_bytes()
    again = run(results)
    assert (again.keys, again.notes) == (first.keys, ())
    assert path.read_bytes() == before
    assert first.keys.seed is None
    keys = (first.keys.luck, first.keys.ids, first.keys.aliases)
    assert all(isinstance(key, bytes) and len(key) == 32 for key in keys)
    assert len({*keys}) == 3
    assert run(results.with_name("other")).keys != first.keys


def test_nobody_else_can_read_them_and_git_leaves_them_alone(results: Path) -> None:
    run(results)
    folder = results.parent / ".secrets"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "small.json").stat().st_mode) == 0o600
    assert (folder / ".gitignore").read_text() == "*\n"
    assert sorted(os.listdir(folder)) == [".gitignore", "small.json"]
    # Also if a run was killed before it had written that, or the disk was full.
    for spoil in (Path.unlink, lambda path: path.write_text("")):
        spoil(folder / ".gitignore")
        run(results, fresh=True)
        assert (folder / ".gitignore").read_text() == "*\n"


def test_nothing_is_written_before_a_game_is_to_be_played(results: Path) -> None:
    """A league that can't be planned, and a dry run, draw nothing."""
    choose(results)
    assert not secret_path(results).exists()
    run(results)
    before = secret_path(results).read_bytes()
    choose(results, fresh=True)
    assert secret_path(results).read_bytes() == before


def test_they_belong_to_the_folder_wherever_a_link_leads_to_it(results: Path) -> None:
    first = run(results)
    link = results.parent.parent / "link"
    link.symlink_to(results)
    assert secret_path(link) == secret_path(results)
    assert run(link).keys == first.keys


def test_games_without_their_keys_can_not_go_on(results: Path) -> None:
    run(results)
    moved = results.with_name("moved")
    results.rename(moved)
    told = sentence(lambda: choose(moved))
    path = results.parent / ".secrets" / "moved.json"
    assert told.startswith(f"{path}: the keys of the league in {moved} are missing")
    assert "`arena secret import`" in told
    assert not path.exists()
    for fresh in (True, False):
        assert sentence(lambda fresh=fresh: choose(moved, fresh=fresh)) == told
    (results.parent / ".secrets" / "small.json").rename(path)
    assert not run(moved).notes


def test_keys_of_another_league_are_refused(results: Path) -> None:
    run(results)
    write_secret(results, SECRET)
    assert "has the keys of another league than" in sentence(lambda: choose(results))
    told = sentence(lambda: choose(results, fresh=True))
    assert "bring its own here with `arena secret import`" in told


def test_fresh_luck_is_another_luck_key_and_nothing_else(results: Path) -> None:
    first = run(results).keys
    second = run(results, fresh=True)
    assert second.keys.luck != first.luck
    assert (second.keys.ids, second.keys.aliases) == (first.ids, first.aliases)
    assert second.keys.earlier == (first.commitment,)
    assert "luck is drawn anew (1 time by now)" in second.notes[0]
    # What was interrupted goes on without it.
    assert run(results).keys == second.keys
    third = run(results, fresh=True)
    assert third.keys.earlier == (first.commitment, second.keys.commitment)
    with Store.read(results) as store:
        info = store.info()
    assert (info.commitment, info.earlier) == (
        third.keys.commitment,
        third.keys.earlier,
    )
    # The old keys are kept, so that what was played with them can be shown.
    secret = read_secret(results)
    assert secret is not None
    assert secret.spent == (first.luck, second.keys.luck)


def test_a_run_that_died_between_its_keys_and_its_games_goes_on(results: Path) -> None:
    run(results)
    with Store.open(results) as store:
        chosen = choose_keys(CONFIG, results, store, fresh=True)
        chosen.keep(results)
    assert run(results).keys == chosen.keys


def test_keys_that_were_there_before_the_first_game_are_said(results: Path) -> None:
    """Somebody who knows them may have put them there."""
    results.mkdir(parents=True)
    write_secret(results, Secret.draw())
    (note,) = run(results).notes
    assert str(secret_path(results)) in note
    assert "remove it" in note
    assert run(results).notes == ()


def test_a_revealed_luck_key_is_never_played_with_again(results: Path) -> None:
    first = run(results).keys
    secret = read_secret(results)
    assert secret is not None
    spent = secret.spend()
    assert spent == spent.spend()
    assert spent.keys == first
    write_secret(results, spent)
    revealed = choose(results)
    revealed.check_missing(results, 0)
    told = sentence(lambda: revealed.check_missing(results, 1))
    assert "has been revealed, and 1 game would be played" in told
    assert "--fresh" in told
    fresh = run(results, fresh=True).keys
    assert fresh.earlier == (first.commitment,)
    assert run(results).keys == fresh


def test_what_a_killed_run_has_left_of_the_keys_is_removed(results: Path) -> None:
    run(results)
    folder = secret_path(results).parent
    (folder / ".small.json.x1").write_text("half a key")
    (folder / ".small.json").write_text("of another league, called .small")
    run(results, fresh=True)
    assert sorted(os.listdir(folder)) == [".gitignore", ".small.json", "small.json"]


PUBLIC = league(seed=7)


def test_public_and_secret_luck_do_not_mix_in_a_folder(results: Path) -> None:
    run(results)
    told = sentence(lambda: choose(results, PUBLIC))
    assert "holds a league with secret luck, and the luck of seed 7 is public" in told
    other = results.with_name("public")
    chosen = run(other, PUBLIC)
    assert chosen.keys == Keys.of_seed(7)
    (note,) = chosen.notes
    assert "the luck of this league is public: who knows the seed 7" in note
    assert not secret_path(other).exists()
    told = sentence(lambda: choose(other))
    assert "holds a league with public luck (seed 7)" in told
    for refused in (results, other):
        assert sentence(
            lambda x=refused: choose(x, league(seed=None if x == other else 7))
        )
    told = sentence(lambda: choose(other, PUBLIC, fresh=True), ConfigError)
    assert told.startswith("--fresh: the luck of this league is public (seed 7)")


OLD = '{"form":5,"name":"small","seed":7,"isolation":"process"}'


@pytest.mark.parametrize("seed", [None, 7, 8])
def test_results_of_before_go_on_with_their_seed_or_become_history(
    results: Path, seed: int | None
) -> None:
    with Store.open(results) as store:
        store._db.set_meta("league", OLD)
    chosen = run(results, league(seed=seed))
    assert chosen.keys.seed == seed
    assert len(chosen.notes) == (1 if seed is not None else 2)
    if seed is None:
        assert "they stay there as history" in chosen.notes[1]
        assert not run(results).notes


def test_a_text_for_aliases_is_kept_with_the_keys(results: Path) -> None:
    first = run(results).keys
    assert run(results, league(seed=None, pseudonyms="a long text")).keys == first
    secret = read_secret(results)
    assert secret is not None
    assert secret.pseudonyms == "a long text"
    run(results, league(seed=None, pseudonyms=True))
    secret = read_secret(results)
    assert secret is not None
    assert (secret.pseudonyms, secret.keys) == ("", first)
    # With public luck too, which has nothing else to keep.
    public = results.with_name("public")
    run(public, league(seed=7, pseudonyms="a long text"))
    kept = secret_path(public).read_bytes()
    assert b"a long text" in kept
    run(public, league(seed=7, pseudonyms="a long text"))
    assert secret_path(public).read_bytes() == kept
    told = run(public, league(seed=7, pseudonyms=True)).notes[-1]
    assert "public luck has none" in told


def damaged(**changes: object) -> bytes:
    return json.dumps(json.loads(SECRET.encode()) | changes).encode()


DAMAGED = [
    (b"", "is no private file of a league"),
    (b"not JSON", "is no private file of a league"),
    (SECRET.encode()[:-20], "is no private file of a league"),
    (b"\xff\xfe" * 40, "is no private file of a league"),
    (b"{}", "is no private file of a league"),
    (b"[" * 100_000, "is no private file of a league"),
    (damaged(luck="c2hvcnQ="), "length"),
    (damaged(ids="!" * 44), "ids"),
    (damaged(aliases="A" * 4000), "length"),
    (damaged(luck=7), "luck"),
    (damaged(form=2), "form"),
    (damaged(more="x"), "unknown field"),
    (damaged(spent=["c2hvcnQ="]), "length"),
]


@pytest.mark.parametrize(("data", "part"), DAMAGED)
def test_a_damaged_file_is_said_in_a_sentence(
    results: Path, data: bytes, part: str
) -> None:
    run(results)
    path = secret_path(results)
    path.write_bytes(data)
    told = sentence(lambda: choose(results))
    assert told.startswith(f"{path}: is no private file of a league (")
    assert told.endswith("; restore it from a copy")
    assert part in told
    assert path.read_bytes() == data


def test_what_is_said_of_a_damaged_file_shows_nothing_of_it() -> None:
    for data in (SECRET.encode()[:-20], damaged(luck=7), damaged(form=2)):
        told = sentence(lambda data=data: decode_secret(data, Path("x")))
        for value in json.loads(SECRET.encode()).values():
            assert str(value) not in told.replace("form", "") or value in (1, "", [])
    assert "luck" not in repr(SECRET)


def test_keys_that_others_may_read_are_refused(results: Path) -> None:
    run(results)
    path = secret_path(results)
    path.chmod(0o640)
    told = sentence(lambda: choose(results))
    assert told.startswith(f"{path}: others may use it (mode 640)")
    assert "chmod 600" in told
    path.chmod(0o600)
    path.parent.chmod(0o755)
    told = sentence(lambda: choose(results))
    assert told.startswith(f"{path.parent}: others may use it (mode 755)")
    assert "chmod 700" in told
    assert "mode 755" in sentence(lambda: write_secret(results, SECRET))
    path.parent.chmod(0o700)
    assert not run(results).notes


def test_no_link_is_followed_and_no_pipe_waited_for(results: Path) -> None:
    run(results)
    path = secret_path(results)
    kept = path.rename(path.with_name("kept"))
    path.symlink_to(kept)
    assert "can't be read" in sentence(lambda: choose(results))
    path.unlink()
    os.mkfifo(path, 0o600)
    assert "is no file" in sentence(lambda: choose(results))
    path.unlink()
    path.mkdir(0o700)
    assert "is no file" in sentence(lambda: choose(results))
    path.rmdir()
    kept.rename(path)
    away = path.parent.rename(results.parent / "away")
    path.parent.symlink_to(away)
    assert "is no folder" in sentence(lambda: choose(results))
    path.parent.unlink()
    path.parent.write_text("in the way")
    assert sentence(lambda: choose(results))
    assert sentence(lambda: write_secret(results, SECRET))


@pytest.mark.parametrize("call", ["fsync", "rename"])
def test_a_full_disk_leaves_the_keys_as_they_were(
    results: Path, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(results)
    before = secret_path(results).read_bytes()

    def full(*parts: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, call, full)
    told = sentence(lambda: run(results, fresh=True))
    assert told.startswith(
        f"{secret_path(results)}: the league's keys can't be written"
    )
    assert "No space left" in told
    monkeypatch.undo()
    assert secret_path(results).read_bytes() == before
    assert sorted(os.listdir(secret_path(results).parent)) == [
        ".gitignore",
        "small.json",
    ]


def test_what_is_there_is_durable_before_it_has_its_name(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file, then its name, then the folder: whatever a crash leaves is whole."""
    done: list[str] = []
    fsync, rename = os.fsync, os.rename

    def synced(descriptor: int) -> None:
        kind = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        done.append("folder" if kind else "file")
        fsync(descriptor)

    def renamed(one: str, other: str) -> None:
        done.append("name")
        rename(one, other)

    run(results)
    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "rename", renamed)
    write_secret(results, replace(SECRET, pseudonyms="x"))
    assert done == ["file", "name", "folder"]
