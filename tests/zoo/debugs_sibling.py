"""Attaches itself to another process as a debugger does."""

import ctypes

from arena import Bot

PTRACE_SEIZE = 0x4206


class Culprit(Bot):
    def __init__(self, victim):
        self.victim = victim

    def act(self, obs):
        libc = ctypes.CDLL(None, use_errno=True)
        nothing = ctypes.c_void_p(None)
        if libc.ptrace(PTRACE_SEIZE, self.victim, nothing, nothing) == 0:
            return "leaked: attached to a sibling"
        return "stop"
