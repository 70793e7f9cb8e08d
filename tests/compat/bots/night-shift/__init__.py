import zombiedice
from .nurse import Nurse
from .porter import Porter

zombiedice.runTournament((Nurse("nurse"), Porter("porter")), numGames=10)
