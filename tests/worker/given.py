"""A confinement that is given together with what may be read."""

import arena.worker.confinement as confinement
from arena.worker.confinement.landlock import landlock_abi, open_ruleset
from arena.worker.protocol import Confinement


class Given(Confinement, frozen=True, array_like=True):
    """A confinement, and what may be read under it."""

    read: tuple[str, ...] = ()


def confine(given: Confinement) -> None:
    """Confine this process, with Landlock if the filters are given with it."""
    ruleset = None
    if given.filters and given.landlock:
        read = given.read if isinstance(given, Given) else ()
        ruleset = open_ruleset(read, landlock_abi(), execute=bool(given.command))
    confinement.confine(given, ruleset)
