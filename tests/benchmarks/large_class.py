"""A class of sixty: a league to be played, for whoever needs a large one.

Its bots are the rules of thumb of `bots/`, which forget themselves more or less often;
some of them misbehave now and then, and some always.
"""

import shutil
from pathlib import Path
from typing import Any

import yaml

BOTS = 60
GAMES = ("zombie_dice", "ox_blocks", "zombie_run", "zombie_mania")
_DEEDS = ("crash", "loop", "play_illegally", "exit", "say_nothing", "chatter")
_EXPERTS = 3
_CONTENDER = '''"""A bot that plays by rules of thumb as long as it thinks of them."""

import os

from .teams import AllRounder, Experts


class Contender(AllRounder):
    """Forgets itself with probability `noise`.

    In a share `bad` of the games it does its `deed` at the third decision.
    """

    def __init__(self, noise=0.0, deed="", bad=0.0):
        self.noise = noise
        self.deed = deed
        self.is_bad = self.rng.random() < bad
        self.decisions = 0

    def zombie_dice(self, obs):
        return self.choose(obs, super().zombie_dice)

    def ox_blocks(self, obs):
        return self.choose(obs, super().ox_blocks)

    def zombie_run(self, obs):
        return self.choose(obs, super().zombie_run)

    def zombie_mania(self, obs):
        return self.choose(obs, super().zombie_mania)

    def choose(self, obs, rule):
        self.decisions += 1
        if self.is_bad and self.decisions == 3:
            return getattr(self, self.deed)(obs)
        if self.rng.random() < self.noise:
            return self.rng.choice(obs.legal_actions)
        return rule(obs)

    def crash(self, obs):
        return obs.scores[obs.seat] / 0

    def loop(self, obs):
        while True:
            pass

    def play_illegally(self, obs):
        return "give up"

    def exit(self, obs):
        os._exit(3)

    def say_nothing(self, obs):
        return None

    def chatter(self, obs):
        while True:
            print("still thinking")


class Expert(Experts):
    """Calculates."""
'''


def write_class(folder: Path, models: Path, fixtures: int) -> Path:
    """Write the bots and the league's file into a folder; return the file.

    `models` is the folder of the model bots.
    """
    bots = folder / "bots"
    teams = Path("contender", "teams")
    shutil.copytree(models / teams.name, bots / teams, dirs_exist_ok=True)
    shutil.copyfile(models / "random_bot.py", bots / "random_bot.py")
    (bots / teams.parent / "__init__.py").write_text(_CONTENDER)
    league = {
        "name": "sixty",
        "seed": 60,
        "bots": [{"file": "bots/random_bot.py"}, *_entries()],
        "anchor": {"bot": "random_bot"},
        "games": [{"game": game, "fixtures": fixtures} for game in GAMES],
        # A bot that hangs is to be found out soon.
        "limits": {"move": 0.2, "bank": 0.2, "output": 100_000},
    }
    path = folder / "sixty.yaml"
    path.write_text(yaml.safe_dump(league, sort_keys=False))
    return path


def _entries() -> list[dict[str, Any]]:
    """Return all but the random bot, by strength and then by misdeed."""
    file = "bots/contender"
    found: list[dict[str, Any]] = [
        {"file": file, "bot": "Expert", "name": f"expert {number}"}
        for number in range(1, _EXPERTS + 1)
    ]
    faulty = [(deed, bad) for bad in (0.05, 1.0) for deed in _DEEDS]
    honest = BOTS - 1 - _EXPERTS - len(faulty)
    for number in range(honest):
        noise = round(number / honest, 3)
        name = f"student {number + 1:02}"
        found.append({"file": file, "bot": "Contender", "name": name})
        found[-1]["params"] = {"noise": noise}
    for deed, bad in faulty:
        name = f"{deed.replace('_', ' ')} {'always' if bad == 1.0 else 'at times'}"
        found.append({"file": file, "bot": "Contender", "name": name})
        found[-1]["params"] = {"noise": 0.1, "deed": deed, "bad": bad}
    return found
