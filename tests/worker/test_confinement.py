"""What a confined process can still do."""

import ctypes
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from confined import FULL, confined, filters, needs_filters, run

STILL_WORKS = {
    "json": ("import json; print(json.loads('[1]'))", "[1]"),
    "random": (
        "import random, secrets, uuid\n"
        "random.seed(1); print(random.randrange(6), len(secrets.token_bytes()))",
        "1 32",
    ),
    "threads": (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "with ThreadPoolExecutor(4) as pool: print(sum(pool.map(abs, range(9))))",
        "36",
    ),
    "a thread and a lock": (
        "import threading\n"
        "event = threading.Event()\n"
        "thread = threading.Thread(target=event.set)\n"
        "thread.start(); print(event.wait(60)); thread.join()",
        "True",
    ),
    "asyncio": (
        "import asyncio\n"
        "async def main():\n"
        "    await asyncio.sleep(0.001)\n"
        "    return await asyncio.to_thread(len, 'abc')\n"
        "print(asyncio.run(main()))",
        "3",
    ),
    "selectors": (
        "import selectors, socket\n"
        "a, b = socket.socketpair(); a.send(b'a')\n"
        "for kind in (selectors.SelectSelector, selectors.PollSelector,\n"
        "             selectors.EpollSelector):\n"
        "    with kind() as selector:\n"
        "        selector.register(b, selectors.EVENT_READ)\n"
        "        print(len(selector.select(60)), end=' ')\n"
        "print(b.recv(9))",
        "1 1 1 b'a'",
    ),
    "sqlite": (
        "import sqlite3\n"
        "with sqlite3.connect(':memory:') as base:\n"
        "    base.execute('create table a (b)')\n"
        "    base.executemany('insert into a values (?)', [(i,) for i in range(999)])\n"
        "    print(base.execute('select sum(b) from a order by b').fetchone())",
        "(498501,)",
    ),
    "numpy": (
        "import numpy\n"
        "a = numpy.ones((200, 200)); print((a @ a).sum(), numpy.linalg.inv(a + "
        "numpy.eye(200)).shape, numpy.random.default_rng(1).integers(9))",
        "8000000.0 (200, 200) 4",
    ),
    "dates": (
        "import datetime, zoneinfo\n"
        "there = zoneinfo.ZoneInfo('Europe/Berlin')\n"
        "print(datetime.datetime(2024, 7, 1, tzinfo=there).utcoffset())",
        "2:00:00",
    ),
    "time": (
        "import time\n"
        "before = time.monotonic(); time.sleep(0.001)\n"
        "clocks = [time.time(), time.process_time(), time.thread_time()]\n"
        "print(time.monotonic() > before, min(clocks) > 0)",
        "True True",
    ),
    "signals": (
        "import signal, time\n"
        "got = []\n"
        "signal.signal(signal.SIGALRM, lambda *_: got.append('alarm'))\n"
        "signal.signal(signal.SIGUSR1, lambda *_: got.append('own'))\n"
        "signal.raise_signal(signal.SIGUSR1)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.001)\n"
        "while len(got) < 2: time.sleep(0.001)\n"
        "print(got)",
        "['own', 'alarm']",
    ),
    "nowhere to write": ("print(open('/dev/null', 'w').write('abc'))", "3"),
    "modules of its own": (
        "import decimal, fractions, heapq, functools, itertools, statistics, pickle,"
        " copy, enum, dataclasses, logging, unittest, multiprocessing, ctypes\n"
        "print(decimal.Decimal(1) / 4, statistics.median([1, 2, 9]))",
        "0.25 2",
    ),
}


@needs_filters
@pytest.mark.parametrize("name", STILL_WORKS)
def test_it_still_works(name: str) -> None:
    program, printed = STILL_WORKS[name]
    if name == "dates" and not Path("/usr/share/zoneinfo/Europe/Berlin").exists():
        pytest.skip("this system has no time zones")
    assert run(program, FULL) == printed


@needs_filters
def test_own_files_may_be_read_and_no_others_listed(tmp_path: Path) -> None:
    own, other = tmp_path / "own", tmp_path / "other"
    for folder in (own / "deep", other / "deep"):
        folder.mkdir(parents=True)
        (folder / "file").write_text("text")
    lone = tmp_path / "lone"
    lone.write_text("text")
    given = filters(own, lone, tmp_path / "missing")

    def can(attempt: Callable[[], object]) -> bool:
        return confined(attempt, given) == "done"

    assert can((own / "deep" / "file").read_text)
    assert can(lambda: os.listdir(own / "deep"))
    assert can(lone.read_text)
    assert not can(lambda: os.listdir(other / "deep"))
    assert not can((other / "deep" / "file").read_text)
    assert not can(lambda: os.listdir(tmp_path))


@needs_filters
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


@needs_filters
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
