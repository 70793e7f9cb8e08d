"""The answers of another bot at the decisions of a recorded game."""

from collections.abc import Sequence

import msgspec

from arena.errors import starting_contestants
from arena.games import Replay
from arena.records.game_record import Fault
from arena.referee.ask_bot import Decision, ask_bot
from arena.referee.sandbox import Sandbox
from arena.referee.work_unit import EntrySpec, Limits


class Opinion(msgspec.Struct, frozen=True):
    """The answer of a bot at a decision of a recorded game."""

    step: int
    seat: int
    recorded: str
    """The action that was played; the reason where the seat has forfeited."""
    decision: Decision

    @property
    def answer(self) -> str:
        """The action that the bot would play; the reason if it forfeits there."""
        fault = self.decision.fault
        return self.decision.action if fault is None else str(fault.termination)

    @property
    def agrees(self) -> bool:
        """True if the bot plays as was played."""
        return self.answer == self.recorded


async def second_opinion(
    entry: EntrySpec,
    replay: Replay,
    faults: Sequence[Fault],
    seat: int,
    seed: bytes,
    limits: Limits,
    sandbox: Sandbox,
    last: int,
) -> list[Opinion]:
    """Return the answers of a bot at a seat's decisions, up to the number `last`.

    It is told all that the seat has seen; whatever it answers, what was played stands.
    It is asked no more once it forfeits, or where the seat has forfeited.  `seed` is
    the fixture's: the bot draws the random numbers that it has had, or would have had.

    Raises:
        LeagueError: the machine could not start a process.
    """
    found: list[Opinion] = []
    forfeit = next((f for f in faults if f.seat == seat), None)
    with starting_contestants():
        async with ask_bot(entry, replay.game, seat, seed, limits, sandbox) as who:
            for position, table in enumerate(replay.walk()):
                if table.decisions > last:
                    break
                if table.state.current_player() != seat:
                    continue
                is_forfeit = forfeit is not None and forfeit.step == table.decisions
                if position == len(replay.history) and not is_forfeit:
                    break
                decision = await who.act(table)
                if is_forfeit:
                    assert forfeit is not None
                    recorded = str(forfeit.termination)
                else:
                    recorded = replay.history[position]
                found.append(Opinion(table.decisions, seat, recorded, decision))
                if is_forfeit or decision.fault is not None:
                    break
    return found
