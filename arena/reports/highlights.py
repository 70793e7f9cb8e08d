"""The highlights of a league: games that are worth a look.

Every forfeit; under each label the closest games, the longest ones and the biggest
upsets, of a pairing never more than one; and a sample of each pairing.  What is chosen
depends on nothing but the games themselves.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from heapq import nsmallest
from itertools import combinations, zip_longest
from statistics import median_low

from arena.records.game_record import Fault
from arena.reports.game_refs import End, GameRef, GameRefs
from arena.reports.head_to_head import Chances
from arena.text import counted, listed

_GAMES_PER_REASON = 3
"""For each label: of the closest, the longest, the biggest upsets."""
_UPSET_SCORE = 1 / 3
"""The winner's expected score below which a win is an upset."""
_MAX_FORFEITS = 2000
"""Up to so many in a league, all of them are worth a look."""
_MAX_FORFEITS_ALIKE = 25
"""If there are more: of a bot under a label, for one sort."""
_MAX_FORFEITS_OF_BOT = 100
"""The same, for all sorts together."""
_MAX_SAMPLES = 8000
"""Each takes room in the pages."""
_DIGITS = re.compile(r"\d+")


class Reason(StrEnum):
    """Why a game is worth a look."""

    FORFEIT = "forfeit"
    CLOSEST = "closest"
    LONGEST = "longest"
    UPSET = "upset"
    SAMPLE = "sample"
    """One of a pairing."""
    LOSS = "loss"
    """One of a bot, like most of its losses."""


@dataclass(frozen=True, slots=True)
class Highlight:
    """A game that is worth a look, and why, in one sentence."""

    reason: Reason
    game: GameRef
    why: str
    step: int | None = None
    """The decision to look at: of a forfeit, its own."""
    bot: str | None = None
    """The bot that has forfeited, or has won an upset."""


@dataclass(frozen=True, slots=True)
class PlayedForfeit:
    """A forfeit that was played: which game, by whom, and how."""

    game_index: int
    bot: str
    step: int
    termination: str
    sort: str
    """The same for those that are alike."""

    @classmethod
    def of(cls, game_index: int, bot: str, fault: Fault) -> "PlayedForfeit":
        """Return the fault of a bot in the game with this index."""
        # Of seconds, addresses and positions there are as many as there are games.
        sort = f"{fault.termination} {_DIGITS.sub('', fault.message)}"
        return cls(game_index, bot, fault.step, fault.termination, sort)


def pick_highlights(
    refs: GameRefs,
    forfeits: Sequence[PlayedForfeit],
    chances: Mapping[str, Chances],
) -> tuple[Highlight, ...]:
    """Return the games that are worth a look, by reason.

    The most remarkable of each label come first, in the order of `chances`, then the
    second ones, and so on; forfeits and samples in the order of the games.
    """
    by_label: dict[str, list[int]] = {label: [] for label in chances}
    for game, seating in enumerate(refs.seating):
        if not any(refs.ends[refs.end[game]].forfeits):
            by_label[refs.seatings[seating].label].append(game)
    found = list(_forfeits(refs, forfeits))
    found += _in_turn(_closest(refs, games) for games in by_label.values())
    found += _in_turn(_longest(refs, games) for games in by_label.values())
    found += _in_turn(
        _upsets(refs, games, chances[label]) for label, games in by_label.items()
    )
    found += _samples(refs)
    return tuple(found)


def usual_losses(
    refs: GameRefs, replays: Container[str]
) -> dict[str, tuple[Highlight, ...]]:
    """Return for each bot one of its losses under each label, like most of them.

    Of the games with replays that nobody forfeited, it is the one in the middle by how
    far the bot was behind the first.
    """
    found: dict[tuple[str, str], list[tuple[float, str, int, int]]] = defaultdict(list)
    for game, game_id in enumerate(refs.ids):
        seating, end = refs.seatings[refs.seating[game]], refs.ends[refs.end[game]]
        if any(end.forfeits) or game_id not in replays:
            continue
        best = _by_place(end)[0]
        for seat, bot in enumerate(seating.bots):
            if end.places[seat] > 1:
                behind = abs(best - end.scores[seat])
                found[seating.label, bot].append((behind, game_id, game, seat))
    losses: dict[str, tuple[Highlight, ...]] = {}
    for (_, bot), own in sorted(found.items()):
        _, _, game, seat = sorted(own)[len(own) // 2]
        end = refs.ends[refs.end[game]]
        why = f"a usual loss, {end.scores[seat]:g} to {_by_place(end)[0]:g}"
        highlight = Highlight(Reason.LOSS, refs[game], why, bot=bot)
        losses[bot] = (*losses.get(bot, ()), highlight)
    return losses


def _in_turn(parts: Iterable[Iterator[Highlight]]) -> Iterator[Highlight]:
    """Yield the first ones of all parts, then the second ones, and so on."""
    for row in zip_longest(*parts):
        yield from (found for found in row if found is not None)


def _forfeits(refs: GameRefs, forfeits: Sequence[PlayedForfeit]) -> Iterator[Highlight]:
    """Yield all forfeits; if they are very many, of each bot those that differ most."""
    alike: Counter[tuple[str, str, str]] = Counter()
    own: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    for index, forfeit in enumerate(forfeits):
        label = refs.seatings[refs.seating[forfeit.game_index]].label
        alike[forfeit.bot, label, forfeit.sort] += 1
        number = alike[forfeit.bot, label, forfeit.sort]
        if number <= _MAX_FORFEITS_ALIKE or len(forfeits) <= _MAX_FORFEITS:
            own[forfeit.bot, label].append((number, index))
    most = len(forfeits) if len(forfeits) <= _MAX_FORFEITS else _MAX_FORFEITS_OF_BOT
    chosen = [index for pairs in own.values() for _, index in nsmallest(most, pairs)]
    for index in sorted(chosen):
        forfeit = forfeits[index]
        how = forfeit.termination.replace("_", " ")
        why = (
            f"{forfeit.bot} forfeited after {counted(forfeit.step, 'decision')}: {how}"
        )
        yield Highlight(
            Reason.FORFEIT, refs[forfeit.game_index], why, forfeit.step, forfeit.bot
        )


def _closest(refs: GameRefs, games: Sequence[int]) -> Iterator[Highlight]:
    margins = [_margin(end) for end in refs.ends]
    if len({margins[refs.end[game]] for game in games}) < 2:
        return  # Where all end alike, none is closer than the others.
    order = sorted(games, key=lambda g: (margins[refs.end[g]], -refs.decisions[g]))
    for game in _of_different_pairings(refs, order):
        end = refs.ends[refs.end[game]]
        first, second, *_ = _by_place(end)
        why = "" if end.winner is not None else "a shared first place, "
        why += (
            f"{first:g} to {second:g} after {counted(refs.decisions[game], 'decision')}"
        )
        yield Highlight(Reason.CLOSEST, refs[game], why)


def _margin(end: End) -> float:
    """Return by how much of the game's own score the first is ahead of the second."""
    first, second, *_ = _by_place(end)
    return abs(first - second)


def _by_place(end: End) -> list[float]:
    """Return the scores, the first place's first."""
    pairs = zip(end.places, end.scores, strict=True)
    return [score for _, score in sorted(pairs, key=lambda pair: pair[0])]


def _longest(refs: GameRefs, games: Sequence[int]) -> Iterator[Highlight]:
    lengths = [refs.decisions[game] for game in games]
    if len(set(lengths)) < 2:
        return
    usual = median_low(lengths)
    order = sorted(games, key=lambda game: -refs.decisions[game])
    for game in _of_different_pairings(refs, order):
        length = counted(refs.decisions[game], "decision")
        why = f"{length}; half of the games have at most {usual}"
        yield Highlight(Reason.LONGEST, refs[game], why)


def _upsets(
    refs: GameRefs, games: Sequence[int], chances: Chances
) -> Iterator[Highlight]:
    winners = [end.winner for end in refs.ends]
    known: dict[tuple[int, int], tuple[float, str] | None] = {}

    def surprise(game: int) -> tuple[float, str] | None:
        """Return the winner's lowest expected score, and against whom."""
        seating, winner = refs.seating[game], winners[refs.end[game]]
        if winner is None:
            return None
        if (seating, winner) not in known:
            bots = refs.seatings[seating].bots
            known[seating, winner] = _upset(bots, winner, chances)
        return known[seating, winner]

    upsets = {}
    for game in games:
        found = surprise(game)
        if found is not None and found[0] < _UPSET_SCORE:
            upsets[game] = found
    order = sorted(upsets, key=lambda game: upsets[game][0])
    for game in _of_different_pairings(refs, order):
        score, loser = upsets[game]
        winner = refs.ends[refs.end[game]].winner
        assert winner is not None
        bot = refs.seatings[refs.seating[game]].bots[winner]
        why = f"{bot} won; by Elo it scores {100 * score:.1f} % against {loser}"
        yield Highlight(Reason.UPSET, refs[game], why, bot=bot)


def _upset(
    bots: tuple[str, ...], winner: int, chances: Chances
) -> tuple[float, str] | None:
    if not all(map(chances.knows, bots)):
        return None
    scores = [
        (score, other)
        for other in range(len(bots))
        if other != winner and (score := chances.score(bots, winner, other)) is not None
    ]
    if not scores:
        return None
    score, other = min(scores)
    return score, bots[other]


def _samples(refs: GameRefs) -> Iterator[Highlight]:
    """Yield for each two bots and label the game with the lowest id of theirs.

    Ids are hashes, so this is as good as a lot; one that nobody forfeited if there is
    any.
    """
    first: dict[tuple[str, ...], tuple[bool, str, int]] = {}
    pairs = [
        [(s.label, *sorted(pair)) for pair in combinations(s.bots, 2)]
        for s in refs.seatings
    ]
    forfeited = [any(end.forfeits) for end in refs.ends]
    for game, game_id in enumerate(refs.ids):
        candidate = forfeited[refs.end[game]], game_id, game
        for pair in pairs[refs.seating[game]]:
            if pair not in first or candidate < first[pair]:
                first[pair] = candidate
    # At a larger table it may be that of several pairs.
    games = {game for _, _, game in first.values()}
    for game in sorted(nsmallest(_MAX_SAMPLES, games, key=refs.ids.__getitem__)):
        bots = refs.seatings[refs.seating[game]].bots
        why = f"one of {listed(bots)}, by lot"
        yield Highlight(Reason.SAMPLE, refs[game], why)


def _of_different_pairings(refs: GameRefs, order: Iterable[int]) -> Iterator[int]:
    """Yield the first games, of each group of bots only one."""
    seen: set[frozenset[str]] = set()
    for game in order:
        bots = frozenset(refs.seatings[refs.seating[game]].bots)
        if bots not in seen:
            seen.add(bots)
            yield game
        if len(seen) == _GAMES_PER_REASON:
            return
