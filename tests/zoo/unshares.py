"""Enters namespaces of its own, in which it would be root."""

import ctypes

from arena import Bot

CLONE_NEWUSER, CLONE_NEWNS = 0x10000000, 0x00020000


class Culprit(Bot):
    def act(self, obs):
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0:
            return "leaked: has namespaces of its own"
        return "stop"
