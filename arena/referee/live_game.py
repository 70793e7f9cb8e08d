"""One game of a match: what is asked, what is answered, and what comes of it."""

from typing import TYPE_CHECKING

from arena.games import TERMINAL, Table, derive_seed
from arena.records.game_record import Fault, GameRecord, Termination
from arena.referee.contestant.clock import SeatClock
from arena.referee.contestant.contestant import Contestant
from arena.referee.contestant.misconduct import Misconduct
from arena.referee.contestant.wire import Asked, Pending
from arena.referee.verdict import fault_of, illegal, overdrawn, result
from arena.referee.work_unit import GameTask
from arena.worker.protocol import Answer, Done, Result

if TYPE_CHECKING:
    from arena.referee.unit_player import UnitPlayer


class LiveGame:
    """One game of a unit, from its first request to its record."""

    def __init__(
        self,
        matches: "UnitPlayer",
        index: int,
        task: GameTask,
        slot: int,
        appearances: tuple[int, ...],
    ) -> None:
        self.index = index
        self.task = task
        self.slot = slot
        self.appearances = appearances
        """The number of this game among those of each seat's entry, from 0."""
        self.record: GameRecord | None = None
        """Set once the result is known."""
        self._matches = matches
        self._table = Table(matches.game, task.seed)
        self._seats = [matches.contestants[i] for i in task.seats]
        self._seat_of = {who.index: seat for seat, who in enumerate(self._seats)}
        self._clocks = [SeatClock(matches.limits) for _ in self._seats]
        self._asked: list[list[Pending]] = [[] for _ in self._seats]
        self._faults: dict[int, Fault] = {}
        self._methods = ["" for _ in self._seats]
        """What decides for each seat, by its place in the bot's file."""
        self._waiting: set[int] = set()
        """Seats that have been asked and have not answered."""
        self._begun = False
        self._is_settled = False

    def begin(self) -> None:
        """Let every seat make its instance; play starts when all have answered."""
        refused = [s for s, who in enumerate(self._seats) if who.entry.refused]
        if len(self._seats) - len(refused) <= 1:
            # No process needs to be started for a game that can't be played.
            for seat in refused:
                refusal = self._matches.refusals[self._seats[seat].index]
                self._faults[seat] = self._describe(seat, refusal)
            self._cut_short()
            self._settle()
            return
        self._waiting = set(range(len(self._seats)))
        for seat, who in enumerate(self._seats):
            if who.refused:
                self.fault(seat, self._matches.refusals[who.index])
                continue
            allowance = self._matches.start_allowance
            serial = who.next_serial()
            data = who.wire.begin(
                serial,
                self.slot,
                self._matches.game,
                self._matches.spec,
                derive_seed(self.task.seed, "bot", seat),
                self._table.state.observation(seat),
            )
            self._ask(seat, Asked.BEGIN, serial, data, allowance)

    def seat_of(self, who: Contestant) -> int:
        """Return where a contestant sits."""
        return self._seat_of[who.index]

    def reply(self, pending: Pending, reply: Done | Answer, seconds: float) -> None:
        """Take an answer in."""
        seat = pending.seat
        self._waiting.discard(seat)
        if seat not in self._faults:
            pending.replayed = True
            # It has been in time; a new process may find the same decision harder.
            if pending.allowance < self._matches.start_allowance:
                pending.allowance = self._matches.start_allowance
            if isinstance(reply, Answer):
                if self.record is None:
                    self._answer(seat, reply, seconds)
            elif not self._begun:
                self._methods[seat] = reply.method
                if not self._waiting:
                    self._start()
        if self.record is not None:
            self._settle()

    def ponder(self, seat: int, seconds: float) -> None:
        """Note CPU time that a seat has used while others decided."""
        self._clocks[seat].ponder(seconds)

    def fault(self, seat: int, misconduct: Misconduct, seconds: float = 0.0) -> None:
        """Record that a seat forfeits."""
        was_asked = seat in self._waiting
        self._waiting.discard(seat)
        if self.record is not None or seat in self._faults:
            self._settle()
            return
        if self._begun and was_asked and seconds:
            # The decision it was busy with is one of its slow ones, as a rule.
            self._clocks[seat].charge(seconds)
        else:
            self._clocks[seat].used += seconds
        self._forfeit(seat, self._describe(seat, misconduct), was_asked)
        self._settle()

    def _settle(self) -> None:
        """Tell once that nobody's answer is waited for any more."""
        if self.record is None or self._waiting or self._is_settled:
            return
        self._is_settled = True
        self._matches.on_settled(self)

    def _forfeit(self, seat: int, fault: Fault, was_asked: bool) -> None:
        self._faults[seat] = fault
        if not self._begun:
            if not self._waiting:
                self._start()
        elif not self._cut_short() and was_asked:
            self._go_on()

    def to_repeat(self, who: Contestant) -> list[Pending]:
        """Return all that a new process must be asked to take over this seat."""
        seat = self.seat_of(who)
        if self.record is not None or seat in self._faults:
            self._waiting.discard(seat)
            self._settle()
            return []
        return self._asked[seat]

    def _ask(
        self, seat: int, asked: Asked, serial: int, data: bytes, allowance: float
    ) -> None:
        pending = Pending(asked, serial, data, allowance, self.index, seat)
        self._waiting.add(seat)
        self._asked[seat].append(pending)
        self._seats[seat].ask(pending)

    def _start(self) -> None:
        self._begun = True
        # Which seat's fault came to light first is no matter of the game's.
        self._faults = dict(sorted(self._faults.items()))
        if not self._cut_short():
            self._go_on()

    def _cut_short(self) -> bool:
        """End the game if forfeits have left nobody to play against."""
        if len(self._seats) - len(self._faults) > 1 or not self._faults:
            return False
        self._finish(Termination.NATURAL)
        return True

    def _go_on(self) -> None:
        """Play until a bot must decide, or to the end."""
        table = self._table
        while (seat := table.advance()) != TERMINAL:
            if table.decisions >= self._matches.unit.max_decisions:
                self._finish(Termination.ADJUDICATED)
                return
            if seat not in self._faults:
                clock = self._clocks[seat]
                who = self._seats[seat]
                serial = who.next_serial()
                observation = table.observe(clock.time_left())
                data = who.wire.act(serial, self.slot, observation, table.state)
                self._ask(seat, Asked.ACT, serial, data, clock.allowance())
                return
            table.act(self._matches.game.default_action(table.state))
        self._finish(Termination.NATURAL)

    def _answer(self, seat: int, answer: Answer, seconds: float) -> None:
        clock, method = self._clocks[seat], self._methods[seat]
        if not clock.charge(seconds):
            late = overdrawn(answer, method, seconds, clock.bank)
            self._refuse(seat, late)
        elif not self._table.state.is_legal(answer.action):
            misconduct = illegal(self._table.state, answer, method)
            self._refuse(seat, misconduct, answer.action)
        else:
            self._table.act(answer.action)
            self._go_on()

    def _refuse(self, seat: int, misconduct: Misconduct, action: str = "") -> None:
        """Forfeit for an answer that has come but won't do."""
        misconduct.output = misconduct.output or self._seats[seat].printed()
        fault = self._describe(seat, misconduct, action)
        self._forfeit(seat, fault, was_asked=True)

    def _describe(self, seat: int, misconduct: Misconduct, action: str = "") -> Fault:
        table = self._table
        state = table.state if self._begun else None
        entry = self._seats[seat].entry.id
        return fault_of(misconduct, seat, entry, table.decisions, state, action)

    def _finish(self, termination: str) -> None:
        game, state = self._matches.game, self._table.state
        places, returns = result(game, state, self._faults, termination)
        if self._faults:
            termination = next(iter(self._faults.values())).termination
        self.record = GameRecord(
            game_id=self.task.game_id,
            fixture_id=self.task.fixture_id,
            match_id=self.task.match_id,
            label=self._matches.unit.label,
            seats=tuple([who.entry.id for who in self._seats]),
            returns=tuple(returns),
            places=tuple(places),
            scores=tuple(self._table.state.scores()),
            termination=termination,
            forfeits=tuple([s in self._faults for s in range(len(self._seats))]),
            decisions=self._table.decisions,
            seconds=tuple([clock.used for clock in self._clocks]),
            history=tuple(self._table.history),
            faults=tuple([self._faults[s] for s in sorted(self._faults)]),
            times=tuple([clock.times.total() for clock in self._clocks]),
            isolation=self._matches.isolation,
        )
        self._say_goodbye(termination)

    def _say_goodbye(self, termination: str) -> None:
        assert self.record is not None
        if not self._begun:
            return
        for seat, who in enumerate(self._seats):
            if seat in self._faults or who.refused or not who.entry.looks_back:
                continue
            told = Result(
                seat=seat,
                returns=self.record.returns,
                scores=self.record.scores,
                termination=str(termination),
                events=self._table.unseen(seat),
            )
            serial = who.next_serial()
            allowance = self._matches.limits.move + self._matches.limits.margin
            data = who.wire.end(serial, self.slot, told)
            self._ask(seat, Asked.END, serial, data, allowance)
