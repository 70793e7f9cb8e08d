"""A confined process can still do all that bots need."""

import ctypes
import os
import re
from functools import partial
from pathlib import Path

import pytest
from confined import FULL, confined, filters, needs_filters, outcomes, run
from given import confine

pytestmark = needs_filters

# Each begins with its name, and with what it prints.
PROGRAMS = """
# json: [1]
import json
print(json.loads('[1]'))
# random: 1 32
import random, secrets, uuid
random.seed(1)
print(random.randrange(6), len(secrets.token_bytes()))
# threads: 36
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(4) as pool:
    print(sum(pool.map(abs, range(9))))
# a thread and a lock: True
import threading
event = threading.Event()
thread = threading.Thread(target=event.set)
thread.start()
print(event.wait(60))
thread.join()
# asyncio: 3
import asyncio
async def main():
    await asyncio.sleep(0.001)
    return await asyncio.to_thread(len, 'abc')
print(asyncio.run(main()))
# selectors: 1 1 1 b'a'
import selectors, socket
a, b = socket.socketpair()
a.send(b'a')
for name in ("SelectSelector", "PollSelector", "EpollSelector"):
    with getattr(selectors, name)() as selector:
        selector.register(b, selectors.EVENT_READ)
        print(len(selector.select(60)), end=' ')
print(b.recv(9))
# sqlite: (498501,)
import sqlite3
with sqlite3.connect(':memory:') as base:
    base.execute('create table a (b)')
    base.executemany('insert into a values (?)', [(i,) for i in range(999)])
    print(base.execute('select sum(b) from a order by b').fetchone())
# numpy: 8000000.0 (200, 200) 4
import numpy
a = numpy.ones((200, 200))
inverse = numpy.linalg.inv(a + numpy.eye(200))
print((a @ a).sum(), inverse.shape, numpy.random.default_rng(1).integers(9))
# dates: 2:00:00
import datetime, zoneinfo
there = zoneinfo.ZoneInfo('Europe/Berlin')
print(datetime.datetime(2024, 7, 1, tzinfo=there).utcoffset())
# time: True True
import time
before = time.monotonic()
time.sleep(0.001)
clocks = [time.time(), time.process_time(), time.thread_time()]
print(time.monotonic() > before, min(clocks) > 0)
# signals: ['own', 'alarm']
import signal, time
got = []
signal.signal(signal.SIGALRM, lambda *_: got.append('alarm'))
signal.signal(signal.SIGUSR1, lambda *_: got.append('own'))
signal.raise_signal(signal.SIGUSR1)
signal.setitimer(signal.ITIMER_REAL, 0.001)
while len(got) < 2: time.sleep(0.001)
print(got)
# nowhere to write: 3
print(open('/dev/null', 'w').write('abc'))
# modules of its own: 0.25 2
import decimal, fractions, heapq, functools, itertools, statistics, pickle, copy
import enum, dataclasses, logging, unittest, multiprocessing, ctypes
print(decimal.Decimal(1) / 4, statistics.median([1, 2, 9]))
"""
STILL_WORKS = {
    name: (program, printed)
    for name, printed, program in re.findall(
        r"^# (.+?): (.+)\n((?:(?!# ).*\n)+)", PROGRAMS, re.M
    )
}


@pytest.mark.parametrize("name", STILL_WORKS)
def test_it_still_works(name: str) -> None:
    program, printed = STILL_WORKS[name]
    if name == "dates" and not Path("/usr/share/zoneinfo/Europe/Berlin").exists():
        pytest.skip("this system has no time zones")
    assert run(program, FULL) == printed


def test_own_files_may_be_read_and_no_others_listed(tmp_path: Path) -> None:
    own, other = tmp_path / "own", tmp_path / "other"
    for folder in (own / "deep", other / "deep"):
        folder.mkdir(parents=True)
        (folder / "file").write_text("text")
    lone = tmp_path / "lone"
    lone.write_text("text")
    read = [path.read_text for path in (own / "deep/file", lone, other / "deep/file")]
    listed = [partial(os.listdir, path) for path in (own, other / "deep", tmp_path)]
    attempts = {str(n): attempt for n, attempt in enumerate([*read, *listed])}
    given = filters(own, lone, tmp_path / "missing")
    ended = outcomes(attempts, lambda: confine(given))
    yes, no = "done", "EACCES"
    assert list(ended.values()) == [yes, yes, no, yes, no, no]


def test_what_is_open_stays_open(tmp_path: Path) -> None:
    """The output that the referee has opened can be written, cut and read."""
    descriptor = os.open(tmp_path / "output", os.O_RDWR | os.O_APPEND | os.O_CREAT)

    def attempt() -> None:
        os.write(descriptor, b"first")
        os.ftruncate(descriptor, 0)
        os.write(descriptor, b"second")
        os.set_blocking(descriptor, False)

    assert confined(attempt, filters()) == "done"
    os.close(descriptor)
    assert (tmp_path / "output").read_text() == "second"


def test_native_threads_can_be_waited_for() -> None:
    """The C library waits for the kernel's word, and asks for a thread's cores."""
    libc = ctypes.CDLL(None)
    libc.pthread_self.restype = ctypes.c_void_p
    ended = []

    def work(_: int | None) -> None:
        attributes = ctypes.create_string_buffer(256)
        thread = ctypes.c_void_p(libc.pthread_self())
        ended.append(libc.pthread_getattr_np(thread, attributes))
        # By then it is waited for; if it is not, the test proves less.
        libc.usleep(20_000)

    def attempt() -> None:
        begin = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(work)
        thread = ctypes.c_ulong()
        assert libc.pthread_create(ctypes.byref(thread), None, begin, None) == 0
        assert libc.pthread_join(thread, None) == 0
        assert ended == [0]

    assert confined(attempt, filters()) == "done"
