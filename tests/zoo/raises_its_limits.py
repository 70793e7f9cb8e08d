"""Lifts the limits on its own resources."""

import resource

from arena import Bot

NAMES = ("RLIMIT_AS", "RLIMIT_FSIZE", "RLIMIT_NOFILE")


class Culprit(Bot):
    def act(self, obs):
        most = []
        for name in NAMES:
            number = getattr(resource, name)
            for change in (resource.setrlimit, self.change_by_pid):
                try:
                    change(number, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
                except (OSError, ValueError):
                    pass
            if resource.getrlimit(number)[0] == resource.RLIM_INFINITY:
                most.append(name)
        return f"leaked: no {' '.join(most)}" if most else "stop"

    def change_by_pid(self, number, limits):
        resource.prlimit(0, number, limits)
