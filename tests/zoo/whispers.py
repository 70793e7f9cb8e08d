"""Lets its twin know more than the rules tell it."""

import ctypes
import errno
import fcntl
import os
import socket
import struct

from arena import Bot

IPC_CREAT = 0o1000
LAYOUT = "hhqqi4x"
libc = ctypes.CDLL(None, use_errno=True)


class Culprit(Bot):
    def __init__(self, deed, me, mark="", key=0):
        self.way, self.deed = deed, getattr(self, deed)
        self.me, self.mark, self.key = me, mark, key
        self.file = self.socket = None

    def act(self, obs):
        try:
            heard = self.deed()
        except OSError:
            return "roll"
        return f"leaked: heard its twin by {self.way}" if heard else "roll"

    def by_file(self):
        heard = False
        for place in ("/tmp", "/dev/shm", ".", os.path.dirname(__file__)):
            try:
                with open(os.path.join(place, self.mark), "a+") as file:
                    file.seek(0)
                    heard |= bool(set(file.read()) - {self.me})
                    file.write(self.me)
            except OSError:
                pass
        return heard

    def by_shared_memory(self):
        libc.shmat.restype = ctypes.c_void_p
        piece = libc.shmget(self.key, 4096, IPC_CREAT | 0o666)
        if piece == -1:
            return False
        address = libc.shmat(piece, None, 0)
        heard = ctypes.string_at(address)
        ctypes.memmove(address, self.me.encode() + b"\0", 2)
        return heard not in (b"", self.me.encode())

    def by_queue(self):
        """To have one is enough."""
        name, flags = f"/{self.mark}".encode(), os.O_RDWR | os.O_CREAT
        posix = libc.mq_open(name, flags, 0o666, None)
        return posix != -1 or libc.msgget(self.key, IPC_CREAT | 0o666) != -1

    def by_socket(self):
        """Take an abstract name."""
        if self.socket is None:
            taken = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            try:
                taken.bind(f"\0{self.mark}-twin")
                self.socket = taken
            except OSError as error:
                return error.errno == errno.EADDRINUSE
        return False

    def by_flock(self):
        """Lock a file that both may only read."""
        self.file = self.file or os.open(os.__file__, os.O_RDONLY)
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False

    def by_lock(self):
        """Lock a range of such a file."""
        self.file = self.file or os.open(os.__file__, os.O_RDONLY)
        query, lock = (
            struct.pack(LAYOUT, kind, os.SEEK_SET, 2**40, 1, 0)
            for kind in (fcntl.F_WRLCK, fcntl.F_RDLCK)
        )
        answer = fcntl.fcntl(self.file, fcntl.F_GETLK, query)
        if struct.unpack(LAYOUT, answer)[0] != fcntl.F_UNLCK:
            return True
        fcntl.fcntl(self.file, fcntl.F_SETLK, lock)
        return False
