import zombiedice

class Waiter(zombiedice.examples.RandomCoinFlipZombie):
    pass

zombiedice.runTournament(zombies=[Waiter("waiter")], numGames=5)
input("Press Enter to leave")
