"""Schedules in which some bots, the references, are set apart: all others meet them."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence

from arena.errors import ConfigError
from arena.league.entries.enrolment import Enrolment
from arena.league.entries.entry import Entry
from arena.league.schedule.core import Roles, Schedule


class ReferenceSchedule(Schedule):
    """A schedule with references."""

    are_all_alike = False

    def assign_roles(self, enrolment: Enrolment) -> Roles:
        """Return the references, and the division of each other entry.

        Raises:
            ConfigError: a reference is not there, or plays too little to be one.
        """
        references = tuple(self._references(enrolment))
        others = [e for e in enrolment.entries if e.id not in references]
        roles = Roles(references, self.divide(others))
        self._check_references(enrolment.entries, roles)
        return roles

    def divide(self, others: Sequence[Entry]) -> Mapping[str, int]:
        """Return the division of each entry that is no reference, by id."""
        return {}

    @abstractmethod
    def needed_references(self, players: int, roles: Roles) -> tuple[int, str]:
        """Return the least number of references at such a table, and the reason."""

    def _references(self, enrolment: Enrolment) -> Iterator[str]:
        found: dict[str, str] = {}
        for i, name in enumerate(self.config.references):
            where = f"{self.config.path}: references[{i}]"
            entry = enrolment.called(name, where)
            if entry.id in found:
                raise ConfigError(
                    where,
                    f"{name!r} is the same bot as {found[entry.id]!r}; name it once",
                )
            found[entry.id] = name
            yield entry.id

    def _check_references(self, entries: Sequence[Entry], roles: Roles) -> None:
        """Check that enough references play each game that is played at all."""
        for game in self.config.games:
            name, players = game.spec.name, game.spec.players
            playing = {entry.id for entry in entries if name in entry.games}
            if len(playing) < players:
                continue
            takes, why = self.needed_references(players, roles)
            there = len(playing.intersection(roles.references))
            if there < takes:
                has = {0: "none of them plays", 1: "only one of them plays"}.get(
                    there, f"only {there} of them play"
                )
                raise ConfigError(
                    f"{self.config.path}: references",
                    f"{has} {name}, and {why}; name another that does",
                )

    def overview(self, names: Mapping[str, str]) -> list[str]:
        """Return a sentence that names the references."""
        shown = ", ".join(names[id_] for id_ in self.roles.references)
        return [f"References, whom all bots meet: {shown}."]

    @property
    def power_note(self) -> str:
        """Names the pairs over which the differences are averaged."""
        return (
            "That is on average over all pairs of bots but the references, whether they"
            "\nmeet or not."
        )
