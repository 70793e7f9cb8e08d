from zombiedice import BRAINS, SHOTGUN

class Hand:
    guns = brains = 0

    def take(self, rolled):
        if rolled is not None:
            self.guns += rolled[SHOTGUN]
            self.brains += rolled[BRAINS]
        return rolled is not None
