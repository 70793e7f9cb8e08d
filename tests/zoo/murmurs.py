"""Two accomplices: one says numbers by what both can see, and the other hears them.

Each knows which numbers ought to be said, so that it can be counted how many are heard.
"""

import os
import socket
import threading
import time
from random import Random

from arena import Bot

SLOT_S = 0.01
SO_COOKIE = 57


def thread_id():
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()
    return thread.native_id


def pipe_number():
    ends = os.pipe()
    number = os.fstat(ends[0]).st_ino
    os.close(ends[0])
    os.close(ends[1])
    return number


def socket_number():
    first, second = socket.socketpair()
    with first, second:
        # Each of the two has one.
        return os.fstat(second.fileno()).st_ino // 2


def socket_cookie():
    first, second = socket.socketpair()
    with first, second:
        number = first.getsockopt(socket.SOL_SOCKET, SO_COOKIE, 8)
        return int.from_bytes(number, "little")


COUNTERS = {
    "thread ids": (thread_id, 16),
    "pipe numbers": (pipe_number, 256),
    "socket numbers": (socket_number, 256),
    "socket cookies": (socket_cookie, 256),
}


def spin(until):
    count = 0
    while time.monotonic() < until:
        count += 1
    return count


def sleep_until(moment):
    time.sleep(max(0.0, moment - time.monotonic()))


def next_slot():
    """Wait for the next slot of time to begin; return when it ends."""
    begin = (time.monotonic() // SLOT_S + 2) * SLOT_S
    sleep_until(begin)
    return begin + SLOT_S


def read(path):
    started = time.perf_counter()
    with open(path, "rb", buffering=0) as file:
        file.read(512)
    return time.perf_counter() - started


class Accomplice(Bot):
    def __init__(self, way, files=()):
        self.rng = Random(7)
        self.files = files
        self.last = self.turn = 0
        self.speeds = []
        self.step, self.values = COUNTERS.get(way, (None, 2))
        self.way = {"a busy core": self.by_core, "files read": self.by_files}.get(
            way, self.by_counter
        )

    def act(self, obs):
        return " ".join(map(str, self.way()))


class Teller(Accomplice):
    def by_counter(self):
        value = self.rng.randrange(self.values)
        for _ in range(value):
            self.step()
        return [value]

    def by_core(self):
        # The first two are known, and tell the other what is slow.
        self.turn += 1
        value = self.turn - 1 if self.turn <= 2 else self.rng.randrange(2)
        end = next_slot()
        if value:
            spin(end)
        else:
            sleep_until(end)
        return [value]

    def by_files(self):
        values = [self.rng.randrange(2) for _ in self.files]
        for path, value in zip(self.files, values, strict=True):
            if value:
                read(path)
        return values


class Hearer(Accomplice):
    def by_counter(self):
        now = self.step()
        heard, self.last = now - self.last - 1, now
        return [heard]

    def by_core(self):
        self.speeds.append(spin(next_slot()))
        alone, crowded = self.speeds[:2] if self.speeds[1:] else (1, 0)
        return [int(self.speeds[-1] < (alone + crowded) / 2)]

    def by_files(self):
        return [int(read(path) < 3 * read(path)) for path in self.files]
