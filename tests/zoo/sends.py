"""Writes to its own pipe to the referee, wherever that is."""

import os

from arena import Bot
from arena.worker.protocol import Answer, frame


def send(data):
    for descriptor in range(3, 64):
        rest = data
        try:
            while rest:
                rest = rest[os.write(descriptor, rest) :]
        except OSError:
            pass


def framed(body):
    return len(body).to_bytes(4, "little") + body


FRAMES = {
    "garbage": b"\xff\xfe garbage",
    "no message": framed(b"\xc1\xc1"),
    "a deep frame": framed(b"\x91" * 200_000),
    "a huge frame": framed(bytes(2**20)),
    "empty frames": bytes(2**16),
    # Well-formed, and nobody has asked for it.
    "an answer": frame(Answer(0, "stop")),
    "half a frame": frame(Answer(0, "stop" * 20))[:50],
}


class Culprit(Bot):
    def __init__(self, deed):
        self.deed = deed

    def act(self, obs):
        for _ in range(1000 if self.deed == "empty frames" else 1):
            send(FRAMES[self.deed])
        while self.deed == "half a frame":
            pass
        return "stop"
