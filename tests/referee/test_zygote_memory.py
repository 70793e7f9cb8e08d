"""A contestant finds nothing of others in the memory that it has been given."""

import ast
from pathlib import Path

import pytest
import trio
from matrix import divided
from sandboxes import spec_of, why_not

from arena.referee.ask_bot import ask_for_bots
from arena.referee.contestant.misconduct import Misconduct
from arena.referee.sandbox import open_sandbox
from arena.referee.work_unit import EntrySpec, Limits

MARK = "folder-of-ana"
SCAN = """
import ctypes, os

libc = ctypes.CDLL(None, use_errno=True)
libc.sbrk.restype = ctypes.c_void_p
PAGE = 4096
reader, writer = os.pipe()

def pages(top):
    # The kernel refuses to write what is not there; to look at it would be the end.
    address = (top - 1) // PAGE * PAGE
    while libc.write(writer, ctypes.c_void_p(address), PAGE) == PAGE:
        yield os.read(reader, PAGE)
        address -= PAGE

heap = b"".join(reversed([*pages(libc.sbrk(0))]))
# So that it does not find what it has been sent itself.
mark, mine = f"{MARK[:-1]}a".encode(), b"the bot's own text"
print([len(heap) > 2**20, heap.count(mine) > 0, heap.count(mark)])
"""


@pytest.mark.parametrize(
    "level", divided(("filters", "namespaces"), lambda level: level == "filters")
)
def test_it_does_not_find_who_has_been_started_before(
    level: str, tmp_path: Path
) -> None:
    if reason := why_not(level):
        pytest.skip(reason)
    folder = tmp_path / MARK / ("deep" * 50)
    folder.mkdir(parents=True)
    text = f"MARK = {MARK[:-1]!r} + '?'\n{SCAN}".encode()
    bot = EntrySpec("it", "/it.py", "", sources=(("/it.py", text),))

    async def ask() -> object:
        with open_sandbox(spec_of(level, [str(folder), "/usr/bin/true"])) as sandbox:
            command = ("/usr/bin/true", str(folder / "bot.js"))
            (await sandbox.spawn(1 << 28, str(folder), command)).close()
            limits = Limits(start=60.0, memory=1024)
            return await ask_for_bots(bot, ("zombie_dice",), limits, sandbox)

    heard = trio.run(ask)
    assert isinstance(heard, Misconduct)
    assert ast.literal_eval(heard.output or heard.message) == [True, True, 0]
