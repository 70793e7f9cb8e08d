import zombiedice
from .porter import Porter

class Nurse(Porter):
    rolls = 2
