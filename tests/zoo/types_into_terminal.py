"""Types a command into the terminal that the league was started from."""

import fcntl
import os

from arena import Bot

TIOCSTI = 0x5412


class Culprit(Bot):
    def act(self, obs):
        for path in ("/dev/tty", "/dev/console", "/dev/stdin"):
            try:
                terminal = os.open(path, os.O_RDWR)
                fcntl.ioctl(terminal, TIOCSTI, b"#")
            except OSError:
                continue
            return f"leaked: typed into {path}"
        return "stop"
