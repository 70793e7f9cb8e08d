import zombiedice
import random_print

zombiedice.runTournament([zombiedice.examples.CrashZombie("x")], 100)
