import threading
import zombiedice

class Threaded:
    def __init__(self, name):
        self.name = name
        self.rolled = False

    def turn(self, gameState):
        zombiedice.roll()
        helper = threading.Thread(target=self.roll)
        helper.start()
        helper.join()
        if self.rolled:
            raise RuntimeError("a thread has rolled")

    def roll(self):
        try:
            self.rolled = zombiedice.roll() is not None
        except RuntimeError as error:
            print(error)

zombiedice.runWebGui(zombies=[Threaded("threaded")], numGames=10)
