"""A recorded game in lines of text: as a whole, or one decision of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from textwrap import wrap

from msgspec.structs import replace

from arena.games import (
    CHANCE,
    Event,
    Game,
    Observation,
    Replay,
    State,
    in_play,
)
from arena.games.observation_text import field_lines
from arena.records.game_record import Fault, GameRecord
from arena.records.prints import Printed
from arena.reports.fault_text import fault_text
from arena.reports.printed_text import printed_lines
from arena.reports.replay.drawings import DrawingError, find_drawing, with_names
from arena.text import counted, some_of, wrapped

_MAX_ACTIONS = 24
"""Of the legal ones, so many are named."""


@dataclass(frozen=True, slots=True)
class DecisionView:
    """A decision, the events before it and its action; or the end of the game."""

    step: int
    """Decisions taken before."""
    position: int
    """Chance outcomes and actions before."""
    seat: int | None
    """The seat that decides; None at the end."""
    state: State
    events: tuple[Event, ...]
    """Those that this seat has seen since its last decision."""
    before: tuple[str, ...]
    """The lines of the events since the decision before this one."""
    action: str
    """The action of the seat; empty where it took none."""
    faults: tuple[Fault, ...]
    """Those of this decision."""
    is_default: bool
    """True if the action was played for a seat that has forfeited."""
    prints: tuple[Printed, ...]
    """What its seat has printed in the decision, or any seat once all is over."""


class GameStory:
    """The decisions of a game one by one, and at last its end."""

    def __init__(
        self,
        replay: Replay,
        names: Sequence[str],
        faults: Sequence[Fault] = (),
        prints: Sequence[Printed] = (),
    ) -> None:
        self.replay = replay
        self.names = tuple(names)
        self.faults = faults
        self._prints: dict[int, list[Printed]] = {}
        """By decision."""
        for printed in prints:
            if printed.seat < len(names):
                self._prints.setdefault(printed.step, []).append(printed)
        self.event_lines = tuple(_event_lines(replay, names))
        """Of everything that happened: what, and in a second line what came of it."""

    def __len__(self) -> int:
        return len(self.replay.decisions) + 1

    def __getitem__(self, step: int) -> DecisionView:
        """Return the decision before which `step` were taken.

        Raises:
            IndexError: there is none.
        """
        replay = self.replay
        last = len(replay.decisions)
        if not 0 <= step <= last:
            raise IndexError(f"expected a decision up to {last}; found {step}")
        stops = (*replay.decisions, len(replay.history))
        position = stops[step]
        table = replay.table_at(position)
        faults = tuple(fault for fault in self.faults if fault.step == step)
        seat: int | None = table.state.current_player()
        if step == last:
            # A decision that was not taken is one of somebody who forfeited there.
            seat = next((f.seat for f in faults if f.observation), None)
        return DecisionView(
            step=step,
            position=position,
            seat=seat,
            state=table.state,
            events=() if seat is None else table.unseen(seat),
            before=tuple(
                chain(*self.event_lines[stops[step - 1] if step else 0 : position])
            ),
            action=replay.events[position].text if step < last else "",
            faults=faults,
            is_default=any(f.seat == seat and f.step <= step for f in self.faults),
            prints=tuple(self.prints_at(step)),
        )

    def prints_at(self, step: int) -> list[Printed]:
        """Return what was printed in a decision, or by who looked back at the end.

        What a seat printed in a decision that it forfeited is with its fault.
        """
        replay, found = self.replay, self._prints.get(step, [])
        if step == len(replay.decisions):
            return found
        seat = replay.events[replay.decisions[step]].seat
        return [printed for printed in found if printed.seat == seat]


class Outcomes:
    """Tells what events have come to, such as a bust, as the pages do.

    Of a game whose drawing does not say it, or fails, nothing is told.
    """

    def __init__(self, game: Game, names: Sequence[str]) -> None:
        self._names = names
        try:
            self._drawing = find_drawing(game)
        except DrawingError:
            self._drawing = None

    def line(self, before: Observation, x: str, after: Observation) -> str:
        """Return a line of what an event has come to; empty if there is nothing to say.

        Both observations are of one seat.
        """
        if self._drawing is None:
            return ""
        try:
            outcome = self._drawing.outcome(before, x, after)
        except DrawingError:
            self._drawing = None
            return ""
        return f"    → {with_names(outcome, self._names)}" if outcome else ""


def _event_lines(replay: Replay, names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the lines of everything that happened."""
    outcomes = Outcomes(replay.game, names)
    walk = replay.walk()
    state = next(walk).state
    before = state.observation(0)
    for event in replay.events:
        line = event_line(state, event, names)
        state = next(walk).state
        after = state.observation(0)
        outcome = outcomes.line(before, event.text, after)
        yield (line, outcome) if outcome else (line,)
        before = after


def event_line(state: State, event: Event, names: Sequence[str]) -> str:
    """Return a line for what is about to happen in a state."""
    if event.seat == CHANCE:
        return f"  {state.chance_stream()}: {event.text}"
    return f"{names[event.seat]}: {event.text}"


def story_lines(story: GameStory, width: int = 80) -> Iterator[str]:
    """Yield the lines of a whole game, with the numbers of its decisions.

    The position is shown whenever another seat decides, and at the end.  A forfeit is
    told where others play on.  What a bot has printed stands below its decision.
    """
    replay, names = story.replay, story.names
    last = len(replay.decisions)
    column = len(str(last))
    coming = list(story.faults)
    gone: set[int] = set()
    step = 0
    before = CHANCE
    told = zip(replay.walk(), replay.events, story.event_lines, strict=False)
    for table, event, (line, *outcome) in told:
        seat = event.seat
        if seat == CHANCE:
            for each in (line, *outcome):
                yield from _fitted(f"  {'':{column}}  {each}", width)
            continue
        if seat != before:
            yield from ("", *_framed(table.state))
        before = seat
        for fault in [fault for fault in coming if fault.step <= step]:
            coming.remove(fault)
            gone.add(fault.seat)
            reason = f"{names[fault.seat]} forfeits: {fault.termination}"
            yield f"  {step:{column}}  {reason}"
        note = " (played for it)" if seat in gone else ""
        yield from _fitted(f"  {step:{column}}  {line}{note}", width)
        for each in outcome:
            yield from _fitted(f"  {'':{column}}  {each}", width)
        for printed in story.prints_at(step):
            yield from print_lines(printed, " " * (column + 6), width)
        step += 1
    yield from ("", *_framed(replay.table_at(-1).state), "")
    for printed in story.prints_at(last):
        yield f"{names[printed.seat]}, at the end:"
        yield from (*print_lines(printed, "  ", width), "")


def _fitted(line: str, width: int) -> list[str]:
    """Return a line as those that fit, indented as it is and a little more."""
    indent = len(line) - len(line.lstrip())
    return wrapped(line, width, " " * (indent + 4))


def print_lines(printed: Printed, indent: str, width: int) -> Iterator[str]:
    """Yield what a bot has printed, with `printed:` in front of each line.

    So none looks like a line of the game, whatever it says.
    """
    head = f"{indent}printed: "
    for line in printed_lines(printed.text, max(20, width - len(head))):
        yield f"{head}{line}".rstrip()


def _framed(state: State) -> list[str]:
    return [f"  | {line}".rstrip() for line in state.to_text().strip().splitlines()]


def decision_lines(view: DecisionView, story: GameStory, width: int = 80) -> list[str]:
    """Return a decision, or the end, in lines: headings, and below them what they say.

    What seats see there is left to `sight_lines`.
    """
    names, last = story.names, len(story) - 1
    if view.seat is None:
        lines = [f"the end, after {counted(last, 'decision')}"]
    else:
        who = f"seat {view.seat}, {names[view.seat]}"
        lines = [f"decision {view.step} of 0 to {last - 1}: {who}"]
        if view.step == last:
            lines = [f"decision {view.step}, the last: {who}"]
    if view.before:
        lines += ["", "what happened", *_indented(_rows(view.before, width - 2))]
    lines += ["", "the position", *_indented(view.state.to_text().splitlines())]
    if view.seat is not None:
        lines += ["", *legal_lines(view.state.legal_actions(), width)]
    if view.action:
        for_it = " for it" if view.is_default else ""
        lines.append(f"what was played{for_it}: {view.action}")
        lines += _rows(story.event_lines[view.position][1:], width)
    for printed in view.prints:
        name, when = names[printed.seat], " at the end" * (view.step == last)
        rows = printed_lines(printed.text, width - 2)
        lines += ["", f"what {name} printed{when}", *_indented(rows)]
    for fault in view.faults:
        lines += ["", *fault_lines(fault, names[fault.seat], width)]
    return lines


def _rows(lines: Sequence[str], width: int) -> list[str]:
    return [row for line in lines for row in _fitted(line, width)]


def fault_lines(fault: Fault, name: str, width: int = 80) -> list[str]:
    """Return a fault in lines, where its decision is shown anyway.

    What a guest saw stays: it is in the words of its library, as nothing else there is.
    """
    is_guest = bool(fault.observation) and '"seat":' not in fault.observation
    seen = fault.observation if is_guest else ""
    bare = replace(fault, observation=seen, legal_actions=())
    return fault_text(bare, name, width=width).splitlines()


def sight_lines(
    view: DecisionView, story: GameStory, seat: int, width: int = 80
) -> list[str]:
    """Return the observation of a seat at a decision, in lines below a heading."""
    lines = [f"what seat {seat}, {story.names[seat]}, sees"]
    lines += _indented(seen_lines(view.state.observation(seat), width - 2))
    if seat == view.seat:
        lines += _indented(events_lines(view.events, story.names, width - 2))
    return lines


def seen_lines(observation: Observation, width: int) -> list[str]:
    """Return the fields of an observation, a line each."""
    fields = in_play(observation)
    # The first two are shown elsewhere; nobody knows now how much time was left.
    for name in ("seat", "events", "time_left"):
        del fields[name]
    return field_lines(fields, width)


def events_lines(
    events: Sequence[Event], names: Sequence[str], width: int
) -> list[str]:
    """Return the events since a seat's last decision, in lines."""
    seen = [
        f"{'chance' if seat == CHANCE else names[seat]}: {text}"
        for seat, text in ((event.seat, event.text) for event in events)
    ]
    return wrap(f"events: {'; '.join(seen) or 'none'}", width, subsequent_indent="  ")


def legal_lines(legal: Sequence[str], width: int) -> list[str]:
    """Return the legal actions in lines; of very many only the first."""
    # An action is not broken.
    glued = [action.replace(" ", "\0") for action in legal[:_MAX_ACTIONS]]
    some = some_of(glued, len(legal), with_total=True)
    lines = wrapped(f"what may be played: {some}", width, "  ")
    return [line.replace("\0", " ") for line in lines]


def result_lines(record: GameRecord, names: Sequence[str], game: Game) -> list[str]:
    """Return the result of a game: a line for each seat, the best first."""
    ending = f" ({record.termination})" if record.termination != "natural" else ""
    order = sorted(range(len(names)), key=lambda seat: (record.places[seat], seat))
    lines = [f"after {record.decisions} decisions{ending}:"]
    for seat in order:
        gone = ", forfeited" if record.forfeits[seat] else ""
        share = _share(record.returns[seat], len(names))
        score = f"{record.scores[seat]:g}"
        unit = game.score_unit if score == "1" else f"{game.score_unit}s"
        lines.append(
            f"  {record.places[seat]}. {names[seat]}: {score} {unit}{share}{gone}"
        )
    return lines


def _share(share: float, players: int) -> str:
    """Return a part of the win in words; of several who have none the places tell."""
    if share == 0.0:
        return ", lost" * (players == 2)
    if share == 1.0:
        return ", won"
    part = Fraction(share).limit_denominator(players)
    return f", {'half' if part == Fraction(1, 2) else part} of the win"


def revealing_seats(view: DecisionView) -> Sequence[int]:
    """Return the seats that together see all: one, where nothing is hidden."""
    if type(view.state).visible is State.visible:
        return (view.seat or 0,)
    return range(view.state.game.players)


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"  {line}".rstrip() for line in lines]
