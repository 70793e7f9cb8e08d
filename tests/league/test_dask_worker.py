"""The referees that a Dask worker keeps for a league."""

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
import trio

from arena.league.entries.hand_ins.depot import Depot
from arena.league.play.cluster import dask_worker
from arena.league.play.cluster.messages import Closed, League, Played, Unable
from arena.league.play.referee_process import UnitEnd
from arena.referee.sandbox import SandboxSpec
from arena.referee.sandbox.library import Library
from arena.referee.work_unit import Limits, WorkUnit
from arena.worker.protocol import GameSpec

LEAGUE = League("l", "process", "", (), (), {}, {}, {}, ())
SPEC = SandboxSpec("process", "", Library((), (), ()))
UNIT = WorkUnit("g", GameSpec("g", "", 2, {}), (), (), Limits(), 9, 1)


class FakeReferee:
    """Plays until it is let go on, or fails."""

    def __init__(self) -> None:
        self.begun = Event()
        self.go_on = trio.Event()
        self.error: Exception | None = None
        self.stops = 0

    async def start(self, setup: object) -> "FakeReferee":
        return self

    async def play(self, unit: object, deliver: object, on_stall: object) -> UnitEnd:
        if self.error is not None:
            raise self.error
        self.begun.set()
        await self.go_on.wait()
        return UnitEnd(())

    async def stop(self) -> None:
        self.stops += 1


@pytest.fixture
def referee(monkeypatch: pytest.MonkeyPatch) -> FakeReferee:
    fake = FakeReferee()
    monkeypatch.setattr(dask_worker, "RefereeProcess", fake)
    return fake


@pytest.fixture
def pool(tmp_path: Path, referee: FakeReferee) -> dask_worker._RefereePool:
    return dask_worker._RefereePool(LEAGUE, SPEC, Depot(tmp_path))


def play(pool: dask_worker._RefereePool) -> Played | Unable | Closed:
    return pool.play(UNIT, lambda: True, lambda what: None)


def test_a_unit_is_closed_with_its_league(
    pool: dask_worker._RefereePool, referee: FakeReferee
) -> None:
    with ThreadPoolExecutor(1) as threads:
        answer: Future[Played | Unable | Closed] = threads.submit(play, pool)
        assert referee.begun.wait(10)
        pool.close()
        assert answer.result(10) == Closed()
    assert referee.stops == 1
    assert play(pool) == Closed()
    pool.close()


def test_an_error_comes_out_by_itself(
    pool: dask_worker._RefereePool, referee: FakeReferee
) -> None:
    referee.error = ValueError("no frame")
    with pytest.raises(ValueError, match="no frame"):
        play(pool)
    assert referee.stops == 1
    pool.close()


def test_a_referee_is_taken_again_before_it_begins_to_wait(
    pool: dask_worker._RefereePool, referee: FakeReferee
) -> None:
    referee.go_on.set()

    async def again() -> Played | Unable | Closed:
        await pool._play(UNIT, lambda: True, lambda what: None)
        # Nothing else has had a turn since.
        return await pool._play(UNIT, lambda: True, lambda what: None)

    assert trio.from_thread.run(again, trio_token=pool._trio) == Played(())
    assert play(pool) == Played(())
    assert referee.stops == 0
    pool.close()
    assert referee.stops == 1
