"""The work of a run: what is to be played next, and which games count.

A quarantined game is recorded under an id of its own and counts in the place of the
game that was planned.  So a game that had been played before its bot was quarantined
stays as history, and makes no difference.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import accumulate

from msgspec.structs import replace

from arena.games import derive_seed
from arena.league.plan import Plan, parts
from arena.league.quarantine import Quarantine
from arena.referee.record import GameTask, Termination, Unit

_MISSING, _KEPT, _PLAYED, _FORFEITED = range(4)


class Queue:
    """The games of a plan that are missing, in units that nobody has taken yet."""

    def __init__(
        self, plan: Plan, patience: int, known: Mapping[str, Mapping[str, str]]
    ) -> None:
        """Take what is recorded: by game id, how each entry that forfeited it did so.

        An entry is quarantined after `patience` forfeits in a row, or never if it is 0.
        """
        self.ids = plan.game_ids()
        """The games that count, in the order of the plan."""
        self.missing = len(self.ids)
        """Games that count and are not recorded."""
        self.played = 0
        """Games that count and were played in this run."""
        self.forfeits = 0
        """Those of them that someone forfeited."""
        self._matches = plan.matches
        self._starts = [*accumulate((len(m.games) for m in plan.matches), initial=0)]
        self._known = known
        self._positions = {id_: position for position, id_ in enumerate(self.ids)}
        self._states = bytearray(len(self.ids))
        self._quarantined: dict[tuple[int, tuple[str, ...]], list[GameTask]] = {}
        """Games that nobody has taken, by match and by who is out."""
        self._quarantine = Quarantine(
            [
                tuple(match.entries[i].id for i in task.seats)
                for match in plan.matches
                for task in match.games
            ],
            patience,
            {e.id for match in plan.matches for e in match.entries if e.refused},
        )
        recorded = [(p, id_) for p, id_ in enumerate(self.ids) if id_ in known]
        for position, _ in recorded:
            self._set(position, _KEPT)
        for position, id_ in recorded:
            self._decide(position, known[id_])
        planned = zip(plan.game_ids(), self.ids, strict=True)
        replaced = {id_ for id_, counting in planned if id_ != counting}
        self._units = deque(plan.units(known.keys() | replaced))

    @property
    def quarantined(self) -> Set[str]:
        """The entries that are in quarantine after all that is known."""
        return self._quarantine.ends.keys()

    def next(self) -> Unit | None:
        """Take the next unit; None if there is nothing to do now.

        There may be again, for whoever still plays and asks after that.
        """
        if self._quarantined:
            return self._next_quarantined()
        for _ in range(len(self._units)):
            unit = self._units.popleft()
            games = tuple(g for g in unit.games if self._counts(g.game_id))
            if not games:
                continue
            unit = replace(unit, games=games)
            if not self._is_undecided(games[0]):
                return unit
            self._units.append(unit)
        return None

    def give_back(self, unit: Unit, left: Sequence[GameTask]) -> None:
        """Put what is left of a unit that was broken off behind all others."""
        self._units.append(replace(unit, games=tuple(left)))

    def note(self, ends: Iterable[tuple[str, Mapping[str, str]]]) -> dict[int, str]:
        """Take in what was played: of each game, how every entry that forfeited did so.

        Returns the places in the plan, from 0, where another game counts now.
        """
        changed = {}
        for game_id, faults in ends:
            position = self._positions[game_id]
            if self._counts(game_id):
                self._set(position, _FORFEITED if faults else _PLAYED)
            _, task = self._find(position)
            if game_id == task.game_id:
                for other in self._decide(position, faults):
                    changed[other] = self.ids[other]
        return changed

    def waiting(self) -> list[Unit]:
        """Return all units that nobody has taken."""
        return [*map(self._without, self._quarantined), *self._units]

    def _next_quarantined(self) -> Unit:
        key = next(iter(self._quarantined))
        unit = self._without(key)
        first, *others = parts(self._quarantined.pop(key))
        if others:
            self._quarantined[key] = [game for part in others for game in part]
        return replace(unit, games=tuple(first))

    def _without(self, key: tuple[int, tuple[str, ...]]) -> Unit:
        """Return a match without some of its entries, and its games that are left."""
        index, out = key
        match = self._matches[index]
        return replace(
            match,
            entries=tuple(
                replace(
                    e, refused=self._reason(e.id), refused_as=Termination.QUARANTINE
                )
                if e.id in out
                else e
                for e in match.entries
            ),
            games=tuple(self._quarantined[key]),
            # Who is still in does not get any nearer to quarantine here.
            patience=0,
        )

    def _reason(self, entry: str) -> str:
        patience = self._quarantine.patience
        match, task = self._find(self._quarantine.ends[entry])
        ids = [match.entries[i].id for i in task.seats]
        others = ", ".join(id_ for id_ in ids if id_ != entry)
        return (
            f"not played: {entry} forfeited {patience} game{'s' * (patience > 1)} in a "
            f"row, the last by {self._quarantine.last_fault(entry)} against {others} "
            f"(game {task.game_id}); mend the bot and run the league again"
        )

    def _decide(self, position: int, faults: Mapping[str, str]) -> list[int]:
        """Take in what a planned game came to; return what is quarantined by it."""
        found = self._quarantine.note(position, faults)
        for position in found:
            self._replace(position)
        return found

    def _replace(self, position: int) -> None:
        """Let a planned game count no more, but one in which those who are out are."""
        match, task = self._find(position)
        out = self._quarantine.out(position)
        why = [self._find(self._quarantine.ends[entry])[1].game_id for entry in out]
        seats = [s for s, i in enumerate(task.seats) if match.entries[i].id in out]
        seed = derive_seed(
            "quarantine", task.game_id, self._quarantine.patience, *seats, *why
        )
        variant = replace(task, game_id=seed.hex()[:20])
        self._set(position, _KEPT if variant.game_id in self._known else _MISSING)
        self.ids[position] = variant.game_id
        self._positions[variant.game_id] = position
        if variant.game_id not in self._known:
            key = self._index(position), tuple(sorted(out))
            self._quarantined.setdefault(key, []).append(variant)

    def _set(self, position: int, state: int) -> None:
        before = self._states[position]
        self._states[position] = state
        self.missing += (state == _MISSING) - (before == _MISSING)
        self.played += (state >= _PLAYED) - (before >= _PLAYED)
        self.forfeits += (state == _FORFEITED) - (before == _FORFEITED)

    def _counts(self, game_id: str) -> bool:
        return self.ids[self._positions[game_id]] == game_id

    def _is_undecided(self, task: GameTask) -> bool:
        """Say whether a game will be quarantined, but not yet without whom."""
        position = self._positions[task.game_id]
        return bool(self._quarantine.out(position)) and not self._quarantine.is_decided(
            position
        )

    def _index(self, position: int) -> int:
        return bisect_right(self._starts, position) - 1

    def _find(self, position: int) -> tuple[Unit, GameTask]:
        """Return the planned game at a place in the plan, and its match."""
        index = self._index(position)
        match = self._matches[index]
        return match, match.games[position - self._starts[index]]
