"""Results that honest play hardly explains, and which games to look at for them.

They are for the instructor, under the bots' own names: where bots go by aliases there
are none, and no page for a class has them.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, permutations, zip_longest
from typing import Generic, TypeVar

from arena.league.config.info import EntryInfo
from arena.league.results.store import Store
from arena.ratings import Crosstable, Standings
from arena.ratings.match_ups.surprises import LabelGames, Surprise, surprises
from arena.ratings.uncommon_luck import UncommonLuck, uncommon_luck
from arena.reports.forfeits import Forfeit
from arena.text import counted

_MOST_GAMES = 3
"""Games that are named for each oddity."""

_LEAST_FORFEITS = 4
_LEAST_OPPONENTS = 3
_LEAST_SHARE = 0.5
"""Of the games against one opponent."""
_MOST_SHARE = 0.05
"""Of the games against all others."""

_Found = TypeVar("_Found")


_FILE, _STUDENT = "file: ", "student: "


def owners_of(entry: EntryInfo) -> tuple[str, ...]:
    """Return the file of a bot and its students, as far as they are known."""
    # Files in several folders may have one name.
    file = f"{_FILE}{entry.code} {entry.file}"
    return (file, *(f"{_STUDENT}{owner}" for owner in entry.owners))


@dataclass(frozen=True, slots=True)
class Odd(Generic[_Found]):
    """What is odd, and the games to look at first."""

    result: _Found
    games: tuple[str, ...]
    """Ids: of a pair, games of each label that the winner has won; of a bot, those in
    which it had most luck, or least."""


@dataclass(frozen=True, slots=True)
class ForfeitsToOne:
    """A bot that forfeits to one other and hardly ever to the rest.

    A fact and no test: nobody knows where honest bots crash.  No score is expected of
    forfeited games, so without it a bot could help another one by forfeiting.
    """

    bot: str
    opponent: str
    label: str
    forfeits: int
    games: int
    """Games of the two."""
    other_forfeits: int
    other_games: int
    """Games of the bot with all others."""


@dataclass(frozen=True, slots=True)
class Oddities:
    """All that is odd in a league."""

    pairs: tuple[Odd[Surprise], ...] = ()
    """Who beats whom by more than all their other games explain."""
    luck: tuple[Odd[UncommonLuck], ...] = ()
    """Whose luck is beyond chance."""
    forfeits: tuple[Odd[ForfeitsToOne], ...] = ()
    """Who forfeits to one other alone, by name."""


def find_oddities(
    store: Store,
    table: Standings,
    winner_only: Iterable[str],
    owners: Mapping[str, Collection[str]],
    names: Mapping[str, str],
    to_one: Iterable[Odd[ForfeitsToOne]],
) -> Oddities:
    """Return what is odd in the games of a league.

    `owners` has what `owners_of` says of each bot by its name, `names` the name of
    each entry by its id, `to_one` what `forfeits_to_one` has found.
    """
    only = frozenset(winner_only)
    pairs = surprises(
        [
            LabelGames(fits.label, fits.pool, fits.label in only, weight)
            for fits, weight in zip(table.fits, table.weights, strict=True)
        ],
        owners,
        table.anchor and table.anchor[0],
    )
    luck = uncommon_luck(table.fits)
    if not pairs and not luck:
        return Oddities(forfeits=tuple(to_one))
    games = _Games(pairs, luck)
    for record, known in store.records_with_luck():
        seats = [names[entry] for entry in record.seats]
        games.add(record.game_id, record.label, seats, record.places, known)
    return Oddities(
        tuple(Odd(x, games.of_pair(x)) for x in pairs),
        tuple(Odd(x, games.of_bot(x)) for x in luck),
        tuple(to_one),
    )


def forfeits_to_one(
    forfeits: Iterable[Forfeit], crosstables: Iterable[tuple[str, Crosstable]]
) -> Iterator[Odd[ForfeitsToOne]]:
    """Yield the bots that forfeit to one other alone, by label and name.

    At tables of two; what was not played, because of a quarantine, does not count.
    """
    lost: dict[tuple[str, str], dict[str, list[str]]] = {}
    unplayed: dict[str, tuple[str, frozenset[str]]] = {}
    for forfeit in forfeits:
        if len(forfeit.opponents) != 1:
            continue
        (opponent,) = forfeit.opponents
        if forfeit.is_quarantine:
            pair = frozenset((forfeit.bot, opponent))
            unplayed[forfeit.game_id] = forfeit.label, pair
        else:
            own = lost.setdefault((forfeit.label, forfeit.bot), {})
            own.setdefault(opponent, []).append(forfeit.game_id)
    without = Counter(unplayed.values())
    tables = dict(crosstables)
    for (label, bot), own in sorted(lost.items()):
        table = tables[label]
        counts = table.games[table.entries.index(bot)]
        games = {
            other: count - without[label, frozenset((bot, other))]
            for other, count in zip(table.entries, counts, strict=True)
        }
        opponent = max(sorted(own), key=lambda x: len(own[x]))
        ids = own.pop(opponent)
        met, rest = games.pop(opponent), sum(games.values())
        others = sum(map(len, own.values()))
        if (
            len(ids) >= max(_LEAST_FORFEITS, _LEAST_SHARE * met)
            and sum(count > 0 for count in games.values()) >= _LEAST_OPPONENTS
            and others <= _MOST_SHARE * rest
        ):
            fact = ForfeitsToOne(bot, opponent, label, len(ids), met, others, rest)
            yield Odd(fact, tuple(sorted(ids)[:_MOST_GAMES]))


class _Games:
    """The games to look at, found in one pass in whatever order."""

    def __init__(self, pairs: Iterable[Surprise], luck: Iterable[UncommonLuck]) -> None:
        self._won: dict[tuple[str, str], dict[str, list[str]]] = {
            (x.winner, x.loser): {} for x in pairs
        }
        """Of each pair, games of each label: those of the lowest ids."""
        self._luckiest: dict[str, list[tuple[float, str]]] = {x.bot: [] for x in luck}
        """Of each bot, luck and id, the most uncommon first; good luck is below 0."""
        self._label = {x.bot: x.label for x in luck}
        self._sign = {x.bot: -1.0 if x.is_lucky else 1.0 for x in luck}

    def add(
        self,
        game: str,
        label: str,
        seats: list[str],
        places: tuple[int, ...],
        luck: tuple[float, ...] | None,
    ) -> None:
        for winner, loser in self._won.keys() & {*permutations(seats, 2)}:
            if places[seats.index(winner)] < places[seats.index(loser)]:
                own = self._won[winner, loser]
                own[label] = sorted([*own.get(label, ()), game])[:_MOST_GAMES]
        if luck is None:
            return
        for bot in self._luckiest.keys() & {*seats}:
            if self._label[bot] in ("", label):
                own_seat = seats.index(bot)
                total = sum(
                    points * ((a == own_seat) - (b == own_seat))
                    for (a, b), points in zip(
                        combinations(range(len(seats)), 2), luck, strict=True
                    )
                )
                found = sorted([*self._luckiest[bot], (self._sign[bot] * total, game)])
                self._luckiest[bot] = found[:_MOST_GAMES]

    def of_pair(self, pair: Surprise) -> tuple[str, ...]:
        own = self._won[pair.winner, pair.loser]
        labels = [pair.label, *(result.label for result in pair.results)]
        # One of each label, then a second one of each.
        rounds = zip_longest(*(own.get(label, ()) for label in labels))
        games = dict.fromkeys(game for games in rounds for game in games if game)
        return tuple(games)[:_MOST_GAMES]

    def of_bot(self, bot: UncommonLuck) -> tuple[str, ...]:
        return tuple(game for _, game in self._luckiest[bot.bot])


def pair_sentences(pair: Surprise) -> Iterator[str]:
    """Yield what surprises about a pair, and how much; it accuses nobody."""
    both = f" (both of {owner_text(pair.owner)})" if pair.owner else ""
    where = pair.label or "all games together"
    yield f"{pair.winner} against {pair.loser}{both} surprises in {where}."
    for x in pair.results:
        yield (
            f"{x.label}: {pair.winner} scored {100 * x.score:.0f} % of "
            f"{counted(x.games, 'game')}; by all other games of the two it was to be "
            f"expected to score {100 * x.expected:.0f} %. In {x.label} these games are "
            f"worth {x.elo:+.0f} Elo to {pair.winner}."
        )
    yield (
        f"Among honest bots, {_often(pair.family_p)} of leagues have a pair that "
        "surprises as much."
    )


def owner_text(owner: str) -> str:
    """Return the file that two bots are of, or that they are of one student."""
    if not owner.startswith(_FILE):
        return "one student"
    return owner.removeprefix(_FILE).partition(" ")[2]


def luck_sentences(bot: UncommonLuck) -> Iterator[str]:
    """Yield how far the two Elos of a bot are apart, and how rarely they are."""
    where = bot.label or "all games together"
    much = "more" if bot.is_lucky else "less"
    yield f"{bot.bot} has had {much} luck in {where} than chance gives."
    for x in bot.labels:
        without = ""
        if x.adjusted_elo is not None:
            without = f", with luck taken out {x.adjusted_elo:.0f}"
        yield (
            f"{x.label}: its Elo by results alone is {x.elo:.0f}{without}; "
            f"luck brought it {x.luck:+.3f} points a game in "
            f"{counted(x.games, 'game')}."
        )
    yield (
        f"Among honest bots, {_often(bot.family_p)} of leagues have a bot whose luck "
        "is so uncommon."
    )


def forfeit_sentence(x: ForfeitsToOne) -> str:
    """Return how often a bot has forfeited to one other, and to all others."""
    return (
        f"{x.bot} forfeited {x.forfeits} of {counted(x.games, 'game')} of {x.label} "
        f"against {x.opponent}, and {x.other_forfeits} of {x.other_games} against all "
        "others."
    )


def _often(p: float) -> str:
    return "under 0.1 %" if p < 0.001 else f"about {100 * p:.1f} %"


ADVICE = (
    "This accuses nobody: of a hundred honest leagues, up to five have such a note on "
    "pairs and up to five one on luck. Look at the games, and ask before you judge. A "
    "bot that helps another one plays worse against it than against others, and the "
    "other one need not know of it; one that knows its dice stops just before the "
    "throw that would cost it a turn."
)
"""What to make of an oddity."""


def oddity_lines(
    oddities: Oddities, results: str
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield a paragraph for each oddity, and the commands that show its games."""
    for pair in oddities.pairs:
        yield " ".join(pair_sentences(pair.result)), _commands(pair, results)
    for bot in oddities.luck:
        yield " ".join(luck_sentences(bot.result)), _commands(bot, results)
    for odd in oddities.forfeits:
        yield forfeit_sentence(odd.result), _commands(odd, results)


def _commands(odd: Odd[_Found], results: str) -> tuple[str, ...]:
    return tuple(f"arena replay {results} {game}" for game in odd.games)
