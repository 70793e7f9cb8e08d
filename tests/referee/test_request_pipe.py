"""The requests to one process: whose turn it is, and what time it is charged."""

import os
import signal
import sys
from collections.abc import Callable, Iterator

import pytest
import trio
import trio.testing
from play_units import WIRE

from arena.referee.contestant.clock import Spent
from arena.referee.contestant.request_pipe import ComputeSlots, CrowdError, RequestPipe
from arena.referee.contestant.sleep_meter import ThreadTimes
from arena.referee.contestant.wire import BotRequest, ReplyError, RequestKind
from arena.referee.sandbox import Process
from arena.referee.sandbox.process import Pipes
from arena.referee.work_unit import Limits
from arena.worker.protocol import Answer, Done, Message, frame

PIPE = "arena.referee.contestant.request_pipe"
LIMITS = Limits(move=1.0, bank=0.0, margin=0.5)


class OnlyPipes(Process):
    """Stands in for a process that only has pipes, and notes the signals it is sent."""

    def __init__(self, pid: int, pipes: Pipes) -> None:
        super().__init__(pid, pipes)
        self.signals: list[int] = []

    def kill(self) -> None:
        pass

    def _send(self, number: int) -> None:
        self.signals.append(number)

    async def _end(self) -> int:
        await trio.sleep_forever()
        raise AssertionError

    def _bury(self) -> None:
        pass


class Clock:
    """The CPU time of every process, its threads and the time of the wall.

    All as a test says: how long each thread was runnable, and its state.
    """

    cpu = 0.0
    wall = 0.0
    is_of_wall = False
    threads: dict[int, ThreadTimes] | None = None

    def __init__(self, pid: int = 0) -> None:
        pass

    def now(self) -> float:
        return Clock.cpu


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> type[Clock]:
    Clock.cpu = Clock.wall = Clock.lag = 0.0
    Clock.threads = {1: ThreadTimes("S", 1.0)}
    monkeypatch.setattr(f"{PIPE}.count_threads", lambda pid: 1)
    monkeypatch.setattr(f"{PIPE}.read_threads", lambda pid: Clock.threads)
    monkeypatch.setattr(f"{PIPE}.ProcessClock", Clock)
    monkeypatch.setattr(f"{PIPE}.time.monotonic", lambda: Clock.wall)
    return Clock


class Stage:
    """Pipes that share slots, and the contestants' ends of their pipes."""

    def __init__(self) -> None:
        self._pipes: list[Pipes] = []

    def pipe(
        self,
        slots: ComputeSlots | None = None,
        on_readable: Callable[[], bool] = lambda: True,
    ) -> RequestPipe:
        pipes = Pipes.open()
        os.set_blocking(pipes.child_read, False)
        self._pipes.append(pipes)
        process = OnlyPipes(1, pipes)
        return RequestPipe(process, WIRE, LIMITS, slots or ComputeSlots(1), on_readable)

    def write(self, pipe: RequestPipe, data: bytes) -> None:
        """Let the contestant of a pipe say something."""
        (pipes,) = (p for p in self._pipes if p.write_fd == pipe.process.write_fd)
        os.write(pipes.child_write, data)

    def arrived(self, pipe: RequestPipe) -> bytes:
        """Return the bytes that have been sent on a pipe."""
        (pipes,) = (p for p in self._pipes if p.write_fd == pipe.process.write_fd)
        try:
            return os.read(pipes.child_read, 2**20)
        except BlockingIOError:
            return b""

    def close(self) -> None:
        for pipes in self._pipes:
            pipes.close_childs()
            pipes.close()


@pytest.fixture
def stage() -> Iterator[Stage]:
    stage = Stage()
    yield stage
    stage.close()


def request(serial: int, data: bytes = b"?") -> BotRequest:
    return BotRequest(
        RequestKind.ACT, serial, data, allowance=LIMITS.move + LIMITS.margin
    )


def of_game(serial: int, game: int, kind: RequestKind = RequestKind.ACT) -> BotRequest:
    return BotRequest(kind, serial, str(serial).encode(), allowance=1.5, game=game)


def ask(pipe: RequestPipe, *serials: int) -> None:
    """Send a process some requests."""
    for serial in serials:
        pipe.ask(request(serial))
    pipe.flush()


def answers(*serials: int) -> bytes:
    return b"".join(frame(Answer(serial, "roll")) for serial in serials)


def taken(pipe: RequestPipe, data: bytes) -> list[tuple[int, Message, float]]:
    """Return serial, reply and charged seconds of each reply."""
    return [
        (asked.serial, reply, spent.charged)
        for asked, reply, spent in pipe.receive(data)
    ]


def test_requests_leave_when_flushed_and_in_order(
    stage: Stage, clock: type[Clock]
) -> None:
    pipe = stage.pipe()
    for serial in range(1, 8):
        pipe.ask(request(serial, str(serial).encode()))
    assert stage.arrived(pipe) == b""
    pipe.flush()
    assert stage.arrived(pipe) == b"1"
    pipe.flush()
    assert stage.arrived(pipe) == b""
    # Who answers quickly is sent more at a time.
    taken(pipe, answers(1))
    pipe.flush()
    assert stage.arrived(pipe) == b"23"
    taken(pipe, answers(2, 3))
    pipe.flush()
    assert stage.arrived(pipe) == b"4567"


def test_what_a_full_pipe_did_not_take_is_sent_in_turn(stage: Stage) -> None:
    """Whoever waits for room in it may wake up when others compute by now."""
    trio.run(_fill_a_pipe, stage)


async def _fill_a_pipe(stage: Stage) -> None:
    slots = ComputeSlots(1)
    pipe, other = stage.pipe(slots), stage.pipe(slots)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(pipe.write_rest)
        pipe.ask(request(1, b"1" * 2**17))
        pipe.flush()
        await trio.testing.wait_all_tasks_blocked()
        # All is sent and answered before that task can run.
        size = 0
        while size < 2**17:
            size += len(stage.arrived(pipe))
            pipe.flush()
        taken(pipe, answers(1))
        other.ask(request(2, b"2"))
        pipe.ask(request(3, b"3"))
        other.flush()
        pipe.flush()
        assert stage.arrived(other) == b"2"
        await trio.testing.wait_all_tasks_blocked()
        assert stage.arrived(pipe) == b""
        taken(other, answers(2))
        assert stage.arrived(pipe) == b"3"
        nursery.cancel_scope.cancel()


def test_one_request_at_a_time_for_who_is_slow(
    stage: Stage, clock: type[Clock]
) -> None:
    """Its CPU time is charged to no other decision, however late we read."""
    pipe = stage.pipe()
    for serial in range(1, 5):
        pipe.ask(request(serial, str(serial).encode()))
    pipe.flush()
    taken(pipe, answers(1))
    pipe.flush()
    assert stage.arrived(pipe) == b"123"
    clock.cpu += 0.04
    taken(pipe, answers(2))
    pipe.flush()
    assert stage.arrived(pipe) == b""
    clock.cpu += 0.04
    taken(pipe, answers(3))
    pipe.flush()
    assert stage.arrived(pipe) == b"4"


def test_oldest_game_of_who_is_slow_comes_first(
    stage: Stage, clock: type[Clock]
) -> None:
    """So it is soon known that it is too slow, and no game is begun in vain."""
    pipe = stage.pipe()
    order = []
    for serial, game in enumerate((2, 1, 3), start=1):
        pipe.ask(of_game(serial, game))
    for serial, game in enumerate((1, 1, 2, 1), start=4):
        pipe.flush()
        sent = int(stage.arrived(pipe))
        order.append(sent)
        clock.cpu += 0.1
        assert taken(pipe, answers(sent))[0][0] == sent
        pipe.ask(of_game(serial, game))
    assert order == [2, 4, 5, 1]


def test_who_has_not_decided_gets_one_decision_to_make(stage: Stage) -> None:
    """To begin games is quick for many who decide slowly."""
    pipe = stage.pipe()
    for serial in range(1, 8):
        pipe.ask(of_game(serial, serial, RequestKind.BEGIN))
    for serials in ((1,), (2, 3), (4, 5, 6, 7)):
        pipe.flush()
        assert stage.arrived(pipe) == "".join(map(str, serials)).encode()
        pipe.receive(b"")
        replies = b"".join(frame(Done(serial)) for serial in serials)
        assert [serial for serial, _, _ in taken(pipe, replies)] == [*serials]
    for serial in range(1, 8):
        pipe.ask(of_game(serial + 10, serial))
    pipe.flush()
    assert stage.arrived(pipe) == b"11"
    taken(pipe, answers(11))
    pipe.flush()
    assert stage.arrived(pipe) == b"121314151617"


def test_who_is_slow_to_begin_is_sent_no_decision_behind_that(
    stage: Stage, clock: type[Clock]
) -> None:
    """It could think about the decision in a time that is charged to no game."""
    pipe = stage.pipe()
    ask(pipe, 1)
    taken(pipe, answers(1))
    pipe.ask(of_game(2, 2, RequestKind.BEGIN))
    pipe.ask(of_game(3, 1))
    pipe.flush()
    assert stage.arrived(pipe) == b"?23"
    # What was sent before that was known is not charged for it.
    clock.cpu += 1.0
    both = taken(pipe, frame(Done(2)) + answers(3))
    assert [seconds for _, _, seconds in both] == [1.0, 0.0]
    ask(pipe, 4)
    taken(pipe, answers(4))
    stage.arrived(pipe)
    for serial, kind in enumerate(
        (RequestKind.BEGIN, RequestKind.END, RequestKind.ACT), start=5
    ):
        pipe.ask(of_game(serial, serial, kind))
    pipe.flush()
    assert stage.arrived(pipe) == b"75"
    pipe.ask(of_game(8, 7))
    taken(pipe, answers(7))
    pipe.flush()
    assert stage.arrived(pipe) == b""
    taken(pipe, frame(Done(5)))
    pipe.flush()
    assert stage.arrived(pipe) == b"86"


def test_who_is_slow_to_begin_may_not_answer_twice(
    stage: Stage, clock: type[Clock]
) -> None:
    pipe = stage.pipe()
    pipe.ask(of_game(1, 1, RequestKind.BEGIN))
    pipe.flush()
    clock.cpu += 1.0
    replies = pipe.receive(frame(Done(1)) + frame(Done(1)))
    assert next(replies)[2].charged == 1.0
    with pytest.raises(ReplyError):
        next(replies)


def test_decisions_are_never_sent_behind_what_is_asked_again(stage: Stage) -> None:
    pipe = stage.pipe()
    for serials in ((1,), (2, 3)):
        ask(pipe, *serials)
        taken(pipe, answers(*serials))
    stage.arrived(pipe)
    again = of_game(4, 1)
    again.replayed = True
    for asked in (again, of_game(5, 1)):
        pipe.ask(asked)
    pipe.flush()
    assert stage.arrived(pipe) == b"4"
    taken(pipe, answers(4))
    pipe.flush()
    assert stage.arrived(pipe) == b"5"


def test_who_is_busy_is_listened_to(stage: Stage) -> None:
    slots = ComputeSlots(1)
    heard = []

    def read(name: str, pipe: RequestPipe) -> bool:
        heard.append(name)
        taken(pipe, os.read(pipe.process.read_fd, 1000))
        return True

    first = stage.pipe(slots, lambda: read("first", first))
    second = stage.pipe(slots, lambda: read("second", second))
    idle = stage.pipe(slots, lambda: read("idle", idle))
    for pipe in (first, second):
        ask(pipe, 1)
    slots.listen()
    assert heard == []
    stage.write(first, answers(1))
    stage.write(second, answers(1))
    stage.write(idle, b"?")
    # The answer of the first lets the second compute, and that one's is there.
    slots.listen()
    assert heard == ["first", "second"]
    slots.listen()
    assert heard == ["first", "second"]


def test_no_more_is_read_once_a_pipe_has_ended(stage: Stage) -> None:
    slots = ComputeSlots(1)
    heard = []

    def read() -> bool:
        heard.append("end")
        return False

    pipe = stage.pipe(slots, read)
    ask(pipe, 1)
    stage.write(pipe, answers(1))
    slots.listen()
    assert heard == ["end"]


def test_replies_are_read_together_where_many_are_on_their_way(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []

    def answers_come(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 2:
            stage.write(pipe, answers(*[p.serial for p in pipe.pending][-3:]))

    monkeypatch.setattr(f"{PIPE}.time.sleep", answers_come)
    pipe = stage.pipe()

    def read() -> list[int]:
        return [serial for serial, _, _ in taken(pipe, pipe.read())]

    ask(pipe, *range(1, 31))
    stage.write(pipe, answers(1))
    assert read() == [1]  # No other has been sent yet.
    for serials in ([2, 3], [4, 5, 6, 7], [*range(8, 16)]):
        pipe.flush()
        stage.write(pipe, answers(*serials))
        assert read() == serials
    assert pauses == []  # So few were on their way.
    pipe.flush()
    stage.write(pipe, answers(*range(16, 28)))
    assert read() == [*range(16, 31)]
    assert len(pauses) == 2


def test_who_does_not_answer_at_once_is_not_waited_for(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(f"{PIPE}.time.sleep", pauses.append)
    for slots, most in ((ComputeSlots(1), 0.002), (ComputeSlots(2), 0.0002)):
        pauses.clear()
        pipe = stage.pipe(slots)
        for serial in range(1, 32):
            pipe.ask(request(serial))
        for serials in ([1], [2, 3], [4, 5, 6, 7], [*range(8, 16)]):
            pipe.flush()
            taken(pipe, answers(*serials))
        pipe.flush()
        stage.write(pipe, answers(16))
        assert [serial for serial, _, _ in taken(pipe, pipe.read())] == [16]
        assert 0.0 < sum(pauses) <= most


def test_who_comes_first_is_served_first(stage: Stage) -> None:
    slots = ComputeSlots(2)
    pipes = [stage.pipe(slots) for _ in range(4)]
    for pipe in pipes:
        ask(pipe, 1)
        pipe.flush()
    assert [stage.arrived(pipe) for pipe in pipes] == [b"?", b"?", b"", b""]
    # Further requests to who is busy leave before all others: he has his turn.
    ask(pipes[1], 2)
    taken(pipes[1], answers(1))
    pipes[1].flush()
    assert stage.arrived(pipes[1]) == b"?"
    assert [stage.arrived(pipe) for pipe in pipes] == [b""] * 4
    taken(pipes[1], answers(2))
    assert [stage.arrived(pipe) for pipe in pipes] == [b"", b"", b"?", b""]
    taken(pipes[0], answers(1))
    assert [stage.arrived(pipe) for pipe in pipes] == [b"", b"", b"", b"?"]


def test_who_is_closed_takes_no_turn_and_keeps_none(stage: Stage) -> None:
    slots = ComputeSlots(1)
    pipes = [stage.pipe(slots) for _ in range(4)]
    for pipe in pipes:
        ask(pipe, 1)
    pipes[1].close()
    pipes[0].close()
    pipes[0].close()
    assert [stage.arrived(pipe) for pipe in pipes] == [b"?", b"", b"?", b""]


def test_clock_runs_from_the_later_of_sending_and_the_reply_before(
    stage: Stage, clock: type[Clock]
) -> None:
    pipe = stage.pipe()
    pipe.ask(request(1))
    clock.cpu = 5.0
    pipe.flush()
    ask(pipe, 2)
    clock.cpu = 5.25
    assert taken(pipe, answers(1)) == [(1, Answer(1, "roll"), 0.25)]
    clock.cpu = 6.0
    assert pipe.spent() == Spent(0.75)
    assert taken(pipe, answers(2)) == [(2, Answer(2, "roll"), 0.75)]


def test_replies_that_come_together_share_their_time(
    stage: Stage, clock: type[Clock]
) -> None:
    pipe = stage.pipe()
    ask(pipe, 1, 2, 3)
    taken(pipe, answers(1))
    pipe.flush()
    clock.cpu = 3.0
    assert [time for _, _, time in taken(pipe, answers(2, 3))] == [1.5, 1.5]


def test_wait_for_a_turn_is_not_charged(stage: Stage, clock: type[Clock]) -> None:
    slots = ComputeSlots(1)
    first, second = stage.pipe(slots), stage.pipe(slots)
    for pipe in (first, second):
        ask(pipe, 1)
    clock.wall = 1000.0
    taken(first, answers(1))
    assert second.spent() == Spent()


def test_work_while_nothing_is_asked_is_noted(stage: Stage, clock: type[Clock]) -> None:
    pipe = stage.pipe()
    for serial, idle in enumerate([0.0, 0.25, 0.0005, 0.5]):
        clock.cpu += idle
        ask(pipe, serial)
        clock.cpu += 1.0
        taken(pipe, answers(serial))
    # What every process needs to go on waiting is nobody's pondering.
    assert pipe.pondered == 0.75


def test_nobody_is_stopped_who_would_outlive_the_referee(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that is stopped does not see the end of its pipe."""
    process = stage.pipe().process
    assert isinstance(process, OnlyPipes)
    for system, signals in (("darwin", []), ("linux", [signal.SIGSTOP])):
        monkeypatch.setattr(sys, "platform", system)
        process.pause()
        assert process.signals == signals


def test_nobody_computes_unasked_where_only_the_wall_tells_the_time(
    stage: Stage, clock: type[Clock], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "is_of_wall", True)
    pipe = stage.pipe()
    process = pipe.process
    assert isinstance(process, OnlyPipes)
    for serial in (1, 2):
        ask(pipe, serial)
        taken(pipe, answers(serial))
        clock.cpu += 10.0
    assert (pipe.pondered, process.signals) == (0.0, [])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (answers(2), "sent a reply nobody had asked for"),
        (answers(1, 1), "sent a reply nobody had asked for"),
        (b"\xff\xff\xff\xff", "sent 4 bytes where a reply was expected: '�{4}' "),
        (b"\x01\0\0\0\xc1", "sent 5 bytes where a reply was expected: "),
        (
            b"Hello!" + answers(1),
            r"sent 6 bytes where .*: 'Hello!' \(does it write to ",
        ),
        (frame(Answer(1, 1025 * "a")), "sent an action over 1024 characters"),
        (b"!" + answers(1), r"sent 1 byte where a reply was expected: '!' \("),
    ],
)
def test_what_is_no_answer_is_none(stage: Stage, data: bytes, message: str) -> None:
    pipe = stage.pipe()
    ask(pipe, 1)
    with pytest.raises(ReplyError, match=message):
        taken(pipe, data)


def test_answers_before_garbage_count(stage: Stage) -> None:
    pipe = stage.pipe()
    ask(pipe, 1)
    replies = pipe.receive(answers(1) + b"\xff\xff\xff\xff")
    assert next(replies)[0].serial == 1
    with pytest.raises(ReplyError):
        next(replies)


def test_answer_before_the_question_was_sent_is_none(stage: Stage) -> None:
    slots = ComputeSlots(1)
    first, second = stage.pipe(slots), stage.pipe(slots)
    for pipe in (first, second):
        ask(pipe, 1)
    with pytest.raises(ReplyError, match="nobody had asked for"):
        taken(second, answers(1))


def test_idle_is_who_has_nothing_to_say_and_nothing_to_hear(stage: Stage) -> None:
    pipe = stage.pipe()
    assert pipe.is_idle()
    pipe.ask(request(1))
    assert not pipe.is_idle()
    pipe.flush()
    assert not pipe.is_idle()
    taken(pipe, answers(1)[:7])
    assert not pipe.is_idle()
    taken(pipe, answers(1)[7:])
    assert pipe.is_idle()
    taken(pipe, b"\x02")
    assert not pipe.is_idle()


def test_what_a_full_pipe_does_not_take_is_sent_later(stage: Stage) -> None:
    pipe = stage.pipe()
    data = bytes(range(256)) * 2000

    async def run() -> bytes:
        with trio.fail_after(60):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(pipe.write_rest)
                pipe.ask(request(1, data))
                pipe.flush()
                found = b""
                while len(found) < len(data):
                    found += stage.arrived(pipe)
                    await trio.lowlevel.checkpoint()
                nursery.cancel_scope.cancel()
        return found

    assert trio.run(run) == data


def test_lateness_is_that_of_the_oldest_request(
    stage: Stage, clock: type[Clock]
) -> None:
    pipe = stage.pipe()
    ask(pipe, 1, 2)

    async def run() -> tuple[BotRequest, Spent]:
        with trio.fail_after(60):
            return await pipe.wait_until_late()

    clock.cpu = 1.5
    head, spent = trio.run(run)
    assert (head.serial, spent) == (1, Spent(1.5))


TICK_S = 0.005


def watched(
    pipe: RequestPipe, happens: Callable[[float], None], clock: type[Clock]
) -> tuple[float, Spent]:
    """Let the watchdog look at a pipe; `happens` gets the time of each look.

    Return when it was found late, by the wall, and what its request had taken.
    """

    async def run() -> tuple[float, Spent]:
        async def time_passes() -> None:
            while True:
                await trio.sleep(TICK_S)
                clock.wall = trio.current_time() - begun + clock.lag
                happens(clock.wall)

        begun = trio.current_time()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(time_passes)
            with trio.fail_after(1000):
                _, spent = await pipe.wait_until_late()
            nursery.cancel_scope.cancel()
        return clock.wall, spent

    mock = trio.testing.MockClock(autojump_threshold=0.0)
    return trio.run(run, clock=mock)


def test_who_sleeps_is_late_when_that_and_its_cpu_time_are_too_much(
    stage: Stage, clock: type[Clock]
) -> None:
    pipe = stage.pipe()
    ask(pipe, 1)

    def happens(wall: float) -> None:
        clock.cpu = min(wall, 0.5)
        state = "R" if wall < 0.5 else "S"
        clock.threads = {1: ThreadTimes(state, 1.0 + clock.cpu)}

    wall, spent = watched(pipe, happens, clock)
    # It is not looked at before it has taken some time.
    assert 1.5 <= wall <= 1.55
    assert (spent.cpu, spent.unclear) == (0.5, 0.0)
    assert spent.slept == pytest.approx(1.0, abs=0.03)


def test_a_referee_that_others_hold_up_looks_as_often(
    stage: Stage, clock: type[Clock], monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = stage.pipe()
    ask(pipe, 1)

    def read(pid: int) -> dict[int, ThreadTimes] | None:
        clock.wall += 10.0
        clock.lag += 10.0
        return clock.threads

    monkeypatch.setattr(f"{PIPE}.read_threads", read)
    wall, _ = watched(pipe, lambda wall: None, clock)
    assert 1.5 <= wall % 10.0 <= 1.55


def test_who_waits_for_a_processor_is_never_late(
    stage: Stage, clock: type[Clock]
) -> None:
    """While a wait goes on the kernel has not counted it."""
    pipe = stage.pipe()
    ask(pipe, 1)
    counted = 0.0

    def happens(wall: float) -> None:
        nonlocal counted
        if int(wall) % 6 == 5:
            counted = wall
        clock.cpu = max(0.0, wall - 20.0)
        clock.threads = {1: ThreadTimes("R", max(counted, wall - 20.0))}

    wall, spent = watched(pipe, happens, clock)
    assert wall == pytest.approx(21.5, abs=0.01)
    assert spent.slept == pytest.approx(0.0, abs=0.03)


def test_what_can_not_be_read_is_late_and_unclear(
    stage: Stage, clock: type[Clock]
) -> None:
    pipe = stage.pipe()
    ask(pipe, 1)
    clock.threads = None
    wall, spent = watched(pipe, lambda wall: None, clock)
    # A quarter more, lest a little that is unclear makes all of it unclear.
    assert 1.875 <= wall <= 1.95
    assert spent.charged == 0.0
    assert spent.unclear >= 1.875


def test_sleep_behind_an_answer_that_was_not_read_is_not_charged(
    stage: Stage, clock: type[Clock]
) -> None:
    pipe = stage.pipe()
    ask(pipe, 1)
    charged = []

    def happens(wall: float) -> None:
        if wall == pytest.approx(0.5) and not charged:
            # From here on it is asleep.  The referee is kept from reading for long.
            stage.write(pipe, answers(1))
            clock.wall = 30.0
            charged.append(taken(pipe, os.read(pipe.process.read_fd, 1000))[0][2])
            ask(pipe, 2)

    watched(pipe, happens, clock)
    assert charged == [pytest.approx(0.5, abs=0.03)]


def test_who_sends_an_answer_bit_by_bit_has_not_answered(
    stage: Stage, clock: type[Clock]
) -> None:
    """Nobody reads here, so that something lies in the pipe at each look."""
    pipe = stage.pipe()
    ask(pipe, 1)
    wall, spent = watched(pipe, lambda wall: stage.write(pipe, b"\0"), clock)
    assert 1.5 <= wall <= 1.6
    assert spent.slept == pytest.approx(1.5, abs=0.03)


def test_slot_of_who_sleeps_is_free_for_others(
    stage: Stage, clock: type[Clock]
) -> None:
    slots = ComputeSlots(1)
    sleeper, worker, third = (stage.pipe(slots) for _ in range(3))
    for pipe in (sleeper, worker, third):
        ask(pipe, 1)
    arrived = []

    def happens(wall: float) -> None:
        if wall < 1.0:
            arrived.append(stage.arrived(worker))

    watched(sleeper, happens, clock)
    assert b"?" in arrived[:60]
    # When it has answered it has no slot to give to the next.
    taken(sleeper, answers(1))
    assert stage.arrived(third) == b""
    taken(worker, answers(1))
    assert stage.arrived(third) == b"?"


def test_who_has_slept_waits_for_a_slot_with_its_next_request(
    stage: Stage, clock: type[Clock]
) -> None:
    slots = ComputeSlots(1)
    sleeper, worker = stage.pipe(slots), stage.pipe(slots)
    for pipe in (sleeper, worker):
        ask(pipe, 1)
    sleeper.ask(request(2, b"again"))
    watched(sleeper, lambda wall: None, clock)
    assert stage.arrived(sleeper) == stage.arrived(worker) == b"?"
    taken(sleeper, answers(1))
    slots.flush()
    assert stage.arrived(sleeper) == b""
    taken(worker, answers(1))
    assert stage.arrived(sleeper) == b"again"


def test_too_many_threads_are_seen(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = stage.pipe()
    monkeypatch.setattr(f"{PIPE}.count_threads", lambda pid: 129)
    with pytest.raises(CrowdError):
        trio.run(pipe.wait_until_late)


def test_who_could_run_keeps_its_slot(stage: Stage, clock: type[Clock]) -> None:
    slots = ComputeSlots(1)
    busy, other = stage.pipe(slots), stage.pipe(slots)
    for pipe in (busy, other):
        ask(pipe, 1)

    def happens(wall: float) -> None:
        clock.cpu = max(0.0, wall - 5.0)
        counted = wall if clock.cpu else 0.0
        clock.threads = {1: ThreadTimes("R", 1.0 + counted)}

    watched(busy, happens, clock)
    assert stage.arrived(other) == b""


def test_who_computes_without_a_request_is_stopped_until_the_next_one(
    stage: Stage, clock: type[Clock]
) -> None:
    pipe = stage.pipe()
    process = pipe.process
    assert isinstance(process, OnlyPipes)

    async def run() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(pipe.wait_until_late)
            ask(pipe, 1)
            taken(pipe, answers(1))
            clock.cpu += 0.0009  # Anybody needs that to go on waiting.
            await trio.sleep(1.0)
            assert process.signals == []
            clock.cpu += 0.01
            await trio.sleep(0.03)
            assert process.signals == [signal.SIGSTOP]
            await trio.sleep(1.0)
            ask(pipe, 2)
            assert process.signals == [signal.SIGSTOP, signal.SIGCONT]
            # From now on it is not waited for.
            taken(pipe, answers(2))
            assert process.signals[2:] == [signal.SIGSTOP]
            ask(pipe, 3)
            assert process.signals[3:] == [signal.SIGCONT]
            nursery.cancel_scope.cancel()

    trio.run(run, clock=trio.testing.MockClock(autojump_threshold=0.0))
    assert pipe.pondered == pytest.approx(0.0109)
