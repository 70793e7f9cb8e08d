"""Reads the memory of other processes by a call made for it."""

import ctypes
import errno

from arena import Bot


class Piece(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))


class Culprit(Bot):
    def __init__(self, victim):
        self.victim = victim

    def act(self, obs):
        libc = ctypes.CDLL(None, use_errno=True)
        buffer = ctypes.create_string_buffer(8)
        here = Piece(ctypes.addressof(buffer), 8)
        there = Piece(2**16, 8)
        args = ctypes.byref(here), 1, ctypes.byref(there), 1, 0
        read = libc.process_vm_readv(self.victim, *args)
        # Where it may read, it is only told that nothing is at this address.
        if read >= 0 or ctypes.get_errno() == errno.EFAULT:
            return "leaked: may read a sibling's memory"
        return "stop"
