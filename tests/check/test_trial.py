"""A bot is tried as a league would play it, and what is said of it is true."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import msgspec
import pytest
import trio

from arena.check.trial import LabelTrial, Trial, _label, _tables, _Tries, try_bot
from arena.check.trial_league import partners, record_trials, trial_config
from arena.check.trial_text import (
    CheckTerms,
    _missed,
    interrupted_text,
    trial_text,
)
from arena.errors import LeagueError, RecordError
from arena.games import registry
from arena.games.replay import Replay
from arena.league.config.league_file import LeagueConfig
from arena.league.config.settings import BotSettings
from arena.league.entries.bot_file import files_of
from arena.league.entries.enrolment import enrol, take_in
from arena.league.entries.entry import Entry
from arena.league.entries.hand_ins.depot import Depot
from arena.league.entries.isolation_level import isolated
from arena.league.results.store import Store
from arena.records.decision_times import DecisionTimes, TimesCounter
from arena.records.game_record import GameRecord
from arena.referee.isolation import Isolation
from arena.referee.sandbox import Sandbox
from arena.referee.work_unit import Limits, WorkUnit
from arena.text import counted

CLEAN = "return 'stop' if obs.brains else 'roll'"
BOTS = {
    "clean": ("zombie_dice", "", CLEAN),
    "keeper": (
        "zombie_dice",
        "SEEN = []",
        "SEEN.append(obs.brains)\n        "
        "return 'roll' if len(SEEN) < 6 and not obs.shotguns else 'stop'",
    ),
    "moody": (
        "zombie_run",
        "from random import SystemRandom",
        "if obs.phase == 'place':\n            "
        "swap = f'swap {SystemRandom().randint(1, 4)}'\n            "
        "return swap + ' shout' * (obs.turn > 5)\n        "
        "return obs.legal_actions[0]",
    ),
    "loud": (
        "zombie_dice",
        "",
        "print('x' * 2000 * (obs.round == obs.rolls == 1))\n        " + CLEAN,
    ),
    "wrong": ("zombie_dice", "", "return 'Roll' if obs.round == 2 else 'stop'"),
    "hang": ("act", "", "while True: pass"),
    "large": (
        "ox_blocks",
        "import mmap\nDATA = mmap.mmap(-1, 300 << 20)",
        "return obs.legal_actions[0]",
    ),
}
"""The method of each, what stands above its class, and what the method does."""
QUICK = Limits(start=60.0, move=0.05, bank=0.0)


@dataclass(frozen=True, slots=True)
class Tried:
    """All bots, tried in one sandbox."""

    config: LeagueConfig
    isolation: Isolation
    entries: tuple[Entry, ...]
    trials: Mapping[str, Trial]

    def text(self, name: str) -> str:
        """Return the text for the author of a bot."""
        terms = CheckTerms(self.config, self.isolation, None, Path("results/x"))
        return trial_text(self.trials[name], terms, width=80)


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> Tried:
    """Try them all."""
    folder = tmp_path_factory.mktemp("trial")
    for name, (method, above, body) in BOTS.items():
        (folder / f"{name}.py").write_text(
            f"from arena import Bot\n{above}\n\nclass {name.title()}(Bot):\n"
            f"    def {method}(self, obs):\n        {body}\n"
        )
    # How fast this machine is must decide nothing.
    limits = Limits(start=60.0, move=60.0)
    config = replace(trial_config("x", 1, None), limits=limits)
    games = tuple(game.label for game in config.games)
    copies = tmp_path_factory.mktemp("partners")
    bots = (BotSettings(file=str(folder)), *partners(config.games, copies))

    async def try_all() -> Tried:
        files = files_of(bots, "tests")
        await take_in(files, games, Depot(tmp_path_factory.mktemp("kept")), "tests")
        async with isolated(files, games) as (isolation, sandbox):
            entries = (await enrol(files, games, limits, sandbox, "tests")).entries
            others = [e for e in entries if e.path.parent != folder]
            trials = {}
            for entry in entries:
                if entry not in others:
                    hangs = entry.path.stem == "hang"
                    terms = replace(config, limits=QUICK) if hangs else config
                    trials[entry.path.stem] = trial = Trial(entry)
                    await try_bot(trial, others, terms, sandbox, games=2)
            return Tried(config, isolation, entries, trials)

    return trio.run(try_all)


def test_a_clean_bot_plays_with_each_partner_from_every_seat(tried: Tried) -> None:
    trial = tried.trials["clean"]
    (label,) = trial.labels
    seats = [record.seats for record in label.records]
    met = ["random partner", "sensible zombie_dice partner"]
    mine = "clean:Clean"
    assert sorted(seats) == sorted(
        [(mine, other) for other in met] + [(other, mine) for other in met]
    )
    assert trial.is_clean
    assert trial.repeats
    assert label.repeated == 4
    assert label.printed == 0
    assert sum(games for _, games in label.score.values()) == 4
    won = sum(r.returns[r.seats.index(mine)] for r in label.records)
    assert sum(won for won, _ in label.score.values()) == won


def test_what_a_clean_bot_is_told(tried: Tried) -> None:
    text = tried.text("clean")
    assert text.startswith("Clean (Clean in clean.py) plays zombie_dice\n")
    assert "yes: 4 games came out the same when played again" in text
    assert "it prints nothing; the limit is 1000000 bytes a game" in text
    assert " ".join(text.split()).endswith(
        "Clean: no fault in 4 games. A bot that fails in 1 of 10 games would seem "
        "clean in 66 of 100 such checks; with --games 20 in 1 of them."
    )
    assert max(map(len, text.splitlines())) <= 80


def told(tried: Tried, label: LabelTrial) -> str:
    """Return what is told of a clean bot, had its trial been this."""
    trial = replace(tried.trials["clean"], labels=[label])
    terms = CheckTerms(tried.config, tried.isolation, None, Path("results/x"))
    return trial_text(trial, terms, width=80)


def test_what_decisions_took_in_all_is_told(tried: Tried) -> None:
    (label,) = tried.trials["clean"].labels
    busy, sleepy = TimesCounter(), TimesCounter()
    for _ in range(40):
        busy.count(0.004, 0.0, 0.25)
        sleepy.count(1.004, 1.0, 1.25)
    text = told(tried, replace(label, times=busy))
    assert text.count("game         ") == 2
    header, row = (
        next(
            line for line in text.splitlines() if line.startswith(start) and at in line
        )
        for start, at in (("game ", "decisions"), ("zombie_dice ", " ms "))
    )
    columns = ["decisions", "median", "slowest", "of", "limit", "CPU", "slept", "wall"]
    assert header.split() == ["game", *columns]
    assert row.split()[1] == "40"
    assert row.endswith(" 160 ms      0  10 s")
    assert "it slept" not in text
    text = told(tried, replace(label, times=sleepy))
    assert " 160 ms   40 s  50 s\n" in text
    assert max(map(len, text.splitlines())) <= 80
    assert (
        "sleep it slept for 40 s in 40 decisions, 1 s in each: that is charged like "
        "computing, and its games wait for it"
    ) in " ".join(text.split())


def test_what_it_takes_to_read_a_bot_is_told_and_how_often_that_is(
    tried: Tried,
) -> None:
    clean = tried.trials["clean"]
    (label,) = clean.labels
    program = replace(clean.entry, command=("x",))
    terms = CheckTerms(tried.config, tried.isolation, None, Path("results/x"))
    for entry, is_for_each_game, expected in (
        (clean.entry, False, "3.5 s for its file, whenever a process is started for "
         "it, and 20 ms to begin and end each game; the limit of each is 60 s memory"),
        (clean.entry, True, "3.5 s for its file, anew in each game: 20 ms to begin "
         "one; the limit of each is 60 s memory"),
        (program, False, "3.5 s until it has answered load, whenever it is started, "
         "and 20 ms for begin and end in each game; the limit of each is 60 s memory"),
    ):  # fmt: skip
        labels = [replace(label, begin_s=0.08)]
        trial = Trial(entry, 3.5, is_for_each_game, labels, memory=2**20)
        said = " ".join(trial_text(trial, terms, width=80).split())
        assert f" reading {expected} " in said
        assert ("MiB of data;" in said) == bool(entry.command)
        assert ("it prints nothing" in said) != bool(entry.command)
        assert ("the limit is 4 MiB a game" in said) == bool(entry.command)


def test_begin_and_end_are_told_from_decisions(tried: Tried) -> None:
    (label,) = tried.trials["clean"].labels
    spent = sum(
        record.times[seat].charged - record.seconds[seat]
        for record in label.records
        for seat in [record.seats.index("clean:Clean")]
    )
    assert 0.0 < label.begin_s == pytest.approx(spent)


def test_who_computed_while_others_decided_is_told(tried: Tried) -> None:
    (label,) = tried.trials["clean"].labels
    for pondered, is_told in ((0.004, False), (0.25, True)):
        times = TimesCounter([DecisionTimes(0.5, ((150, 1),), pondered)])
        text = told(tried, replace(label, times=times))
        assert ("stopped    it went on computing for 250 ms" in text) == is_told


def test_who_forfeits_is_told_of_its_sleep_too(tried: Tried) -> None:
    (label,) = tried.trials["wrong"].labels
    times = TimesCounter([DecisionTimes(2.0, ((170, 1),), 0.0, 2.5, 2.5, 2.5)])
    trial = replace(tried.trials["wrong"], labels=[replace(label, times=times)])
    terms = CheckTerms(tried.config, tried.isolation, None, Path("results/x"))
    text = " ".join(trial_text(trial, terms, width=80).split())
    assert "it slept for 2.5 s in 1 decision, 2.5 s in each:" in text


def test_the_verdict_is_about_all_games_that_were_to_be_tried(tried: Tried) -> None:
    (label,) = tried.trials["clean"].labels
    assert label.planned == len(label.records) == 4
    times = TimesCounter()
    for _ in range(8):
        times.count(0.5)
    slow = replace(label, planned=40, is_cut=True, times=times)
    said = " ".join(told(tried, slow).split())
    assert said.endswith(
        "Clean: no fault in 4 games. A bot that fails in 1 of 10 games would seem "
        "clean in 66 of 100 such checks. It is slow, so it played 4 of 40 games of "
        "zombie_dice: a game takes it 1 s. With --games 20 it plays all of them, "
        "however long they take."
    )
    times.charged += 12.0
    said = " ".join(told(tried, replace(slow, begin_s=12.0)).split())
    assert "a game takes it 4 s, 3 s of that to begin it. With" in said


@pytest.mark.parametrize(
    ("games", "rate", "missed"),
    [(1, 2, 50), (4, 10, 66), (20, 50, 67), (40, 100, 67), (400, 1000, 67)],
)
def test_how_rare_a_fault_may_be_missed(games: int, rate: int, missed: int) -> None:
    """Of so many games none has the fault, and one of `rate` has."""
    assert _missed(games) == (rate, missed)
    assert missed == round(100 * math.prod([1 - 1 / rate] * games))


def test_the_rarest_fault_is_told_by_the_game_that_was_tried_least(
    tried: Tried,
) -> None:
    (label,) = tried.trials["clean"].labels
    many = replace(label, planned=8, records=label.records * 2)
    trial = replace(tried.trials["clean"], labels=[many, label, many])
    terms = CheckTerms(tried.config, tried.isolation, None, Path("results/x"))
    said = " ".join(trial_text(trial, terms, width=80).split())
    assert (
        "no fault in 20 games, 4 or more of each of the 3. A bot that fails in 1 of 10"
        in said
    )


def test_what_was_seen_until_an_interruption_is_told(tried: Tried) -> None:
    (clean,) = tried.trials["clean"].labels
    unfinished = replace(
        tried.trials["clean"],
        labels=[replace(clean, records=clean.records[:3], planned=40)],
    )
    folder = Path("results/x")
    assert interrupted_text(unfinished, folder) == (
        "interrupted: Clean has played 3 games (zombie_dice 3 of 40) without a fault"
    )
    assert interrupted_text(replace(unfinished, labels=[]), folder) == (
        "interrupted: Clean has not played a whole game so far"
    )
    wrong = tried.trials["wrong"]
    (label,) = wrong.labels
    text = interrupted_text(wrong, folder)
    games = "game" if label.forfeits == 1 else "games"
    assert text.startswith(
        f"interrupted: Wrong has forfeited {label.forfeits} of {label.forfeits} {games}"
    )
    assert label.fault is not None
    assert f"the first: arena replay results/x {label.fault[0].game_id[:8]}" in text


@pytest.mark.parametrize(
    ("seconds", "games", "expected"),
    # A fixture with each of two partners has four games.
    [(0.0, None, 40), (0.02, None, 40), (0.05, None, 20), (9.0, None, 4), (9.0, 6, 12)],
)
def test_what_a_bot_is_charged_decides_in_how_many_games_it_is_tried(
    tried: Tried,
    monkeypatch: pytest.MonkeyPatch,
    seconds: float,
    games: int | None,
    expected: int,
) -> None:
    """Partners don't count, and nor does what else the machine does."""
    mine = "clean:Clean"
    plain = tried.trials["clean"].labels[0].records[0]

    async def play(
        unit: WorkUnit,
        sandbox: object,
        deliver: Callable[[GameRecord], None] = lambda record: None,
        deliver_prints: object = None,
    ) -> list[GameRecord]:
        await trio.lowlevel.checkpoint()
        played = [
            msgspec.structs.replace(
                plain,
                game_id=task.game_id,
                seats=(seats := tuple(unit.entries[i].id for i in task.seats)),
                seconds=tuple(seconds if who == mine else 5.0 for who in seats),
            )
            for task in unit.games
        ]
        for record in played:
            deliver(record)
        return played

    monkeypatch.setattr("arena.check.trial.play_unit", play)
    entry = next(e for e in tried.entries if e.id == mine)
    others = [e for e in tried.entries if "partner" in e.name]
    dice = next(game for game in tried.config.games if game.label == "zombie_dice")
    tables = _tables(entry, others, tried.config, dice)
    sandbox = cast("Sandbox", None)
    label = _label(tables, dice, games)
    tries = _Tries(Trial(entry, reading_s=1e9), label, tables, sandbox, lambda: None)
    trio.run(tries.play, games, 1.0)
    assert len(label.records) == expected
    assert label.planned == (40 if games is None else 12)


def test_what_is_kept_between_games_is_found_and_named(tried: Tried) -> None:
    trial = tried.trials["keeper"]
    assert trial.is_clean
    difference = trial.labels[0].difference
    assert difference is not None
    assert not difference.is_alone
    # The decision is that of the bot, and is not the same.
    replay = Replay(trial.labels[0].game.game, difference.record.history)
    event = replay.events[replay.decisions[difference.step]]
    assert difference.record.seats[event.seat] == "keeper:Keeper"
    assert repr(event.text) == difference.decisions[0] != difference.decisions[1]
    text = " ".join(tried.text("keeper").split())
    assert "Something is kept between games" in text
    assert "keeper.py:6: SEEN belongs to the file" in text
    assert (
        "no fault in 4 games. But its games can't be repeated. A bot that fails in"
        in text
    )


def test_luck_of_its_own_is_told_from_what_is_kept(tried: Tried) -> None:
    difference = tried.trials["moody"].labels[0].difference
    assert difference is not None
    assert difference.is_alone
    assert "take random numbers from self.rng" in " ".join(tried.text("moody").split())


def test_how_much_is_printed_is_found_out(tried: Tried) -> None:
    trial = tried.trials["loud"]
    assert trial.is_clean
    assert trial.labels[0].printed == 10_000
    assert "it prints up to 10000 bytes in a game" in tried.text("loud")


def test_how_much_memory_is_taken_is_seen(tried: Tried) -> None:
    large, clean = (tried.trials[name].memory for name in ("large", "clean"))
    assert large is not None
    assert clean is not None
    assert clean < 300 << 20 < large < 1024 << 20


def test_a_forfeit_ends_the_trial_and_is_shown(tried: Tried) -> None:
    trial = tried.trials["wrong"]
    (label,) = trial.labels
    assert not trial.is_clean
    # Games that were under way may have ended with it.
    assert 1 <= label.forfeits == len(label.records) <= 4
    assert label.repeated == 0
    assert label.fault is not None
    record, fault = label.fault
    text = tried.text("wrong")
    assert "Wrong forfeits: illegal_action: wrong.py:" in text
    command = f"arena replay results/x {record.game_id[:8]} --step {fault.step}"
    assert f"    {command}\n" in text
    assert " ".join(text.split()).endswith(
        f"Wrong would forfeit: zombie_dice (illegal_action, in {label.forfeits} of "
        f"{counted(label.forfeits, 'game')})."
    )


def test_a_bot_that_hangs_costs_one_game(tried: Tried) -> None:
    trial = tried.trials["hang"]
    (label,) = trial.labels
    assert [record.termination for record in label.records] == ["timeout"]
    assert trial.untried == ("ox_blocks", "zombie_run", "zombie_mania")
    text = " ".join(tried.text("hang").split())
    assert "plays zombie_dice, ox_blocks, zombie_run, zombie_mania" in text
    assert text.endswith(
        "Hang would forfeit: zombie_dice (timeout, in 1 of 1 game). Not tried after "
        "that: ox_blocks, zombie_run, zombie_mania."
    )


def test_a_trial_is_recorded_in_place_of_the_one_before(
    tried: Tried, tmp_path: Path
) -> None:
    level = tried.isolation.level
    for name in ("clean", "wrong"):
        trial = tried.trials[name]
        record_trials(tmp_path, tried.config, level, tried.entries, [trial])
        with Store.read(tmp_path) as store:
            recorded = {r.game_id: r for r in store.records(history=True)}
            assert len(list(store.faults())) == len(recorded)
        for record in trial.labels[0].records:
            found = recorded.pop(record.game_id)
            assert found.history == record.history
            assert found.faults == record.faults
        assert not recorded


def test_what_is_printed_in_a_trial_is_recorded(tried: Tried, tmp_path: Path) -> None:
    trial = tried.trials["loud"]
    level = tried.isolation.level
    record_trials(tmp_path, tried.config, level, tried.entries, [trial])
    with Store.read(tmp_path) as store:
        for record in trial.labels[0].records:
            prints = store.prints.of(record.game_id)
            assert {x.seat for x in prints} == {record.seats.index(trial.entry.id)}


def test_a_game_that_is_broken_leaves_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = [game.label for game in trial_config("x", 1, None).games]
    monkeypatch.setitem(registry.GAMES._paths, "broken", "no_such_module:Broken")
    assert [game.label for game in trial_config("x", 1, None).games] == known


def test_no_league_is_overwritten(tried: Tried, tmp_path: Path) -> None:
    league = replace(tried.config, name="classroom")
    level, trials = tried.isolation.level, [tried.trials["clean"]]
    record_trials(tmp_path, league, level, tried.entries, trials)
    before = (tmp_path / "league.sqlite").read_bytes()
    with pytest.raises(RecordError, match="choose another place with --results"):
        record_trials(tmp_path, tried.config, level, tried.entries, trials)
    assert (tmp_path / "league.sqlite").read_bytes() == before


@pytest.mark.parametrize(
    ("here", "graded", "expected"),
    [
        ("filters", "auto", "filters (parts)"),
        ("namespaces", "filters", "namespaces (parts)"),
        ("process", "auto", "process (parts); run only bots you trust"),
        (
            "process",
            "limits",
            "run only bots you trust. The league is played at limits: there a bot",
        ),
        (
            "limits",
            "namespaces",
            "there a bot can't read other files, list other folders, write where the "
            "league is run, leave files behind and more (arena doctor lists it)",
        ),
        (
            "filters",
            "namespaces",
            "there a bot can't see which other files there are",
        ),
    ],
)
def test_what_is_stricter_in_the_league_is_told(
    tried: Tried, here: str, graded: str, expected: str
) -> None:
    spec = msgspec.structs.replace(tried.isolation.spec, level=here)
    config = replace(tried.config, isolation=graded)
    isolation = Isolation(spec, "parts")
    terms = CheckTerms(config, isolation, Path("league.yaml"), Path("results/x"))
    text = " ".join(trial_text(tried.trials["clean"], terms, width=80).split())
    told = text.partition(" isolation ")[2].partition(" limits those of")[0]
    assert expected in told
    assert ("The league is played" in told) == ("there a bot" in expected)


def test_no_partner_is_called_like_the_file_that_is_tried(tmp_path: Path) -> None:
    games = trial_config("x", 1, None).games
    stems = {Path(settings.file).stem for settings in partners(games, tmp_path)}
    assert {"random_partner", "sensible_zombie_dice"} < stems
    for tried in stems:
        others = {Path(x.file).stem for x in partners(games, tmp_path, tried)}
        assert tried not in others
        assert len(others) == len(stems)


def test_a_partner_that_can_not_be_copied_is_said_in_a_sentence(tmp_path: Path) -> None:
    config = trial_config("x", 1, None)
    with pytest.raises(
        LeagueError, match=r"random_partner\.py: a partner can't be copied"
    ):
        list(partners(config.games, tmp_path / "none"))
