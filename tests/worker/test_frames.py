"""How messages are framed, and what becomes of bytes that are no frames."""

from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games import get_game
from arena.worker.protocol import (
    ActRequest,
    Answer,
    BeginRequest,
    EndRequest,
    Failed,
    FrameError,
    FrameReader,
    GameResult,
    GameSpec,
    Place,
    frame,
    pack,
    pack_spec,
)

LIMIT = 50
SPEC = GameSpec("zombie_dice", "module:Class", 2, {"target": 7})


def framed(body: bytes) -> bytes:
    return len(body).to_bytes(4, "little") + body


@given(
    bodies=st.lists(st.binary(max_size=LIMIT), max_size=8),
    rest=st.binary(max_size=3),
    data=st.data(),
)
def test_any_split_of_the_stream_gives_the_same_frames(
    bodies: list[bytes], rest: bytes, data: st.DataObject
) -> None:
    stream = b"".join(map(framed, bodies)) + rest
    places = st.lists(st.integers(0, len(stream)), max_size=10)
    cuts = [0, *sorted(data.draw(places)), len(stream)]
    reader = FrameReader(LIMIT)
    found = [body for a, b in pairwise(cuts) for body in reader.feed(stream[a:b])]
    assert found == bodies


def test_byte_by_byte() -> None:
    reader = FrameReader(LIMIT)
    stream = framed(b"brains") + framed(b"") + framed(b"feet")
    found = [reader.feed(bytes([byte])) for byte in stream]
    assert [body for bodies in found for body in bodies] == [b"brains", b"", b"feet"]


def test_largest_frame_is_read() -> None:
    assert FrameReader(LIMIT).feed(framed(b"x" * LIMIT)) == [b"x" * LIMIT]


@pytest.mark.parametrize("size", [LIMIT + 1, 2**32 - 1])
def test_larger_frame_is_refused_when_it_is_announced(size: int) -> None:
    with pytest.raises(FrameError, match=f"a frame of {size} bytes, over {LIMIT}"):
        FrameReader(LIMIT).feed(size.to_bytes(4, "little"))


def test_frames_before_a_refused_one_are_not_lost() -> None:
    reader = FrameReader(LIMIT)
    assert reader.feed(framed(b"one") + b"\x03\x00") == [b"one"]
    with pytest.raises(FrameError) as raised:
        reader.feed(b"\x00\x00two" + framed(b"three") + b"\xff" * 10)
    assert raised.value.before == [b"two", b"three"]


MESSAGES = [
    Answer(3, "roll"),
    EndRequest(4, 5, GameResult(1, (0.0, 1.0), (3.0, 13.0), "natural")),
    Failed(5, "crash", "Oops", "printed", Place("/x.py", 3), (Place("/x.py", 3),)),
    BeginRequest(
        6,
        7,
        "Mine",
        {"depth": 3, "names": ["a"]},
        pack_spec(SPEC),
        2**64 - 1,
        msgspec.Raw(b"\xc0"),
    ),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda m: type(m).__name__)
def test_message_survives_the_wire(message: msgspec.Struct) -> None:
    (body,) = FrameReader(2**20).feed(frame(message))
    assert msgspec.msgpack.decode(body, type=type(message)) == message


def test_observation_arrives_undecoded_and_without_its_game() -> None:
    game = get_game("zombie_dice")
    observation = game.new_state().observation(1)
    packed = pack(game.new_state().observation(1))
    body = frame(ActRequest(1, 2, packed))[4:]
    raw = msgspec.msgpack.decode(body, type=ActRequest)
    seen = msgspec.msgpack.decode(raw.observation, type=game.observation_type)
    assert seen.game is None
    assert msgspec.structs.replace(seen, game=game) == observation
    begin = BeginRequest(1, 2, "Mine", {}, pack_spec(SPEC), 3, packed)
    raw_begin = msgspec.msgpack.decode(frame(begin)[4:], type=BeginRequest)
    assert msgspec.msgpack.decode(raw_begin.game, type=GameSpec) == SPEC
    assert raw_begin.observation == raw.observation


def test_nothing_else_is_left_out() -> None:
    observation = get_game("zombie_dice").new_state().observation(1)
    odd = msgspec.structs.replace(observation, time_left=object())
    with pytest.raises(TypeError, match="object is unsupported"):
        pack(odd)
