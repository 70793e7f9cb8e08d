import zombiedice
import logging

logging.basicConfig(level=logging.DEBUG, format="%(levelname)s %(message)s")

class Diarist:
    name = "diarist"

    def turn(self, gameState):
        for i in range(1000):
            logging.debug("dear diary, %s: %s", i, gameState)
        logging.warning("today I rolled")
        zombiedice.roll()

zombiedice.runTournament([Diarist()], 100)
