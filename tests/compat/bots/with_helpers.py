import zombiedice
import tactics
from _odds import worth_it

class Planner:
    def __init__(self, name="Planner"):
        self.name = name

    def turn(self, gameState):
        hand = tactics.Hand()
        while worth_it(hand):
            if not hand.take(zombiedice.roll()):
                break
