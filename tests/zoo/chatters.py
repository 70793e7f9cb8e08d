"""Prints in every decision, as students do, or to deceive who reads it."""

import os
import sys

import arena.worker.output
from arena import Bot

print("at import")


class Culprit(Bot):
    def __init__(self, deed="seen", dies_after=0):
        self.deed = getattr(self, deed)
        self.dies_after = dies_after
        self.decisions = 0
        print("init")

    def start(self, obs):
        print("start")

    def zombie_dice(self, obs):
        self.decisions += 1
        action = self.deed(obs)
        if obs.seat == 0 and self.decisions == self.dies_after:
            os._exit(0)
        return action or ("stop" if obs.shotguns >= 2 else "roll")

    def end(self, result):
        print("end", result.termination)

    def seen(self, obs):
        print(obs.seat, obs.brains, obs.shotguns)

    def both_streams(self, obs):
        sys.stderr.write("error, ")
        sys.stdout.buffer.write(b"bytes, ")
        print("print")

    def some(self, obs):
        print("x" * 1500)

    def more_than_it_may_tell(self, obs):
        arena.worker.output.TAIL_BYTES = 2**17
        print("y" * 100_000)

    def illegal(self, obs):
        print("decision", self.decisions)
        return "bite" if self.decisions == 2 else "roll"


class Silent(Culprit):
    def __init__(self):
        self.decisions = self.dies_after = 0
        self.deed = lambda obs: None

    def start(self, obs):
        pass

    def end(self, result):
        pass
