"""The system call filter decides as it is said to, on every machine it knows.

The programs run here in an interpreter of a few lines, against the policy in plain
words; that the kernel runs them alike is for the tests that attempt things.
"""

import re
import struct
from collections.abc import Callable, Sequence
from errno import EAGAIN, EINVAL, ENOSYS, ENOTTY, EPERM
from itertools import product
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from attempts import CALLS
from confined import needs_filters
from matrix import divided

from arena.worker.confinement import bpf, seccomp
from arena.worker.confinement.bpf import Code
from arena.worker.confinement.syscalls import MACHINES, syscall_numbers

PID = 4711
ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
ALLOWED, KILLED, FAILED = 0x7FFF0000, 0x80000000, 0x50000
Arguments = tuple[int, int, int, int, int, int]
NO_ARGUMENTS: Arguments = (0, 0, 0, 0, 0, 0)


def run(code: Code, architecture: int, number: int, arguments: Arguments) -> int:
    """Return the verdict of a program on a call, by the rules of <linux/filter.h>."""
    data = struct.pack("<IIQ6Q", number, architecture, 0, *arguments)
    value, at = 0, 0
    while True:
        operation, true, false, operand = code[at]
        at += 1
        if operation == 0x20:
            value = int.from_bytes(data[operand : operand + 4], "little")
        elif operation == 0x54:
            value &= operand
        elif operation == 0x15:
            at += true if value == operand else false
        elif operation == 0x35:
            at += true if value >= operand else false
        elif operation == 0x05:
            at += operand
        else:
            assert operation == 0x06
            return operand


def _may_open(flags: int) -> bool:
    writes = flags & 3 in (1, 2)
    reads = flags & 3 == 0 and not flags & (0o100 | 0o1000)
    return (writes or reads) and not flags & 0o20000000


def _may_control(command: int, argument: int) -> bool:
    return command in (0, 1, 2, 3, 1030) or (
        command == 4 and not argument & (0o20000 | 0o40000 | 0o200000)
    )


def _is_thread(flags: int) -> bool:
    return flags & ~0x17C0000 == 0x10F00


def _may_signal(number: int) -> bool:
    """Not SIGKILL, nor what stops: SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU."""
    return number <= 64 and number not in (9, 19, 20, 21, 22)


# Pages taken from others, merged with theirs, or taken from files that they read.
NOT_ADVISED = (5, 6, 7, 9, 12, 13, 20, 21, 24)


# Whether a call is allowed, from its arguments: all 64 bits, and the lower 32.
PLAIN: dict[str, tuple[Callable[[Arguments, Arguments], bool], int]] = {
    "open": (lambda _, a: _may_open(a[1]), EPERM),
    "openat": (lambda _, a: _may_open(a[2]), EPERM),
    "mmap": (lambda _, a: not a[3] & 0x40000, EPERM),
    "madvise": (lambda _, a: a[2] < 26 and a[2] not in NOT_ADVISED, EINVAL),
    "fcntl": (lambda _, a: _may_control(a[1], a[2]), EPERM),
    "ioctl": (
        lambda _, a: a[1] in (0x5401, 0x5413, 0x5421, 0x5450, 0x5451, 0x802C542A),
        ENOTTY,
    ),
    "clone": (lambda _, a: _is_thread(a[0]), EPERM),
    "futex": (lambda _, a: bool(a[1] & 128), EAGAIN),
    "kill": (lambda _, a: a[0] == PID and _may_signal(a[1]), EPERM),
    "tgkill": (lambda _, a: a[0] == PID and _may_signal(a[2]), EPERM),
    "socketpair": (lambda _, a: a[0] == 1, EPERM),
    "getsockopt": (
        lambda _, a: a[1] == 1 and a[2] in (2, 3, 4, 7, 8, 30, 38, 39),
        EPERM,
    ),
    "sendto": (lambda full, _: full[4] == 0, EPERM),
    "prctl": (lambda _, a: a[0] in (3, 15, 16, 21, 39), EPERM),
    "prlimit64": (lambda full, a: a[0] == 0 and full[2] == 0, EPERM),
    "getpgid": (lambda _, a: a[0] in (0, PID), EPERM),
    "getsid": (lambda _, a: a[0] in (0, PID), EPERM),
    "getpriority": (lambda _, a: a[0] == 0 and a[1] in (0, PID), EPERM),
    "sched_getaffinity": (lambda _, a: a[0] in (0, PID), ENOSYS),
    "clock_gettime": (lambda _, a: a[0] < 2**31, EPERM),
    "clock_getres": (lambda _, a: a[0] < 2**31, EPERM),
    "clock_nanosleep": (lambda _, a: a[0] < 2**31, EPERM),
}


def _maps(flags: int) -> bool:
    anonymous, grows, huge = flags & 0x20, flags & 0x100, flags & 0x40000
    return not grows and not huge and (not anonymous or flags & 0xF == 2)


# For programs, as far as it is another.
PLAIN_FOR_PROGRAMS = {
    **PLAIN,
    "mmap": (lambda _, a: _maps(a[3]), EPERM),
    "ioctl": (
        lambda full, a: a[1] == 0x541B or PLAIN["ioctl"][0](full, a),
        ENOTTY,
    ),
    "futex": (lambda _, a: bool(a[1] & 128) or a[1] in (0, 9, 256, 265), EAGAIN),
    "arch_prctl": (lambda _, a: a[0] == 0x1002, EPERM),
    "membarrier": (lambda _, a: a[0] in (0, 8, 16, 32, 64), EPERM),
}
FREE_FOR_PROGRAMS = {"execve", "set_tid_address", "eventfd2"}


class Kind(NamedTuple):
    """Which filter."""

    machine: str
    is_program: bool

    @property
    def architecture(self) -> int:
        return ARCHITECTURE[self.machine]


KINDS = [Kind(*both) for both in product(MACHINES, [False, True])]
NAMES = {
    machine: {number: name for name, number in syscall_numbers(machine).items()}
    for machine in MACHINES
}


def verdict(kind: Kind, number: int, arguments: Arguments) -> int:
    """Return the verdict that the filter ought to give."""
    if kind.machine == "x86_64" and number >= 0x40000000:
        return KILLED
    name = NAMES[kind.machine].get(number, "")
    plain = PLAIN_FOR_PROGRAMS if kind.is_program else PLAIN
    if name in seccomp.FREE or (kind.is_program and name in FREE_FOR_PROGRAMS):
        return ALLOWED
    if name in plain:
        allows, error = plain[name]
        a, b, c, d, e, f = (argument % 2**32 for argument in arguments)
        return ALLOWED if allows(arguments, (a, b, c, d, e, f)) else FAILED | error
    return FAILED | (ENOSYS if number >= 424 else EPERM)


TELLING = [
    *(0, 1, 2, 3, 4, 15, 16, 21, 39, 1030, PID, PID + 2**32, 2**31, 2**32, 2**63),
    *(0o100, 0o1000, 0o20000000, 0o20000000 | 1, 0o1101, 0o40000, 0o2000, 0o20000),
    *(9, 10, 11, 12, 13, 14, 19, 20, 21, 22, 23, 24, 25, 26, 63, 64, 65, 100),
    *(0x20, 0x21, 0x22, 0x122, 8, 9, 64, 256, 265, 0x1001, 0x1002, 0x541B),
    *(0x40000, 128, 129, 0x5401, 0x5412, 0x5413, 0x5421, 0x5450, 0x5451, 0x802C542A),
    *(0x3D0F00, 0x7D0F00, 0x10F00, 0x3C0F00, 0x103D0F00, 0x3D0F11),
]
FILTERS = {
    kind: seccomp.build_filter(kind.machine, PID, is_program=kind.is_program)
    for kind in KINDS
}
on_all_kinds = pytest.mark.parametrize(
    "kind", KINDS, ids=lambda kind: f"{kind.machine}{' program' * kind.is_program}"
)


# Arguments that each rule allows.
GOOD: dict[str, list[Arguments]] = {
    "open": [(1, 0, 0, 0, 0, 0), (1, 0o1102, 0, 0, 0, 0)],
    "openat": [(1, 1, 0, 0, 0, 0), (1, 1, 0o1101, 0, 0, 0)],
    "mmap": [(0, 0, 0, 2, 0, 0)],
    "madvise": [(0, 9, 4, 0, 0, 0), (0, 9, 14, 0, 0, 0), (0, 9, 25, 0, 0, 0)],
    "fcntl": [(1, 4, 0o2000, 0, 0, 0), (1, 1030, 0, 0, 0, 0)],
    "ioctl": [(1, 0x5421, 0, 0, 0, 0), (1, 0x802C542A, 0, 0, 0, 0)],
    "clone": [(0x3D0F00, 1, 1, 1, 1, 0), (0x10F00, 1, 0, 0, 0, 0)],
    "futex": [(1, 128, 1, 0, 0, 0)],
    "kill": [(PID, 15, 0, 0, 0, 0), (PID, 64, 0, 0, 0, 0), (PID, 0, 0, 0, 0, 0)],
    "tgkill": [(PID, PID, 6, 0, 0, 0), (PID, PID, 33, 0, 0, 0)],
    "getsockopt": [(1, 1, 4, 1, 1, 0)],
    "socketpair": [(1, 1, 0, 1, 0, 0)],
    "sendto": [(1, 1, 1, 0, 0, 0)],
    "prctl": [(15, 1, 0, 0, 0, 0)],
    "prlimit64": [(0, 7, 0, 1, 0, 0)],
    "getpgid": [(0, 0, 0, 0, 0, 0), (PID, 0, 0, 0, 0, 0)],
    "getsid": [(0, 0, 0, 0, 0, 0), (PID, 0, 0, 0, 0, 0)],
    "getpriority": [(0, 0, 0, 0, 0, 0), (0, PID, 0, 0, 0, 0)],
    "sched_getaffinity": [(0, 8, 1, 0, 0, 0), (PID, 8, 1, 0, 0, 0)],
    "clock_gettime": [(1, 1, 0, 0, 0, 0)],
    "clock_getres": [(1, 1, 0, 0, 0, 0)],
    "clock_nanosleep": [(1, 1, 1, 0, 0, 0)],
}


# Arguments that the rules allow which programs have for themselves.
GOOD_FOR_PROGRAMS: dict[str, list[Arguments]] = {
    "mmap": [(0, 0, 0, 0x22, 0, 0), (0, 0, 0, 1, 0, 0)],
    "ioctl": [(1, 0x5401, 1, 0, 0, 0), (1, 0x541B, 1, 0, 0, 0)],
    "futex": [(1, 128, 0, 0, 0, 0), (1, 256 | 9, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0)],
    "arch_prctl": [(0x1002, 1, 0, 0, 0, 0)],
    "membarrier": [(8, 0, 0, 0, 0, 0), (64, 0, 0, 0, 0, 0)],
}


def check(kind: Kind, number: int, arguments: Sequence[int]) -> None:
    a, b, c, d, e, f = arguments
    given = (a, b, c, d, e, f)
    said = run(FILTERS[kind], kind.architecture, number, given)
    assert said == verdict(kind, number, given), (number, given)


def draw(rng: Random) -> int:
    """Return an argument that tells, or almost so, or any."""
    value = rng.choice(TELLING) if rng.random() < 0.9 else rng.getrandbits(64)
    return value ^ 1 << rng.randrange(64) if rng.random() < 0.3 else value


@on_all_kinds
@pytest.mark.parametrize("more", divided((4, 60), lambda more: more == 4))
def test_it_says_what_the_policy_says(kind: Kind, more: int) -> None:
    rng = Random(more)
    drawn = [tuple(draw(rng) for _ in range(6)) for _ in range(more)]
    special = [(PID, PID, PID, 0, 0, 0), (0x3D0F00, 0x5401, 0, 2, 2**32, 0)]
    for arguments in [NO_ARGUMENTS, *special, *drawn]:
        for number in (*range(601), 0x3FFFFFFF, 0x40000000, 0x40000027, 2**32 - 1):
            check(kind, number, arguments)


@on_all_kinds
@pytest.mark.parametrize("times", divided((100, 400), lambda times: times == 100))
def test_it_weighs_arguments(kind: Kind, times: int) -> None:
    """Any six, and such as are allowed but for one or two."""
    rng = Random(times)
    numbers = syscall_numbers(kind.machine)
    for name in PLAIN_FOR_PROGRAMS.keys() & numbers.keys():
        good = GOOD_FOR_PROGRAMS.get(name, []) + GOOD.get(name, [])
        for _ in range(times):
            check(kind, numbers[name], [draw(rng) for _ in range(6)])
            almost = list(rng.choice(good))
            for place in rng.choices(range(6), k=2):
                almost[place] = draw(rng)
            check(kind, numbers[name], almost)


@on_all_kinds
def test_every_bit_of_an_argument_counts(kind: Kind) -> None:
    numbers = syscall_numbers(kind.machine)
    good = GOOD_FOR_PROGRAMS if kind.is_program else GOOD
    for name in good.keys() & numbers.keys():
        for arguments in good[name]:
            assert verdict(kind, numbers[name], arguments) == ALLOWED
            for place, bit in product(range(6), range(64)):
                flipped = list(arguments)
                flipped[place] ^= 1 << bit
                check(kind, numbers[name], flipped)


@on_all_kinds
def test_another_machines_calls_kill(kind: Kind) -> None:
    others = {0x40000003, 0x40000028, *ARCHITECTURE.values()} - {kind.architecture}
    for architecture in others:
        assert run(FILTERS[kind], architecture, 0, NO_ARGUMENTS) == KILLED


@on_all_kinds
def test_kernel_can_take_it(kind: Kind) -> None:
    code = FILTERS[kind]
    assert len(code) <= 4096
    assert len(bpf.pack(code)) == 8 * len(code)
    assert code[-1][0] == 0x06
    for at, (_, true, false, operand) in enumerate(code):
        assert at + max(true, false) < len(code)
        assert max(true, false) <= 255
        assert 0 <= operand < 2**32


@on_all_kinds
def test_filters_of_two_processes_differ_in_the_number_only(kind: Kind) -> None:
    one, two = (
        seccomp.build_filter(kind.machine, pid, is_program=kind.is_program)
        for pid in (1001, 1002)
    )
    differing = [pair for pair in zip(one, two, strict=True) if pair[0] != pair[1]]
    assert differing
    for first, second in differing:
        assert first[:3] == second[:3]
        assert (first[3], second[3]) == (1001, 1002)


def test_every_call_is_listed_once() -> None:
    """Calls in no list only make the table longer than the filter."""
    free, rules = seccomp.FREE, set(seccomp.RULES)
    assert not free & (rules | set(seccomp.PROGRAM_RULES) | seccomp.PROGRAM_FREE)
    assert not seccomp.PROGRAM_FREE & (rules | set(seccomp.PROGRAM_RULES))
    listed = free | rules | seccomp.PROGRAM_FREE | set(seccomp.PROGRAM_RULES)
    assert set(syscall_numbers("x86_64")) - listed == {"seccomp"}
    assert listed <= set(syscall_numbers("x86_64"))
    assert set(PLAIN) == set(seccomp.RULES)
    assert set(PLAIN_FOR_PROGRAMS) == set(seccomp.RULES) | set(seccomp.PROGRAM_RULES)


def test_search_reaches_code_at_any_distance() -> None:
    rng = Random(1)
    cases = [[(size, 1)] * 2 for size in (254, 255, 256, 257)] + [[(100, 1)] * 20]
    for _ in range(30):
        count = rng.randint(1, 20)
        cases.append([(rng.randint(1, 120), rng.randint(1, 9)) for _ in range(count)])
    for case in cases:
        segments: list[tuple[int, Code]] = []
        start = 0
        for index, (size, gap) in enumerate(case):
            padding = ((0x54, 0, 0, 2**32 - 1),) * (size - 1)
            segments.append((start, padding + bpf.ends(index)))
            start += gap
        program = bpf.for_machine(1, bpf.search(segments))
        assert all(max(true, false) <= 255 for _, true, false, _ in program)
        for number in range(start):
            there = max(i for i, (first, _) in enumerate(segments) if first <= number)
            assert run(program, 1, number, NO_ARGUMENTS) == there


def _numbers(text: str) -> dict[str, int]:
    """Return the numbers in a header, which may name one after another."""
    found = {
        name: int(number)
        for name, number in re.findall(r"#define __NR(\w+)\s+(\d+)", text)
    }
    for name, other in re.findall(r"#define __NR(\w+)\s+__NR(3264_\w+)", text):
        if other in found:
            found[name] = found[other]
    return {name.removeprefix("_"): number for name, number in found.items()}


@pytest.mark.parametrize(
    ("machine", "header"),
    [("x86_64", "asm/unistd_64.h"), ("aarch64", "asm-generic/unistd.h")],
)
def test_numbers_are_those_of_the_system(machine: str, header: str) -> None:
    folders = (Path("/usr/include/x86_64-linux-gnu"), Path("/usr/include"))
    there = [folder / header for folder in folders if (folder / header).exists()]
    if not there:
        pytest.skip("this system has no such header")
    system = _numbers(there[0].read_text())
    column = MACHINES.index(machine)
    attempted = {name: row[column] for name, row in CALLS.items()}
    for name, number in {**attempted, **syscall_numbers(machine)}.items():
        assert number == system.get(name), name
    # What a machine seems to lack it does lack.
    missing = set(syscall_numbers("x86_64")) - set(syscall_numbers(machine))
    assert not missing & set(system)


@needs_filters
@pytest.mark.parametrize("known", [{1, 4}, {1}, set()])
def test_filter_is_had_with_the_flags_a_kernel_knows(
    monkeypatch: pytest.MonkeyPatch, known: set[int]
) -> None:
    """Without the one for all threads it is not to be had."""
    tried = []

    def kernel(number: int, mode: int, flags: int, program: bytes) -> int:
        tried.append(flags)
        if any(flags & flag and flag not in known for flag in (1, 4)):
            raise OSError(EINVAL, "unknown flag")
        return 0

    monkeypatch.setattr(seccomp, "call", kernel)
    if known:
        seccomp.install_filter(bpf.ends(bpf.ALLOW))
        assert tried[-1] == sum(known)
    else:
        with pytest.raises(OSError, match="unknown flag"):
            seccomp.install_filter(bpf.ends(bpf.ALLOW))


@needs_filters
def test_thread_that_the_filter_does_not_bind_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(seccomp, "call", lambda *_: 1234)
    with pytest.raises(OSError, match="a thread has a filter of its own"):
        seccomp.install_filter(bpf.ends(bpf.ALLOW))
