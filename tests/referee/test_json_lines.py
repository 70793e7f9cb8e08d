"""The lines that are sent to programs, and the results of their replies."""

import json
from itertools import pairwise
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hand_ins import hash_of
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games import (
    TERMINAL,
    Event,
    Observation,
    Table,
    as_objects,
    derive_seed,
    get_game,
)
from arena.referee.contestant.bot_code import ChangedError
from arena.referee.contestant.json_lines import JsonLines, LineReader
from arena.referee.contestant.wire import BotRequest, ReplyError, RequestKind
from arena.referee.work_unit import EntrySpec
from arena.worker.protocol import (
    MAX_ACTION_CHARS,
    MAX_REPLY_BYTES,
    Answer,
    BotInfo,
    Done,
    Failed,
    FrameError,
    GameResult,
    Ready,
    Reply,
)

GAMES = ("zombie_dice", "ox_blocks")
ENTRY = EntrySpec(
    "js", "x.js", "program", {"most": 2, "who": "ä\n"}, command=("/bin/x",)
)
WIRE = JsonLines(ENTRY, GAMES)
SERIAL = 2**32 - 1
SPEC = msgspec.Raw(b"")
PRESETS: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("zombie_dice", 2, {}),
    ("zombie_dice", 4, {"preset": "big_summer_action_movie"}),
    ("zombie_dice", 2, {"preset": "santa_claus_meets_the_zombies", "faces": "manual"}),
    (
        "zombie_dice",
        3,
        {"preset": "direct_to_video_sequel", "bus": True, "horde": True},
    ),
    ("zombie_dice", 2, {"preset": "all_yellow", "tiebreak_rounds": 1, "target": 3}),
    ("ox_blocks", 2, {}),
    ("ox_blocks", 2, {"size": 4, "removal": "must"}),
    ("zombie_run", 2, {}),
    ("zombie_run", 4, {"hand": 6, "rounds": 2}),
    ("zombie_mania", 2, {}),
    ("zombie_mania", 5, {"games": 2}),
)


def heard(line: bytes) -> dict[str, Any]:
    """Return the message in a line, as a program of any language reads it."""

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    found = json.loads(line.decode(), parse_constant=refuse)
    assert type(found) is dict
    return found


def is_same(value: object, told: object) -> bool:
    """Say whether JSON tells a value: structs as objects, tuples as lists."""
    if isinstance(value, msgspec.Struct):
        return (
            type(told) is dict
            and tuple(told) == value.__struct_fields__
            and all(is_same(getattr(value, name), told[name]) for name in told)
        )
    if isinstance(value, tuple):
        return (
            type(told) is list
            and len(told) == len(value)
            and all(map(is_same, value, told))
        )
    return type(told) is type(value) and told == value


def parse(text: str, asked: RequestKind = RequestKind.ACT) -> Reply:
    return WIRE.parse(text.encode(), BotRequest(asked, 7, b"", 1.0))


def test_load() -> None:
    assert heard(WIRE.load(SERIAL)) == {
        "type": "load",
        "id": SERIAL,
        "protocol": 1,
        "games": ["zombie_dice", "ox_blocks"],
    }


def test_begin() -> None:
    game = get_game("zombie_dice", 3, {"target": 7})
    seed = b"\xff" * 32
    first = game.new_state().observation(2)
    told = heard(WIRE.begin(SERIAL, 255, game, SPEC, seed, first))
    assert told.pop("observation")["seat"] == 2
    options = told["game"].pop("options")
    # Those that nobody has set too: a program can't ask for the defaults.
    assert (options["target"], options["preset"]) == (7, "base")
    assert told == {
        "type": "begin",
        "id": SERIAL,
        "table": 255,
        "game": {"name": "zombie_dice", "players": 3},
        "params": {"most": 2, "who": "ä\n"},
        "seed": 2**53 - 1,
    }


def test_seed_is_as_good_as_that_of_a_bot_in_python() -> None:
    game = get_game("zombie_dice")
    found = set()
    for number in range(200):
        seed = derive_seed("seed", number)
        first = game.new_state().observation(0)
        told = heard(WIRE.begin(SERIAL, 0, game, SPEC, seed, first))["seed"]
        assert told == int.from_bytes(seed[:8], "little") % 2**53
        found.add(told)
    assert len(found) == 200


def test_act() -> None:
    table = Table(get_game("ox_blocks"), derive_seed("act"))
    seat = table.advance()
    state = table.state
    told = heard(WIRE.act(SERIAL, 3, table.observe(0.25), state))
    assert told.pop("legal_actions") == state.legal_actions()
    observation = told.pop("observation")
    assert "game" not in observation
    assert observation["seat"] == seat
    assert observation["time_left"] == 0.25
    assert observation["events"] == [{"seat": -1, "text": table.history[0]}]
    assert told == {"type": "act", "id": SERIAL, "table": 3}


def test_end() -> None:
    events = (Event(-1, "two brains"), Event(1, "stop"))
    result = GameResult(0, (0.5, 0.5), (13.0, 13.0), "adjudicated", events)
    assert heard(WIRE.end(SERIAL, 3, result)) == {
        "type": "end",
        "id": SERIAL,
        "table": 3,
        "result": {
            "seat": 0,
            "returns": [0.5, 0.5],
            "scores": [13.0, 13.0],
            "termination": "adjudicated",
            "events": [
                {"seat": -1, "text": "two brains"},
                {"seat": 1, "text": "stop"},
            ],
        },
    }


@settings(max_examples=60)
@given(
    preset=st.sampled_from(PRESETS),
    seed=st.integers(0, 2**32),
    time_left=st.sampled_from([inf, 0.0, 2.5]),
)
def test_every_observation_is_told_field_by_field(
    preset: tuple[str, int, dict[str, Any]], seed: int, time_left: float
) -> None:
    game = get_game(*preset)
    table = Table(game, derive_seed("told", seed))
    rng = Random(seed)
    while table.advance() != TERMINAL and table.decisions < 60:
        check(table.state.observation(rng.randrange(game.players)))
        seen = table.observe(time_left)
        check(seen)
        action = rng.choice(table.state.legal_actions())
        told = heard(WIRE.act(SERIAL, 0, seen, table.state))
        assert told["legal_actions"] == table.state.legal_actions()
        table.act(action)
    check(table.state.observation(0))


def check(seen: Observation) -> None:
    """Make sure that an observation comes out of JSON with all its fields."""
    told = heard(json.dumps(as_objects(seen), allow_nan=False).encode() + b"\n")
    names = [name for name in seen.__struct_fields__ if name != "game"]
    assert list(told) == names
    if seen.time_left == inf:
        assert told.pop("time_left") is None
        names.remove("time_left")
    for name in names:
        assert is_same(getattr(seen, name), told[name]), name


def test_nothing_is_said_to_a_program_that_has_changed(tmp_path: Path) -> None:
    file, other = tmp_path / "x.js", tmp_path / "data.txt"
    file.write_text("one")
    other.write_text("two")
    files = (str(file), str(other))
    names, code = hash_of(files)
    entry = EntrySpec(
        "js", str(tmp_path), "program", files=files, names=names, code=code
    )
    wire = JsonLines(entry, GAMES)
    assert heard(wire.load(1))["id"] == 1
    other.write_text("three")
    with pytest.raises(ChangedError, match=r"x\.js has been changed"):
        wire.load(2)
    other.unlink()
    with pytest.raises(ChangedError, match=r"x\.js can't be read any more"):
        wire.load(3)


BYTES = st.binary(max_size=9).map(lambda data: data.replace(b"\n", b""))


@given(
    lines=st.lists(BYTES, max_size=9),
    rest=BYTES,
    data=st.data(),
)
def test_any_split_of_the_stream_gives_the_same_lines(
    lines: list[bytes], rest: bytes, data: st.DataObject
) -> None:
    stream = b"".join(line + b"\n" for line in lines) + rest
    places = st.lists(st.integers(0, len(stream)), max_size=10)
    cuts = [0, *sorted(data.draw(places)), len(stream)]
    reader = LineReader(9)
    found = [line for a, b in pairwise(cuts) for line in reader.feed(stream[a:b])]
    assert found == lines
    assert reader.has_partial() == bool(rest)


def test_longest_line_is_read_and_no_longer_one() -> None:
    reader = LineReader(5)
    assert reader.feed(b"x" * 5) == []
    assert reader.feed(b"\n") == [b"xxxxx"]
    with pytest.raises(FrameError) as raised:
        reader.feed(b"one\ntwo\n123456\nfour\n")
    assert raised.value.before == [b"one", b"two"]
    reader = LineReader(5)
    reader.feed(b"123")
    with pytest.raises(FrameError, match="more than 5 bytes without an end of line"):
        reader.feed(b"456")


@pytest.mark.parametrize(
    ("text", "asked", "reply"),
    [
        ('{"id":7,"action":"roll"}', RequestKind.ACT, Answer(7, "roll")),
        (' { "action" : "roll", "id" : 7 }\r', RequestKind.ACT, Answer(7, "roll")),
        ('{"id":7.0,"action":"\\u00e4\\u0000"}', RequestKind.ACT, Answer(7, "ä\0")),
        ('{"id":7,"action":"","why":[{"deep":[]}]}', RequestKind.ACT, Answer(7, "")),
        ('{"id":7,"action":"roll","error":null}', RequestKind.ACT, Answer(7, "roll")),
        ('{"id":7}', RequestKind.BEGIN, Done(7)),
        ('{"id":7,"action":3}', RequestKind.BEGIN, Done(7)),
        ('{"id":7,"games":3}', RequestKind.END, Done(7)),
        (
            '{"id":7,"games":["chess","ox_blocks","zombie_dice"]}',
            RequestKind.LOAD,
            Ready(
                7,
                (
                    BotInfo(
                        "program", "", "", ("zombie_dice", "ox_blocks"), ("**",), True
                    ),
                ),
            ),
        ),
        (
            '{"id":7,"games":["ox_blocks"],"name":"Ö","version":"1"}',
            RequestKind.LOAD,
            Ready(7, (BotInfo("program", "Ö", "1", ("ox_blocks",), ("**",), True),)),
        ),
    ],
)
def test_replies(text: str, asked: RequestKind, reply: Reply) -> None:
    assert parse(text, asked) == reply


ACT, BEGIN, END, LOAD = (
    RequestKind.ACT,
    RequestKind.BEGIN,
    RequestKind.END,
    RequestKind.LOAD,
)
SHOWN = f"""'{{"id":7,"action":"{"a" * 61}…'"""
SAID = "its process says 'no idea'"
NO_GAMES = 'answered "load" without a list of texts as its "games": '
NO_NAME = 'answered "load" with a "name" or "version" that is no text: '
NO_TEXT = 'answered "act" with an "action" that is no text: '


@pytest.mark.parametrize(
    ("asked", "fields", "termination", "message"),
    [
        (ACT, ',"error":"no idea"', "crash", SAID),
        (ACT, ',"error":"no idea","action":"roll"', "crash", SAID),
        (BEGIN, ',"error":"no idea"', "crash", SAID),
        (END, ',"error":"no idea"', "crash", SAID),
        (LOAD, ',"error":"no idea"', "start_failure", SAID),
        (ACT, ',"error":" "', "crash", "its process did not say what went wrong"),
        (
            ACT,
            ',"error":{"code":1}',
            "invalid_reply",
            'answered "act" with an "error" that is no text: ',
        ),
        (
            ACT,
            ',"move":"roll"',
            "invalid_reply",
            'answered "act" without an "action": ',
        ),
        (ACT, ',"action":["roll"]', "invalid_reply", NO_TEXT),
        (
            ACT,
            f',"action":"{"a" * (MAX_ACTION_CHARS + 1)}"',
            "invalid_reply",
            f'answered "act" with an "action" over 1024 characters: {SHOWN}',
        ),
        (LOAD, "", "start_failure", NO_GAMES),
        (LOAD, ',"games":"ox_blocks"', "start_failure", NO_GAMES),
        (
            LOAD,
            ',"games":["chess","go"]',
            "start_failure",
            "plays 'chess, go'; the games here are zombie_dice, ox_blocks",
        ),
        (
            LOAD,
            ',"games":[]',
            "start_failure",
            "plays none; the games here are zombie_dice, ox_blocks",
        ),
        (LOAD, ',"games":["ox_blocks"],"name":5', "start_failure", NO_NAME),
    ],
)
def test_replies_that_cost_their_game_alone(
    asked: RequestKind, fields: str, termination: str, message: str
) -> None:
    text = f'{{"id":7{fields}}}'
    # What was wrong with a line is followed by the line.
    message += f"'{text}'" if message.endswith(": ") else ""
    assert parse(text, asked) == Failed(7, termination, message)


NO_JSON = 'answered "act" with a line that can\'t be read as JSON: '
HINT = " (stdout is for replies; print anything else to stderr)"
NOT_ASKED = 'answered "act" with an "id" that is not the request\'s: '
ORDER = " (one reply for each request, in their order)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello", f"{NO_JSON}'hello'{HINT}"),
        ("b\x1b[1m" + 100 * "a", f"{NO_JSON}'b\\x1b[1m{'a' * 74}…'{HINT}"),
        ("[" * 100_000, f"{NO_JSON}'{'[' * 79}…'{HINT}"),
        ('{"id":NaN}', f"""{NO_JSON}'{{"id":NaN}}'{HINT}"""),
        ('{"action":"\\ud800"}', f"""{NO_JSON}'{{"action":"\\\\ud800"}}'{HINT}"""),
        ('{"id":7} {"id":7}', f"""{NO_JSON}'{{"id":7}} {{"id":7}}'{HINT}"""),
        (" \r", 'answered "act" with an empty line'),
        ("[7]", "answered \"act\" with JSON that is no object: '[7]'"),
        ('"roll"', 'answered "act" with JSON that is no object: \'"roll"\''),
        ('{"action":""}', 'answered "act" without its "id": \'{"action":""}\''),
        ('{"id":null}', 'answered "act" without its "id": \'{"id":null}\''),
        ('{"id":8}', f"""{NOT_ASKED}'{{"id":8}}'{ORDER}"""),
        ('{"id":7.5}', f"""{NOT_ASKED}'{{"id":7.5}}'{ORDER}"""),
        ('{"id":"7"}', f"""{NOT_ASKED}'{{"id":"7"}}'{ORDER}"""),
    ],
)
def test_lines_that_are_no_reply(text: str, message: str) -> None:
    with pytest.raises(ReplyError) as raised:
        parse(text)
    assert str(raised.value) == message


def test_true_is_no_id() -> None:
    with pytest.raises(ReplyError, match="is not the request's"):
        WIRE.parse(b'{"id":true}', BotRequest(RequestKind.END, 1, b"", 1.0))


def test_bytes_that_are_no_text() -> None:
    pending = BotRequest(RequestKind.ACT, 7, b"", 1.0)
    with pytest.raises(ReplyError, match=r"can't be read as JSON: '\{.*\ufffd"):
        WIRE.parse(b'{"id":7,"action":"\xff"}', pending)


def test_nothing_is_a_reply_where_nothing_is_asked() -> None:
    for line in (b'{"id":7}', b"", b"hello"):
        with pytest.raises(ReplyError) as raised:
            WIRE.parse(line, None)
        shown = line.decode()
        assert str(raised.value) == f"sent a line nobody had asked for: {shown!r}"


def test_numbers_without_end_and_any_depth_are_read_or_refused() -> None:
    pending = BotRequest(RequestKind.ACT, 7, b"", 1.0)
    depth = MAX_REPLY_BYTES // 2 - 20
    for odd in (
        "1" * 100_000,
        "1e999",
        "-" + "9" * 4000,
        "[" * depth + "]" * depth,
        '{"a":' * 40_000 + "1" + "}" * 40_000,
    ):
        for text in (f'{{"id":7,"x":{odd}}}', f'{{"id":{odd}}}', odd):
            with pytest.raises(ReplyError):
                parse(text + "!")
            try:
                reply = WIRE.parse(text.encode(), pending)
            except ReplyError:
                continue
            assert isinstance(reply, Failed)
