from zombiedice import runTournament
from zombiedice.examples import AlwaysRollsTwiceZombie

class MyZombie(AlwaysRollsTwiceZombie):
    pass

runTournament([MyZombie("My Zombie Bot")], 5)
