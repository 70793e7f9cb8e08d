"""Types into the terminal that the league was started from."""

import fcntl
import os

from arena import Bot

TIOCSTI = 0x5412


class Culprit(Bot):
    def act(self, obs):
        try:
            terminal = os.open("/dev/tty", os.O_RDWR)
            fcntl.ioctl(terminal, TIOCSTI, b"#")
        except OSError:
            return "stop"
        return "leaked: typed into the terminal"
