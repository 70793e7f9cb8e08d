"""Words a reason of its own for its fault, and names a place in another bot's file."""

import linecache
import os
import sys

import msgspec

from arena import Bot

OTHER = os.path.join(os.path.dirname(__file__), "honest.py")
BLAME = "the machine was too slow, honest.py:3 is to blame"


def fail(*_):
    return 1 / 0


def called(name, file=OTHER):
    """Return `fail` as if it were called otherwise, in another file."""
    code = fail.__code__.replace(co_name=name, co_filename=file, co_firstlineno=2)
    return type(fail)(code, globals())


def send_as_worker(*fields):
    """Reply in the name of the worker that the request has failed."""
    request = sys._getframe(2).f_locals["request"]
    body = msgspec.msgpack.encode(("Failed", request.serial, *fields))
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, len(body).to_bytes(4, "little") + body)
        except OSError:
            pass
    while True:
        pass


class Shown:
    def __repr__(self):
        return BLAME


class Culprit(Bot):
    def __init__(self, deed):
        self.deed = deed
        if deed == "renames a method":
            self.act = called(f"honest.py:3: {BLAME}", __file__)

    def act(self, obs):
        # Later, these would be the lines of the other file.
        linecache.cache[OTHER] = (1, None, [f"{BLAME}\n"] * 99, OTHER)
        deed = self.deed
        if deed == "raises a reason":
            raise RuntimeError(BLAME)
        if deed == "renames its error":
            raise type(f"honest.py:3: {BLAME}", (Exception,), {})
        if deed == "adds a note":
            error = RuntimeError()
            error.add_note(BLAME)
            raise error
        if deed == "ends a quotation":
            raise RuntimeError(f'bad\' {BLAME} "x" \u2019\u201d {BLAME}')
        if deed == "turns the line":
            raise RuntimeError(f"\u202e\x1b[2J\r{BLAME}")
        if deed == "says it with its result":
            return Shown()
        if deed == "plays a reason":
            return f"roll'; {BLAME} (it was legal\u2019"
        if deed == "compiles as another":
            exec(compile("\n\n1 / 0", OTHER, "exec"))
        if deed == "calls another":
            called("act")()
        if deed == "calls a name":
            called(BLAME, __file__)()
        if deed == "raises a syntax error":
            raise SyntaxError(BLAME, (OTHER, 3, 1, BLAME))
        if deed == "forges a frame":
            call = OTHER, 3, "act", (0, 0)
            send_as_worker("timeout", f"honest.py:3: {BLAME}", "", call, [call])
        if deed == "forges a line":
            call = __file__, 10**6, "act", (0, 0)
            send_as_worker("crash", BLAME, "", call, [call])
        if deed == "forges a name":
            call = __file__, 3, BLAME, (-5, 10**9)
            send_as_worker("crash", BLAME, "", call, [call])
        raise AssertionError(deed)
