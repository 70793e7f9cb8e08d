from zombiedice import roll, runTournament, SHOTGUN

class Lurker:
    def __init__(self, name):
        self.name = name

    def turn(self, gameState):
        r = roll()
        while r is not None and r[SHOTGUN] == 0:
            r = roll()

def main():
    n = int(input("How many games? "))
    runTournament(zombies=[Lurker("a"), Lurker("b")], numGames=n)

if __name__ == "__main__":
    main()
