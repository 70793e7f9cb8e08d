"""A position of OX Blocks from some of its fields."""

from typing import Any

from arena.games.ox_blocks.game import OXBlocks
from arena.games.ox_blocks.setup import SYMBOLS
from arena.games.position_fields import Given, wrong


def read(game: OXBlocks, seat: int, fields: dict[str, Any]) -> dict[str, Any]:
    """Return fields in their types: a board may be a text such as `X.. .O. ...`."""
    board = fields.get("board")
    if isinstance(board, str):
        fields = fields | {"board": tuple("".join(board.replace("/", " ").split()))}
    return fields


def complete(game: OXBlocks, seat: int, given: Given) -> None:
    """Fill in what is not given: a throw of this seat, its own symbol.

    Raises:
        PositionError: the fields that are given contradict each other.
    """
    given.default("symbol", SYMBOLS[seat])
    board = given.default("board", (".",) * len(game.cells))
    given.default("thrown", SYMBOLS[seat])
    blocks = sum(cell != "." for cell in board)
    # The first throw is that of seat 0, and each has brought a block at the most.
    given.default("throws", blocks + 1 + (blocks + seat) % 2)
    _check(game, seat, given)


def _check(game: OXBlocks, seat: int, given: Given) -> None:
    """Raise if the fields contradict each other."""
    v = given.values
    board, thrown, throws = v["board"], v["thrown"], v["throws"]
    if len(board) != len(game.cells) or not set(board) <= {"X", "O", "."}:
        text = "".join(board)
        wrong("board", f"expected {len(game.cells)} of X, O and .; found {text!r}")
    at = dict(zip(game.cells, board, strict=True))
    for line in game.lines:
        stands = {at[cell] for cell in line}
        if len(stands) == 1 and "." not in stands:
            wrong("board", f"{stands.pop()} has won already, on {' '.join(line)}")
    if "." not in board:
        wrong("board", "it is full: the game is over")
    faces = {face for face, _ in game.new_state().chance_outcomes()}
    if thrown not in faces:
        known = " or ".join(map(repr, sorted(faces)))
        wrong("thrown", f"expected {known}; found {thrown!r}")
    elif thrown == "open" and set(board) == {"."}:
        wrong("thrown", "'open' has no effect on an empty board: nobody decides")
    if throws < 1 or (throws - 1) % 2 != seat:
        kind = "an even" if seat else "an odd"
        wrong(
            "throws",
            f"expected {kind} number, as seat {seat} has thrown last; "
            + (f"found {throws}"),
        )
    blocks = sum(cell != "." for cell in board)
    if throws <= blocks:
        wrong("throws", f"{throws} can't have brought {blocks} blocks and this throw")
