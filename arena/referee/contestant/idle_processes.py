"""Processes that wait for their entry's next match, if a league restarts none."""

import select
from collections import OrderedDict

from arena.referee.sandbox import Process

_MAX_WAITING = 24
"""Each takes three descriptors and the memory of a bot."""


class IdleProcesses:
    """Keeps the processes of one referee that nobody needs at the moment."""

    def __init__(self) -> None:
        self._processes: OrderedDict[tuple[object, ...], Process] = OrderedDict()

    def seat(self, key: tuple[object, ...], process: Process) -> None:
        """Keep a process that nothing is asked of; who has waited longest must go."""
        if key in self._processes:
            process.close()
            return
        self._processes[key] = process
        if len(self._processes) > _MAX_WAITING:
            self._processes.popitem(last=False)[1].close()

    def call(self, key: tuple[object, ...]) -> Process | None:
        """Return a process that is as it was left, if there is one."""
        process = self._processes.pop(key, None)
        if process is None:
            return None
        if _has_stirred(process):
            process.close()
            return None
        return process

    def close(self) -> None:
        """Put all of them away."""
        while self._processes:
            self._processes.popitem()[1].close()


def _has_stirred(process: Process) -> bool:
    """Say whether it has died, or said something unasked."""
    poll = select.poll()
    poll.register(process.read_fd, select.POLLIN)
    return bool(poll.poll(0))
