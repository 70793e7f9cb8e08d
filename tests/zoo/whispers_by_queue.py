"""Leaves word for its twin in a message queue."""

import ctypes
import os

from arena import Bot

IPC_CREAT = 0o1000


class Culprit(Bot):
    def __init__(self, mark, key, me):
        self.name, self.key, self.me = f"/{mark}".encode(), key, me
        self.sent = False

    def act(self, obs):
        libc = ctypes.CDLL(None, use_errno=True)
        flags = os.O_RDWR | os.O_CREAT
        if libc.mq_open(self.name, flags, 0o666, None) != -1:
            return "leaked: has a POSIX message queue"
        queue = libc.msgget(self.key, IPC_CREAT | 0o666)
        if queue != -1:
            return "leaked: has a System V message queue"
        return "roll"
