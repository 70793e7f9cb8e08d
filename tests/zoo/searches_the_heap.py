"""Looks through all objects and frames of its process for those of a referee."""

import gc
import sys

from arena import Bot

FOREIGN = ("arena.referee", "arena.league", "trio", "pluggy", "click")


class Culprit(Bot):
    def act(self, obs):
        found = {name for name in sys.modules if name.startswith(FOREIGN)}
        for thing in gc.get_objects():
            module = getattr(type(thing), "__module__", None)
            if isinstance(module, str) and module.startswith(FOREIGN):
                found.add(type(thing).__qualname__)
        for frame in sys._current_frames().values():
            while frame is not None:
                if frame.f_globals.get("__name__", "").startswith(FOREIGN):
                    found.add(frame.f_code.co_qualname)
                frame = frame.f_back
        return f"leaked: {' '.join(sorted(found))}" if found else "stop"
