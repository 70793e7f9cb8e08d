"""What a bot loses by, in sentences: how far, from which seat, to whom most.

All of it comes from results, which the list of all games shows anyway.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt

from arena.games.registry import game_class
from arena.reports.game_refs import End
from arena.reports.games import Games
from arena.reports.head_to_head import HeadToHead
from arena.reports.report import Report
from arena.text import called

_MIN_GAMES = 5
"""With fewer, nothing is said."""
_ERRORS = 3.0
"""Standard errors by which seats or opponents must differ: of hundreds of bots hardly
one is told of a difference that is luck."""


@dataclass(frozen=True, slots=True)
class LabelLosses:
    """What a bot loses by under a label."""

    label: str
    sentences: tuple[str, ...]


@dataclass(slots=True)
class _Played:
    """The games of a bot under a label that nobody has forfeited."""

    games: int = 0
    lost_by: Counter[float] = field(default_factory=Counter)
    """How often by how many of the game's own points."""
    won_by: Counter[float] = field(default_factory=Counter)
    """The same of the games that it has won alone, ahead of the second."""
    by_seat: dict[int, Counter[float]] = field(
        default_factory=lambda: defaultdict(Counter)
    )
    """How often it scored what, from 0 to 1, in each seat."""

    def add(self, end: End, seat: int, number: int) -> None:
        """Add so many games with this end."""
        place, score = end.places[seat], end.scores[seat]
        self.games += number
        others = [x for i, x in enumerate(end.places) if i != seat]
        points = sum((place < x) + (place == x) / 2 for x in others)
        self.by_seat[seat][points / len(others)] += number
        if place > 1:
            first = end.scores[end.places.index(1)]
            self.lost_by[abs(first - score)] += number
        elif end.winner == seat:
            second = end.scores[end.places.index(min(others))]
            self.won_by[abs(second - score)] += number


def loses_by(report: Report, games: Games) -> dict[str, tuple[LabelLosses, ...]]:
    """Return what each bot of a report loses by, in the league's order of labels.

    Games that anybody has forfeited are left out, and so are labels where nothing is to
    be said.
    """
    played = _played(games)
    found: dict[str, list[LabelLosses]] = {row.bot: [] for row in report.rows}
    for board in report.boards:
        label = board.label.label
        for bot, own in found.items():
            results = played.get((label, bot))
            if results is None or results.games < _MIN_GAMES:
                continue
            pairs = [x for x in games.by_bot[bot].head_to_head if x.label == label]
            sentences = (
                *_margins(results, game_class(board.label.game).score_unit),
                *_seats(results.by_seat),
                *_opponent(pairs),
            )
            own.append(LabelLosses(label, sentences))
    return {bot: tuple(own) for bot, own in found.items()}


def _played(games: Games) -> dict[tuple[str, str], _Played]:
    refs = games.refs
    found: dict[tuple[str, str], _Played] = defaultdict(_Played)
    for (i, j), number in Counter(zip(refs.seating, refs.end, strict=True)).items():
        seating, end = refs.seatings[i], refs.ends[j]
        if any(end.forfeits) or len(seating.bots) < 2:
            continue
        for seat, bot in enumerate(seating.bots):
            found[seating.label, bot].add(end, seat, number)
    return found


def _margins(played: _Played, unit: str) -> Iterator[str]:
    lost, won = played.lost_by, played.won_by
    # Where every game ends by as much, that is how the game is, and says nothing.
    is_telling = len({*lost, *won}) > 1
    sentence = f"It lost {lost.total():,} of {_games(played.games)}"
    if lost and is_telling:
        sentence += f", on average by {_mean(lost):.1f} {unit}s"
        if lost[1]:
            sentence += f"; {lost[1]:,} of them by only 1 {unit}"
    yield f"{sentence}."
    if won and is_telling:
        yield f"It won {won.total():,}, on average by {_mean(won):.1f} {unit}s."


def _seats(by_seat: Mapping[int, Counter[float]]) -> Iterator[str]:
    first, last = min(by_seat), max(by_seat)
    if first == last:
        return
    means = [_mean(by_seat[seat]) for seat in (first, last)]
    squares = [
        sum(n * (score - mean) ** 2 for score, n in by_seat[seat].items())
        / by_seat[seat].total() ** 2
        for seat, mean in zip((first, last), means, strict=True)
    ]
    numbers = [by_seat[seat].total() for seat in (first, last)]
    if min(numbers) < _MIN_GAMES:
        return
    if abs(means[0] - means[1]) > _ERRORS * sqrt(sum(squares)):
        yield (
            f"In seat {first} it scores {100 * means[0]:.0f} %, in seat {last} "
            f"{100 * means[1]:.0f} %."
        )


def _opponent(pairs: Sequence[HeadToHead]) -> Iterator[str]:
    """Yield who beats it most often, if it is more often than luck makes."""
    known = [x for x in pairs if x.games - x.forfeits >= _MIN_GAMES]
    if len(known) < 2:
        return
    lost = [x.losses - x.forfeits for x in known]
    games = [x.games - x.forfeits for x in known]
    i = max(range(len(known)), key=lambda i: lost[i] / games[i])
    others = sum(games) - games[i]
    mean = sum(lost) / sum(games)
    error = sqrt(mean * (1 - mean) * (1 / games[i] + 1 / others))
    if lost[i] / games[i] - (sum(lost) - lost[i]) / others > _ERRORS * error:
        yield (
            f"It loses most to {called(known[i].opponent)}: {lost[i]:,} of "
            f"{_games(games[i])}."
        )


def _mean(values: Counter[float]) -> float:
    return sum(value * n for value, n in values.items()) / values.total()


def _games(number: int) -> str:
    return f"{number:,} games"
