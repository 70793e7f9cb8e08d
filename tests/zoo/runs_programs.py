"""Lets another program do the work."""

import os
import subprocess
import sys

from arena import Bot

PROGRAMS = ("/bin/true", "/usr/bin/true", sys.executable)


class Culprit(Bot):
    def act(self, obs):
        for program in PROGRAMS:
            try:
                subprocess.run([program, "--version"], stdin=subprocess.DEVNULL)
            except OSError:
                continue
            return f"leaked: ran {os.path.basename(program)}"
        return "stop"
