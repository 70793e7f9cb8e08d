"""How units are played: reproducibly, at any table, and told to the bots."""

import json
from pathlib import Path
from typing import Any

import pytest
import trio
from matrix import divided
from msgspec.structs import replace
from play_units import GENEROUS, HONEST, QUICK, bot, play, unit_of, without_seconds
from sandboxes import best_level, sandbox_of

from arena.games import CHANCE, Table, get_game
from arena.records.game_record import GameRecord, Termination
from arena.referee.sandbox import Process
from arena.referee.unit_player import UnitPlayer

DRAWING = [
    bot("chance.py", "FromRng"),
    bot("chance.py", "FromModule"),
    bot("drawing.py", "FromNumpy"),
    bot("chance.py", "FromLateNumpy"),
    bot("chance.py", "FromBoth"),
]

REFUSED = replace(HONEST, id="out", refused="honest.py:1: SyntaxError: so so")


@pytest.mark.parametrize(
    "entry",
    # The last draws from both.
    divided(DRAWING, lambda entry: entry.bot in ("FromNumpy", "FromBoth")),
    ids=lambda entry: entry.bot,
)
def test_number_in_flight_changes_nothing(entry: Any) -> None:
    biased = replace(bot("chance.py", "FromBoth", bias=0.3), id="biased")
    units = [
        unit_of(entry, biased, games=16, limits=GENEROUS, in_flight=in_flight)
        for in_flight in (1, 4, 32)
    ]
    one, four, many = (without_seconds(play(unit)) for unit in units)
    assert one == four == many
    assert {record["termination"] for record in one} == {"natural"}
    assert len({record["history"] for record in one}) == len(one)


def test_constructor_parameters_tell_two_bots_of_one_file_apart() -> None:
    bold = replace(bot("chance.py", "FromBoth", bias=0.0), id="bold")
    shy = replace(bot("chance.py", "FromBoth", bias=1.0), id="shy")
    for record in play(unit_of(bold, shy, games=4, limits=GENEROUS)):
        assert record.scores[record.seats.index("bold")] == 0.0
        assert record.returns[record.seats.index("shy")] == 1.0
        assert record.seats in (("bold", "shy"), ("shy", "bold"))


def test_record_can_be_replayed_from_its_history() -> None:
    unit = unit_of(bot("chance.py", "FromRng"), HONEST, games=4, limits=GENEROUS)
    for game, record in zip(unit.games, play(unit), strict=True):
        assert (record.game_id, record.fixture_id) == (game.game_id, game.fixture_id)
        assert (record.match_id, record.label) == ("match", "label")
        table = Table(get_game("zombie_dice"), game.seed)
        while not table.is_over():
            if table.state.current_player() == CHANCE:
                table.happen(record.history[len(table.history)])
            else:
                table.act(record.history[len(table.history)])
        assert tuple(table.history) == record.history
        assert table.decisions == record.decisions
        assert tuple(table.state.returns()) == record.returns
        assert tuple(table.state.scores()) == record.scores
        assert tuple(table.state.places()) == record.places


def test_seatings_of_a_fixture_share_their_luck() -> None:
    twin = replace(HONEST, id="twin")
    first, second = play(unit_of(HONEST, twin, games=2, limits=GENEROUS))
    assert first.history == second.history
    assert first.seats == second.seats[::-1]
    assert first.returns == second.returns


@pytest.mark.parametrize("players", [3, 4])
def test_forfeiter_is_last_and_the_others_play_on(players: int) -> None:
    others = [replace(HONEST, id=f"honest {i}") for i in range(players - 1)]
    unit = unit_of(bot("faulty.py", "Quitter"), *others, games=players, limits=GENEROUS)
    for record in play(unit):
        quitter = record.seats.index("Quitter")
        assert record.termination == Termination.ILLEGAL_ACTION
        assert record.forfeits == tuple(s == quitter for s in range(players))
        assert record.places[quitter] == players
        assert record.returns[quitter] == 0.0
        assert sum(record.returns) == pytest.approx(1.0)
        assert max(record.scores) >= 13
        # What it had banked stays on the table; its place does not follow from it.
        assert record.scores[quitter] > 0
        (fault,) = record.faults
        assert record.history.count("give up") == 0
        assert fault.step < record.decisions


def test_default_action_is_played_for_a_forfeiter() -> None:
    """It banks what the compulsory first roll left it: `stop`, and no `roll`."""
    rollers = [replace(bot("faulty.py", "Roller"), id=name) for name in "ab"]
    stillborn = bot("faulty.py", "Stillborn")
    unit = unit_of(stillborn, *rollers, games=1, limits=GENEROUS, max_decisions=60)
    (record,) = play(unit)
    assert record.seats == ("Stillborn", "a", "b")
    assert record.forfeits == (True, False, False)
    assert record.termination == Termination.CRASH
    assert record.places[0] == 3
    assert record.scores[0] > 0
    assert record.scores[1:] == (0.0, 0.0)
    assert "stop" in record.history


def test_last_one_standing_wins_at_once() -> None:
    stillborn = [
        replace(bot("faulty.py", "Stillborn"), id="first"),
        replace(bot("faulty.py", "Stillborn"), id="second"),
    ]
    unit = unit_of(*stillborn, HONEST, games=3, limits=GENEROUS)
    for record in play(unit):
        winner = record.seats.index("Honest")
        assert record.returns == tuple(float(s == winner) for s in range(3))
        assert record.places == tuple(1 if s == winner else 2 for s in range(3))
        assert record.history == ()
        assert [fault.seat for fault in record.faults] == [
            s for s in range(3) if s != winner
        ]


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize(
    "entry",
    [bot("faulty.py", "Stillborn"), bot("import_fails.py"), REFUSED],
    ids=["in start", "at import", "before"],
)
def test_nobody_wins_where_everybody_forfeits(players: int, entry: Any) -> None:
    entries = [replace(entry, id=str(i)) for i in range(players)]
    for record in play(unit_of(*entries, games=4, limits=GENEROUS)):
        assert record.returns == (0.0,) * players
        assert record.places == (2,) * players
        assert record.forfeits == (True,) * players
        assert [fault.seat for fault in record.faults] == list(range(players))


@pytest.mark.parametrize("how", [Termination.START_FAILURE, Termination.QUARANTINE])
def test_others_play_on_without_who_is_out_from_the_start(how: Termination) -> None:
    out = replace(REFUSED, refused_as=how)
    others = [replace(HONEST, id=name) for name in "ab"]
    for record in play(unit_of(*others, out, games=3, limits=GENEROUS)):
        seat = record.seats.index("out")
        assert record.termination == how
        assert record.places[seat] == 3
        assert record.returns[seat] == 0.0
        assert sum(record.returns) == 1.0
        assert max(record.scores) >= 13


@pytest.mark.parametrize("max_decisions", [1, 7])
def test_adjudication_cuts_a_game_short(max_decisions: int) -> None:
    twin = replace(HONEST, id="twin")
    unit = unit_of(HONEST, twin, games=4, max_decisions=max_decisions, limits=GENEROUS)
    for game, record in zip(unit.games, play(unit), strict=True):
        assert record.termination == Termination.ADJUDICATED
        assert record.decisions == max_decisions
        assert record.forfeits == (False, False)
        table = Table(get_game("zombie_dice"), game.seed)
        while table.advance() >= 0 and table.decisions < max_decisions:
            table.act(record.history[len(table.history)])
        assert tuple(table.history) == record.history
        assert record.places == tuple(table.state.places())
        assert record.returns == tuple(table.game.adjudicate(table.state))


def test_bot_is_told_what_the_contract_says(tmp_path: Path) -> None:
    log = tmp_path / "log"
    watchful = bot("watchful.py", "Watchful", log=str(log))
    unit = unit_of(watchful, HONEST, games=6, limits=GENEROUS)
    records = play(unit, level="process")
    notes = [json.loads(line) for line in log.read_text().splitlines()]
    by_instance: dict[tuple[int, int], list[dict[str, Any]]] = {}
    lives = dict.fromkeys({note["me"] for note in notes}, 0)
    for note in notes:
        lives[note["me"]] += note["asked"] == "start"
        by_instance.setdefault((note["me"], lives[note["me"]]), []).append(note)
    assert len(by_instance) == len(records)

    told = [
        [{key: note[key] for key in note if key != "me"} for note in notes]
        for notes in by_instance.values()
    ]
    assert sorted((notes[1:-1] for notes in told), key=json.dumps) == sorted(
        map(seen_by_watchful, records), key=json.dumps
    )
    ends = [
        (n["seat"], tuple(n["returns"]), tuple(n["scores"]), n["termination"])
        for notes in told
        for n in notes[-1:]
    ]
    assert sorted(ends) == sorted(
        (r.seats.index("Watchful"), r.returns, r.scores, "natural") for r in records
    )
    for start, *decisions, end in told:
        assert (start["asked"], end["asked"]) == ("start", "end")
        assert start["scores"] == [0, 0]
        assert start["legal"] == []
        assert start["events"] == []
        assert start["seat"] == end["seat"]
        assert end["decisions"] == len(decisions)


def seen_by_watchful(record: GameRecord) -> list[dict[str, Any]]:
    """Return the notes that `Watchful` must take, going by the record."""
    seat = record.seats.index("Watchful")
    state = get_game("zombie_dice").new_state()
    notes, events = [], []
    for x in record.history:
        player = state.current_player()
        if player == seat:
            notes.append(
                {
                    "asked": "act",
                    "seat": seat,
                    "scores": [int(score) for score in state.scores()],
                    "events": events,
                    "legal": ["roll", "stop"],
                    "time_left": GENEROUS.move + GENEROUS.bank,
                    "players": 2,
                }
            )
            events = []
        events.append([player, x])
        state.apply(x)
    return notes


def test_end_is_called_only_for_those_who_look_back(tmp_path: Path) -> None:
    log = tmp_path / "log"
    watchful = bot("watchful.py", "Watchful", log=str(log))
    unit = unit_of(
        replace(watchful, looks_back=False), HONEST, games=1, limits=GENEROUS
    )
    play(unit, level="process")
    asked = [json.loads(line)["asked"] for line in log.read_text().splitlines()]
    assert asked[0] == "start"
    assert "end" not in asked


def test_end_tells_the_winner_of_a_forfeit(tmp_path: Path) -> None:
    log = tmp_path / "log"
    watchful = bot("watchful.py", "Watchful", log=str(log))
    unit = unit_of(watchful, bot("raises.py"), games=1, limits=GENEROUS)
    play(unit, level="process")
    last = json.loads(log.read_text().splitlines()[-1])
    assert last["asked"] == "end"
    assert last["termination"] == "crash"
    assert last["returns"] == [1.0, 0.0]


def test_fault_explains_itself() -> None:
    for record in play(unit_of(bot("faulty.py", "Talker"), HONEST, games=2)):
        (fault,) = record.faults
        brains = json.loads(fault.observation)["brains"]
        assert fault.output == f"brains: {brains}\n"
        assert fault.legal_actions == ("roll", "stop")
        observation = json.loads(fault.observation)
        assert observation["seat"] == observation["current_player"] == fault.seat
        assert {"game", "events", "time_left"}.isdisjoint(observation)
        assert (
            fault.step
            == record.decisions
            == record.history.count("roll") + (record.history.count("stop"))
        )
        lines = fault.traceback.splitlines()
        assert [line.strip() for line in lines if line.startswith("  File")] == [
            line.strip() for line in lines if "faulty.py" in line
        ]
        assert "return self.helper(obs)" in fault.traceback
        assert "return max([])" in fault.traceback
        assert fault.message.startswith(
            "faulty.py:38: its process says 'ValueError: max()"
        )


@pytest.mark.parametrize(
    ("file", "deed", "action", "output"),
    [
        ("returns.py", "nonsense", "bite", ""),
        ("dies.py", "exit_0", "", "goodbye\n"),
    ],
)
def test_fault_carries_action_and_output(
    file: str, deed: str, action: str, output: str
) -> None:
    for record in play(unit_of(bot(file, deed=deed), HONEST, games=2)):
        (fault,) = record.faults
        assert (fault.action, fault.output) == (action, output)


def test_time_is_charged_to_who_took_it() -> None:
    limits = replace(QUICK, move=0.3, bank=0.1)
    (record,) = play(unit_of(bot("loops.py"), HONEST, games=1, limits=limits))
    assert record.seconds[0] >= 0.4 > record.seconds[1]


def test_machine_that_starts_no_process_is_nobodys_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def spawn(
        memory: int = 0, folder: str = "", command: tuple[str, ...] = ()
    ) -> Process:
        raise OSError("no more processes")

    records: list[GameRecord] = []
    with sandbox_of(best_level()) as sandbox:
        monkeypatch.setattr(sandbox, "spawn", spawn)
        twins = unit_of(HONEST, replace(HONEST, id="twin"))
        player = UnitPlayer(twins, sandbox, records.append)
        with pytest.raises(ExceptionGroup) as raised:
            trio.run(player.play)
    found = raised.value.subgroup(OSError)
    assert found is not None
    assert found.exceptions == raised.value.exceptions
    assert records == []
