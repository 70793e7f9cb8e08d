"""Makes what it sees writable, and puts a file system of its own over a folder."""

import ctypes
import os

from arena import Bot

MS_REMOUNT, MS_BIND = 32, 4096


class Culprit(Bot):
    def __init__(self, canary):
        self.folder = os.path.dirname(canary).encode()

    def act(self, obs):
        libc = ctypes.CDLL(None, use_errno=True)
        done = []
        if (
            libc.mount(None, b"/", None, ctypes.c_ulong(MS_REMOUNT | MS_BIND), None)
            == 0
        ):
            done.append("remounted")
        for folder in (self.folder, b"/tmp/mine"):
            if libc.mount(b"mine", folder, b"tmpfs", ctypes.c_ulong(0), None) == 0:
                done.append("mounted")
        return f"leaked: {' '.join(done)}" if done else "stop"
