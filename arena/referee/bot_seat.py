"""A bot in one seat of one game: its requests, its clock and its faults."""

import msgspec

from arena.games import Observation, State, Table, derive_seed, in_play
from arena.records.game_record import MAX_LEGAL_ACTIONS, Fault, Termination
from arena.referee.contestant.clock import SeatClock, Spent
from arena.referee.contestant.code_location import method_in
from arena.referee.contestant.contestant import Contestant
from arena.referee.contestant.misconduct import Misconduct
from arena.referee.contestant.wire import BotRequest, RequestKind
from arena.referee.illegal_action import why_illegal
from arena.referee.work_unit import Limits
from arena.registry import load
from arena.text import cut_start, printable
from arena.worker.compat import Guest
from arena.worker.protocol import Answer, Done, GameResult, Place

_MAX_OUTPUT_CHARS = 4096
"""Of what it prints: in a decision, and of its last output that a fault shows."""
_MAX_PRINTED_CHARS = 2**16
"""In a game; what is printed after that is forgotten."""


class BotSeat:
    """Asks one bot for what it must do in a game, and judges its answers."""

    def __init__(
        self,
        contestant: Contestant,
        limits: Limits,
        seat: int,
        slot: int = 0,
        game_index: int = 0,
    ) -> None:
        self.contestant = contestant
        self.clock = SeatClock(limits)
        self.requests: list[BotRequest] = []
        """All so far, in order."""
        self.method: Place | None = None
        """The method that decides, as its process tells it."""
        self.printed = ""
        """What it has printed that is of no decision yet."""
        self._output = ""
        """The end of all that it has printed in the game."""
        self._printed_chars = 0
        """Printed in the game, as far as it was noted."""
        self._replayed = 0
        """Number of requests that its newest process has answered again."""
        self._game_seconds = limits.game_seconds
        self._start_allowance = limits.start + limits.margin
        self._end_allowance = limits.move + limits.margin
        self._seat = seat
        self._slot = slot
        self._game_index = game_index

    def begin(self, state: State, spec: msgspec.Raw, seed: bytes) -> None:
        """Have it make its instance; `seed` is the game's, `spec` makes that game."""
        serial = self.contestant.next_serial()
        data = self.contestant.wire.begin(
            serial,
            self._slot,
            state.game,
            spec,
            derive_seed(seed, "bot", self._seat),
            state.observation(self._seat),
        )
        self._ask(RequestKind.BEGIN, serial, data, self._start_allowance)

    def act(self, table: Table) -> None:
        """Ask for the decision at a table, where it is this seat's turn."""
        clock, contestant = self.clock, self.contestant
        serial = contestant.next_serial()
        observation = table.observe(clock.time_left())
        data = contestant.wire.act(serial, self._slot, observation, table.state)
        self._ask(RequestKind.ACT, serial, data, clock.allowance())
        if clock.is_game_limited:
            self.requests[-1].game_seconds = self._game_seconds

    def end(self, result: GameResult) -> None:
        """Tell it how the game has ended."""
        serial = self.contestant.next_serial()
        data = self.contestant.wire.end(serial, self._slot, result)
        self._ask(RequestKind.END, serial, data, self._end_allowance)

    def _ask(
        self, kind: RequestKind, serial: int, data: bytes, allowance: float
    ) -> None:
        pending = BotRequest(
            kind, serial, data, allowance, self._game_index, self._seat
        )
        self.requests.append(pending)
        self.contestant.ask(pending)

    def note_reply(
        self, pending: BotRequest, reply: Done | Answer, spent: Spent
    ) -> None:
        """Note that a request has been answered, for the first time or again."""
        if pending.replayed:
            self.clock.replay(spent)
            self._replayed += 1
            self._allow_replay()
            return
        pending.replayed = True
        if reply.printed:
            self._note_printed(reply.printed)
        if type(reply) is Done:
            self.clock.note(spent)
            if pending.kind is RequestKind.BEGIN:
                self.method = reply.method

    def _note_printed(self, text: str) -> None:
        text = cut_start(text, _MAX_OUTPUT_CHARS)
        self._output = (self._output + text)[-_MAX_OUTPUT_CHARS:]
        if self._printed_chars < _MAX_PRINTED_CHARS:
            self._printed_chars += len(text)
            self.printed = cut_start(self.printed + text, _MAX_OUTPUT_CHARS)
            if self._printed_chars >= _MAX_PRINTED_CHARS:
                self.printed += "\n…"

    def take_printed(self) -> str:
        """Return what it has printed that is of no decision yet, and forget it."""
        text, self.printed = self.printed, ""
        return text

    def to_repeat(self) -> list[BotRequest]:
        """Return the requests by which a new process takes over the seat."""
        self.clock.begin_replay()
        self._replayed = 0
        self._allow_replay()
        return self.requests

    def _allow_replay(self) -> None:
        if self._replayed < len(self.requests):
            coming = self.requests[self._replayed]
            if coming.replayed:
                coming.allowance = self.clock.replay_allowance()

    def may_repeat(self, spent: Spent) -> bool:
        """Count a request that is asked again; return False after too many."""
        return self.clock.repeat(spent)

    def judge(self, answer: Answer, spent: Spent, state: State) -> Misconduct | None:
        """Charge a decision; return the misconduct if it was too late or not legal."""
        if spent.unclear:
            spent = self.clock.weigh(spent)
        is_game_limited = self.clock.is_game_limited
        over = self.clock.charge(spent)
        if over:
            termination = Termination.TIMEOUT
            of_game = f" of the {self._game_seconds:g} s for all decisions of a game"
            what = (
                f"decided after {spent.charged:.2f} s, {over:.2f} s more than it had "
                f"left{of_game * is_game_limited}"
            )
        elif not state.is_legal(answer.action):
            termination = Termination.ILLEGAL_ACTION
            what = why_illegal(answer.action, state)
        else:
            return None
        method = ""
        if self.method is not None:
            names = (state.game.name, "act")
            method = method_in(self.contestant.entry, self.method, names)
        return Misconduct(
            termination,
            f"{method} {what}".lstrip(),
            output=self.contestant.printed() or printable(self._output),
        )

    def fault(
        self, misconduct: Misconduct, table: Table | None, action: str = ""
    ) -> Fault:
        """Return misconduct as it is recorded; no table if the game has not begun."""
        observation = ""
        legal: tuple[str, ...] = ()
        if table is not None and table.state.current_player() == self._seat:
            observation = self._sight(table, misconduct.moment)
            legal = tuple(table.state.legal_actions()[:MAX_LEGAL_ACTIONS])
        return Fault(
            seat=self._seat,
            entry=self.contestant.entry.id,
            step=table.decisions if table is not None else 0,
            termination=misconduct.termination,
            message=misconduct.message,
            traceback=misconduct.traceback,
            output=misconduct.output,
            action=action[:100],
            observation=observation,
            legal_actions=legal,
        )

    def _sight(self, table: Table, moment: int) -> str:
        """Return what it saw as JSON: a guest's in the words of its library.

        `moment` is what its process says; it can but choose an earlier one.
        """
        path, history = self.contestant.entry.guest, table.history
        if path:
            guest: type[Guest] = load(path)
            known = history[:moment] if 0 <= moment <= len(history) else history
            if guest.game == table.game.name and (
                seen := guest.sight(table.game, self._seat, known)
            ):
                return msgspec.json.encode(seen).decode()
        return _as_json(table.state.observation(self._seat))


def _as_json(observation: Observation) -> str:
    fields = in_play(observation)
    # This observation is made for the record, not for a decision.
    del fields["events"], fields["time_left"]
    return msgspec.json.encode(fields).decode()
