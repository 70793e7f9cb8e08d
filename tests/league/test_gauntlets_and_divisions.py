"""Schedules in which not all meet: who does, and that their games are the same."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations
from math import log, sqrt
from pathlib import Path
from typing import Any

import pytest
from hand_ins import kept
from plans import (
    entry,
    game_ids,
    ids_by_group,
    league,
    league_game,
    make_plan,
    scheduled,
)

from arena.cli.views.dry_run import _show_power
from arena.cli.views.events import Output
from arena.errors import ConfigError
from arena.league.config.keys import Keys
from arena.league.config.league_file import LeagueConfig
from arena.league.config.settings import DivisionSettings, ScheduleName
from arena.league.config.whose_bots import WhoseBot, whose_bots_text
from arena.league.entries.enrolment import Enrolment
from arena.league.entries.entry import Entry
from arena.league.play.run import Draft
from arena.league.schedule.core import Schedule, check_schedule
from arena.league.schedule.plan import Plan
from arena.ratings.power import Precision, power

BOTS = tuple(entry(f"bot{i}", "zombie_dice") for i in range(9))
WEAK, STRONG = entry("weak", "zombie_dice"), entry("strong", "zombie_dice")
ALL = (*BOTS, WEAK, STRONG)
NAMES = ("weak", "strong")


def gauntlet(players: int = 2, fixtures: int = 3, names: Iterable[str] = NAMES) -> Any:
    """Return a league against references."""
    game = league_game("zombie_dice", players=players, fixtures=fixtures)
    return league(game, schedule=ScheduleName.GAUNTLET, references=tuple(names))


def divided(size: int = 4, players: int = 2, **keys: Any) -> LeagueConfig:
    """Return a league with divisions; keys as in its file."""
    game = league_game("zombie_dice", players=players)
    found = league(
        game,
        schedule=ScheduleName.DIVISIONS,
        references=NAMES,
        divisions=DivisionSettings(size=size, by=keys.pop("by", None)),
    )
    return replace(found, **keys)


def apart(config: LeagueConfig, entries: Iterable[Entry] = ALL) -> Schedule:
    """Return the schedule that sets some of the bots apart."""
    return scheduled(config, entries)


def planned(config: LeagueConfig, entries: Iterable[Entry] = ALL) -> Plan:
    return make_plan(config, entries)


def meetings(plan: Plan) -> Counter[frozenset[str]]:
    """Return how many fixtures the members of each pair share, by their names."""
    found: Counter[frozenset[str]] = Counter()
    for match in plan.matches:
        for pair in combinations((e.name for e in match.entries), 2):
            found[frozenset(pair)] += len(match.repetitions)
    return found


def pairs(*groups: Iterable[str]) -> set[frozenset[str]]:
    return {frozenset(pair) for group in groups for pair in combinations(group, 2)}


def test_in_a_gauntlet_all_meet_the_references_and_nobody_else() -> None:
    found = meetings(planned(gauntlet()))
    assert found.keys() == pairs(*((bot.name, *NAMES) for bot in BOTS))
    assert set(found.values()) == {3}
    plan = planned(gauntlet())
    assert len(plan) == 2 * 3 * (9 * 2 + 1)
    assert plan.meetings_by_label() == {"zombie_dice": (0, 3)}


@pytest.mark.parametrize(("players", "fixtures"), [(3, 3), (4, 6)])
def test_at_larger_tables_of_a_gauntlet_at_most_one_is_no_reference(
    players: int, fixtures: int
) -> None:
    names = ("bot0", "bot3", "strong", "weak")
    plan = planned(gauntlet(players, fixtures, names))
    groups = {frozenset(e.name for e in match.entries) for match in plan.matches}
    others = {bot.name for bot in BOTS} - {*names}
    assert groups == {
        frozenset(group)
        for group in combinations((*others, *names), players)
        if len(others & {*group}) <= 1
    }
    found = meetings(plan)
    # With two more references at a table there are three choices of them.
    shared = {found[frozenset((x, name))] for x in others for name in names}
    assert shared == {fixtures}


def test_divisions_are_even_and_all_of_one_meet_with_the_references() -> None:
    config = divided()
    found = apart(config)
    assert found.references == ("weak:Bot", "strong:Bot")
    assert found.division_sizes == [3, 3, 3]
    assert "weak:Bot" not in found.divisions
    members: dict[int, list[str]] = {1: [], 2: [], 3: []}
    for bot in BOTS:
        members[found.divisions[bot.id]].append(bot.name)
    plan = planned(config)
    assert meetings(plan).keys() == pairs(*((*m, *NAMES) for m in members.values()))
    assert set(meetings(plan).values()) == {3}
    assert len(set(game_ids(plan))) == len(plan) == 2 * 3 * (3 * 3 + 9 * 2 + 1)


def test_at_larger_tables_each_division_is_seated_by_itself() -> None:
    plan = planned(divided(players=3))
    found = apart(divided())
    for match in plan.matches:
        assert len({found.divisions.get(e.id, 0) for e in match.entries} - {0}) <= 1
    low = min(count for pair, count in meetings(plan).items() if not pair & {*NAMES})
    assert low >= 3
    assert len(set(game_ids(plan))) == len(plan)


@pytest.mark.parametrize("players", [2, 3])
def test_whoever_meets_for_any_reason_plays_the_same_games(players: int) -> None:
    """So that going over to another schedule replays nothing."""
    game = league_game("zombie_dice", players=players, fixtures=3)
    round_robin = make_plan(league(game), ALL)
    other = [planned(gauntlet(players)), planned(divided(players=players))]
    for plan in other:
        known = ids_by_group(round_robin)
        remain = known.keys() & ids_by_group(plan).keys()
        assert len(remain) >= 19 or players > 2
        assert remain
        for group in remain:
            fewer, more = sorted((known[group], ids_by_group(plan)[group]), key=len)
            assert more[: len(fewer)] == fewer
    if players == 2:
        ids = set(game_ids(round_robin))
        assert all(set(game_ids(plan)) < ids for plan in other)


def test_one_division_of_all_is_a_round_robin() -> None:
    game = league_game("zombie_dice")
    assert planned(divided(size=9)) == make_plan(league(game), ALL)


def test_all_games_of_such_a_league_are_planned_at_once() -> None:
    config = divided()
    schedule = scheduled(config, ALL)
    stage = schedule.first()
    assert stage.is_whole
    assert stage.plan == planned(config)
    assert not schedule.depends_on_results


def test_a_bot_that_comes_or_goes_moves_few_others() -> None:
    many = [entry(f"bot{i:02}", "zombie_dice") for i in range(39)]
    config = divided(size=10)
    before = apart(config, (*many, WEAK, STRONG))
    assert before.division_sizes == [9, 10, 10, 10]
    for change in (many[1:], [*many, entry("late", "zombie_dice")]):
        after = apart(config, (*change, WEAK, STRONG))
        both = before.divisions.keys() & after.divisions.keys()
        moved = [x for x in both if before.divisions[x] != after.divisions[x]]
        assert len(moved) <= 3
    other = apart(replace(config, seed=1), (*many, WEAK, STRONG))
    moved = [x for x in before.divisions if before.divisions[x] != other.divisions[x]]
    assert len(moved) > 15
    changed = [replace(bot, hand_in=kept("new", "bot.py"), name="new") for bot in many]
    again = apart(config, (*changed, WEAK, STRONG))
    assert (again.references, again.divisions) == (before.references, before.divisions)


def leaderboard(folder: Path, *rows: tuple[int | None, str, str]) -> str:
    """Write the ranks, names and files of another league."""
    keys = ("rank", "bot", "file")
    told = [dict(zip(keys, row, strict=True)) | {"elo": 1.0} for row in rows]
    (folder / "leaderboard.json").write_text(json.dumps({"league": "x", "rows": told}))
    return str(folder)


def test_students_have_the_ranks_of_their_bots_whatever_these_are_called(
    tmp_path: Path,
) -> None:
    ranked = [(1, "A", "old.py"), (2, "b", "bot1.py"), (3, "c", "bot0.py")]
    by = leaderboard(tmp_path, *ranked)
    whose = tuple(
        WhoseBot(file, bot, file, (who,))
        for (_, bot, file), who in zip(ranked, ("ana", "ben", "cy"), strict=True)
    )
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "students.json").write_text(whose_bots_text(whose))
    # Cy has taken the name of what was a file of Ben, and Ana has another one.
    now = [
        replace(BOTS[2], students=("ana",)),
        replace(BOTS[1], students=("cy",)),
        replace(BOTS[3], students=("new",)),
        replace(BOTS[0], students=("ana", "ben")),
    ]
    found = apart(divided(size=2, by=by), (*now, WEAK, STRONG))
    assert found.divisions == {
        now[0].id: 1,
        now[3].id: 1,
        now[1].id: 2,
        now[2].id: 2,
    }
    # Without a word about students, files decide as they always did.
    (tmp_path / "private" / "students.json").unlink()
    found = apart(divided(size=2, by=by), (*now, WEAK, STRONG))
    assert found.divisions[now[1].id] == found.divisions[now[3].id] == 1
    (tmp_path / "private" / "students.json").write_text("{")
    with pytest.raises(ConfigError, match=r"by: .*students\.json is damaged"):
        apart(divided(size=2, by=by), (*now, WEAK, STRONG))


def test_with_ranks_of_another_league_the_strong_meet_the_strong(
    tmp_path: Path,
) -> None:
    ranked = [BOTS[i] for i in (4, 8, 0, 2, 6, 1)]
    rows = [(i, bot.name, bot.file) for i, bot in enumerate(ranked, 1)]
    by = leaderboard(tmp_path, (1, "weak", "weak.py"), *rows)
    found = apart(divided(size=3, by=by))
    in_first = {x for x, division in found.divisions.items() if division == 1}
    in_last = {x for x, division in found.divisions.items() if division == 3}
    assert in_first == {f"bot{i}:Bot" for i in (4, 8, 0)}
    assert in_last == {f"bot{i}:Bot" for i in (3, 5, 7)}  # That it does not know.


def test_who_had_no_overall_rank_comes_behind_those_who_had(tmp_path: Path) -> None:
    rows = [
        (i, BOTS[x].name, BOTS[x].file) for i, x in enumerate((4, 8, 0, 2, 6, 1), 1)
    ]
    others = [(None, BOTS[x].name, BOTS[x].file) for x in (3, 5, 7)]
    found = apart(divided(size=3, by=leaderboard(tmp_path, *others, *rows)))
    in_last = {x for x, division in found.divisions.items() if division == 3}
    assert in_last == {f"bot{i}:Bot" for i in (3, 5, 7)}
    with pytest.raises(ConfigError, match=r"divisions.by: .* ranks no bot over all ga"):
        apart(divided(size=3, by=leaderboard(tmp_path, *others)))


def test_a_bot_is_ranked_by_its_file_whatever_it_calls_itself(tmp_path: Path) -> None:
    """Else it could take the place of another."""
    by = leaderboard(tmp_path, (1, "bot1", "bot0.py"), (2, "bot0", "bot1.py"))
    two = (BOTS[0], BOTS[1], BOTS[2], BOTS[3])
    found = apart(divided(size=2, by=by), (*two, WEAK, STRONG))
    assert [found.divisions[bot.id] for bot in two] == [1, 1, 2, 2]
    # Several of one file go by their names.
    twins = [replace(BOTS[0], id=f"bot0:{x}", name=x) for x in ("A", "B")]
    by = leaderboard(
        tmp_path, (1, "B", "bot0.py"), (2, "b", "bot1.py"), (3, "A", "bot0.py")
    )
    found = apart(divided(size=2, by=by), (*twins, *BOTS[1:3], WEAK, STRONG))
    assert found.divisions["bot0:B"] == found.divisions["bot1:Bot"] == 1
    assert found.divisions["bot0:A"] == 2
    # One of two that come from a file was there alone: the other is new.
    by = leaderboard(tmp_path, (1, "A", "bot0.py"), (2, "b", "bot1.py"))
    found = apart(divided(size=2, by=by), (*twins, *BOTS[1:3], WEAK, STRONG))
    assert found.divisions["bot0:A"] == found.divisions["bot1:Bot"] == 1


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        (
            gauntlet(names=()),
            "references: a gauntlet is played against them; name some bots, such as "
            "[random_bot]",
        ),
        (
            divided(references=()),
            "references: divisions can be compared only by bots that play in all of "
            "them; name some bots, such as [random_bot]",
        ),
        (
            divided(divisions=None),
            "divisions: the key is missing; say how many bots a division has, such as "
            "{size: 12}",
        ),
        (
            league(references=("weak",)),
            "references: with schedule: round_robin nobody is set apart; leave this "
            "out, or set schedule to gauntlet or divisions",
        ),
        (
            replace(gauntlet(), divisions=DivisionSettings(size=4)),
            "divisions: there are none with schedule: gauntlet; leave this out, or set "
            "schedule to divisions",
        ),
        (
            gauntlet(players=4),
            "games[0].players: a table of 4 takes a bot and 3 references in a "
            "gauntlet; found 2 under references: name more, or set fewer players",
        ),
    ],
)
def test_a_schedule_that_lacks_something_is_refused_with_the_remedy(
    config: LeagueConfig, sentence: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        check_schedule(config)
    assert str(caught.value) == f"league.yaml: {sentence}"


@pytest.mark.parametrize("config", [gauntlet(), divided(), league()])
def test_a_schedule_that_has_all_it_takes_is_not(config: LeagueConfig) -> None:
    check_schedule(config)


ELSEWHERE = (*BOTS, WEAK, entry("elsewhere", "ox_blocks"))


@pytest.mark.parametrize(
    ("config", "entries", "sentence"),
    [
        (
            gauntlet(names=("weak", "wake")),
            ALL,
            "references[1]: no bot is called 'wake'",
        ),
        (
            gauntlet(names=("weak", "weak.py")),
            ALL,
            "references[1]: 'weak.py' is the same bot as 'weak'; name it once",
        ),
        (
            gauntlet(3, names=("weak", "elsewhere")),
            ELSEWHERE,
            "references: only one of them plays zombie_dice, and a table of 3 takes 2; "
            "name another that does",
        ),
        (
            divided(references=("elsewhere",)),
            ELSEWHERE,
            "references: none of them plays zombie_dice, and only they link the "
            "divisions; name another that does",
        ),
        (
            divided(by="/nowhere"),
            ALL,
            "divisions.by: /nowhere/leaderboard.json can't be read (No such file or "
            "directory); run that league first, or leave this out",
        ),
    ],
)
def test_references_that_are_not_fit_are_named(
    config: LeagueConfig, entries: tuple[Entry, ...], sentence: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        apart(config, entries)
    assert str(caught.value).startswith(f"league.yaml: {sentence}")


def test_references_that_play_something_else_may_do() -> None:
    apart(gauntlet(names=("weak", "elsewhere")), ELSEWHERE)
    # There is but one division.
    apart(divided(size=20, references=("elsewhere",)), ELSEWHERE)


def test_ranks_that_are_damaged_are_named(tmp_path: Path) -> None:
    (tmp_path / "leaderboard.json").write_text('{"rows": [{"rank": "first"}]}')
    with pytest.raises(ConfigError, match=r"league.yaml: divisions.by: .* is damaged"):
        apart(divided(by=str(tmp_path)))


def test_a_division_that_is_too_small_for_a_table_is_named() -> None:
    entries = (*BOTS[:3], WEAK, STRONG)
    plan = planned(divided(size=2, players=4), entries)
    small = min(apart(divided(size=2), entries).division_sizes)
    assert small == 1
    assert plan.idle == (
        "zombie_dice, division 1: only 3 bots play it, a table takes 4",
    )
    assert len(plan) == 3 * 4


def test_the_dry_run_says_what_such_a_plan_can_tell_apart(
    capsys: pytest.CaptureFixture[str],
) -> None:
    config = gauntlet(fixtures=500)
    isolation: Any = None
    draft = Draft(
        config,
        Keys.of_seed(0),
        (),
        Enrolment(ALL, ()),
        scheduled(config, ALL),
        planned(config),
        None,
        isolation,
    )
    _show_power(draft, Output(as_json=False))
    told = capsys.readouterr().out
    # 4/(R f) in squared log-odds for two bots that both meet R references.
    error = 400.0 / log(10.0) * sqrt(4 / (2 * 500))
    found = power(len(ALL), Precision(error**2))
    row = f"zombie_dice +{100 * found.probability:.0f} % +{found.smallest:.0f} Elo\n"
    assert re.search(row, told)
    assert "average over all pairs of bots but the references" in told
    assert max(map(len, told.splitlines())) <= 80
