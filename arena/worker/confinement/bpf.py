"""Writes programs for the kernel's packet filter, which also sees system calls.

A program runs forward only and ends at a return.  It reads a call as `struct
seccomp_data` of <linux/seccomp.h>: number, machine, address, six arguments.
Conditional jumps reach 255 instructions, the unconditional one any number.
"""

import struct
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

Instruction = tuple[int, int, int, int]
"""Operation, jump if true, jump if false, operand."""
Code = tuple[Instruction, ...]

LOAD = 0x20
AND = 0x54
IF_EQUAL = 0x15
IF_AT_LEAST = 0x35
JUMP = 0x05
RETURN = 0x06

NUMBER = 0
MACHINE = 4
_ARGUMENTS = 16

ALLOW = 0x7FFF0000
KILL = 0x80000000
FAIL = 0x00050000
"""Plus the number of the error."""

WORD = 2**32 - 1
OWN = -1
"""Operand that `fill_in` replaces."""


class Test(NamedTuple):
    """Holds if half of an argument, after a mask, is one of some values.

    The kernel itself reads numbers of processes, flags and the like from the lower
    half only; an address has two.
    """

    argument: int
    values: tuple[int, ...]
    """`OWN` among them stands for the number of the process itself."""
    mask: int = WORD
    upper: bool = False


def ends(value: int) -> Code:
    """Return the code that ends a program with a value."""
    return ((RETURN, 0, 0, value),)


def alternatives(choices: Sequence[Sequence[Test]], error: int) -> Code:
    """Allow a call if all tests of one choice hold; let it fail otherwise."""
    code: Code = ()
    for tests in choices:
        code += _all_of(tests)
        if not tests:
            return code
    return code + ends(FAIL | error)


def _all_of(tests: Sequence[Test]) -> Code:
    """Allow if all tests hold; go on behind this code otherwise."""
    code = ends(ALLOW)
    for test in reversed(tests):
        last = len(test.values) - 1
        compare = tuple(
            (IF_EQUAL, last - i, len(code) if i == last else 0, value)
            for i, value in enumerate(test.values)
        )
        mask = ((AND, 0, 0, test.mask),) if test.mask != WORD else ()
        # Arguments have 64 bits, the lower half first on both machines.
        offset = _ARGUMENTS + 8 * test.argument + 4 * test.upper
        code = ((LOAD, 0, 0, offset), *mask, *compare, *code)
    return code


def search(segments: Sequence[tuple[int, Code]]) -> Code:
    """Find by bisection the code for the number that has been loaded.

    Each segment is the first number it is for and code that ends in a return;
    they are sorted, and the first one is for all numbers below the second.
    """
    if len(segments) == 1:
        return segments[0][1]
    middle = len(segments) // 2
    lower, upper = search(segments[:middle]), search(segments[middle:])
    start = segments[middle][0]
    if len(lower) <= 255:
        return ((IF_AT_LEAST, len(lower), 0, start), *lower, *upper)
    return ((IF_AT_LEAST, 0, 1, start), (JUMP, 0, 0, len(lower)), *lower, *upper)


def for_machine(machine: int, code: Code) -> Code:
    """Load the number of a call for `code`; kill who calls as another machine."""
    return (
        (LOAD, 0, 0, MACHINE),
        (IF_EQUAL, 1, 0, machine),
        *ends(KILL),
        (LOAD, 0, 0, NUMBER),
        *code,
    )


def fill_in(code: Code, pid: int) -> Code:
    """Return the code for the process `pid`."""
    return tuple(
        (operation, true, false, pid) if operand == OWN else instruction
        for instruction in code
        for operation, true, false, operand in [instruction]
    )


def pack(code: Code) -> bytes:
    """Return the code as the kernel's `struct sock_filter[]`."""
    return struct.pack("=" + "HBBI" * len(code), *chain.from_iterable(code))
