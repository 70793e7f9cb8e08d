"""Keeps memory where no limit on addresses counts it: files, pipes, sockets."""

import os
import socket

from arena import Bot

PIECE = bytes(2**20)
ENOUGH = 64 * 2**20


class Culprit(Bot):
    def act(self, obs):
        kept, size = [], 0
        for make in (self.fill_file, self.fill_pipe, self.fill_socket):
            try:
                for _ in range(60):
                    thing, added = make()
                    kept.append(thing)
                    size += added
            except OSError:
                pass
        return f"leaked: {size} bytes" if size >= ENOUGH else "stop"

    def fill_file(self):
        file = os.memfd_create("hoard")
        return file, sum(os.write(file, PIECE) for _ in range(3))

    def fill_pipe(self):
        end, other = os.pipe()
        os.set_blocking(other, False)
        return (end, other), os.write(other, PIECE)

    def fill_socket(self):
        pair = socket.socketpair()
        pair[0].setblocking(False)
        return pair, pair[0].send(PIECE)
