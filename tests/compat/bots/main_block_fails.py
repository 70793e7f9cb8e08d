import zombiedice

if __name__ == "__main__":
    zombiedice.runTournament([MyZombie()], 10)
