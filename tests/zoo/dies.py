"""Ends its process, or its life in another way."""

import ctypes
import os
import signal
import time

from arena import Bot


class Culprit(Bot):
    def __init__(self, deed):
        self.deed = getattr(self, deed)

    def act(self, obs):
        return self.deed(obs)

    def exit_0(self, obs):
        print("goodbye", flush=True)
        os._exit(0)

    def exit_3(self, obs):
        os._exit(3)

    def abort(self, obs):
        os.abort()

    def segfault(self, obs):
        ctypes.string_at(0)

    def overflow_the_stack(self, obs):
        """Ask for the hash of a tuple in a tuple, deeper than the stack is."""
        nest = ()
        for _ in range(500_000):
            nest = (nest,)
        return str(hash(nest))

    def recurse(self, obs):
        return self.recurse(obs)

    def kill_itself(self, obs):
        """Be ended as the kernel ends a process when memory runs out."""
        os.kill(os.getpid(), signal.SIGKILL)

    def stop_itself(self, obs):
        os.kill(os.getpid(), signal.SIGSTOP)
        return "stop"

    def close_descriptors(self, obs):
        os.closerange(3, 64)
        return "stop"

    def close_descriptors_and_stay(self, obs):
        os.closerange(3, 64)
        time.sleep(10**6)

    def ask_for_much_memory(self, obs):
        return bytearray(2**44)

    def fill_memory(self, obs):
        hoard = []
        while True:
            hoard.append([None] * 10_000)
