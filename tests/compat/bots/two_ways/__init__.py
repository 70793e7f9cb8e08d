import zombiedice

from . import strategies
from .strategies import Careful

zombiedice.runTournament([Careful(), strategies.Careful("other")], 10)
