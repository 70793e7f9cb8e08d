"""Classes of sixty and of thirty: leagues to be played, for whoever needs large ones.

Its bots are the rules of thumb of `bots/`, which forget themselves more or less often;
some of them misbehave now and then, and some always.  One of the thirty may sleep.
"""

import shutil
from pathlib import Path
from typing import Any

import yaml

BOTS = 60
GAMES = ("zombie_dice", "ox_blocks", "zombie_run", "zombie_mania")
_DEEDS = ("crash", "loop", "play_illegally", "exit", "say_nothing", "chatter")
_EXPERTS = 3
_FILE = "bots/contender"
_CONTENDER = '''"""A bot that plays by rules of thumb as long as it thinks of them."""

import os
import time

from .teams import AllRounder, Experts


class Contender(AllRounder):
    """Forgets itself with probability `noise`.

    In a share `bad` of the games it does its `deed` at the third decision.  It sleeps
    for so long at each.
    """

    def __init__(self, noise=0.0, deed="", bad=0.0, sleep=0.0):
        self.noise = noise
        self.sleep = sleep
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
        if self.sleep:
            time.sleep(self.sleep)
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
    """Write the bots and the league's file of sixty into a folder; return the file.

    `models` is the folder of the model bots.
    """
    # A bot that hangs is to be found out soon.
    limits = {"move": 0.2, "bank": 0.2, "output": 100_000}
    return _write(folder, models, fixtures, "sixty", _entries(), limits=limits)


def write_quick_class(
    folder: Path, models: Path, fixtures: int, sleep: float | None
) -> Path:
    """Write 29 quick bots, and one that sleeps so many seconds at each decision."""
    entries = [_contender(f"student {n + 1:02}", noise=n / 28) for n in range(28)]
    if sleep is not None:
        entries.append(_contender("sleeper", sleep=sleep))
    keys = {"luck_adjustment": False}
    return _write(folder, models, fixtures, "thirty", entries, **keys)


def _write(
    folder: Path,
    models: Path,
    fixtures: int,
    name: str,
    entries: list[dict[str, Any]],
    **keys: Any,
) -> Path:
    bots = folder / "bots"
    teams = Path("contender", "teams")
    shutil.copytree(models / teams.name, bots / teams, dirs_exist_ok=True)
    shutil.copyfile(models / "random_bot.py", bots / "random_bot.py")
    (bots / teams.parent / "__init__.py").write_text(_CONTENDER)
    league = {
        "name": name,
        "seed": 60,
        "bots": [{"file": "bots/random_bot.py"}, *entries],
        "anchor": {"bot": "random_bot"},
        "games": [{"game": game, "fixtures": fixtures} for game in GAMES],
    }
    path = folder / f"{name}.yaml"
    path.write_text(yaml.safe_dump(league | keys, sort_keys=False))
    return path


def _contender(name: str, **params: Any) -> dict[str, Any]:
    return {"file": _FILE, "bot": "Contender", "name": name, "params": params}


def _entries() -> list[dict[str, Any]]:
    """Return all but the random bot, by strength and then by misdeed."""
    found: list[dict[str, Any]] = [
        {"file": _FILE, "bot": "Expert", "name": f"expert {number}"}
        for number in range(1, _EXPERTS + 1)
    ]
    faulty = [(deed, bad) for bad in (0.05, 1.0) for deed in _DEEDS]
    honest = BOTS - 1 - _EXPERTS - len(faulty)
    for number in range(honest):
        noise = round(number / honest, 3)
        found.append(_contender(f"student {number + 1:02}", noise=noise))
    for deed, bad in faulty:
        name = f"{deed.replace('_', ' ')} {'always' if bad == 1.0 else 'at times'}"
        found.append(_contender(name, noise=0.1, deed=deed, bad=bad))
    return found
