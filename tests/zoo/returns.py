"""Returns what is no action."""

from arena import Bot


class Text(str):
    """Says that it is another text."""

    def __eq__(self, other):
        return True

    def __str__(self, *_):
        return "stop"

    def __len__(self):
        return 4

    def isascii(self):
        return True

    __hash__ = str.__hash__
    encode = __getitem__ = __format__ = __iter__ = __repr__ = __str__


class Number(int):
    """Says that it is a text, and equals everything."""

    __class__ = str

    def __eq__(self, other):
        return True

    def __hash__(self):
        return hash("stop")

    def __reduce__(self):
        return print, ("unpickled",)

    def encode(self, *args):
        return b"stop"


class Float(float):
    """Is larger and smaller than all others."""

    def __lt__(self, other):
        return True

    __gt__ = __le__ = __ge__ = __eq__ = __lt__
    __hash__ = float.__hash__


class Unshowable:
    def __repr__(self):
        raise KeyboardInterrupt


VALUES = {
    "none": None,
    "int": 1,
    "list": ["stop"],
    "nan": float("nan"),
    "subclass": Text("bite"),
    "evil number": Number(1),
    "evil float": Float("inf"),
    "unshowable": Unshowable(),
    "long number": 10**5000,
    "megabyte": "stop" * 2**18,
    "surrogate": "stop\udcff",
    "nonsense": "bite",
    "other game's": "place b2",
}


class Culprit(Bot):
    def __init__(self, deed):
        self.value = VALUES[deed]

    def act(self, obs):
        return self.value
