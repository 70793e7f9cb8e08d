"""Leaves word for its twin in System V shared memory."""

import ctypes

from arena import Bot

IPC_CREAT = 0o1000


class Culprit(Bot):
    def __init__(self, key, me):
        self.key, self.me = key, me

    def act(self, obs):
        libc = ctypes.CDLL(None, use_errno=True)
        libc.shmat.restype = ctypes.c_void_p
        piece = libc.shmget(self.key, 4096, IPC_CREAT | 0o666)
        if piece == -1:
            return "roll"
        address = libc.shmat(piece, None, 0)
        heard = ctypes.string_at(address)
        ctypes.memmove(address, self.me.encode() + b"\0", 2)
        if heard not in (b"", self.me.encode()):
            return "leaked: heard its twin in shared memory"
        return "roll"
