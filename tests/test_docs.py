"""The pages keep to what the program does."""

import inspect
import os
import re
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import get_args

import msgspec
import pytest
import trio

from arena import cli
from arena.errors import ConfigError
from arena.games import game_paths
from arena.games.zombie_dice import PRESETS
from arena.league import executors
from arena.league.config import load_config
from arena.league.run import draft_league
from arena.league.schedule import LEAST_FIXTURES
from arena.league.settings import (
    AnchorSettings,
    BotSettings,
    DivisionSettings,
    GameSettings,
    LeagueSettings,
    Placing,
    Schedule,
)
from arena.ratings.adaptive import Budget
from arena.ratings.power import label_precision, power
from arena.ratings.strengths import MAX_LOOKS
from arena.referee import contestant
from arena.referee.isolation import AUTO, TRUSTED_ONLY
from arena.referee.record import Limits, Restart, Termination
from arena.referee.sandbox import LEVELS, Sandbox, SandboxSpec
from arena.referee.sandbox.attempts import ATTEMPTS
from arena.referee.sandbox.cold import LimitsSandbox, ProcessSandbox
from arena.referee.sandbox.forking import FiltersSandbox, NamespacesSandbox
from arena.reports import files, wording
from arena.reports.times import TimesRow
from arena.worker.confinement import limits
from arena.worker.protocol import MAX_ACTION, MAX_REPLY, Reply

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
CONFIGS = (ROOT / "configs" / "README.md").read_text()
RESULTS = (ROOT / "results" / "README.md").read_text()
REFEREE = (ROOT / "arena" / "referee" / "README.md").read_text()
SANDBOXES = (NamespacesSandbox, FiltersSandbox, LimitsSandbox, ProcessSandbox)
LEAGUES = sorted((ROOT / "configs").glob("*.yaml"))


def section(page: str, heading: str) -> str:
    """Return the part of a page below a heading, up to the next one."""
    found = re.search(
        rf"^#+ {re.escape(heading)}$(.*?)(?=^#+ |\Z)", page, re.MULTILINE | re.DOTALL
    )
    assert found, heading
    return found[1]


def cells(text: str) -> list[list[str]]:
    """Return the rows of the tables in a text, without their heads."""
    rows = re.findall(r"^\| (.*) \|$", text, re.MULTILINE)
    heads = {i - 1 for i, row in enumerate(rows) if set(row) <= set(":- |")}
    return [
        row.split(" | ")
        for i, row in enumerate(rows)
        if i not in heads and i - 1 not in heads
    ]


def quoted(text: str) -> list[str]:
    """Return what stands in backticks."""
    return re.findall(r"`(.*?)`", text)


def firsts(text: str) -> list[str]:
    """Return what stands in backticks in the first cells of tables."""
    return [name for row in cells(text) for name in quoted(row[0])]


def blocks(page: str, language: str) -> list[str]:
    """Return the code blocks of a page in one language."""
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


@pytest.mark.parametrize("code", blocks(README, "python"))
def test_the_readmes_code_runs(code: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr


def test_the_readme_names_every_game_and_page() -> None:
    assert set(firsts(section(README, "The games"))) == set(game_paths())
    for page in re.findall(r"\]\((?!https|#)([^)]+)\)", README + CONFIGS):
        assert (ROOT / page).exists() or (ROOT / "configs" / page).exists()
    for heading in re.findall(r"\]\(#([^)]+)\)", CONFIGS):
        assert section(CONFIGS, heading.replace("-", " ").capitalize())


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


def test_the_limits_in_the_table_are_those_in_force() -> None:
    table = CONFIGS.split("### `limits`")[1]
    table = table.partition("### ")[0]
    rows = re.findall(r"^\| `(\w+)` \| [\w ]+ \| ([\d.]+|true) \|", table, re.MULTILINE)
    assert msgspec.convert(dict(rows), Limits, strict=False) == Limits()
    assert [key for key, _ in rows] == list(Limits.__struct_fields__)


def test_the_smallest_league_is_one(tmp_path: Path) -> None:
    path = tmp_path / "league.yaml"
    path.write_text(block_with("pub_night") + block_with("cautious_1"))
    config = load_config(path)
    assert [game.label for game in config.games] == ["zombie_dice"]
    names = [bot.name for bot in config.bots]
    assert names == [None, "cautious_1", "cautious_4", "in_js"]


def test_the_variants_of_a_game_are_a_league(tmp_path: Path) -> None:
    path = tmp_path / "league.yaml"
    path.write_text(f"name: variants\n{block_with('label: sequel')}")
    labels = [game.label for game in load_config(path).games]
    assert labels == ["zombie_dice", "sequel", "bus for four"]


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
    # Its bots have to be built: `test_program_leagues.py` does that, and plays it.
    [path for path in LEAGUES if path.name != "programs.yaml"],
    ids=lambda path: path.name,
)
def test_every_league_in_the_folder_has_bots_for_all_its_games(path: Path) -> None:
    config = load_config(path)
    # What this machine can contain is no matter here.
    draft = trio.run(draft_league, replace(config, require_isolation=None))
    assert (draft.enrolment.rejected, draft.plan.idle) == ((), ())
    assert all(draft.plan.games_by_label()[game.label] for game in config.games)
    assert len(draft.field.references) == len(config.references)


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
    assert {(o["bus"], o["horde"]) for o in options} >= {
        (False, False),
        (True, False),
        (False, True),
        (True, True),
    }
    assert {game.spec.players for game in games} == {2, 4}


def test_the_classrooms_limits_are_the_defaults() -> None:
    config = load_config(ROOT / "configs" / "classroom.yaml")
    assert config.limits == Limits()
    assert {game.spec.name for game in config.games} == set(game_paths())


def test_continuous_integration_runs_the_readmes_tests() -> None:
    assert "python -m pytest" in README
    assert "python -m pytest" in (ROOT / ".ci" / "run").read_text()


def test_every_verb_is_in_the_readmes_table() -> None:
    told = [name.split()[1] for name in firsts(section(README, "The commands"))]
    assert set(told) == set(cli._VERBS)


def test_the_readme_shows_the_strongest_level() -> None:
    assert f"Isolation: {LEVELS[0]}." in section(README, "The leaderboard")
    assert tuple(firsts(section(README, "Isolation"))) == LEVELS
    assert TRUSTED_ONLY in section(README, "Isolation").replace("\n", " ")


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
    assert quoted(rows["`schedule`"][1]) == [schedule.value for schedule in Schedule]
    defaults = LeagueSettings("x", ["ox_blocks"])
    for key in ("isolation", "restart", "quarantine", "in_flight", "seed", "schedule"):
        told = rows[f"`{key}`"][2].strip("`")
        assert told == str(getattr(defaults, key))


def test_what_counts_at_a_table_is_told() -> None:
    rows = {row[0]: row for row in cells(section(CONFIGS, "One item of `games`"))}
    assert quoted(rows["`placing`"][1]) == [placing.value for placing in Placing]


def test_the_figures_of_an_adaptive_schedule_are_those_in_force() -> None:
    told = " ".join(section(CONFIGS, "Who meets how often").split())
    assert (Budget(1, 100).first, MAX_LOOKS) == (2, 10)
    assert "every pair plays two fixtures" in told
    assert "ten times at the most" in told
    assert [Budget(1, n).confirmation for n in (5, 8, 12, 40)] == [2, 2, 3, 10]
    assert "a quarter of the label's `fixtures`, two at least" in told
    assert f"it takes {LEAST_FIXTURES} `fixtures` or more" in told


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
        0,
        cli.EXIT_FAULTS,
        cli.EXIT_BAD_INPUT,
        cli.EXIT_MACHINE,
        cli.EXIT_BUSY,
        cli.EXIT_INTERRUPTED,
    ]


def test_seconds_of_patience_are_told() -> None:
    for page in (CONFIGS, REFEREE):
        assert f"no game has ended for {executors._STALL:.0f} seconds" in page


def test_what_makes_a_game_another_is_told() -> None:
    """`test_plan.py` proves which these are."""
    told = section(CONFIGS, "What counts as the same game")
    same, _, other = told.partition("Speed and safety")
    for word in ("options", "rules_version", "max_decisions", "limits", "restart"):
        assert word in same
    for word in (
        *("isolation", "in_flight", "packages", "fixtures", "quarantine"),
        *("references", "divisions", "grading", "pseudonyms"),
    ):
        assert f"`{word}`" in other


def test_every_column_of_the_tables_is_explained() -> None:
    times = [field.name for field in fields(TimesRow)]
    assert firsts(section(RESULTS, "`times.csv`")) == times
    assert firsts(section(RESULTS, "`faults.csv`")) == list(files._FAULT_COLUMNS)
    share = f"{wording._NEAR_LIMIT:.0%}".replace("%", " %")
    assert f"more than {share} of the limit" in RESULTS
    leaderboard = firsts(section(RESULTS, "`leaderboard.json`"))
    rows = [*files._NUMBERS, "rank", "bot", "file", "division", "pool"]
    labels = [*files._LABEL, "value", "no_luck", "interval_games", "seats"]
    labels += ["lack_of_fit", "cycles", "nash", "pools"]
    assert sorted(leaderboard) == sorted(rows + labels)
    crosstable = [*files._PERCENT, "adjusted", "games"]
    told = [x for x in firsts(section(RESULTS, "`crosstable.csv`")) if x in crosstable]
    assert told == crosstable


def test_every_reason_of_a_forfeit_is_in_the_table() -> None:
    rows = {row[0]: row[1] for row in cells(section(RESULTS, "`faults.csv`"))}
    reasons = set(Termination) - {Termination.NATURAL, Termination.ADJUDICATED}
    assert set(quoted(rows["`termination`"])) == reasons


def test_the_pages_name_no_verb_that_there_is_not() -> None:
    guide = (ROOT / "bots" / "README.md").read_text()
    games = (ROOT / "arena" / "games" / "README.md").read_text()
    for page in (README, CONFIGS, RESULTS, REFEREE, guide, games):
        verbs = re.findall(r"(?:`|^ {4})arena ([a-z]+)", page, re.MULTILINE)
        assert set(verbs) <= set(cli._VERBS)


def test_the_referees_page_has_every_level_and_its_promises() -> None:
    assert tuple(firsts(section(REFEREE, "The levels"))) == LEVELS
    rows = cells(section(REFEREE, "Try it on your machine"))
    assert [row[0] for row in rows] == [attempt.words for attempt in ATTEMPTS]
    for attempt, row in zip(ATTEMPTS, rows, strict=True):
        always, _, unless_root = row[-1].partition("; unless root plays ")
        told = quoted(always) + (quoted(unless_root) if os.geteuid() else [])
        assert told == [s.name for s in SANDBOXES if attempt.name in s.contains]
        assert not unless_root or attempt.name in ("fork", "program")


def test_the_interface_of_a_level_is_told() -> None:
    told = [
        re.sub(r"\(.*", "", x) for x in firsts(section(REFEREE, "A level of your own"))
    ]
    members = {*Sandbox.__annotations__, *vars(Sandbox)}
    public = {x for x in members if not x.startswith("_")} | {"__init__"}
    assert set(told) == public
    for name, parameters in (
        ("spawn", ["memory", "folder", "command"]),
        ("__init__", ["spec"]),
    ):
        assert (
            list(inspect.signature(getattr(Sandbox, name)).parameters)[1:] == parameters
        )
        assert f"`{name}({', '.join(parameters)})`" in REFEREE
    for field in ("library", "folders", "preload"):
        assert field in SandboxSpec.__struct_fields__
        assert f"(`{field}`)" in REFEREE


def test_the_figures_of_the_referees_page_are_those_in_force() -> None:
    text = REFEREE.replace("\n", " ").replace("  ", " ")
    assert f"at most {MAX_REPLY // 1024} KiB" in text
    assert f"at most {MAX_ACTION} characters" in text
    assert len(get_args(Reply)) == 4
    assert "one of four fixed types" in text
    assert (contestant._MAX_KILLS, executors.MAX_TRIES) == (3, 3)
    assert "a bot is blamed the third time" in text
    assert "void and played again, up to three times" in text
    assert f"gets {limits._RESERVED // 2**30} GiB more" in text
    assert f"Its stack has {limits._STACK // 2**20} MiB" in text
    assert f"more than {limits._FILE_SIZE // 2**20} MiB of output" in text


def test_the_referees_page_leads_to_what_there_is() -> None:
    here = ROOT / "arena" / "referee"
    for link in re.findall(r"\]\((?!https)([^)]+)\)", REFEREE):
        assert (here / link).exists()
    for path in re.findall(r"\b(?:tests|configs)/[\w./]*\w", REFEREE):
        assert (ROOT / path).exists(), path
