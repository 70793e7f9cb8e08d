"""Fails with objects that are traps for whoever looks at them, to find a remedy."""

from arena import Bot


class Trap:
    """Ends the process that looks at it, where that is not on its guard."""

    def __getattribute__(self, name):
        raise KeyboardInterrupt(name)

    __dir__ = __eq__ = __iter__ = __len__ = __index__ = __repr__ = __getattribute__
    __hash__ = object.__hash__


class Deep(Trap):
    def __getattribute__(self, name):
        return getattr(self, name)


class Loud(Trap):
    """Prints more than it may."""

    def __getattribute__(self, name):
        while True:
            print("look at me" * 1000)


class Slow(Trap):
    def __getattribute__(self, name):
        while True:
            pass


class Endless(list):
    def __iter__(self):
        while True:
            yield "roll"


class Leaving(tuple):
    """Leaves when it is compared, measured, shown or walked through."""

    def __eq__(self, other):
        raise SystemExit

    __hash__ = tuple.__hash__
    __len__ = __iter__ = __repr__ = __eq__


class Unread(OSError):
    @property
    def filename(self):
        raise KeyboardInterrupt


class Unnoted(ValueError):
    @property
    def __notes__(self):
        raise KeyboardInterrupt


class Untold(AttributeError):
    name = property(Trap.__getattribute__)
    obj = property(Trap.__getattribute__)
    __str__ = Trap.__getattribute__


TRAPS = {"trap": Trap, "deep": Deep, "loud": Loud, "slow": Slow}


class Culprit(Bot):
    def __init__(self, deed):
        self.how, _, what = deed.partition(" ")
        self.trap = TRAPS.get(what)

    def act(self, obs):
        match self.how:
            case "returns":
                return self.trap()
            case "misses":
                raise AttributeError("no such thing", name="roll", obj=self.trap())
            case "endless":
                return Endless(["roll"])
            case "leaving":
                return Leaving(("roll",))
            case "unread":
                raise Unread(2, "No such file")
            case "unnoted":
                raise Unnoted
            case "untold":
                raise Untold
            case "variables":
                return self.look(obs, Trap())
        raise AssertionError(self.how)

    def look(trap, obs, itself):
        return shotgun_count  # noqa: F821
