"""Mistakes that are seen in the text alone: names taken twice, and what is kept."""

TWICE = (
    "line 11: a second class MyBot takes the place of that of line 5; give it another "
    "name"
)
KEPT = """\
from collections import defaultdict

from arena import Bot

rounds = 0
seen = []
FACTS = {"brain": 1}
table = defaultdict(int)


class MyBot(Bot):
    games = 0
    history = []
    plans = []
    grid: list = [0] * 3

    def start(self, obs):
        self.plans = []

    def zombie_dice(self, obs, memory=[], depth=2, *, cache={}):
        global rounds
        rounds += 1
        seen.append(obs.brains)
        table["turns"] += FACTS["brain"]
        MyBot.games += 1
        self.history.append(obs.brains)
        self.plans.append(obs.brains)
        self.grid[0] = 1
        memory.append(rounds)
        self.cache = cache
        return "stop"

    def look(self, known=()):
        seen = []
        seen.append(known)
        return self.history
"""
