"""Games played by referee processes of this machine."""

from collections.abc import Callable, Sequence

import trio
from msgspec.structs import replace

from arena.errors import LeagueError
from arena.league.play.executor import Executor, Work, players
from arena.league.play.referee_process import Deliver, RefereeProcess, UnitEnd
from arena.records.batch import Batch
from arena.referee.cores import busy_contestants, usable_cores
from arena.referee.sandbox import SandboxSpec
from arena.referee.service import Setup
from arena.referee.work_unit import Restart, WorkUnit


class LocalExecutor(Executor):
    """Plays units with so many referees on this machine."""

    def __init__(
        self, workers: int, sandbox: SandboxSpec, on_stall: Callable[[str], None]
    ) -> None:
        """Prepare it; `on_stall` gets a sentence if no game ends for a while."""
        super().__init__(on_stall)
        self.workers = workers
        self._setup = Setup(sandbox, busy_contestants(workers))
        self._cores = usable_cores()

    async def play(self, work: Work, deliver: Deliver) -> None:
        """Play all units and deliver every game, those of a fixture together."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._stall_watch.watch)
            async with trio.open_nursery() as referees:
                for number in range(self.workers):
                    referees.start_soon(self._work, number, work, deliver)
            nursery.cancel_scope.cancel()

    async def _work(self, number: int, work: Work, deliver: Deliver) -> None:
        """Keep one referee busy; if it dies, start another and go on."""
        unit = work.next()
        tries = 0
        while unit is not None:
            referee = await RefereeProcess.start(self._setup_of(number, unit))
            try:
                is_alive = True
                while unit is not None and is_alive:
                    tries += 1
                    end = await self._play(number, referee, unit, deliver)
                    is_alive = not end.died_of
                    if end.died_of and end.left:
                        self._note_loss(unit, end.left, tries, end.died_of)
                        unit = replace(unit, games=end.left)
                        continue
                    if end.left:
                        work.give_back(unit, end.left)
                    unit, tries = work.next(), 0
            finally:
                self._stall_watch.situations.pop(number, None)
                await referee.stop()

    def _setup_of(self, number: int, unit: WorkUnit) -> Setup:
        """Return the setup of a referee that begins with a unit.

        If nothing else would compute at the same time, it keeps to one core.
        """
        has_spare_cores = self.workers < len(self._cores)
        if has_spare_cores and unit.in_flight > 1 and unit.restart is not Restart.GAME:
            return self._setup
        return replace(self._setup, core=self._cores[number % len(self._cores)])

    async def _play(
        self, number: int, referee: RefereeProcess, unit: WorkUnit, deliver: Deliver
    ) -> UnitEnd:
        """Have a unit played.

        Raises:
            LeagueError: the referee says that the machine can't go on.
        """

        def wait_for(what: str) -> None:
            self._stall_watch.situations[number] = f"{players(unit)}{what}"

        async def deliver_and_note(batches: Sequence[Batch]) -> None:
            self._stall_watch.end()
            await deliver(batches)

        wait_for(" begins")
        end = await referee.play(
            unit, deliver_and_note, lambda what: wait_for(f": {what}")
        )
        if end.trouble:
            raise LeagueError(f"{end.trouble}; what was played is recorded")
        return end
