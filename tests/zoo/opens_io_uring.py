"""Opens a queue of system calls that no filter sees."""

import ctypes

from arena import Bot

IO_URING_SETUP = 425


class Culprit(Bot):
    def act(self, obs):
        libc = ctypes.CDLL(None, use_errno=True)
        parameters = ctypes.create_string_buffer(120)
        if libc.syscall(IO_URING_SETUP, 1, parameters) >= 0:
            return "leaked: has an io_uring"
        return "stop"
