"""The faults of a game, and its result."""

from collections.abc import Collection, Sequence

import msgspec

from arena.games import Game, Observation, State, as_objects, rank, shares
from arena.records.game_record import MAX_LEGAL_ACTIONS, Fault, Termination
from arena.referee.contestant.misconduct import Misconduct
from arena.referee.illegal_action import why_illegal
from arena.text import printable
from arena.worker.protocol import Answer

_MAX_METHOD_CHARS = 200
_MAX_OUTPUT_CHARS = 4096


def fault_of(
    misconduct: Misconduct,
    seat: int,
    entry: str,
    step: int,
    state: State | None,
    action: str = "",
) -> Fault:
    """Return misconduct as it is recorded.

    `step` counts the decisions before it; `state` is that of the decision, None if the
    game has not begun.
    """
    observation = ""
    legal: tuple[str, ...] = ()
    if state is not None and state.current_player() == seat:
        observation = _as_json(state.observation(seat))
        legal = tuple(state.legal_actions()[:MAX_LEGAL_ACTIONS])
    return Fault(
        seat=seat,
        entry=entry,
        step=step,
        termination=misconduct.termination,
        message=misconduct.message,
        traceback=misconduct.traceback,
        output=misconduct.output,
        action=action[:100],
        observation=observation,
        legal_actions=legal,
    )


def illegal(state: State, answer: Answer, method: str) -> Misconduct:
    """Return the misconduct of an action that is not legal.

    `method` is the bot's method, as the contestant's process names it.
    """
    what = why_illegal(answer.action, state)
    return _of_answer(Termination.ILLEGAL_ACTION, answer, method, what)


def overdrawn(answer: Answer, method: str, seconds: float, bank: float) -> Misconduct:
    """Return the misconduct of a decision that took more than the bank had."""
    used = f"{seconds:.2f} s, {-bank:.2f} s more than it had left"
    return _of_answer(Termination.TIMEOUT, answer, method, f"decided after {used}")


def _of_answer(
    termination: Termination, answer: Answer, method: str, what: str
) -> Misconduct:
    who = printable(method[:_MAX_METHOD_CHARS], lines=False)
    output = printable(answer.output[-_MAX_OUTPUT_CHARS:])
    return Misconduct(termination, f"{who} {what}".lstrip(), output=output)


def result(
    game: Game, state: State, forfeiters: Collection[int], termination: str
) -> tuple[list[int], list[float]]:
    """Return places and returns in seat order; forfeiters come behind all others.

    If nobody has forfeited, `termination` says whether the game was adjudicated.
    """
    if not forfeiters:
        if termination == Termination.ADJUDICATED:
            return state.places(), game.adjudicate(state)
        return state.places(), state.returns()
    seats: Sequence[int] = range(game.players)
    standing = [s for s in seats if s not in forfeiters]
    places = state.places()
    among = rank([places[s] for s in standing], lowest_wins=True)
    placed = dict(zip(standing, among, strict=True))
    # Nobody wins a game that everybody has forfeited.
    last = max(2, len(standing) + 1)
    found = [placed.get(s, last) for s in seats]
    return found, shares(found) if standing else [0.0 for _ in seats]


def _as_json(observation: Observation) -> str:
    fields = as_objects(observation)
    # This observation is made for the record, not for a decision.
    del fields["events"], fields["time_left"]
    return msgspec.json.encode(fields).decode()
