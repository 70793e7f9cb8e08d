"""A game against a person, who is prompted on the terminal."""

import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress

import trio

from arena.cli.views.rules_page import rules_page
from arena.cli.views.terminal import echo, terminal_width
from arena.cli.views.typed_action import TypedActionError, find_action
from arena.errors import starting_contestants
from arena.games import CHANCE, TERMINAL, Game, State, Table, uniform
from arena.records.game_record import Fault, GameRecord, Termination
from arena.records.prints import Printed
from arena.referee.ask_bot import ask_bot
from arena.referee.sandbox import Sandbox
from arena.referee.verdict import result
from arena.referee.work_unit import EntrySpec, Limits
from arena.reports.replay.story import Outcomes, print_lines

HELP = """\
Type an action as it is listed, its number, or as much of it as fits one action
only; the order of its words does not matter.

?        this help, and the rules
Ctrl-D   leave the table
"""
_MIN_ROWS = 6
"""Rows of actions that are shown on a screen of any height."""
_POSITION_ROWS = 12
"""Rows of the screen that are left for the position."""
_GAP_COLUMNS = 3
"""Between actions of a row."""


class Person:
    """The person at this terminal, or a script that is its input."""

    def __init__(self, game: Game, seat: int) -> None:
        self.seat = seat
        self._game = game
        self._input = sys.stdin.fileno()
        self._is_terminal = sys.stdin.isatty()
        self._typed = b""

    async def decide(self, state: State) -> str | None:
        """Prompt for a legal action and return it; None if the person leaves."""
        legal = state.legal_actions()
        _show(state, self.seat)
        for line in action_rows(legal, *shutil.get_terminal_size()):
            echo(line)
        while True:
            echo("you: ", nl=False)
            typed = await self._line()
            if typed is None:
                return None
            if not self._is_terminal:
                echo(typed)
            if typed.strip().lower() in ("?", "help"):
                echo("\n" + HELP)
                echo(rules_page(self._game, terminal_width()) + "\n")
                continue
            try:
                action = find_action(typed, legal)
            except TypedActionError as error:
                echo(f"  {error}")
                continue
            if typed.strip() != action:
                echo(f"  {action}")
            return action

    async def _line(self) -> str | None:
        """Return the next line; None at the end of the input."""
        while b"\n" not in self._typed:
            with suppress(OSError):  # A file is always ready, and can't be waited for.
                await trio.lowlevel.wait_readable(self._input)
            data = os.read(self._input, 4096)
            if not data:
                break
            self._typed += data
        if not self._typed:
            echo()
            return None
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode(errors="replace").rstrip("\r")


def action_rows(legal: Sequence[str], width: int, height: int) -> list[str]:
    """Return rows of legal actions, each with its number from 1.

    If there are too many for a screen of this size, the last are left out.
    """
    most = max(_MIN_ROWS, height - _POSITION_ROWS)
    digits = len(str(len(legal)))
    items = [f"{i:{digits}} {action}" for i, action in enumerate(legal, 1)]
    column = max(map(len, items)) + _GAP_COLUMNS
    per_row = max(1, (width - 2) // column)
    rows = [
        "  " + "".join(f"{item:{column}}" for item in items[i : i + per_row]).rstrip()
        for i in range(0, len(items), per_row)
    ]
    if len(rows) > most:
        rows[most:] = [f"  … {len(legal)} in all; the others have numbers too"]
    return rows


async def play_with_person(
    game: Game,
    bots: Mapping[int, EntrySpec],
    names: Sequence[str],
    seed: bytes,
    person: Person,
    sandbox: Sandbox,
) -> GameRecord | None:
    """Play a game of bots, by their seats, and a person, and print it as it goes on.

    Return None if the person leaves.

    Raises:
        LeagueError: the machine could not start a process.
    """
    table = Table(game, seed)
    state = table.state
    limits = Limits().in_game(game)
    faults: dict[int, Fault] = {}
    # What bots print could show hidden cards, so it waits for the end.
    is_open = type(state).visible is State.visible
    prints: list[Printed] = []
    termination = Termination.NATURAL
    outcomes = Outcomes(game, names)

    def go_on(happen: Callable[[str], None], x: str) -> None:
        before = state.observation(person.seat)
        happen(x)
        if line := outcomes.line(before, x, state.observation(person.seat)):
            echo(f"  {line}")

    async with AsyncExitStack() as stack:
        stack.enter_context(starting_contestants())
        asking = {
            seat: await stack.enter_async_context(
                ask_bot(entry, game, seat, seed, limits, sandbox)
            )
            for seat, entry in bots.items()
        }
        while (seat := state.current_player()) != TERMINAL:
            if seat == CHANCE:
                stream = state.chance_stream()
                outcome = state.outcome_at(uniform(seed, stream))
                seen = state.visible(outcome, person.seat)
                if seen is not None:
                    echo(f"    {stream}: {seen}")
                go_on(table.happen, outcome)
                continue
            if table.decisions >= game.max_decisions:
                termination = Termination.ADJUDICATED
                break
            if seat in faults:
                action = game.default_action(state)
            elif seat == person.seat:
                chosen = await person.decide(state)
                if chosen is None:
                    return None
                action = chosen
            else:
                decision = await asking[seat].act(table)
                if decision.fault is not None:
                    faults[seat] = decision.fault
                    fault = decision.fault
                    # The rest of the fault could show hidden cards.
                    echo(f"  {names[seat]} forfeits: {fault.termination}")
                    if len(faults) == len(bots):
                        break
                    continue
                action = decision.action
                if decision.printed:
                    prints.append(Printed(seat, table.decisions, decision.printed))
            told = state.visible(action, person.seat)
            if seat != person.seat and told is not None:
                note = " (played for it)" if seat in faults else ""
                echo(f"  {names[seat]}: {told}{note}")
            go_on(table.act, action)
            if is_open:
                _tell_prints(prints)
                prints.clear()
    _show(state, person.seat)
    echo()
    for printed in prints:
        echo(f"  decision {printed.step}, {names[printed.seat]}:")
        _tell_prints([printed])
    return _record(table, names, faults, termination)


def _tell_prints(prints: Sequence[Printed]) -> None:
    width = terminal_width()
    for printed in prints:
        for line in print_lines(printed, "    ", width):
            echo(line)


def _show(state: State, seat: int) -> None:
    lines = state.text_for(seat).strip().splitlines()
    echo("\n" + "\n".join(f"  | {line}".rstrip() for line in lines))


def _record(
    table: Table,
    names: Sequence[str],
    faults: Mapping[int, Fault],
    termination: Termination,
) -> GameRecord:
    places, returns = result(table.game, table.state, faults, termination)
    if faults:
        termination = Termination(next(iter(faults.values())).termination)
    return GameRecord(
        game_id="",
        fixture_id="",
        match_id="",
        label=table.game.name,
        seats=tuple(names),
        returns=tuple(returns),
        places=tuple(places),
        scores=tuple(table.state.scores()),
        termination=termination,
        forfeits=tuple(seat in faults for seat in range(len(names))),
        decisions=table.decisions,
        seconds=(0.0,) * len(names),
        history=tuple(table.history),
        faults=tuple(faults[seat] for seat in sorted(faults)),
    )
