"""Two plain Python processes that exchange messages over a socket pair.

    python tests/benchmarks/round_trip.py MESSAGES [one-core]

MESSAGES is a file with pairs of request and reply in JSON, in hexadecimal.  Both sides
are loops that block: what any referee in Python pays at least, and nothing else.
Answers lines of input as `peers.py` does; one game is all the messages once, a step is
a request and its reply.  With `one-core` both processes share one.
"""

import json
import os
import socket
import sys
import time
from pathlib import Path
from typing import Any

Messages = list[tuple[bytes, bytes]]


def ask(fd: int, messages: Messages) -> None:
    """Send every request and take its reply in."""
    read, write = os.read, os.write
    for request, reply in messages:
        write(fd, request)
        left = len(reply)
        while left:
            left -= len(read(fd, 65536))


def answer(fd: int, messages: Messages) -> None:
    """Answer every request, again and again until the other side is closed."""
    read, write = os.read, os.write
    while True:
        for request, reply in messages:
            left = len(request)
            while left:
                data = read(fd, 65536)
                if not data:
                    return
                left -= len(data)
            write(fd, reply)


def main() -> None:
    pairs = json.loads(Path(sys.argv[1]).read_text())
    messages = [(bytes.fromhex(a), bytes.fromhex(b)) for a, b in pairs]
    where = "left alone"
    if "one-core" in sys.argv[2:]:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        where = "on one core"
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        ours.close()
        answer(theirs.fileno(), messages)
        os._exit(0)
    theirs.close()
    about = f"two plain processes, a socket pair, {where}"
    print(json.dumps({"plays": about, "step": "request and reply"}), flush=True)
    fd = ours.fileno()
    # The clock of the other process, as the kernel names it.
    clock = (~child << 3) | 2
    for line in sys.stdin:
        seconds = float(line)
        rounds = 0
        asked = time.clock_gettime(clock)
        wall, cpu = time.perf_counter(), time.process_time()
        while time.perf_counter() - wall < seconds:
            ask(fd, messages)
            rounds += 1
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        asked = time.clock_gettime(clock) - asked
        found: dict[str, Any] = {
            "games": rounds,
            "steps": rounds * len(messages),
            "wall": wall,
        }
        found["roles"] = {"asker": cpu, "asked": asked}
        print(json.dumps({**found, "cpu": cpu + asked}), flush=True)
    ours.close()
    os.waitpid(child, 0)


if __name__ == "__main__":
    main()
