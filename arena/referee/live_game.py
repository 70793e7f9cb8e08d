"""One game of a unit: its requests, their answers and its record."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arena.games import TERMINAL, Game, Table
from arena.records.game_record import Fault, GameRecord, Termination
from arena.records.prints import Printed
from arena.referee.bot_seat import BotSeat
from arena.referee.contestant.clock import Spent
from arena.referee.contestant.contestant import Contestant
from arena.referee.contestant.misconduct import Misconduct
from arena.referee.contestant.wire import BotRequest
from arena.referee.verdict import result
from arena.referee.work_unit import GameTask, WorkUnit
from arena.worker.protocol import Answer, Done, GameResult, pack_spec

_NOTHING = Spent()


@dataclass
class UnitContext:
    """What all games of one unit share."""

    unit: WorkUnit
    game: Game
    contestants: Sequence[Contestant]
    """By index of the unit's entry."""
    isolation: str
    """Name of the level in force."""
    on_settled: Callable[["LiveGame"], None]
    """Called once a game has a result and waits for no answer any more."""

    def __post_init__(self) -> None:
        self.spec = pack_spec(self.unit.game)
        """The `GameSpec` by which a contestant builds the game, encoded."""
        self.refusals = {
            i: Misconduct(entry.refused_as, entry.refused)
            for i, entry in enumerate(self.unit.entries)
            if entry.refused
        }
        """Why a contestant is out of the unit, by its index."""


class LiveGame:
    """One game of a unit, from its first request to its record."""

    def __init__(
        self,
        context: UnitContext,
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
        self.prints: list[Printed] = []
        """What the bots have printed, decision by decision."""
        self._context = context
        self._table = Table(context.game, task.seed)
        self._seats = [
            BotSeat(context.contestants[i], context.unit.limits, seat, slot, index)
            for seat, i in enumerate(task.seats)
        ]
        self._faults: dict[int, Fault] = {}
        self._waiting: set[int] = set()
        """Seats that have a request and have not answered."""
        self._begun = False
        self._is_settled = False

    def begin(self) -> None:
        """Have every seat make its instance; play starts when all have answered."""
        contestants = [seat.contestant for seat in self._seats]
        refused = [s for s, c in enumerate(contestants) if c.entry.refused]
        if len(self._seats) - len(refused) <= 1:
            # No process needs to be started for a game that can't be played.
            for seat in refused:
                refusal = self._context.refusals[contestants[seat].index]
                self._faults[seat] = self._fault(seat, refusal)
            self._cut_short()
            self._settle()
            return
        self._waiting = set(range(len(self._seats)))
        for seat, contestant in enumerate(contestants):
            if contestant.refused:
                self.fault(seat, self._context.refusals[contestant.index])
            else:
                self._seats[seat].begin(
                    self._table.state, self._context.spec, self.task.seed
                )

    def seat_of(self, contestant: Contestant) -> int:
        """Return the seat of a contestant."""
        return self.task.seats.index(contestant.index)

    def reply(self, pending: BotRequest, reply: Done | Answer, spent: Spent) -> None:
        """Handle an answer."""
        seat = pending.seat
        if pending.replayed:
            self._seats[seat].note_reply(pending, reply, spent)
            return
        self._waiting.discard(seat)
        if seat not in self._faults:
            self._seats[seat].note_reply(pending, reply, spent)
            if isinstance(reply, Answer):
                if self.record is None:
                    self._answer(seat, reply, spent)
            elif self._begun:
                self._keep_printed(seat)
            elif not self._waiting:
                self._start()
        if self.record is not None:
            self._settle()

    def ponder(self, seat: int, seconds: float) -> None:
        """Note CPU time that a seat has used while others decided."""
        self._seats[seat].clock.ponder(seconds)

    def may_repeat(self, seat: int, spent: Spent) -> bool:
        """Count a request that is asked again; return False after too many."""
        return self._seats[seat].may_repeat(spent)

    def fault(self, seat: int, misconduct: Misconduct, spent: Spent = _NOTHING) -> None:
        """Record that a seat forfeits."""
        was_asked = seat in self._waiting
        self._waiting.discard(seat)
        if self.record is not None or seat in self._faults:
            self._settle()
            return
        if self._begun and was_asked and spent.charged:
            # The decision it was busy with is one of its slow ones, as a rule.
            self._seats[seat].clock.charge(spent)
        else:
            self._seats[seat].clock.used += spent.charged
        self._forfeit(seat, self._fault(seat, misconduct), was_asked)
        self._settle()

    def _settle(self) -> None:
        """Report, once, that the game has its result and waits for no answer."""
        if self.record is None or self._waiting or self._is_settled:
            return
        self._is_settled = True
        self._context.on_settled(self)

    def _forfeit(self, seat: int, fault: Fault, was_asked: bool) -> None:
        self._faults[seat] = fault
        if not self._begun:
            if not self._waiting:
                self._start()
        elif not self._cut_short() and was_asked:
            self._go_on()

    def to_repeat(self, contestant: Contestant) -> list[BotRequest]:
        """Return the requests by which a new process takes over a contestant's seat."""
        seat = self.seat_of(contestant)
        if self.record is not None or seat in self._faults:
            self._waiting.discard(seat)
            self._settle()
            return []
        return self._seats[seat].to_repeat()

    def _start(self) -> None:
        self._begun = True
        # The record must not depend on which seat's fault came to light first.
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
            if table.decisions >= self._context.unit.max_decisions:
                self._finish(Termination.ADJUDICATED)
                return
            if seat not in self._faults:
                self._waiting.add(seat)
                self._seats[seat].act(table)
                return
            table.act(self._context.game.default_action(table.state))
        self._finish(Termination.NATURAL)

    def _answer(self, seat: int, answer: Answer, spent: Spent) -> None:
        misconduct = self._seats[seat].judge(answer, spent, self._table.state)
        if misconduct is None:
            if self._seats[seat].printed:
                self._keep_printed(seat)
            self._table.act(answer.action)
            self._go_on()
        else:
            is_illegal = misconduct.termination is Termination.ILLEGAL_ACTION
            fault = self._fault(seat, misconduct, answer.action if is_illegal else "")
            self._forfeit(seat, fault, was_asked=True)

    def _keep_printed(self, seat: int) -> None:
        """Keep what a seat has printed with the decision that it has just taken.

        What it prints in `start` is of its first one, what it prints in `end` of none.
        """
        if text := self._seats[seat].take_printed():
            self.prints.append(Printed(seat, self._table.decisions, text))

    def _fault(self, seat: int, misconduct: Misconduct, action: str = "") -> Fault:
        table = self._table if self._begun else None
        return self._seats[seat].fault(misconduct, table, action)

    def _finish(self, termination: str) -> None:
        game, state = self._context.game, self._table.state
        places, returns = result(game, state, self._faults, termination)
        if self._faults:
            termination = next(iter(self._faults.values())).termination
        self.record = GameRecord(
            game_id=self.task.game_id,
            fixture_id=self.task.fixture_id,
            match_id=self.task.match_id,
            label=self._context.unit.label,
            seats=tuple([s.contestant.entry.id for s in self._seats]),
            returns=tuple(returns),
            places=tuple(places),
            scores=tuple(self._table.state.scores()),
            termination=termination,
            forfeits=tuple([s in self._faults for s in range(len(self._seats))]),
            decisions=self._table.decisions,
            seconds=tuple([seat.clock.used for seat in self._seats]),
            history=tuple(self._table.history),
            faults=tuple([self._faults[s] for s in sorted(self._faults)]),
            times=tuple([seat.clock.times.total() for seat in self._seats]),
            isolation=self._context.isolation,
            seed=self.task.seed if self._begun else b"",
        )
        self._ask_for_end(termination)

    def _ask_for_end(self, termination: str) -> None:
        assert self.record is not None
        if not self._begun:
            return
        for seat, bot in enumerate(self._seats):
            contestant = bot.contestant
            is_out = seat in self._faults or contestant.refused
            if is_out or not contestant.entry.looks_back:
                continue
            self._waiting.add(seat)
            bot.end(
                GameResult(
                    seat=seat,
                    returns=self.record.returns,
                    scores=self.record.scores,
                    termination=str(termination),
                    events=self._table.unseen(seat),
                )
            )
