"""The games that bots lost by their own fault, by bot and by reason."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from arena.records.game_record import Fault, Termination
from arena.text import counted, one_line


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A game that a bot lost by its own fault."""

    game_id: str
    label: str
    bot: str
    file: str
    opponents: tuple[str, ...]
    """The others at the table, in seat order."""
    fault: Fault

    @property
    def is_quarantine(self) -> bool:
        """True for a game that was not played, as the bot had failed too often."""
        return self.fault.termination == Termination.QUARANTINE


def by_bot(forfeits: Iterable[Forfeit]) -> dict[str, list[Forfeit]]:
    """Return the forfeits of each bot: the bot with the most first, then by name."""
    found: dict[str, list[Forfeit]] = {}
    for forfeit in forfeits:
        found.setdefault(forfeit.bot, []).append(forfeit)
    return dict(sorted(found.items(), key=lambda x: (-len(x[1]), x[0])))


def count_reasons(forfeits: Iterable[Forfeit]) -> dict[str, int]:
    """Return the number of forfeits for each reason, the most frequent first."""
    counts = Counter(forfeit.fault.termination for forfeit in forfeits)
    return most_frequent_first(counts)


def most_frequent_first(counts: Mapping[str, int]) -> dict[str, int]:
    """Return counts in falling order; equal ones in alphabetical order."""
    return dict(sorted(counts.items(), key=lambda x: (-x[1], x[0])))


def count_not_played(forfeits: Iterable[Forfeit]) -> int:
    """Return the number of games that nobody played, as a bot had failed too often."""
    return len({forfeit.game_id for forfeit in forfeits if forfeit.is_quarantine})


def reasons_text(forfeits: Iterable[Forfeit]) -> str:
    """Return the reasons of some forfeits and their numbers.

    Such as `3 crashes, 1 timeout, then 224 that were not played any more`.
    """
    return reasons_in_words(count_reasons(forfeits))


def reasons_in_words(counts: Mapping[str, int]) -> str:
    """Return what `reasons_text` does, from the number of forfeits for each reason."""
    told = [
        f"{number:,} {_noun(reason, number)}"
        for reason, number in counts.items()
        if reason != Termination.QUARANTINE
    ]
    if left := counts.get(Termination.QUARANTINE):
        then = "then " * bool(told)
        verb = "was" if left == 1 else "were"
        told.append(f"{then}{left:,} that {verb} not played any more")
    return ", ".join(told)


def _noun(reason: str, number: int) -> str:
    noun = reason.replace("_", " ")
    if reason == Termination.MEMORY:
        noun = "memory fault"
    if number == 1:
        return noun
    if noun.endswith("y"):
        return f"{noun[:-1]}ies"
    return f"{noun}{'es' if noun.endswith('sh') else 's'}"


def forfeit_summary(forfeits: Iterable[Forfeit]) -> list[str]:
    """Return one line for each bot that forfeited: how often and why, most first."""
    return [
        f"{bot}: {counted(len(own), 'forfeit')}: {reasons_text(own)}"
        for bot, own in by_bot(forfeits).items()
    ]


def quarantined(forfeits: Iterable[Forfeit]) -> list[str]:
    """Return one sentence for each label that a bot is quarantined in, by bot."""
    return [
        f"Quarantined: {bot}, {text}"
        for bot, own in sorted(by_bot(forfeits).items())
        for text in not_played(own)
    ]


def not_played(forfeits: Iterable[Forfeit]) -> list[str]:
    """Return for each label that a bot is quarantined in: how many games, and why.

    `forfeits` are those of one bot; the labels are in their order.
    """
    found: dict[str, list[Forfeit]] = {}
    for forfeit in forfeits:
        if forfeit.is_quarantine:
            found.setdefault(forfeit.label, []).append(forfeit)
    return [
        f"{counted(len(own), 'game')} of {label} {one_line(own[0].fault.message)}"
        for label, own in found.items()
    ]
