from zombiedice import BRAINS, SHOTGUN


class Hand:
    def __init__(self):
        self.guns = self.brains = 0

    def take(self, rolled):
        if rolled is None:
            return False
        self.guns += rolled[SHOTGUN]
        self.brains += rolled[BRAINS]
        return True
