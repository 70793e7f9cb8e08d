from pathlib import Path

from arena import Bot

STOP = int((Path(__file__).parent / "data" / "stop.txt").read_text())


class Packed(Bot):
    def act(self, obs):
        if "stop" in obs.legal_actions:
            return "stop" if obs.brains >= STOP else "roll"
        return self.rng.choice(obs.legal_actions)
