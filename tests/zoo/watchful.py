"""Bots that tell what they have seen, in the words of an exception or in print."""

import json

from arena import Bot


class Watchful(Bot):
    """Prints what it is told; the harmless way to look into a match."""

    def __init__(self, log, threshold=2):
        self.log = log
        self.threshold = threshold
        self.decisions = 0

    def start(self, obs):
        assert self.decisions == 0
        self.note("start", obs)

    def zombie_dice(self, obs):
        self.decisions += 1
        self.note("act", obs)
        return "stop" if obs.shotguns >= self.threshold else "roll"

    def end(self, result):
        self.write(
            {
                "asked": "end",
                "me": id(self),
                "decisions": self.decisions,
                "seat": result.seat,
                "returns": result.returns,
                "scores": result.scores,
                "termination": result.termination,
            }
        )

    def note(self, asked, obs):
        self.write(
            {
                "asked": asked,
                "me": id(self),
                "seat": obs.seat,
                "scores": obs.scores,
                "events": [[event.seat, event.text] for event in obs.events],
                "legal": obs.legal_actions,
                "time_left": obs.time_left,
                "players": obs.game.players,
            }
        )

    def write(self, what):
        with open(self.log, "a") as file:
            file.write(json.dumps(what) + "\n")
