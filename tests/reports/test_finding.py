"""A recorded game is found by its id, and it is said whether it comes out again."""

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from leagues import entry, fault, finished, game, label_of, league
from msgspec.structs import replace

from arena.errors import RecordError
from arena.games import Table, derive_seed, get_game
from arena.league.config.info import LabelInfo, LeagueInfo
from arena.league.results.store import Store
from arena.records.batch import to_batches
from arena.records.game_record import Fault, GameRecord
from arena.records.prints import Printed
from arena.reports.replay.finding import Recorded, find_game
from arena.reports.replay.story import (
    GameStory,
    decision_lines,
    result_lines,
    sight_lines,
    story_lines,
)

ANA, BEN, CID = (entry(name, "dice", "run") for name in ("Ana", "Ben", "Cid"))


DICE = label_of("dice", "zombie_dice", 2, target=5)
RUN = label_of("run", "zombie_run", 3, rounds=1)
INFO = league((ANA, BEN, CID), (DICE, RUN))


def played(
    label: LabelInfo,
    seats: Sequence[str],
    game_id: str = "aaaaaa1",
    *,
    stop: int = 1000,
    forfeiter: int = -1,
) -> GameRecord:
    """Play a game at random, with the luck of its seed.

    It is ended after `stop` decisions.  The `forfeiter` does so before its first one.
    """
    seed = derive_seed("fixture", game_id)
    rng = Random(game_id)

    def forfeit(table: Table, seat: int) -> Fault | None:
        if seat != forfeiter:
            return None
        who = next(e for e in INFO.entries if e.id == seats[seat])
        shown = {"observation": '{"brains": 1}', "message": "it broke: badly"}
        return replace(fault(seat, who, "crash", **shown), step=table.decisions)

    return finished(
        Table(get_game(label.game, label.players, label.options), seed),
        label.label,
        seats,
        lambda table: rng.choice(table.state.legal_actions()),
        forfeit=forfeit,
        stop=stop,
        game_id=game_id,
        seed=seed,
    )


PAIR = (BEN.id, ANA.id)
TRIO = (CID.id, ANA.id, BEN.id)


def found(folder: Path, record: GameRecord, info: LeagueInfo = INFO) -> Recorded:
    with Store.open(folder) as store:
        store.begin(info, [record.game_id])
        store.add(to_batches([record]))
        return find_game(store, record.game_id[:6])


GAMES: dict[str, tuple[LabelInfo, tuple[str, ...], dict[str, Any]]] = {
    "two": (DICE, PAIR, {}),
    "three": (RUN, TRIO, {}),
    "ended": (RUN, TRIO, {"stop": 5}),
    "forfeited": (DICE, PAIR, {"forfeiter": 1}),
    "played on": (RUN, TRIO, {"forfeiter": 1}),
}


@pytest.mark.parametrize("name", GAMES)
def test_what_was_recorded_comes_out_again(name: str, tmp_path: Path) -> None:
    label, seats, ways = GAMES[name]
    record = played(label, seats, **ways)
    again = found(tmp_path, record)
    assert again.difference == ""
    assert again.record == record
    assert again.is_planned
    assert again.names == tuple(x.rpartition(":")[2] for x in record.seats)


def changed(**fields: Any) -> Callable[[GameRecord], GameRecord]:
    return lambda record: replace(record, **fields)


def other_action(record: GameRecord) -> GameRecord:
    """Return a record with the first action replaced by one that is not legal."""
    history = ["fly" if x in ("roll", "stop") else x for x in record.history]
    return replace(record, history=tuple(history))


def other_luck(record: GameRecord) -> GameRecord:
    """Return a record whose first roll is another one."""
    first = "green brain, green brain, green brain"
    return replace(record, history=(first, "stop"))


TAMPERED = [
    (other_action, "decision 0: zombie_dice: expected 'roll', 'stop'; got 'fly'"),
    (other_luck, "the luck is another: seat 0 turn 1 roll 1: expected '"),
    (changed(scores=(99.0, 0.0)), "the scores recorded are (99.0, 0.0); by the rules"),
    (changed(places=(2, 2)), "the places recorded are (2, 2); by the rules they are ("),
    (changed(returns=(0.5, 0.5)), "the returns recorded are (0.5, 0.5); by the rules"),
    (changed(decisions=1), "the decisions recorded are 1; by the rules they are "),
    (changed(termination="adjudicated"), "it ended as adjudicated; by the rules it is"),
    (changed(seed=b""), "its luck can't be checked: it was recorded by an older"),
    (changed(seed=bytes(32)), "the luck is another: seat 0 turn 1 roll 1: expected '"),
]


@pytest.mark.parametrize(("change", "sentence"), TAMPERED)
def test_the_first_difference_is_told(
    change: Callable[[GameRecord], GameRecord],
    sentence: str,
    tmp_path: Path,
) -> None:
    record = change(played(DICE, PAIR))
    assert found(tmp_path, record).difference.startswith(sentence)


def test_other_options_are_a_difference(tmp_path: Path) -> None:
    other = (label_of("dice", "zombie_dice", 2, target=1),)
    again = found(tmp_path, played(DICE, PAIR), replace(INFO, labels=other))
    assert again.difference.startswith("decision ")


def test_a_game_of_an_earlier_version_is_found_and_said_to_be_one(
    tmp_path: Path,
) -> None:
    record = played(DICE, PAIR)
    with Store.open(tmp_path) as store:
        store.begin(replace(INFO, entries=(ANA,)), ["bbbbbb1"])
        store.add(to_batches([record]))
        again = find_game(store, "aaaaaa")
    assert (again.difference, again.is_planned) == ("", False)
    # Whoever is gone is called by the id.
    assert again.names == (BEN.id, "Ana")


MISSES = [
    ("\udcff" * 6, "no game's id begins with '??????'; see `arena export`"),
    ("aaaaa", "expected 6 or more characters of a game's id; found 'aaaaa'"),
    ("aaaaaa", "several games begin with 'aaaaaa' (aaaaaa1, aaaaaa2); give more"),
    ("aaabaa1", "no game's id begins with 'aaabaa1'; did you mean aaaaaa1"),
    ("zzzzzz", "no game's id begins with 'zzzzzz'; see `arena export`"),
    ("cccccc1", "game cccccc1 is planned, but has not been played yet"),
    ("bbbbbb1", "played under the label 'old', which the league has no more (it has"),
]


@pytest.mark.parametrize(("text", "sentence"), MISSES)
def test_games_that_are_not_found(text: str, sentence: str, tmp_path: Path) -> None:
    records = [played(DICE, PAIR, f"aaaaaa{i}") for i in (1, 2)]
    records.append(replace(records[0], game_id="bbbbbb1", label="old"))
    with Store.open(tmp_path) as store:
        store.begin(INFO, ["aaaaaa1", "aaaaaa2", "cccccc1"])
        store.add(to_batches(records))
        assert find_game(store, "aaaaaa1").record.game_id == "aaaaaa1"
        with pytest.raises(RecordError) as caught:
            find_game(store, text)
    assert sentence in str(caught.value)


def story_of(record: GameRecord, folder: Path) -> GameStory:
    game = found(folder, record)
    return GameStory(game.replay, game.names, record.faults)


def test_a_story_keeps_to_the_width_with_words_whole(tmp_path: Path) -> None:
    story = story_of(played(DICE, PAIR), tmp_path)
    wide, narrow = ([*story_lines(story, width)] for width in (200, 60))
    moves = [line for line in narrow if not line.startswith("  |")]
    assert max(map(len, moves)) <= 60 < max(map(len, wide))
    assert " ".join(wide).split() == " ".join(narrow).split()
    for step in range(len(story)):
        rows = decision_lines(story[step], story, 60)
        assert " ".join(decision_lines(story[step], story, 200)).split() == (
            " ".join(rows).split()
        )
        about = rows[rows.index("what happened") : rows.index("the position")]
        assert max(map(len, about)) <= 60


def test_a_story_has_every_move_with_the_number_of_its_decision(tmp_path: Path) -> None:
    record = played(DICE, PAIR)
    story = story_of(record, tmp_path)
    lines = list(story_lines(story))
    told = [
        line.split(": ")[-1] for line in lines if "turn" in line or line[:4].strip()
    ]
    moves = [line for line in told if line in record.history]
    assert moves == list(record.history)
    last = record.decisions - 1
    (line,) = (x for x in lines if x.startswith(f"  {last:{len(str(last + 1))}}  "))
    assert line.endswith(": " + story[last].action)
    assert "\n".join(result_lines(record, story.names, story.replay.game)).startswith(
        f"after {record.decisions} decisions:\n  1. "
    )


def test_a_result_says_who_won_in_words() -> None:
    def told(*returns: float) -> list[str]:
        who = [entry(f"b{seat}", "dice") for seat in range(len(returns))]
        record = replace(game(0, who, (1,) * len(who)), returns=returns)
        names = [x.name for x in who]
        lines = result_lines(record, names, get_game("zombie_dice", len(who), {}))
        return [line.partition(" brains")[2] for line in lines[1:]]

    assert told(1, 0) == [", won", ", lost"]
    assert told(0.5, 0.5) == [", half of the win"] * 2
    assert told(0, 1, 0) == ["", ", won", ""]
    assert told(1 / 3, 1 / 3, 1 / 3) == [", 1/3 of the win"] * 3


def test_what_is_played_for_a_forfeiter_is_marked(tmp_path: Path) -> None:
    story = story_of(played(RUN, TRIO, forfeiter=1), tmp_path)
    lines = [line.strip() for line in story_lines(story)]
    forfeit = next(i for i, x in enumerate(lines) if "forfeits" in x)
    assert lines[forfeit] == "1  Ana forfeits: crash"
    theirs = [x for x in lines if "  Ana: " in x]
    assert theirs
    assert all(x.endswith(" (played for it)") for x in theirs)
    step = story.faults[0].step
    view = story[step]
    assert (view.seat, view.is_default) == (1, True)
    shown = "\n".join(decision_lines(view, story))
    assert f"what was played for it: {view.action}" in shown
    assert "Ana forfeits: crash: it broke: badly" in shown
    assert not story[step + 1].faults


def test_the_decision_that_was_forfeited_is_the_last(tmp_path: Path) -> None:
    story = story_of(played(DICE, PAIR, forfeiter=1), tmp_path)
    last = story[len(story) - 1]
    assert (last.seat, last.action) == (1, "")
    assert last.faults == story.faults
    first = decision_lines(last, story)[0]
    assert first == f"decision {len(story) - 1}, the last: seat 1, Ana"
    with pytest.raises(IndexError):
        story[len(story)]


def test_each_seat_sees_its_own_cards_and_events(tmp_path: Path) -> None:
    story = story_of(played(RUN, TRIO), tmp_path)
    step = next(
        i for i in range(len(story)) if story[i].state.to_text().count("has drawn")
    )
    view = story[step]
    assert view.seat is not None
    other = (view.seat + 1) % 3
    own, theirs = (sight_lines(view, story, s) for s in (view.seat, other))
    (drawn,) = (line.split()[1] for line in own if line.startswith("  drawn "))
    assert drawn.isdecimal()
    assert "  drawn      None" in theirs
    # The draw is the last that the seat has seen, with its card.
    assert view.events[-1].text == drawn
    assert any(line.startswith("  events: ") for line in own)
    assert not any(line.startswith("  events: ") for line in theirs)


FORGERY = "Ben: roll\n  5  Ana forfeits: crash\n\x1b[2J" + "\t" * 60 + "Ana forfeits:"


def test_what_was_printed_stands_below_its_decision_and_fakes_no_line(
    tmp_path: Path,
) -> None:
    record = played(DICE, PAIR)
    bare = found(tmp_path, record)
    seat = bare.replay.events[bare.replay.decisions[1]].seat
    prints = [
        Printed(seat, 1, FORGERY),
        Printed(1 - seat, 1, "not its turn"),
        Printed(0, record.decisions, "looking back"),
    ]
    game = replace(record, game_id="aaaaaa2")
    with Store.open(tmp_path) as store:
        batches = [*to_batches([game], {"aaaaaa2": prints})]
        store.add(batches)
        store.prints.add(batches)
        told = find_game(store, "aaaaaa2")
    foreign = Printed(7, 1, "nobody")
    story = GameStory(told.replay, told.names, (), (*told.prints, foreign))
    for width in (40, 80, 200):
        silent = [*story_lines(GameStory(bare.replay, bare.names), width)]
        lines = [*story_lines(story, width)]
        new = [line for line in lines if "printed:" in line]
        assert all(len(line) <= width for line in new)
        assert all(line.lstrip().startswith("printed:") for line in new)
        name = told.names[0]
        end = [f"{name}, at the end:", "  printed: looking back", ""]
        assert [x for x in lines[:-3] if x not in new] + end == silent + end
        first = next(i for i, line in enumerate(lines) if line in new)
        assert lines[first - 1].endswith(f"{told.names[seat]}: {story[1].action}")
        assert len(new) > 4
        shown = decision_lines(story[1], story, width)
        printed = shown[shown.index(f"what {told.names[seat]} printed") + 1 :]
        assert all(len(line) <= width for line in printed)
        assert all(line.startswith("  ") for line in printed if line)
        assert "\x1b" not in "".join(lines + shown)
    last = decision_lines(story[len(story) - 1], story)
    assert last[-2:] == [f"what {told.names[0]} printed at the end", "  looking back"]
    assert "nobody" not in "".join(lines)
    assert "not its turn" not in "".join(lines)
