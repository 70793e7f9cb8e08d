"""Reads the secrets of the referee and of whoever started it from /proc."""

import os

from arena import Bot


class Culprit(Bot):
    def __init__(self, referee):
        self.pids = [referee, os.getppid()]

    def act(self, obs):
        read = []
        for name in ("environ", "maps", "mem", "fd"):
            for pid in self.pids:
                path = f"/proc/{pid}/{name}"
                try:
                    if name == "fd":
                        os.readlink(f"{path}/0")
                    else:
                        with open(path, "rb") as file:
                            assert name == "mem" or file.read(1)
                    read.append(path)
                except (OSError, AssertionError):
                    pass
        return f"leaked: {' '.join(read)}" if read else "stop"
