"""A league's file: what it may say, and the sentence that each mistake gets."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio

from arena.errors import ConfigError
from arena.league.config.keys import Keys
from arena.league.config.league_file import BotSettings, load_config
from arena.league.entries.hand_ins.depot import Depot
from arena.league.play.run import draft_league
from arena.referee.work_unit import Limits, Restart

START = {"name": "name: small", "games": "games: [zombie_dice]"}


def write(folder: Path, text: str) -> Path:
    """Write a league's file; keys that `text` leaves out and that must be are added."""
    lines = [line for key, line in START.items() if not text.startswith(f"{key}:")]
    path = folder / "league.yaml"
    path.write_text("\n".join([*lines, text]) + "\n")
    return path


def test_all_that_can_be_left_out(tmp_path: Path) -> None:
    config = load_config(write(tmp_path, ""))
    assert (config.name, config.seed, config.anchor) == ("small", None, None)
    assert config.bots == (BotSettings(file=str(tmp_path.parent / "bots")),)
    assert config.limits == Limits()
    assert (config.isolation, config.require_isolation) == ("auto", None)
    assert (config.restart, config.quarantine) == (Restart.MATCH, 10)
    (game,) = config.games
    assert game.label == game.spec.name == "zombie_dice"
    assert (game.spec.players, game.weight) == (2, 1.0)
    assert game.max_decisions == game.game.max_decisions


@pytest.mark.parametrize("value", ["null", "false"])
def test_aliases_are_switched_off_as_ever(tmp_path: Path, value: str) -> None:
    config = load_config(write(tmp_path, f"pseudonyms: {value}"))
    assert not config.pseudonyms
    assert config.alias_text == ""


FULL = """\
name: full
seed: 7
bots:
  - folder
  - {file: /abs/ana.py, bot: Ana, name: ana-2, params: {depth: 3, "yes": [1.5, x]}}
games:
  - ox_blocks
  - game: zombie_dice
    label: long
    players: 3
    options: {target: 20}
    fixtures: 4
    max_decisions: 50
    weight: 2
limits:
  {start: 1, move: 0.1, bank: 0, margin: 0, memory: null, output: 0, game: 9}
anchor: {bot: Ana, elo: 1500}
in_flight: 1
isolation: filters
require_isolation: limits
restart: game
quarantine: 0
packages: [SciPy, yaml]
"""


def test_all_that_can_be_said(tmp_path: Path) -> None:
    path = tmp_path / "full.yaml"
    path.write_text(FULL)
    config = load_config(path)
    assert config.bots == (
        BotSettings(file=str(tmp_path / "folder")),
        BotSettings(
            file="/abs/ana.py",
            bot="Ana",
            name="ana-2",
            params={"depth": 3, "yes": [1.5, "x"]},
        ),
    )
    blocks, long = config.games
    assert blocks.label == "ox_blocks"
    assert (long.label, long.spec.players, long.fixtures) == ("long", 3, 4)
    assert (long.max_decisions, long.weight) == (50, 2.0)
    # The defaults are told to the bots as well, and a change of one is a change.
    assert long.spec.options["target"] == 20
    assert set(long.spec.options) > {"target"}
    assert config.limits == Limits(1, 0.1, 0, 0, None, 0, 9)
    assert config.anchor is not None
    assert (config.anchor.bot, config.anchor.elo) == ("Ana", 1500.0)
    assert (config.seed, config.in_flight) == (7, 1)
    assert (config.isolation, config.require_isolation) == ("filters", "limits")
    assert (config.restart, config.quarantine) == (Restart.GAME, 0)
    assert config.packages == ("SciPy", "yaml")
    assert {"arena", "msgspec", "scipy", "yaml"} <= set(config.library.modules)


@pytest.mark.parametrize(
    ("value", "told"),
    [("true", "delete the line"), ("false", "its games have other ids then")],
)
def test_a_key_of_before_is_noted_and_says_nothing(
    tmp_path: Path, value: str, told: str
) -> None:
    config = load_config(write(tmp_path, f"limits: {{move: 1, ponder: {value}}}"))
    assert config.limits == Limits(move=1.0)
    (note,) = config.notes
    assert note.startswith("limits.ponder says nothing any more")
    assert note.endswith(told)
    assert load_config(write(tmp_path, "limits: {move: 1}")).notes == []


MISTAKES = [
    # Unknown keys, at each level.
    ("nam: x", "nam: unknown key; did you mean 'name'?"),
    ("xyzzy: 1", "xyzzy: unknown key; known are name, games, bots, seed, anchor"),
    ("limits: {mov: 3}", "limits.mov: unknown key; did you mean 'move'?"),
    ("anchor: {bot: x, ello: 3}", "anchor.ello: unknown key; did you mean 'elo'?"),
    ("bots: [{fil: x}]", "bots[0].fil: unknown key; did you mean 'file'?"),
    ("bots: [x, {file: x, parms: {}}]", "bots[1].parms: unknown key; did you mean"),
    ("games: [{game: x, fixtres: 1}]", "games[0].fixtres: unknown key; did you mean"),
    (
        "games: [{game: zombie_dice, options: {targt: 3}}]",
        "games[0].options.targt: unknown key; did you mean 'target'?",
    ),
    # Missing keys.
    ("bots: [{bot: x}]", "bots[0]: the key 'file' is missing"),
    ("games: [ox_blocks, {}]", "games[1]: the key 'game' is missing"),
    ("anchor: {}", "anchor: the key 'bot' is missing"),
    # Wrong kinds and sizes.
    ("name: 3", "name: expected text; found 3"),
    ("name: 'a|b'", "name: expected text of letters, digits, _ . + -; found 'a|b'"),
    ("name: ../up", "name: expected text of letters, digits, _ . + -; found '../up'"),
    ("seed: -1", "seed: expected a whole number >= 0; found -1"),
    ("seed: 1.5", "seed: expected a whole number or null; found 1.5"),
    ("in_flight: 0", "in_flight: expected a whole number >= 1; found 0"),
    ("limits: 3", "limits: expected keys and values; found 3"),
    ("limits: {move: 0}", "limits.move: expected a number > 0.0; found 0"),
    ("limits: {move: -1}", "limits.move: expected a number > 0.0; found -1"),
    ("limits: {move: .inf}", "limits.move: expected a number <= 86400.0; found inf"),
    ("limits: {move: .nan}", "limits.move: expected a number > 0.0; found nan"),
    ("limits: {bank: soon}", "limits.bank: expected a number; found 'soon'"),
    ("limits: {memory: 3}", "limits.memory: expected a whole number >= 64; found 3"),
    ("limits: {ponder: 1}", "limits.ponder: expected true or false or null; found 1"),
    ("limits: {game: 0}", "limits.game: expected a number > 0.0; found 0"),
    (
        "limits: {game: 0.4}",
        "limits.game: expected at least the 0.5 s that limits.move allows for one "
        "decision; found 0.4",
    ),
    ("isolation: no", "isolation: expected text; found False"),
    ("isolation: 'a|b'", "isolation: expected text of letters, digits, _ . + -; found"),
    ("require_isolation: 2", "require_isolation: expected text or null; found 2"),
    ("restart: daily", "restart: expected one of 'league', 'match', 'game'; found 'd"),
    ("restart: 1", "restart: expected text; found 1"),
    ("quarantine: -1", "quarantine: expected a whole number >= 0; found -1"),
    ("quarantine: off", "quarantine: expected a whole number; found False"),
    ("anchor: x", "anchor: expected keys and values or null; found 'x'"),
    ("bots: 3", "bots: expected text or a list; found 3"),
    ("bots: []", "bots: expected a list with at least one item; found []"),
    ("packages: numpy", "packages: expected a list; found 'numpy'"),
    ("packages: [numpy, 3]", "packages[1]: expected text; found 3"),
    ("bots: [3]", "bots[0]: expected text or keys and values; found 3"),
    ("bots: [{file: x, name: ' '}]", "bots[0].name: expected text of letters, digits"),
    ("games: {ox_blocks: 3}", "games: expected a list; found {'ox_blocks': 3}"),
    ("games: []", "games: expected a list with at least one item; found []"),
    ("games: [{game: x, weight: 0}]", "games[0].weight: expected a number > 0.0; f"),
    ("games: [{game: x, fixtures: 0}]", "games[0].fixtures: expected a whole number"),
    ("1: 2", "expected text as keys; put anything else in quotes"),
    ("limits: {on: 2}", "limits: expected text as keys; put anything else in quotes"),
    (
        "bots: [{file: x, params: {1: 2}}]",
        "bots[0].params: expected text as keys; put anything else in quotes",
    ),
    # Schedules.
    (
        "schedule: swiss",
        "schedule: expected one of 'round_robin', 'adaptive', 'gauntlet', 'divisions'; "
        "found 'swiss'",
    ),
    # What can be read, but not be sent to a bot.
    ("bots: [{file: x, params: &p {a: *p}}]", "bots[0].params: can't be sent to a bot"),
    (
        "bots: [{file: x, params: {a: {on: 1}}}]",
        "bots[0].params: can't be sent to a bot: Only dicts with str-like",
    ),
    (
        "bots: [x, {file: x, params: {a: 100000000000000000000}}]",
        "bots[1].params: can't be sent to a bot: can't serialize ints",
    ),
    (
        "games: [{game: zombie_dice, options: {target: 100000000000000000000}}]",
        "games[0].options: can't be sent to a bot: can't serialize ints",
    ),
    ('bots: ["a\\0b"]', r"bots[0]: no such file or folder: 'a\x00b'"),
    ('bots: "a\\ud800b"', r"bots[0]: no such file or folder: 'a\ud800b'"),
    # Packages.
    (
        "packages: [numpy, no-such-package]",
        "packages[1]: 'no-such-package' is not installed here; install it with pip, "
        "or leave it out",
    ),
    ("packages: ['']", "packages[0]: '' is not installed here; install it with pip"),
    ('packages: ["a\\ud800"]', r"packages[0]: 'a\ud800' is not installed here;"),
    # Games.
    ("games: [ox_block]", "games[0]: no game is called 'ox_block'; did you mean 'ox_b"),
    ("games: [chess]", "games[0]: no game is called 'chess'; known are ox_blocks, zo"),
    ("games: [{game: chess}]", "games[0].game: no game is called 'chess'; known are"),
    (
        "games: [{game: ox_blocks, players: 3}]",
        "games[0].players: expected exactly 2; found 3",
    ),
    (
        "games: [{game: zombie_dice, options: {target: 0}}]",
        "games[0].options.target: expected a whole number >= 1; found 0",
    ),
    (
        "games: [{game: zombie_dice, options: {cup: full}}]",
        "games[0].options.cup: expected one of 'literal', 'needed', 'rest_first'",
    ),
    (
        "games: [zombie_dice, {game: ox_blocks, label: zombie_dice}]",
        "games[1].label: 'zombie_dice' is the label of games[0] too",
    ),
    (
        "games: [zombie_dice, {game: zombie_dice, label: again}]",
        "games[1]: is the same game with the same options as games[0]",
    ),
    ("watch: some", "watch: expected one of 'all', 'picked', 'none'; found 'some'"),
    (
        "watch: all\npseudonyms: true",
        "watch: expected picked or none, as the league has pseudonyms",
    ),
]


def sentence_on(path: Path) -> str:
    """Return what is said of a file that can't be used."""
    with pytest.raises(ConfigError, match=r"\A[^\n]*\Z") as caught:
        load_config(path)
    return str(caught.value)


@pytest.mark.parametrize(("text", "sentence"), MISTAKES)
def test_a_mistake_is_one_sentence_that_names_the_key(
    tmp_path: Path, text: str, sentence: str
) -> None:
    path = write(tmp_path, text)
    assert sentence_on(path).startswith(f"{path}: {sentence}")


UNPLAYABLE = [
    ("references: [x]", "references: with schedule: round_robin nobody is set apart"),
    ("schedule: gauntlet", "references: a gauntlet is played against them; name some"),
    ("isolation: walls", "isolation: no such isolation 'walls'; known are auto, "),
    (
        "require_isolation: auto",
        "require_isolation: no such isolation 'auto'; known are ",
    ),
]


@pytest.mark.parametrize(("text", "sentence"), UNPLAYABLE)
def test_a_league_that_can_not_be_played_can_be_read(
    tmp_path: Path, text: str, sentence: str
) -> None:
    """Its rules are read, and its pages written, also where its level is not known."""
    path = write(tmp_path, text)
    config = load_config(path)
    with pytest.raises(ConfigError) as caught:
        trio.run(draft_league, config, Keys.of_seed(0), Depot(tmp_path))
    assert str(caught.value).startswith(f"{path}: {sentence}")


def test_a_long_value_is_shortened(tmp_path: Path) -> None:
    told = sentence_on(write(tmp_path, f"seed: {'x' * 5000}"))
    assert len(told) < 200 + len(str(tmp_path))


NO_YAML = [
    (b"name: x\n\tbots: y\n", ":2:1: no valid YAML: found character '\\t'"),
    (b"name: 'x\n", ":2:1: no valid YAML: found unexpected end of stream"),
    (b"name: [x\nbots: y\n", ":2:5: no valid YAML: expected ',' or ']'"),
    (b"name: *x\n", ":1:7: no valid YAML: found undefined alias 'x'"),
    (b"name: x\nname: y\n", ":2:1: no valid YAML: the key 'name' stands here twice"),
    (b"limits: {move: 1, move: 2}\n", ":1:19: no valid YAML: the key 'move' stands"),
    (b"name: !!python/name:os.system x\n", ":1:7: no valid YAML: could not determine"),
    (b"name: x\n---\nname: y\n", ":2:1: no valid YAML: but found another document"),
    (b"name: 2024-13-45\n", ": no valid YAML: month must be in 1..12"),
    (b"name: x\0\n", ": no valid YAML: unacceptable character #x0000"),
    (b"games: " + b"[" * 700, ": no valid YAML: maximum recursion depth exceeded"),
    (b"\xff\xfe\xff", ": is no text in UTF-8"),
    (
        b"a: &a [1, 1, 1, 1]\n"
        + b"".join(
            b"b%d: &b%d [%s]\n" % (i, i, b", ".join([b"*b%d" % (i - 1)] * 9))
            for i in range(1, 12)
        ).replace(b"*b0", b"*a"),
        ": no valid YAML: expected up to 100000 values; found more, since its aliases",
    ),
    (
        b"a: &b0 {x: 1}\n"
        + b"".join(
            b"b%d: &b%d {<<: [%s]}\n" % (i, i, b", ".join([b"*b%d" % (i - 1)] * 9))
            for i in range(1, 12)
        ),
        ": no valid YAML: expected up to 100000 values; found more, since its aliases",
    ),
    (b"", ": expected keys such as name, bots and games; found an empty file"),
    (b"- a\n", ": expected keys such as name, bots and games; found a list"),
    (b"hello\n", ": expected keys such as name, bots and games; found a str"),
]


@pytest.mark.parametrize(("data", "sentence"), NO_YAML)
def test_what_is_no_yaml(tmp_path: Path, data: bytes, sentence: str) -> None:
    path = tmp_path / "league.yaml"
    path.write_bytes(data)
    assert sentence_on(path).startswith(f"{path}{sentence}")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("missing.yaml", "No such file or directory"),
        (".", "Is a directory"),
        ("a" * 300, "File name too long"),
    ],
)
def test_what_can_not_be_read(tmp_path: Path, name: str, reason: str) -> None:
    assert f"can't be read ({reason})" in sentence_on(tmp_path / name)


@pytest.mark.parametrize("value", [{}, {"a": [1, 2.5, None, True, "ä"]}, 2**64 - 1])
def test_what_yaml_has_can_be_sent(tmp_path: Path, value: Any) -> None:
    text = msgspec.json.encode([{"file": "x", "params": {"v": value}}]).decode()
    (bot,) = load_config(write(tmp_path, f"bots: {text}")).bots
    assert bot.params == {"v": value}


def test_sets_have_an_order(tmp_path: Path) -> None:
    text = "bots: [{file: x, params: {v: !!set {b, a, c}, day: 2026-01-31}}]"
    (bot,) = load_config(write(tmp_path, text)).bots
    assert bot.params == {"v": ["a", "b", "c"], "day": "2026-01-31"}


SHARED = {
    "[nowhere.py]": "shared[0]: expected a file in Python, or a folder with an "
    "__init__.py; found no such at 'nowhere.py'",
    "[plain]": "shared[0]: expected a file in Python, or a folder with an __init__.py; "
    "found no such at 'plain'",
    "[odds.txt]": "shared[0]: expected a file in Python, or a folder with an "
    "__init__.py; found no such at 'odds.txt'",
    "[odds.py, random.py]": "shared[1]: random is the name of a module that bots have "
    "already; rename the file",
    "[numpy.py]": "shared[0]: numpy is the name of a module that bots have already",
    "[arena]": "shared[0]: arena is the name of a module that bots have already",
    "[zombiedice.py]": "shared[0]: zombiedice is the name of a module that bots have",
    "[my odds.py]": "shared[0]: 'my odds' is no name that a bot can import",
    "[odds.py, lib/odds.py]": "shared[1]: is called odds, as shared[0] is",
    "odds.py": "shared: expected a list; found",
}


@pytest.mark.parametrize("shared", SHARED)
def test_what_all_bots_may_import_is_checked(tmp_path: Path, shared: str) -> None:
    files = ("odds.py", "odds.txt", "random.py", "numpy.py", "zombiedice.py")
    for name in (
        *files,
        "my odds.py",
        "lib/odds.py",
        "plain/x.py",
        "arena/__init__.py",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    path = write(tmp_path, f"shared: {shared}\n")
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    assert (
        str(caught.value).casefold().startswith(f"{path}: {SHARED[shared]}".casefold())
    )


def test_what_all_bots_may_import_is_found_from_the_leagues_file(
    tmp_path: Path,
) -> None:
    (tmp_path / "odds.py").touch()
    path = write(tmp_path, "shared: [odds.py]\n")
    assert load_config(path).shared == (tmp_path / "odds.py",)
