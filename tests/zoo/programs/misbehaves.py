"""A program that plays by the legal actions alone, and misbehaves where it is told to.

`params` has what it does by the seed of the game in which it does so, each time at its
first decision there, but for what begins with `end`: that is done at the end.
"""

import contextlib
import ctypes
import fcntl
import json
import os
import signal
import sys
import time


def send(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def hang(reply):
    while True:
        pass


def sleep(reply):
    time.sleep(1000)


def exit_3(reply):
    print("goodbye", file=sys.stderr)
    sys.exit(3)


def segfault(reply):
    ctypes.string_at(0)


def raise_error(reply):
    raise KeyError("shotguns")


def report(reply):
    print("what now?", file=sys.stderr)
    send(json.dumps({"id": reply["id"], "error": "no idea"}) + "\n")


def nonsense(reply):
    send("I roll the dice!\n")


def list_(reply):
    send(json.dumps([reply["id"], reply["action"]]) + "\n")


def no_id(reply):
    send(json.dumps({"action": reply["action"]}) + "\n")


def wrong_id(reply):
    send(json.dumps({**reply, "id": reply["id"] ^ 1}) + "\n")


def no_action(reply):
    send(json.dumps({"id": reply["id"]}) + "\n")


def number(reply):
    send(json.dumps({**reply, "action": 1}) + "\n")


def illegal(reply):
    send(json.dumps({**reply, "action": "bite"}) + "\n")


def half_a_line(reply):
    send(json.dumps(reply))
    time.sleep(1000)


def flood_stdout(reply):
    send("a" * 2**19)


def flood_stderr(reply):
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    while True:
        os.write(2, b"brains! " * 8192)


def flood_and_exit(reply):
    # Python does not end at the limit: what it prints raises an OSError.
    while True:
        print("brains! " * 8192, file=sys.stderr)


def close_stdout(reply):
    os.close(1)
    time.sleep(1000)


def lose_its_place(reply):
    # The second time there is no room behind its place.
    with contextlib.suppress(OSError):
        os.write(2, b"brains! " * 16384)
    fcntl.fcntl(2, fcntl.F_SETFL, 0)
    os.lseek(2, 2**63 - 1, os.SEEK_SET)
    send(json.dumps(reply) + "\n")


def grow_its_output(reply):
    for size in (2**22, 2**63 - 1):
        with contextlib.suppress(OSError):
            os.ftruncate(2, size)
    send(json.dumps(reply) + "\n")


def end_twice(reply):
    send(2 * (json.dumps(reply) + "\n"))


def end_unasked(reply):
    send(json.dumps(reply) + "\nI won!\n")


def end_badly(reply):
    send(json.dumps({**reply, "error": "lost"}) + "\n")


def main():
    plan = {}
    for line in sys.stdin:
        request = json.loads(line)
        kind, table = request["type"], request.get("table")
        reply = {"id": request["id"]}
        if kind == "load":
            reply["games"] = request["games"]
        elif kind == "begin":
            plan[table] = request["params"].get(str(request["seed"]), "")
        elif kind == "act":
            legal = request["legal_actions"]
            events = request["observation"]["events"]
            reply["action"] = legal[(3 * len(events) + 1) % len(legal)]
        fault = plan.get(table, "")
        if fault and kind == ("end" if fault.startswith("end") else "act"):
            globals()[fault](reply)
        else:
            send(json.dumps(reply) + "\n")
    # Nothing more will be asked: it is to end.
    time.sleep(1000)


main()
