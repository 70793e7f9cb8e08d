"""What an executor tells while it plays."""

import trio
from sandboxes import spec_of
from trio.testing import MockClock

from arena.league.executors import LocalExecutor, busy_contestants, cores


def test_a_stall_is_told_with_what_is_waited_for_and_again_if_it_goes_on() -> None:
    told: list[tuple[float, str]] = []
    executor = LocalExecutor(
        2, spec_of("limits"), lambda what: told.append((trio.current_time(), what))
    )

    async def wait() -> None:
        executor._last_end = start = trio.current_time()
        executor._situations = {
            1: "run, c against d begins",
            0: "dice, a against b: so",
        }
        async with trio.open_nursery() as nursery:
            nursery.start_soon(executor._watch)
            await trio.sleep(200)
            # A game ends: the next silence is told after as long as the first.
            executor._last_end = trio.current_time()
            executor._situations = {}
            await trio.sleep(50)
            nursery.cancel_scope.cancel()
        told[:] = [(round(time - start), what) for time, what in told]

    trio.run(wait, clock=MockClock(autojump_threshold=0))
    both = "dice, a against b: so; run, c against d begins"
    assert told == [
        (30, f"no game has ended for 30 s: {both}"),
        (60, f"no game has ended for 60 s: {both}"),
        (120, f"no game has ended for 120 s: {both}"),
        (230, "no game has ended for 30 s: no referee"),
    ]


def test_all_referees_together_keep_no_more_contestants_busy_than_there_are_cores() -> (
    None
):
    for workers in range(1, cores() + 1):
        assert 1 <= busy_contestants(workers) * workers <= cores()
    assert busy_contestants(10 * cores()) == 1
