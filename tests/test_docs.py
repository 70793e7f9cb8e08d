"""The pages keep to what the program does."""

import inspect
import os
import re
import shlex
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path

import click
import msgspec
import pytest
import trio
from documents import (
    CONFIGS,
    GUIDE,
    PROGRAMS,
    README,
    REFEREE,
    RESULTS,
    ROOT,
    blocks,
    cells,
    firsts,
    indented,
    lost_links,
    names,
    quoted,
    section,
)
from matrix import divided

from arena import cli
from arena.errors import ConfigError
from arena.games import game_class, game_paths, get_game
from arena.games.zombie_dice import PRESETS
from arena.league.config.keys import Keys
from arena.league.config.league_file import load_config
from arena.league.config.settings import (
    AnchorSettings,
    BotSettings,
    DivisionSettings,
    GameSettings,
    LeagueSettings,
    Placing,
    ScheduleName,
)
from arena.league.entries.hand_ins.depot import temporary_depot
from arena.league.play.run import draft_league
from arena.league.schedule.adaptive import LEAST_FIXTURES
from arena.ratings.claims import MAX_LOOKS
from arena.ratings.match_ups.surprises import LabelResult, Surprise
from arena.ratings.next_games import Budget
from arena.ratings.power import label_precision, power
from arena.ratings.uncommon_luck import LabelLuck, UncommonLuck
from arena.records.game_record import Termination
from arena.referee.isolation import AUTO
from arena.referee.sandbox import LEVELS, Sandbox
from arena.referee.sandbox.cold import LimitsSandbox, ProcessSandbox
from arena.referee.sandbox.forking import FiltersSandbox, NamespacesSandbox
from arena.referee.sandbox.level import ATTEMPTS
from arena.referee.work_unit import Limits, Restart
from arena.reports import files
from arena.reports.oddities import ForfeitsToOne, Odd
from arena.reports.tables.on_demand import EXTRA_COLUMNS
from arena.worker.protocol import MAX_ACTION_CHARS, MAX_REPLY_BYTES

GAMES = (ROOT / "arena" / "games" / "README.md").read_text("utf-8")
GUESTS = (ROOT / "arena" / "worker" / "compat" / "README.md").read_text("utf-8")
PAGES = {
    ".": README,
    "configs": CONFIGS,
    "results": RESULTS,
    "arena/referee": REFEREE,
    "arena/games": GAMES,
    "arena/worker/compat": GUESTS,
    "bots": GUIDE,
    "bots/programs": PROGRAMS,
}
"""The pages by their folders."""
SANDBOXES = (NamespacesSandbox, FiltersSandbox, LimitsSandbox, ProcessSandbox)
LEAGUES = sorted((ROOT / "configs").glob("*.yaml"))


@pytest.mark.parametrize("code", blocks(README, "python"))
def test_the_readmes_code_runs(code: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr


def test_links_lead_somewhere() -> None:
    pages = [ROOT / "README.md"]
    for folder in ("arena", "bots", "configs", "results", "tests"):
        pages += (ROOT / folder).rglob("*.md")
    assert len(pages) > 10
    assert {page: lost for page in pages if (lost := lost_links(page))} == {}


def test_the_threat_model_names_files_that_exist() -> None:
    for path in re.findall(r"\b(?:tests|configs)/[\w./]*\w", REFEREE):
        assert (ROOT / path).exists(), path


def test_every_game_and_verb_is_in_the_readmes_tables() -> None:
    assert set(firsts(section(README, "The games"))) == set(game_paths())
    told = [name.split()[1] for name in firsts(section(README, "The commands"))]
    assert set(told) == set(cli.cli.list_commands(click.Context(cli.cli)))


@pytest.mark.parametrize("folder", PAGES)
def test_commands_are_understood(folder: str) -> None:
    """Each line of commands, word by word; others by their verbs."""
    context = click.Context(cli.cli)
    known = cli.cli.list_commands(context)
    assert set(re.findall(r"`arena ([a-z]+)", PAGES[folder])) <= set(known)
    for line in indented(PAGES[folder]):
        for command in re.findall(r"(?:^|&& |bin/)arena ((?!ADDRESS)[a-z].*)", line):
            words = shlex.split(command.partition(" && ")[0], comments=True)
            _, verb, rest = cli.cli.resolve_command(context, words)
            assert verb is not None
            verb.make_parser(click.Context(verb)).parse_args(list(rest))


def block_with(words: str) -> str:
    """Return the only YAML on the page of leagues that has these words."""
    (found,) = (block for block in blocks(CONFIGS, "yaml") if words in block)
    return found


@pytest.mark.parametrize(
    "settings",
    [
        *(LeagueSettings, GameSettings, BotSettings, AnchorSettings, Limits),
        DivisionSettings,
    ],
)
def test_every_setting_is_explained(settings: type[msgspec.Struct]) -> None:
    for key in settings.__struct_fields__:
        assert f"`{key}`" in CONFIGS


@pytest.mark.parametrize(
    ("page", "heading"),
    [(CONFIGS, "`limits`"), (GUIDE, "Limits"), (PROGRAMS, "Limits")],
)
def test_the_limits_in_the_table_are_those_in_force(page: str, heading: str) -> None:
    told = {}
    for key, *row in cells(section(page, heading)):
        for cell in row:
            if found := re.fullmatch(r"([\d.]+)(?: \w+)?|by the game", cell):
                told[key.strip("`")] = found[1]
    assert told
    in_force = {**msgspec.structs.asdict(Limits()), **told}
    assert msgspec.convert(in_force, Limits, strict=False) == Limits()
    # Not all of them hold for programs.
    assert page is PROGRAMS or tuple(told) == Limits.__struct_fields__


@pytest.mark.parametrize("page", [CONFIGS, GUIDE])
@pytest.mark.parametrize("name", game_paths())
def test_the_seconds_for_a_game_are_those_in_force(page: str, name: str) -> None:
    game = get_game(name, game_class(name).min_players)
    seconds = Limits().in_game(game).game_seconds
    assert f"{seconds:g} s in {game.title}" in " ".join(page.split())


def test_the_longest_replies_are_told() -> None:
    for page in (REFEREE, PROGRAMS):
        text = " ".join(page.split())
        assert f"at most {MAX_REPLY_BYTES // 1024} KiB" in text
        assert f"{MAX_ACTION_CHARS} characters" in text


@pytest.mark.parametrize(
    "told",
    [
        firsts(section(GUIDE, "When your bot forfeits")),
        firsts(section(PROGRAMS, "When it forfeits")),
        [
            word
            for row in cells(section(RESULTS, "`faults.csv`"))
            for word in quoted(row[1])
            if row[0] == "`termination`"
        ],
    ],
)
def test_every_reason_of_a_forfeit_is_in_the_table(told: list[str]) -> None:
    assert set(told) == set(Termination) - {
        *(Termination.NATURAL, Termination.ADJUDICATED)
    }


@pytest.mark.parametrize(
    ("text", "labels", "bots"),
    [
        (
            block_with("pub_night") + block_with("cautious_1"),
            ["zombie_dice"],
            [None, "cautious_1", "cautious_4", "in_js"],
        ),
        (
            f"name: variants\n{block_with('label: sequel')}",
            ["zombie_dice", "sequel", "bus for four"],
            [None],
        ),
        (blocks(PROGRAMS, "yaml")[0], ["zombie_dice"], ["a", "b"]),
    ],
)
def test_the_leagues_of_the_pages_load(
    text: str, labels: list[str], bots: list[str | None], tmp_path: Path
) -> None:
    path = tmp_path / "league.yaml"
    path.write_text(text)
    config = load_config(path)
    assert [game.label for game in config.games] == labels
    assert [bot.name for bot in config.bots] == bots


@pytest.mark.parametrize(
    "options", ["{reboard: true}", "{preset: all_yellow, dice: {green: 5}}"]
)
def test_contradictions_are_refused_in_the_words_of_the_page(
    options: str, tmp_path: Path
) -> None:
    path = tmp_path / "league.yaml"
    path.write_text(f"name: x\ngames: [{{game: zombie_dice, options: {options}}}]\n")
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    assert f"    {str(caught.value).replace(str(path), path.name)}\n" in CONFIGS


@pytest.mark.parametrize("path", LEAGUES, ids=lambda path: path.name)
def test_every_league_in_the_folder_loads_and_is_introduced(path: Path) -> None:
    config = load_config(path)
    assert config.name == path.stem  # So its results are found under its name.
    assert f"[`{path.name}`]({path.name})" in CONFIGS
    assert f"arena league configs/{path.name}" in path.read_text()


@pytest.mark.parametrize(
    "path",
    divided(
        # Its bots have to be built: `test_program_leagues.py` does that, and plays it.
        [path for path in LEAGUES if path.name != "programs.yaml"],
        lambda path: path.name in ("expansions.yaml", "nightly.yaml"),
    ),
    ids=lambda path: path.name,
)
def test_every_league_in_the_folder_has_bots_for_all_its_games(path: Path) -> None:
    config = load_config(path)
    # What this machine can contain is no matter here.
    free = replace(config, require_isolation=None)
    with temporary_depot() as depot:
        draft = trio.run(draft_league, free, Keys.of_seed(0), depot)
    assert (draft.enrolment.rejected, draft.plan.idle) == ((), ())
    assert all(draft.plan.games_by_label()[game.label] for game in config.games)
    assert len(draft.schedule.references) == len(config.references)


def test_the_nightly_league_would_divide_a_class_and_grade_it(tmp_path: Path) -> None:
    """As it stands its comments are YAML for those who want it."""
    text = (ROOT / "configs" / "nightly.yaml").read_text()
    path = tmp_path / "nightly.yaml"
    path.write_text(
        re.sub(r"^( *)# ((?:  )*(?:- )?[\w{]+:.*)$", r"\1\2", text, flags=re.M)
    )
    config = load_config(path)
    assert config.require_isolation == "filters"
    assert config.divisions is not None
    assert config.divisions.by == str((tmp_path / "../results/midterm").resolve())
    assert config.grading is not None
    assert [mark.points for mark in config.grading.beats] == [50, 20]
    assert config.pseudonyms


def test_the_league_of_expansions_shows_them_all() -> None:
    games = load_config(ROOT / "configs" / "expansions.yaml").games
    options = [game.spec.options for game in games]
    assert {o["preset"] for o in options} == set(PRESETS) - {"all_yellow"}
    both = (False, True)
    shown = {(o["bus"], o["horde"]) for o in options}
    assert shown >= {(bus, horde) for bus in both for horde in both}
    assert {game.spec.players for game in games} == {2, 4}


def test_the_classrooms_limits_are_the_defaults() -> None:
    config = load_config(ROOT / "configs" / "classroom.yaml")
    assert config.limits == Limits()
    assert {game.spec.name for game in config.games} == set(game_paths())


def test_the_line_for_cron_plays_reports_and_logs(tmp_path: Path) -> None:
    (line,) = blocks(CONFIGS, "crontab")
    *when, command = line.split(maxsplit=5)
    assert len(when) == 5
    assert "\n" not in command.strip()
    assert "%" not in command  # cron would end the line there
    script = tmp_path / "course" / ".venv" / "bin" / "arena"
    script.parent.mkdir(parents=True)
    script.write_text(
        '#!/bin/sh\necho "$*" >> calls\necho out\necho err >&2\nexit $END\n'
    )
    script.chmod(0o755)
    league, report = "league configs/nightly.yaml --json", "report results/nightly"
    for end, calls in (("4", [league]), ("0", [league, report])):
        environment = {"HOME": str(tmp_path), "END": end, "PATH": os.defpath}
        subprocess.run(["/bin/sh", "-c", command], env=environment, check=False)
        assert (tmp_path / "course" / "calls").read_text().splitlines() == calls
        (tmp_path / "course" / "calls").unlink()
    assert (tmp_path / "course" / "nightly.jsonl").read_text() == "out\nout\n"
    assert (tmp_path / "course" / "nightly.log").read_text() == "err\nerr\nout\nerr\n"


def test_what_can_be_chosen_is_told() -> None:
    rows = {row[0]: row for row in cells(section(CONFIGS, "Settings"))}
    assert quoted(rows["`isolation`"][1]) == [AUTO, *LEVELS]
    assert quoted(rows["`restart`"][1]) == [restart.value for restart in Restart]
    assert quoted(rows["`schedule`"][1]) == [
        schedule.value for schedule in ScheduleName
    ]
    defaults = LeagueSettings("x", ["ox_blocks"])
    for key in ("isolation", "restart", "quarantine", "in_flight", "schedule"):
        told = rows[f"`{key}`"][2].strip("`")
        assert told == str(getattr(defaults, key))
    rows = {row[0]: row for row in cells(section(CONFIGS, "One item of `games`"))}
    assert quoted(rows["`placing`"][1]) == [placing.value for placing in Placing]


def test_the_figures_of_an_adaptive_schedule_are_those_in_force() -> None:
    told = " ".join(section(CONFIGS, "Who meets how often").split())
    assert f"it takes {LEAST_FIXTURES} `fixtures` or more" in told
    # Every pair plays two at first, looks ten times at the most, and then a quarter.
    assert (Budget(1, 100).first, MAX_LOOKS) == (2, 10)
    assert [Budget(1, n).confirmation for n in (5, 8, 12, 40)] == [2, 2, 3, 10]


def test_the_plans_power_is_that_of_the_classroom() -> None:
    """As the dry run has it, with six bots in each game."""
    told = section(CONFIGS, "What a plan can tell apart")
    for game in load_config(ROOT / "configs" / "classroom.yaml").games:
        found = power(6, label_precision(6, game.spec.players, game.fixtures))
        row = f"{100 * found.probability:.0f} % +{found.smallest:.0f} Elo"
        assert re.search(f"{game.label} +{row}", told)


def test_the_exit_codes_are_those_there_are() -> None:
    codes = [int(row[0]) for row in cells(section(CONFIGS, "Exit codes"))]
    assert codes == [
        *(0, cli.EXIT_FAULTS, cli.EXIT_BAD_INPUT, cli.EXIT_MACHINE, cli.EXIT_BUSY),
        cli.EXIT_INTERRUPTED,
    ]


def test_every_column_of_the_tables_is_explained() -> None:
    assert firsts(section(RESULTS, "`times.csv`")) == list(files._TIMES)
    assert firsts(section(RESULTS, "`faults.csv`")) == list(files._FAULT_COLUMNS)
    rows = [*files._NUMBERS, "rank", "bot", "file", "division", "versions", "pool"]
    rows.append("missing")
    labels = [*files._LABEL, "value", "luck_share", "no_luck"]
    labels += ["interval_games", "seats"]
    labels += ["lack_of_fit", "cycles", "nash", "pools"]
    leaderboard = firsts(section(RESULTS, "`leaderboard.json`"))
    assert sorted(leaderboard) == sorted(rows + labels)
    found = files._surprise(
        Odd(Surprise("a", "b", "", "", (LabelResult("g", 1, 1, 0, 0),), 0, 0), ())
    )
    luck = files._luck(
        Odd(UncommonLuck("a", "", (LabelLuck("g", 1, 0, 0, 0),), 0, 0), ())
    )
    odd = {*found, *luck, *found["labels"][0], *luck["labels"][0]}
    odd |= {field.name for field in fields(ForfeitsToOne)}
    explained = section(RESULTS, "What honest play hardly explains")
    assert {x for row in cells(explained) for x in quoted(row[0])} == odd
    crosstable = [*files._PERCENT, "adjusted", "games"]
    told = [x for x in firsts(section(RESULTS, "`crosstable.csv`")) if x in crosstable]
    assert told == crosstable
    on_demand = firsts(section(RESULTS, "`leaderboard.md`"))
    assert tuple(on_demand) == EXTRA_COLUMNS


def test_every_level_is_in_the_tables_with_its_promises() -> None:
    assert tuple(firsts(section(README, "Isolation"))) == LEVELS
    assert tuple(firsts(section(REFEREE, "The levels"))) == LEVELS
    rows = cells(section(REFEREE, "Try it on your machine"))
    assert [row[0] for row in rows] == [attempt.words for attempt in ATTEMPTS]
    for attempt, row in zip(ATTEMPTS, rows, strict=True):
        always, _, unless_root = row[-1].partition("; unless root plays ")
        told = quoted(always) + (quoted(unless_root) if os.geteuid() else [])
        assert told == [s.name for s in SANDBOXES if attempt.name in s.contains]
        assert not unless_root or attempt.name in ("fork", "program")


def test_the_interface_of_a_level_is_told() -> None:
    told = names(section(REFEREE, "A level of your own"))
    members = {*Sandbox.__annotations__, *vars(Sandbox)}
    assert set(told) == {x for x in members if x[0] != "_"} | {"__init__"}
    for name in ("spawn", "__init__"):
        _, *parameters = inspect.signature(getattr(Sandbox, name)).parameters
        assert f"`{name}({', '.join(parameters)})`" in REFEREE
