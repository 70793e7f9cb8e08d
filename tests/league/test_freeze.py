"""Freezing: what is kept, that it is checked, and that there is no half of it."""

import base64
import json
import os
import re
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import golden_files
import pytest
import yaml
from click.testing import CliRunner
from matrix import divided

from arena.cli.rules import command as rules_command
from arena.errors import ConfigError, RecordError
from arena.league.config.league_file import LeagueConfig, load_config
from arena.league.config.whose_bots import read_whose_bots
from arena.league.entries.bot_file import files_of
from arena.league.entries.hand_ins.depot import temporary_depot
from arena.league.results import freeze as freezing
from arena.league.results import thaw as frozen
from arena.league.results.freeze import Frozen, freeze
from arena.league.results.league_keys import choose_keys
from arena.league.results.secret import Secret, read_secret, secret_path, write_secret
from arena.league.results.store import Store
from arena.league.results.thaw import open_league, versions
from arena.referee.work_unit import Limits

VERSIONS: dict[str, str] = {}
BOT = "from arena import Bot\nclass {}(Bot):\n    def act(self, obs): pass\n"


class Course:
    """A league with all that can belong to one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "configs" / "league.yaml"
        self.keys: dict[str, Any] = {
            "name": "small",
            "bots": [
                "../bots",
                {"file": "../staff/cy.py", "name": "cy", "params": {"x": [1.5, None]}},
                {"file": "../staff/pack", "name": "packed"},
                {"file": "../old/bots/dan.py"},
                {"file": "../staff/js/main.js", "command": "/bin/true main.js"},
            ],
            "games": ["zombie_dice"],
            "packages": ["pyyaml"],
            "shared": ["../lib/helper.py", "../lib/_deeper.py"],
            "schedule": "divisions",
            "references": ["ana"],
            "divisions": {"size": 2, "by": "../results/midterm"},
            "grading": {"students": "../private/names.csv"},
            "pseudonyms": "Ein Geheimnis, süß & lang",
        }
        self.write("bots/ana.py", "import helper\n" + BOT.format("Ana"))
        self.write("lib/helper.py", "import _deeper\n")
        self.write("lib/_deeper.py", "deep = True\n")
        self.write("bots/helper.py", "is_shared = False\n")
        self.write("bots/_unused.py", "")
        self.write("bots/notes.txt", "no bot")
        self.write("bots/no_bot.py", "x = 1\n")
        self.write("bots/__pycache__/ana.pyc", "")
        self.write("staff/cy.py", "import helper\n" + BOT.format("Cy"))
        self.write("staff/helper.py", "other = True\n")
        self.write("staff/pack/__init__.py", BOT.format("Pack"))
        self.write("staff/pack/data/deep/table.bin", "\x00")
        self.write("staff/pack/__pycache__/x.pyc", "")
        self.write("staff/js/main.js", "")
        (folder / "staff/js/main.js").chmod(0o755)
        self.write("old/bots/dan.py", BOT.format("Dan"))
        rows = [{"rank": 1, "bot": "Ana", "file": "ana.py"}]
        self.write("results/midterm/leaderboard.json", json.dumps({"rows": rows}))
        self.write("results/midterm/league.sqlite", "many games")
        self.write("private/names.csv", "file,student\nana.py,s1\n")
        self.save()

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def save(self, **keys: Any) -> None:
        """Write the league's file, with other keys; None leaves one out."""
        found = {k: v for k, v in (self.keys | keys).items() if v is not None}
        self.write("configs/league.yaml", yaml.safe_dump(found, allow_unicode=True))

    def freeze(self, name: str = "frozen") -> Frozen:
        return freeze(self.path, self.folder / name, self.results)

    @property
    def results(self) -> Path:
        return self.folder / "results" / "small"

    def secret(self) -> Secret:
        """Return the keys of its results folder."""
        secret = read_secret(self.results)
        assert secret is not None
        return secret

    def play(self) -> Secret:
        """Draw the keys of the league, as its first run does."""
        secret = Secret.draw()
        self.results.mkdir(exist_ok=True)
        write_secret(self.results, secret)
        return secret

    @property
    def config(self) -> LeagueConfig:
        """The league as it is played, without aliases."""
        return replace(load_config(self.path), pseudonyms=False)

    def files(self, name: str = "frozen") -> dict[str, bytes]:
        """Return the contents of all files below a folder, by path."""
        top = self.folder / name
        return {
            path.relative_to(top).as_posix(): path.read_bytes()
            for path in sorted(top.rglob("*"))
            if path.is_file()
        }


@pytest.fixture(autouse=True)
def looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look up but once what is installed: that takes longer than all else."""
    for module in (freezing, frozen):
        monkeypatch.setattr(module, "versions", _versions)


def _versions(config: LeagueConfig) -> dict[str, str]:
    if not VERSIONS:
        VERSIONS.update(versions(config))
    return dict(VERSIONS)


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return Course(tmp_path)


KEPT = {
    "bots/1/bots": ("bots", "ana.py", "helper.py", "no_bot.py"),
    "bots/2/staff": ("staff", "cy.py", "pack/__init__.py"),
    "bots/2/staff/pack/data": ("staff/pack/data", "deep/table.bin"),
    "bots/3/bots": ("old/bots", "dan.py"),
    "bots/4/js": ("staff/js", "main.js"),
    "shared": ("lib", "helper.py", "_deeper.py"),
    "divisions": ("results/midterm", "leaderboard.json"),
}
"""Where they are kept: files of a folder."""


def test_all_that_belongs_to_a_league_is_kept_and_nothing_else(course: Course) -> None:
    secret = course.play()
    kept = course.freeze()
    found = course.files()
    sources = {
        f"{place}/{name}": f"{folder}/{name}"
        for place, (folder, *names) in KEPT.items()
        for name in names
    }
    sources["private/students.csv"] = "private/names.csv"
    made = {"league.yaml", "manifest.json", "private/.gitignore", "private/secret.json"}
    assert found.keys() == {*sources, *made}
    for name, source in sources.items():
        assert found[name] == (course.folder / source).read_bytes()
    assert (course.folder / "frozen/bots/4/js/main.js").stat().st_mode & 0o111 == 0o111
    manifest = json.loads(found["manifest.json"])
    assert manifest["files"] == {
        name: sha256(data).hexdigest()
        for name, data in found.items()
        if name != "manifest.json" and not name.startswith("private/")
    }
    assert (manifest["league"], manifest["seed"]) == ("small", None)
    assert manifest["commitment"] == sha256(secret.luck).hexdigest()
    assert manifest["config"] == sha256(course.path.read_bytes()).hexdigest()
    assert manifest["rules"] == {"zombie_dice": "1"}
    assert {"Python", "arena", "yaml", "numpy", "scipy"} <= manifest["versions"].keys()
    assert kept.digest == sha256(found["manifest.json"]).hexdigest()
    assert kept.files == len(manifest["files"]) + 2
    assert kept.notes == ()
    # No word of where it was made.
    assert not any(str(course.folder).encode() in data for data in found.values())


def test_whose_ranks_they_are_stays_private(course: Course) -> None:
    course.play()
    whose = {"bots": [{"entry": "1", "bot": "A", "file": "a.py", "students": ["s1"]}]}
    course.write("results/midterm/private/students.json", json.dumps(whose))
    course.freeze()
    found = course.files()
    assert "divisions/leaderboard.json" not in found
    names = {name for name, data in found.items() if b"s1" in data}
    # The random letters of the keys may spell anything.
    assert names - {"private/secret.json"} == {
        "private/students.csv",
        "private/divisions/private/students.json",
    }
    for path in (course.folder / "frozen" / "private").rglob("*"):
        if path.name != ".gitignore":
            assert path.stat().st_mode & 0o077 == 0, path
    config = open_league(course.folder / "frozen").config
    assert config.divisions is not None
    assert config.divisions.by is not None
    assert read_whose_bots("", Path(config.divisions.by))[0].students == ("s1",)


def test_the_leagues_file_says_the_same_with_paths_into_the_folder(
    course: Course,
) -> None:
    course.freeze()
    raw = yaml.safe_load((course.folder / "frozen/league.yaml").read_text())
    assert raw == course.keys | {
        "shared": ["shared/helper.py", "shared/_deeper.py"],
        "bots": [
            "bots/1/bots",
            {"file": "bots/2/staff/cy.py", "name": "cy", "params": {"x": [1.5, None]}},
            {"file": "bots/2/staff/pack", "name": "packed"},
            {"file": "bots/3/bots/dan.py"},
            {"file": "bots/4/js/main.js", "command": "/bin/true main.js"},
        ],
        "divisions": {"size": 2, "by": "divisions"},
        "grading": {"students": "private/students.csv"},
    }
    found = open_league(course.folder / "frozen")
    assert found.results == Path("results/frozen-frozen")
    assert found.notes == ()
    specs = [game.spec for game in load_config(course.path).games]
    assert [game.spec for game in found.config.games] == specs
    assert open_league(course.folder / "frozen" / "league.yaml").config.path == (
        course.folder / "frozen" / "league.yaml"
    )


def test_a_key_that_says_nothing_any_more_goes_on_telling_its_games_apart(
    course: Course,
) -> None:
    course.save(limits={"ponder": False})
    course.freeze()
    config = open_league(course.folder / "frozen").config
    assert config.ponder is False
    assert config.limits == Limits()


def test_bots_are_the_same_bots(course: Course) -> None:
    """By the hash that their games' ids depend on."""
    course.freeze()

    def codes(path: Path) -> dict[str, str]:
        with temporary_depot() as depot:
            bots = freezing._Original(load_config(path), depot).bots
        return {f.path.name: f.hand_in.code for f in bots if f.hand_in}

    assert codes(course.folder / "frozen/league.yaml") == codes(course.path)


def test_the_same_league_gives_the_same_bytes_anywhere(
    course: Course, tmp_path_factory: pytest.TempPathFactory
) -> None:
    course.freeze()
    other = Course(tmp_path_factory.mktemp("elsewhere"))
    other.results.mkdir()
    write_secret(other.results, course.secret())
    other.freeze()
    assert other.files() == course.files()
    # What is frozen can be frozen.
    freeze(course.folder / "frozen", course.folder / "again")
    again, first = course.files("again"), course.files()
    assert "private/students.csv" in again
    del again["manifest.json"], first["manifest.json"]
    assert again == first


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_what_is_private_lies_apart(course: Course) -> None:
    """So that the rest can be handed on: it says neither keys nor whose a bot is."""
    secret = course.play()
    course.freeze()
    private = course.folder / "frozen" / "private"
    assert mode(private) == 0o700
    assert (private / ".gitignore").read_text() == "*\n"
    for name in ("secret.json", "students.csv"):
        assert mode(private / name) == 0o600
    assert open_league(course.folder / "frozen").secret == secret
    public = {x: y for x, y in course.files().items() if not x.startswith("private/")}
    students = sha256((private / "students.csv").read_bytes()).hexdigest()
    for key in (secret.luck, secret.ids, secret.aliases):
        for shown in (key, key.hex().encode(), base64.b64encode(key)):
            assert not any(shown in data for data in public.values())
    # A hash of names that can be guessed would tell whether a guess is right.
    assert students.encode() not in public["manifest.json"]


def test_whose_the_bots_of_the_midterm_were_is_private_too(course: Course) -> None:
    course.write("results/midterm/private/students.json", '{"bots": []}')
    course.freeze()
    private = course.folder / "frozen" / "private"
    folder = private / "divisions"
    assert (folder / "leaderboard.json").is_file()
    assert mode(folder) == mode(folder / "private") == 0o700
    assert mode(folder / "private" / "students.json") == 0o600
    divisions = open_league(course.folder / "frozen").config.divisions
    assert divisions is not None
    assert divisions.by == str(folder)


def test_a_large_private_side_is_read_whole(course: Course) -> None:
    """As the ranks of a large class are, with the numbers of each game."""
    rows = "".join(f"student{i}.py,s{i}\n" for i in range(100_000))
    course.write("private/names.csv", f"file,student\nana.py,s1\n{rows}")
    course.freeze()
    open_league(course.folder / "frozen")
    assert len(course.files()["private/students.csv"]) > 2**20


def test_without_its_private_side_it_is_refused(course: Course) -> None:
    course.freeze()
    folder = course.folder / "frozen"
    (folder / "private").rename(course.folder / "kept at home")
    with pytest.raises(ConfigError) as caught:
        open_league(folder)
    assert str(caught.value) == (
        f"{folder}: is a frozen league without its private side, which has its keys; "
        "bring the folder private here from where the league was frozen"
    )
    (course.folder / "kept at home").rename(folder / "private")
    (folder / "private" / "secret.json").chmod(0o644)
    with pytest.raises(RecordError, match=r"secret.json: others may use it"):
        open_league(folder)


def test_a_league_that_was_never_played_gets_its_keys_when_it_is_frozen(
    course: Course,
) -> None:
    (note,) = course.freeze().notes
    path = secret_path(course.results)
    assert note.startswith(f"the luck of this league hangs on {path}: keep a copy, and")
    frozen = open_league(course.folder / "frozen").secret
    assert frozen is not None
    assert read_secret(course.results) == frozen
    # Whoever plays it afterwards plays with these.
    with Store.open(course.results) as store:
        assert choose_keys(course.config, course.results, store).keys == frozen.keys
    assert course.freeze("again").notes == ()
    assert course.files("again") == course.files()


def test_luck_that_is_revealed_is_good_for_the_games_that_were_played_with_it(
    course: Course,
) -> None:
    secret = course.play().redraw().spend()
    write_secret(course.results, secret)
    course.freeze()
    frozen = open_league(course.folder / "frozen").secret
    assert frozen == secret
    elsewhere = course.folder / "results" / "frozen"
    chosen = choose_keys(course.config, elsewhere, None, frozen=frozen)
    assert (chosen.keys, chosen.secret) == (secret.keys, secret)


def test_its_results_are_played_with_its_keys_or_not_at_all(course: Course) -> None:
    secret = course.play()
    elsewhere = course.folder / "results" / "frozen"
    elsewhere.mkdir()
    write_secret(elsewhere, secret.redraw())
    with pytest.raises(RecordError, match=r"\A[^\n]*other luck than the frozen one;"):
        choose_keys(course.config, elsewhere, None, frozen=secret)
    write_secret(elsewhere, secret)
    assert choose_keys(course.config, elsewhere, None, frozen=secret).secret is None
    with pytest.raises(ConfigError, match=r"--fresh: a frozen league is played with"):
        choose_keys(course.config, elsewhere, None, frozen=secret, fresh=True)


def test_a_league_with_public_luck_has_no_keys_to_keep(course: Course) -> None:
    course.save(seed=7)
    course.freeze()
    manifest = json.loads(course.files()["manifest.json"])
    assert (manifest["seed"], manifest["commitment"]) == (7, "")
    assert "private/secret.json" not in course.files()
    found = open_league(course.folder / "frozen")
    assert (found.config.seed, found.secret) == (7, None)
    course.save(seed=7, grading=None)
    course.freeze("alone")
    assert not (course.folder / "alone" / "private").exists()
    open_league(course.folder / "alone")


def test_an_old_frozen_league_stays_one_when_it_is_frozen_again(tmp_path: Path) -> None:
    """So that it still gives the same bytes, though its students' file is in sight."""
    old = golden_files.FOLDER / "frozen" / "divisions"
    freeze(old, tmp_path / "again")
    manifests = [
        json.loads((folder / "manifest.json").read_text()) | {"versions": {}}
        for folder in (old, tmp_path / "again")
    ]
    assert manifests[0] | {"config": ""} == manifests[1] | {"config": ""}
    assert open_league(tmp_path / "again").config.form == 1


def test_quarantine_is_for_all_games_where_it_was_when_it_was_frozen(
    course: Course,
) -> None:
    """So that its games are the same, and also when it is frozen again."""
    course.play()
    course.freeze()
    folder = course.folder / "frozen"
    now = open_league(folder)
    assert not now.config.quarantine_is_for_all
    manifest = folder / "manifest.json"
    text = manifest.read_text()
    assert text.startswith('{\n  "form": 6,')
    manifest.write_text(text.replace('"form": 6', '"form": 2', 1))
    then = open_league(folder)
    assert then.config.quarantine_is_for_all
    assert then.secret == now.secret is not None
    freeze(folder, course.folder / "again")
    again = open_league(course.folder / "again")
    assert (again.config.form, again.secret) == (2, then.secret)


def test_the_form_of_an_older_frozen_league_stays(course: Course) -> None:
    """So that its bots stay those of a file that can't be read, each class of it."""
    course.play()
    course.freeze()
    folder = course.folder / "frozen"
    manifest = folder / "manifest.json"
    text = manifest.read_text()
    manifest.write_text(text.replace('"form": 6', '"form": 3', 1))
    freeze(folder, course.folder / "again")
    for path in (folder, course.folder / "again"):
        assert open_league(path).config.form == 3


def test_a_manifest_that_was_changed_with_the_files_has_another_hash(
    course: Course,
) -> None:
    """No file of the folder can tell; the number that was written down can."""
    kept = course.freeze()
    folder = course.folder / "frozen"
    assert open_league(folder).digest == kept.digest
    bot, manifest = folder / "shared/_deeper.py", folder / "manifest.json"
    old = sha256(bot.read_bytes()).hexdigest()
    bot.write_text("evil = True\n")
    new = sha256(bot.read_bytes()).hexdigest()
    manifest.write_text(manifest.read_text().replace(old, new, 1))
    assert open_league(folder).digest != kept.digest


BEFORE = "when the league was frozen"
PRIVATE_CHANGED = f"is not as it was {BEFORE}; restore it from a copy"
SPOILT = [
    # A file, what takes its place, and what is said of it.
    ("shared/_deeper.py", "evil = True\n", "has been changed since"),
    (
        "bots/2/staff/pack/data/deep/table.bin",
        None,
        "is missing from the frozen league",
    ),
    ("bots/1/bots/new.py", "", f"was not there {BEFORE}; remove it"),
    ("league.yaml", "seed: 8", "has been changed since the league was frozen; "),
    ("bots/more", Path("1/bots"), f"was not there {BEFORE}; "),
    ("private/students.csv", "file,student\n", PRIVATE_CHANGED),
    ("private/secret.json", None, PRIVATE_CHANGED),
    ("private/new.csv", "", PRIVATE_CHANGED),
    ("manifest.json", "{}", "is no manifest of `arena freeze` ("),
    ("manifest.json", None, "is no frozen league, as it has no manifest.json; exp"),
]


@pytest.mark.parametrize(
    ("name", "new", "said"),
    divided(SPOILT, lambda case: case[0] in ("shared/_deeper.py", "private/new.csv")),
)
def test_a_frozen_league_that_was_changed_is_refused(
    course: Course, name: str, new: str | Path | None, said: str
) -> None:
    course.freeze()
    folder = course.folder / "frozen"
    (folder / "bots/1/bots/__pycache__").mkdir()
    (folder / "bots/1/bots/__pycache__/ana.pyc").write_text("no part of a bot")
    open_league(folder)
    if new is None:
        (folder / name).unlink()
    elif isinstance(new, Path):
        (folder / name).symlink_to(new, target_is_directory=True)
    else:
        (folder / name).write_text(new)
        if name.startswith("private/"):
            (folder / name).chmod(0o600)
    with pytest.raises(ConfigError, match=r"\A[^\n]*\Z") as caught:
        open_league(folder)
    place = folder if "no frozen league" in said else folder / name
    if said == PRIVATE_CHANGED:
        place = folder / "private"
    assert str(caught.value).startswith(f"{place}: {said}")


@pytest.mark.parametrize("what", ["a link", "a link to a device", "a pipe"])
def test_only_files_of_its_own_are_read(course: Course, what: str) -> None:
    """A link may lead to something else later, and a pipe or a device has no end."""
    course.freeze()
    bot = course.folder / "frozen/bots/1/bots/ana.py"
    if what == "a link":
        bot.rename(course.folder / "same.py")
        bot.symlink_to(course.folder / "same.py")
    elif what == "a pipe":
        bot.unlink()
        os.mkfifo(bot)
    else:
        bot.unlink()
        bot.symlink_to("/dev/zero")
    with pytest.raises(ConfigError) as caught:
        open_league(course.folder / "frozen")
    assert str(caught.value).startswith(f"{bot}: has been changed since the league")
    manifest = course.folder / "frozen/manifest.json"
    manifest.unlink()
    bot.rename(manifest)
    with pytest.raises(ConfigError, match=r"manifest.json: is a link or no file;"):
        open_league(course.folder / "frozen")


def test_nothing_is_kept_of_what_a_hand_in_leads_to(course: Course) -> None:
    """A link in it would bring any file of the instructor among the kept ones."""
    course.write("private/solution.py", "SOLUTION = 42\n")
    solution = course.folder / "private" / "solution.py"
    (course.folder / "bots" / "eve.py").symlink_to(solution)
    (course.folder / "staff" / "pack" / "_more.py").symlink_to(solution)
    os.link(solution, course.folder / "bots" / "fay.py")
    os.mkfifo(course.folder / "bots" / "gus.py")
    notes = [x.partition(": not kept: ") for x in course.freeze().notes]
    left_out = {name: why.partition(";")[0] for name, found, why in notes if found}
    assert left_out == {
        "eve.py": "is a link",
        "pack": "has _more.py, which is a link",
        "fay.py": "is a file with a second name elsewhere (a hard link)",
        "gus.py": "is a pipe",
    }
    files = course.files()
    assert not any(b"SOLUTION" in data for data in files.values())
    assert not any(name.startswith("bots/2/staff/pack") for name in files)
    for path in (course.folder / "frozen").rglob("*"):
        assert not path.is_symlink()


OUTSIDE: list[tuple[str, dict[str, Any]]] = [
    ("bots[0]", {"bots": ["../solution.py"]}),
    ("bots[1]", {"bots": ["bots/1/bots", {"file": "/etc/passwd", "command": "cat"}]}),
    ("shared[0]", {"shared": ["../solution.py"]}),
    ("divisions.by", {"divisions": {"size": 3, "by": "../results/midterm"}}),
    ("grading.students", {"grading": {"students": "../private/names.csv"}}),
]


@pytest.mark.parametrize(
    ("key", "changes"), divided(OUTSIDE, lambda case: case[0] == "bots[1]")
)
def test_a_frozen_league_of_somebody_else_reads_nothing_else(
    course: Course, key: str, changes: dict[str, Any]
) -> None:
    """Its manifest agrees with it: who has made the one has made the other."""
    course.write("solution.py", BOT.format("Solution"))
    course.freeze()
    forge(course, changes)
    with pytest.raises(ConfigError, match=r"\A[^\n]*\Z") as caught:
        open_league(course.folder / "frozen")
    assert str(caught.value).startswith(
        f"{course.folder / 'frozen/league.yaml'}: {key}"
    )
    assert "is no part of the frozen league" in str(caught.value)


def forge(course: Course, changes: dict[str, Any]) -> None:
    """Change the file of a frozen league, and its hash in the manifest."""
    league, manifest = (
        course.folder / f"frozen/{x}" for x in ("league.yaml", "manifest.json")
    )
    old = league.read_bytes()
    league.write_text(yaml.safe_dump(yaml.safe_load(old) | changes))
    new = sha256(league.read_bytes()).hexdigest()
    text = manifest.read_text()
    manifest.write_text(text.replace(sha256(old).hexdigest(), new, 1))


@pytest.mark.parametrize(
    "level",
    divided(["auto", "filters", "limits", "process"], lambda level: level == "process"),
)
def test_a_frozen_league_that_trusts_its_bots_says_so(
    course: Course, level: str
) -> None:
    course.freeze()
    forge(course, {"isolation": level})
    weak = [
        note
        for note in open_league(course.folder / "frozen").notes
        if note.startswith(
            f"its file asks for isolation {level}, at which its bots can"
        )
    ]
    assert len(weak) == (level in ("limits", "process"))


def test_its_rules_are_those_of_the_league(course: Course) -> None:
    course.freeze()

    def told(path: Path) -> str:
        return CliRunner().invoke(rules_command, ["--league", str(path)]).output

    frozen = course.folder / "frozen"
    assert told(frozen) == told(course.path)
    assert "zombie_dice" in told(frozen)
    (frozen / "league.yaml").write_text("changed")
    with pytest.raises(ConfigError, match=r"league\.yaml: has been changed"):
        CliRunner().invoke(
            rules_command, ["--league", str(frozen)], catch_exceptions=False
        )


def test_other_versions_are_noted(course: Course) -> None:
    course.freeze()
    path = course.folder / "frozen/manifest.json"
    manifest = json.loads(path.read_text())
    manifest["versions"] |= {"numpy": "1.0", "gone": "2.0", "the files of arena": "x"}
    manifest["rules"]["zombie_dice"] = "0"
    path.write_text(json.dumps(manifest))
    rules, *notes = open_league(course.folder / "frozen").notes
    assert rules.startswith("zombie_dice has other rules here than when the league was")
    assert re.fullmatch(
        r"numpy is [\d.]+ here, and was 1.0 when the league was frozen", notes[0]
    )
    assert notes[1:] == [
        "the files of arena are others than when the league was frozen",
        "gone is not installed here, and was 2.0 when the league was frozen",
    ]


@pytest.mark.parametrize("there", ["file", "folder", "link"])
def test_nothing_is_overwritten(course: Course, there: str) -> None:
    place = course.folder / "frozen"
    make = {
        "file": place.touch,
        "folder": place.mkdir,
        "link": lambda: place.symlink_to("nowhere"),
    }
    make[there]()
    with pytest.raises(ConfigError, match=r"frozen: is there already; remove it, or"):
        course.freeze()
    assert not place.is_dir() or not [*place.iterdir()]


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left")])
def test_what_is_interrupted_leaves_nothing(
    course: Course, error: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sorted(os.listdir(course.folder))

    def fail(*args: object) -> None:
        raise error

    monkeypatch.setattr(Path, "chmod", fail)
    with pytest.raises(BaseException) as caught:  # noqa: PT011
        course.freeze()
    assert sorted(os.listdir(course.folder)) == before
    if error is not KeyboardInterrupt:
        assert str(caught.value).endswith(
            "frozen: can't be written (No space left); choose another with --output"
        )


@pytest.mark.parametrize(
    ("name", "new"),
    divided(
        [
            ("bots/ana.py", "import helper  # changed\n" + BOT.format("Ana")),
            ("lib/_deeper.py", "changed = True\n"),
            ("bots/late.py", BOT.format("Late")),
            ("bots/no_bot.py", None),
            ("configs/league.yaml", {"seed": 8}),
        ],
        lambda x: x[0] in ("bots/ana.py", "bots/no_bot.py", "configs/league.yaml"),
    ),
)
def test_what_changes_while_it_is_frozen_is_named(
    course: Course, name: str, new: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A league of files that never were there together would be nobody's."""
    make = freezing._in_one_step

    def late(folder: Path) -> Any:
        if new is None:
            (course.folder / name).unlink()
        elif isinstance(new, dict):
            course.save(**new)
        else:
            course.write(name, new)
        return make(folder)

    monkeypatch.setattr(freezing, "_in_one_step", late)
    with pytest.raises(ConfigError) as caught:
        course.freeze()
    assert str(caught.value) == (
        f"{course.folder / name}: has been changed while the league was frozen; "
        "do it again"
    )
    assert not (course.folder / "frozen").exists()


def test_a_program_outside_of_its_bot_is_refused(course: Course) -> None:
    course.write("tools/run", "\x7fELF")
    (course.folder / "tools/run").chmod(0o755)
    bot = {"file": "../staff/js", "command": "../../tools/run main.js"}
    course.save(bots=[bot])
    with pytest.raises(ConfigError) as caught:
        course.freeze()
    assert str(caught.value).endswith(
        "league.yaml: bots[0].command: ../../tools/run lies outside of the bot's "
        "files, so it can't be kept with them; put it there, or give its absolute path"
    )


def test_a_league_without_a_bot_file_is_refused(course: Course) -> None:
    (course.folder / "none").mkdir()
    course.save(bots="../none")
    with pytest.raises(
        ConfigError, match=r"bots: no bot was found: .* is an empty folder; "
    ):
        course.freeze()
    course.save(grading={"students": "nobody.csv"})
    with pytest.raises(ConfigError, match=r"nobody.csv: can't be read \(No such file"):
        course.freeze()


def test_what_patterns_and_folders_of_folders_name_is_kept(tmp_path: Path) -> None:
    """It is named anew when the frozen league is played: the same, by the same ids."""
    course = Course(tmp_path / "course")
    for name in ("in/ana", "in/ben", "sections/1/cy", "sections/2/x/cy"):
        course.write(f"{name}/mybot.py", BOT.format("Bot"))
    course.write("in/ana/helper.py", "x = 1")
    course.write("in/ben/__init__.py", BOT.format("Ben"))
    course.write("in/zoe.py", BOT.format("Zoe"))
    course.write("in/data/table.csv", "")
    course.write("one/mybot.py", BOT.format("One"))
    course.write("one/helper.py", "")
    course.write("one/.collected.json", "")
    one = {"file": "../sections/*/x/*", "name": "named"}
    keys = {"bots": ["../in/*", "../sections", one, "../one"], "schedule": None}
    nothing = {"references": None, "divisions": None, "grading": None, "shared": None}
    course.save(**keys | nothing, pseudonyms=None)
    course.play()
    course.freeze()
    course.path = course.folder / "frozen" / "league.yaml"
    course.freeze("again")
    config = load_config(course.path)
    found = {
        os.path.relpath(file.path, course.folder / "frozen"): len(file.settings)
        for file in files_of(config.bots, "bots")
    }
    assert found == {
        "bots/1/in/ana": 1,
        "bots/1/in/ben": 1,
        "bots/1/in/zoe.py": 1,
        "bots/2/sections/1/cy": 1,
        "bots/2/sections/2/x/cy": 2,
        "bots/3/course/one": 1,
    }
    again = (course.folder / "again" / "league.yaml").read_text()
    assert again == course.path.read_text()
