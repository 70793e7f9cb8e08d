"""The queue of a run: the games that are still to be played, and those that count.

A quarantined game is recorded under an id of its own and counts in the place of the
game that was planned.  So a game that had been played before its bot was quarantined
stays as history, and makes no difference.

A league may have a million games: of each, nothing is kept but how far it has come.
"""

from array import array
from bisect import bisect_right
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import accumulate, islice

from msgspec.structs import replace

from arena.league.entries.entry import Entry
from arena.league.schedule.identity import quarantined_id
from arena.league.schedule.matches import Match
from arena.league.schedule.plan import Plan
from arena.league.schedule.quarantine import Player, Quarantine
from arena.league.schedule.unit_picker import MOST_ENTRIES, MOST_GAMES, UnitPicker
from arena.records.game_record import Termination
from arena.referee.work_unit import EntrySpec, GameTask, WorkUnit
from arena.text import counted

_WAITING, _TAKEN, _KEPT, _PLAYED, _FORFEITED = range(5)
"""The state of the game that counts in a place of the plan; a kept one was played in an
earlier run."""
_NO_FAULTS: Mapping[str, str] = {}
Known = Mapping[str, Mapping[str, str]]
"""The recorded games: by game id, how each entry that forfeited it did so."""
_SHOWN_DIGITS = 8
"""Of a game's id: enough for `arena replay`."""


class Queue:
    """The missing games of a plan, in units that have not been taken yet."""

    def __init__(
        self,
        plan: Plan,
        patience: int,
        known: Known,
        workers: int = 1,
        *,
        across: bool = False,
    ) -> None:
        """Take the recorded games, and the number of referees to have work for.

        An entry is quarantined in a label after `patience` forfeits in a row there, or
        never if it is 0.  With `across`, rows go on from one label to the next, and who
        is quarantined is out of all (`LeagueConfig.form`).
        """
        self._matches = plan.matches
        self._across = across
        self._labels = tuple(dict.fromkeys(match.label for match in plan.matches))
        self._workers = workers
        self._starts = array("Q", accumulate(map(len, plan.matches), initial=0))
        self.planned = self._starts[-1]
        """Games that count, recorded or not."""
        self.missing = self.planned
        """Games that count and are not recorded."""
        self.unplayed = 0
        """Those of them that nobody has to play any more, as they are quarantined."""
        self.played = 0
        """Games that count and were played in this run."""
        self.forfeits = 0
        """Those of them that someone forfeited."""
        self._known = known
        self._states = bytearray(self.planned)
        self._is_quarantined = bytearray(self.planned)
        self._quarantine = Quarantine(
            ((self._row(m), m.entry_ids, len(m)) for m in plan.matches),
            patience,
            {e.id for match in plan.matches for e in match.entries if e.refused},
        )
        self.quarantined: set[Player] = set()
        """The entries that are in quarantine after all that is known, by label."""
        self._quarantined: dict[int, None] = {}
        """Matches of which quarantined games wait, in the order of the news."""
        self._taken: dict[str, tuple[int, bool]] = {}
        """By id of a game that somebody has taken: its place in the plan, and whether
        it is the quarantined one."""
        self._specs: dict[tuple[str, str | None], EntrySpec] = {}
        """By id, and by the row that it is in quarantine for, if it is."""
        self._last_games: dict[Player, GameTask] = {}
        if known:
            for places in self._quarantine.note(self._recorded()):
                self._replace(places)
        self.quarantined.update(self._ended())
        pairs = zip(self._starts, self._starts[1:], strict=False)
        games = array("Q", (self._states.count(_WAITING, *pair) for pair in pairs))
        self._waiting = UnitPicker(plan.matches, games, workers, self.quarantined)

    def game_ids(self, places: range | None = None) -> Iterator[str]:
        """Yield the ids of the games that count, in the order of the plan.

        All of them, or those in some consecutive places, from 0.
        """
        places = range(self.planned) if places is None else places
        for match, games in self._by_match(places):
            start, end = self._starts[match : match + 2]
            if self._is_quarantined.find(1, start, end) < 0:
                yield from self._matches[match].game_ids(games)
            else:
                size = len(self._matches[match].entries)
                for task in self._counting(match, games, range(size)):
                    yield task.game_id

    def next(self) -> WorkUnit | None:
        """Take the next unit; None if there is nothing to do now.

        There may be again, for whoever still plays and asks after that.
        """
        if self._quarantined:
            return self._next_quarantined()
        matches, most = self._waiting.choose()
        if not matches:
            return None
        parts = []
        for match in matches:
            games = self._free(match, most)
            self._waiting.take(match, len(games))
            parts.append((match, games))
        return self._unit(parts, is_quarantined=False)

    def units(self, failing: Mapping[str, Set[str]]) -> Iterator[WorkUnit]:
        """Yield all units that there are to be, with the games that are played of each.

        As if the entries that are `failing`, by label, forfeited all their games, and
        nobody else any.
        """
        playing: deque[WorkUnit] = deque()
        while True:
            # All workers have taken theirs before the first of them ends.
            while len(playing) < self._workers and (unit := self.next()) is not None:
                playing.append(unit)
            if not playing:
                return
            unit = playing.popleft()
            faults = _faults(unit, failing.get(unit.label, set()))
            played = _length(faults, unit.patience)
            yield replace(unit, games=unit.games[:played])
            ids = (task.game_id for task in unit.games[:played])
            self.note(zip(ids, faults, strict=False))
            self.give_back(unit, unit.games[played:])

    def give_back(self, unit: WorkUnit, left: Sequence[GameTask]) -> None:
        """Put the games left of a unit that was broken off behind all others."""
        waiting: dict[int, int] = {}
        for task in left:
            place, is_quarantined = self._taken.pop(task.game_id)
            if is_quarantined != self._is_quarantined[place]:
                continue
            self._states[place] = _WAITING
            match, _ = self._find(place)
            if is_quarantined:
                self._quarantined[match] = None
            else:
                waiting[match] = waiting.get(match, 0) + 1
        self._waiting.put_back(waiting)

    def note(self, ends: Iterable[tuple[str, Mapping[str, str]]]) -> list[range]:
        """Take in games that were played: of each its id and its forfeits.
        Returns the places in the plan, from 0, where other games count now.
        """
        planned = []
        for game_id, faults in ends:
            place, is_quarantined = self._taken.pop(game_id)
            if is_quarantined == self._is_quarantined[place]:
                self._states[place] = _FORFEITED if faults else _PLAYED
                self.missing -= 1
                self.played += 1
                self.forfeits += bool(faults)
                self.unplayed -= is_quarantined
            if not is_quarantined:
                planned.append((place, faults))
        ended = len(self._quarantine.ends)
        changed = self._quarantine.note(planned)
        for places in changed:
            self._replace(places)
        for player in self._ended(ended):
            self.quarantined.add(player)
            self._waiting.drop(player)
        return changed

    def _row(self, match: Match) -> str:
        """Return what the forfeits in a row that a match counts for belong to."""
        return "" if self._across else match.label

    def _ended(self, first: int = 0) -> Iterator[Player]:
        """Yield who is in quarantine for the rows that have ended, from one on."""
        for row, entry in islice(self._quarantine.ends, first, None):
            for label in self._labels if self._across else (row,):
                yield label, entry

    def _recorded(self) -> Iterator[tuple[int, Mapping[str, str]]]:
        """Yield the planned games that are recorded, and count them."""
        for place, game_id in enumerate(self.game_ids()):
            faults = self._known.get(game_id)
            if faults is not None:
                self._states[place] = _KEPT
                self.missing -= 1
                yield place, faults

    def _free(self, match: int, most: int) -> list[int]:
        """Return about `most` waiting games of a match, and no part of a fixture."""
        start, end = self._starts[match], self._starts[match + 1]
        size = len(self._matches[match].entries)
        games: list[int] = []
        fixture = 0
        place = self._states.find(_WAITING, start, end)
        while place >= 0:
            game = place - start
            if games and game // size != games[-1] // size:
                fixture = len(games)
            games.append(game)
            if fixture and len(games) > most:
                return games[:fixture]
            place = self._states.find(_WAITING, place + 1, end)
        return games

    def _next_quarantined(self) -> WorkUnit:
        """Take quarantined games of several matches; these need few processes."""
        label = self._matches[next(iter(self._quarantined))].label
        parts: list[tuple[int, list[int]]] = []
        playing: set[str] = set()
        room = MOST_GAMES
        for match in self._quarantined:
            if self._matches[match].label != label:
                break
            games = self._free(match, MOST_GAMES)
            together = playing | self._playing(match, games[0])
            if parts and (len(games) > room or len(together) > MOST_ENTRIES):
                break
            parts.append((match, games))
            playing = together
            room -= len(games)
        unit = self._unit(parts, is_quarantined=True)
        for match, _ in parts:
            if self._states.find(_WAITING, *self._starts[match : match + 2]) < 0:
                del self._quarantined[match]
        # Who is still in does not get any nearer to quarantine here.
        return replace(unit, patience=0)

    def _playing(self, match: int, game: int) -> set[str]:
        """Return the entries that need a process for a quarantined game."""
        out = self._quarantine.out(self._starts[match] + game)
        entries = self._matches[match].entries
        playing = {e.id for e in entries if not e.refused and e.id not in out}
        return playing if len(playing) > 1 else set()

    def _unit(
        self, parts: Sequence[tuple[int, Sequence[int]]], *, is_quarantined: bool
    ) -> WorkUnit:
        """Mark games of some matches as taken, and return them as a unit."""
        entries: dict[tuple[str, bool], int] = {}
        specs: list[EntrySpec] = []
        tasks: list[GameTask] = []
        for match, games in parts:
            start = self._starts[match]
            row = self._row(self._matches[match])
            out = self._quarantine.out(start + games[0]) if is_quarantined else ()
            places = []
            for entry in self._matches[match].entries:
                key = entry.id, entry.id in out
                if key not in entries:
                    entries[key] = len(specs)
                    specs.append(self._spec(entry, row if entry.id in out else None))
                places.append(entries[key])
            for game, task in zip(
                games, self._counting(match, games, places), strict=True
            ):
                self._states[start + game] = _TAKEN
                self._taken[task.game_id] = start + game, is_quarantined
                tasks.append(task)
        unit = self._matches[parts[0][0]].terms.unit
        return replace(unit, entries=tuple(specs), games=tuple(tasks))

    def _counting(
        self, match: int, games: Sequence[int], places: Sequence[int]
    ) -> Iterator[GameTask]:
        """Yield the games of a match that count, planned or quarantined."""
        planned = self._matches[match]
        ids = {i: e.id for i, e in zip(places, planned.entries, strict=True)}
        start = self._starts[match]
        for game, task in zip(games, planned.tasks(games, places), strict=True):
            if self._is_quarantined[start + game]:
                who = [ids[place] for place in task.seats]
                new = self._quarantined_id(start + game, task.game_id, who)
                task = replace(task, game_id=new)
            yield task

    def _quarantined_id(self, place: int, planned: str, who: Sequence[str]) -> str:
        """Return the id of the quarantined game in the place of a planned one."""
        match, _ = self._find(place)
        row = self._row(self._matches[match])
        out = self._quarantine.out(place)
        seats = [seat for seat, entry in enumerate(who) if entry in out]
        why = [self._last_game((row, who[seat])).game_id for seat in seats]
        return quarantined_id(planned, self._quarantine.patience, seats, why)

    def _last_game(self, player: Player) -> GameTask:
        """Return the game that completed the row of somebody in quarantine."""
        if player not in self._last_games:
            match, game = self._find(self._quarantine.ends[player])
            (task,) = self._matches[match].tasks([game])
            self._last_games[player] = task
        return self._last_games[player]

    def _spec(self, entry: Entry, row: str | None) -> EntrySpec:
        """Return an entry for a unit: in quarantine for a `row`, or not."""
        key = entry.id, row
        if key not in self._specs:
            spec = entry.spec()
            if row is not None:
                spec = replace(
                    spec,
                    refused=self._reason((row, entry.id)),
                    refused_as=Termination.QUARANTINE,
                )
            self._specs[key] = spec
        return self._specs[key]

    def _reason(self, player: Player) -> str:
        patience = self._quarantine.patience
        match, _ = self._find(self._quarantine.ends[player])
        entries = self._matches[match].entries
        task = self._last_game(player)
        _, own = player
        # Ids may be hashes.
        called = {x.id: x.spec().called for x in entries}
        ids = [entries[i].id for i in task.seats]
        others = ", ".join(called[id_] for id_ in ids if id_ != own)
        return (
            f"not played: it forfeited {counted(patience, 'game')} in a row, the last "
            f"by {self._quarantine.last_faults[player]} against {others} (game "
            f"{task.game_id[:_SHOWN_DIGITS]}); mend the bot and run the league again"
        )

    def _replace(self, places: range) -> None:
        """Replace planned games, all of one match, by their quarantined ones."""
        start, end = places.start, places.stop
        count = self._states.count
        forfeits = count(_FORFEITED, start, end)
        self.forfeits -= forfeits
        self.played -= forfeits + count(_PLAYED, start, end)
        missing = count(_WAITING, start, end) + count(_TAKEN, start, end)
        self._states[start:end] = bytes(len(places))
        self._is_quarantined[start:end] = b"\1" * len(places)
        if self._known:
            for place, game_id in zip(places, self.game_ids(places), strict=True):
                if game_id in self._known:
                    self._states[place] = _KEPT
        waiting = count(_WAITING, start, end)
        self.missing += waiting - missing
        self.unplayed += waiting
        if waiting:
            self._quarantined[self._find(start)[0]] = None

    def _by_match(self, places: range) -> Iterator[tuple[int, range]]:
        """Yield the matches of some places, each with its games there."""
        place = places.start
        while place < places.stop:
            match, game = self._find(place)
            start = self._starts[match]
            place = min(places.stop, self._starts[match + 1])
            yield match, range(game, place - start)

    def _find(self, place: int) -> tuple[int, int]:
        """Return the match, by index, and the game of it at a place in the plan."""
        match = bisect_right(self._starts, place) - 1
        return match, place - self._starts[match]


def _faults(unit: WorkUnit, failing: Set[str]) -> Sequence[Mapping[str, str]]:
    """Return the faults of each game of a unit in which some entries fail."""
    out = {
        place: {entry.id: Termination.TIMEOUT}
        for place, entry in enumerate(unit.entries)
        if entry.id in failing and not entry.refused
    }
    if not out:
        return [_NO_FAULTS] * len(unit.games)
    return [
        {id_: end for place in task.seats for id_, end in out.get(place, {}).items()}
        for task in unit.games
    ]


def _length(faults: Sequence[Mapping[str, str]], patience: int) -> int:
    """Return the number of games after which an entry has forfeited too many."""
    forfeits: Counter[str] = Counter()
    for number, found in enumerate(faults, 1):
        forfeits.update(found.keys())
        if patience and max(forfeits.values(), default=0) == patience:
            return number
    return len(faults)
