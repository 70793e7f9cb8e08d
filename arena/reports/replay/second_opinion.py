"""What a bot would do in the place of those that have played."""

from collections.abc import Sequence

import msgspec

from arena.errors import starting_contestants
from arena.games import Replay
from arena.records.game_record import Fault
from arena.referee.ask_bot import Decision, ask_bot
from arena.referee.sandbox import Sandbox
from arena.referee.work_unit import EntrySpec, Limits


class Opinion(msgspec.Struct, frozen=True):
    """What a bot answers at a decision of a recorded game."""

    step: int
    seat: int
    recorded: str
    """What was played there; the reason where that was forfeited."""
    decision: Decision

    @property
    def answer(self) -> str:
        """What it answers; the reason if it forfeits there."""
        fault = self.decision.fault
        return self.decision.action if fault is None else str(fault.termination)

    @property
    def agrees(self) -> bool:
        """Whether it is the same."""
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
    """Return what a bot says to a seat's decisions, up to the one called `last`.

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
