"""A referee process: plays the matches it is sent, until its input is closed."""

import os
from collections.abc import Callable

import msgspec
import trio

from arena.referee.match import Match
from arena.referee.record import GameRecord, MatchTask
from arena.referee.sandbox import LimitsSandbox
from arena.worker.protocol import FrameReader, frame

_MAX_FRAME = 2**31
_MAX_UNSENT = 2**22
"""Bytes of records that may wait to be sent before play pauses."""


class Delivery(msgspec.Struct, frozen=True, tag=True):
    """Games of the match being played that are over."""

    records: tuple[GameRecord, ...]


class MatchOver(msgspec.Struct, frozen=True, tag=True):
    """All games of the match have been delivered."""


decode_news: Callable[[bytes], Delivery | MatchOver] = msgspec.msgpack.Decoder(
    Delivery | MatchOver
).decode
_decode_task = msgspec.msgpack.Decoder(MatchTask).decode


def news_reader() -> FrameReader:
    """Return a reader for what a referee process writes."""
    return FrameReader(_MAX_FRAME)


class _Sender:
    """Writes frames to the coordinator without ever blocking the referee's loop."""

    def __init__(self, fd: int) -> None:
        os.set_blocking(fd, False)
        self._fd = fd
        self._unsent = bytearray()

    def queue(self, message: msgspec.Struct) -> None:
        self._unsent += frame(message)

    async def flush(self, keep: int = 0) -> None:
        """Wait until no more than `keep` bytes are unsent."""
        while len(self._unsent) > keep:
            await trio.lowlevel.wait_writable(self._fd)
            if self._unsent:
                try:
                    sent = os.write(self._fd, self._unsent)
                except BlockingIOError:
                    continue
                del self._unsent[:sent]


async def serve(read_fd: int, write_fd: int) -> None:
    """Play the matches that arrive at `read_fd`, one after another."""
    sender = _Sender(write_fd)
    tasks_in, tasks_out = trio.open_memory_channel[MatchTask](1)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_receive, read_fd, tasks_in, nursery.cancel_scope)
        async for task in tasks_out:
            await _play(task, sender)


async def _play(task: MatchTask, sender: _Sender) -> None:
    finished: list[GameRecord] = []

    def send() -> None:
        if finished:
            sender.queue(Delivery(tuple(finished)))
            finished.clear()

    async def send_now_and_then() -> None:
        while True:
            await trio.sleep(0.05)
            send()
            await sender.flush(keep=_MAX_UNSENT)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(send_now_and_then)
        await Match(task, LimitsSandbox(), finished.append).play()
        nursery.cancel_scope.cancel()
    send()
    sender.queue(MatchOver())
    await sender.flush()


async def _receive(
    fd: int, tasks: trio.MemorySendChannel[MatchTask], everything: trio.CancelScope
) -> None:
    """Hand on what arrives; when the coordinator is gone, stop everything."""
    os.set_blocking(fd, False)
    reader = FrameReader(_MAX_FRAME)
    while True:
        await trio.lowlevel.wait_readable(fd)
        try:
            data = os.read(fd, 1 << 20)
        except BlockingIOError:
            continue
        if not data:
            everything.cancel()
            return
        for body in reader.feed(data):
            await tasks.send(_decode_task(body))
