"""Names of bots as the tables show them: no two look alike, and each tells its bot.

Where several bots have one name, as where all are made of one template, that name tells
nothing: they go by what tells their files apart, and for the organiser by their
students.  No bot goes by what another one is known by.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from arena.league.config.settings import MAX_NAME_CHARS, NEWEST_FORM
from arena.league.entries.entry import Entry
from arena.league.entries.looks import fit_to_print, is_mixed, looks_of
from arena.league.entries.telling import runs_of, telling_parts, words_in
from arena.text import cut_words, listed, some_of

_SHOWN = 5
"""Names in a sentence."""


def name_apart(
    entries: Sequence[Entry], staff: Collection[str] = (), *, form: int = NEWEST_FORM
) -> tuple[Entry, ...]:
    """Return entries with names of which no two look alike.

    Who has a name from the league's file keeps it, and so do the bots of the `staff`,
    by their ids.  Others whose names look alike, mix alphabets, or have in them what
    another goes by, go by the part of their file's name that tells it apart; if that
    is not enough it stands in brackets behind their own name.
    """
    if form < 6:
        return _with_files(entries, staff, form)
    return tuple(
        replace(entry, name=name)
        for entry, name in zip(entries, _told_apart(entries, staff, {}), strict=True)
    )


def name_for_organiser(
    entries: Sequence[Entry],
    named: Sequence[Entry],
    staff: Collection[str],
    students: Mapping[str, str],
) -> tuple[Entry, ...]:
    """Return `named` entries with the names by which their organiser knows them.

    These are made as those of `name_apart`, but with the students of `students`, by
    `StudentRow.who`, in the place of files.  `entries` have the names of their own.
    """
    if not students:
        return tuple(replace(entry, called=entry.name) for entry in named)
    called = _told_apart(entries, staff, students)
    return tuple(
        replace(entry, called=name) for entry, name in zip(named, called, strict=True)
    )


def _told_apart(
    entries: Sequence[Entry], staff: Collection[str], students: Mapping[str, str]
) -> list[str]:
    """Return a name for each entry; its students' where `students` has them."""
    names = _Names(entries, staff, students)
    return [names.choose(i) for i in range(len(entries))]


class _Names:
    """The names that entries are given, one after the other."""

    def __init__(
        self,
        entries: Sequence[Entry],
        staff: Collection[str],
        students: Mapping[str, str],
    ) -> None:
        self._entries = entries
        self._students = students
        self._looks = [looks_of(entry.name) for entry in entries]
        self._own = Counter(look for looks in self._looks for look in looks)
        """How many have a name of their own that looks so."""
        self._parts: dict[str, str] = {}
        """What tells files apart, by their paths; only of those that need it."""
        self._unclear: set[int] = set()
        kept = {i for i, e in enumerate(entries) if e.is_named or e.id in staff}
        others = [i for i in range(len(entries)) if i not in kept]
        more = {i for i in others if self._is_alike(i) or is_mixed(entries[i].name)}
        while True:
            self._unclear |= more
            unclear = [entries[i] for i in self._unclear]
            files = {str(entry.path): entry.file_in_brackets for entry in unclear}
            self._parts = telling_parts(files)
            known = self._known_by(unclear)
            more = {i for i in others if self._says_another(i, known)} - self._unclear
            if not more:
                break
        self._taken = {
            look
            for i, looks in enumerate(self._looks)
            if i not in self._unclear
            for look in looks
        }
        """What the names look like that entries have by now."""
        self._per_source = Counter(self._source(entries[i]) for i in self._unclear)
        self._in_source = Counter(
            (self._source(entry), look)
            for entry, looks in zip(entries, self._looks, strict=True)
            for look in looks
        )

    def choose(self, i: int) -> str:
        """Return the name of an entry; the first that nobody else has."""
        entry = self._entries[i]
        if i not in self._unclear:
            return entry.name
        name = next(x for x in self._candidates(i) if not looks_of(x) & self._taken)
        self._taken |= looks_of(name)
        return name

    def _candidates(self, i: int) -> Iterator[str]:
        entry = self._entries[i]
        told, source = self._tells(entry), self._source(entry)
        is_name = any(c.isalpha() for c in told) and not is_mixed(told)
        if is_name and self._per_source[source] == 1:
            yield told
        if all(self._in_source[source, look] == 1 for look in self._looks[i]):
            yield f"{entry.name} ({told})"
        longer = f"{entry.file_in_brackets}:{entry.bot}"
        if self._whose(entry):
            longer = f"{told}, {longer}"
        yield f"{entry.name} ({longer})"
        for number in range(2, len(self._entries) + 2):
            yield f"{entry.name} ({longer}) {number}"

    def _is_alike(self, i: int) -> bool:
        return any(self._own[look] > 1 for look in self._looks[i])

    def _whose(self, entry: Entry) -> str:
        """Return the students of an entry; nothing where they are not to be told."""
        names = [self._students[x] for x in entry.students if x in self._students]
        shown = names
        while len(shown) > 1 and len(some_of(shown, len(names))) > MAX_NAME_CHARS:
            shown = shown[:-1]
        return cut_words(some_of(shown, len(names)), MAX_NAME_CHARS)

    def _source(self, entry: Entry) -> object:
        """Return what its name tells: its students, else its file."""
        return entry.students if self._whose(entry) else entry.path

    def _tells(self, entry: Entry) -> str:
        if students := self._whose(entry):
            return students
        part = cut_words(self._parts[str(entry.path)], MAX_NAME_CHARS)
        return fit_to_print(part) or entry.bot

    def _known_by(self, unclear: Sequence[Entry]) -> dict[tuple[str, ...], set[str]]:
        """Return the words that files and students are known by, and these."""
        texts = dict(self._students)
        for entry in unclear:
            if not self._whose(entry):
                texts[str(entry.path)] = self._parts[str(entry.path)]
        known: dict[tuple[str, ...], set[str]] = {}
        for key, text in texts.items():
            known.setdefault(words_in(text), set()).add(key)
        return known

    def _says_another(
        self, i: int, known: Mapping[tuple[str, ...], Collection[str]]
    ) -> bool:
        """Return True if a bot's own name has the words that another is known by."""
        entry = self._entries[i]
        own = {*entry.students, str(entry.path)}
        found = (known.get(run, ()) for run in runs_of(words_in(entry.name)))
        return any(not own.issuperset(keys) for keys in found)


def _with_files(
    entries: Sequence[Entry], staff: Collection[str], form: int
) -> tuple[Entry, ...]:
    """Return entries with the file behind names that look alike, as before form 6.

    In leagues of form 1 only those names count that are alike but for capitals.
    """
    find_looks = looks_of if form > 1 else _spelling
    looks = {name: find_looks(name) for name in {entry.name for entry in entries}}
    taken = Counter(look for entry in entries for look in looks[entry.name])
    in_file = Counter(
        (entry.path, look) for entry in entries for look in looks[entry.name]
    )
    found = []
    for entry in entries:
        own = looks[entry.name]
        is_alone = all(taken[look] == 1 for look in own)
        is_clear = is_alone and not (form > 1 and is_mixed(entry.name))
        if is_clear or entry.is_named or entry.id in staff:
            found.append(entry)
            continue
        file = entry.file_in_brackets
        if form < 5:
            file = entry.stem or entry.path.stem
        longest = f"{entry.name} ({file}:{entry.bot})"
        names = [longest, *(f"{longest} {i}" for i in range(2, len(entries) + 2))]
        if all(in_file[entry.path, look] == 1 for look in own):
            names.insert(0, f"{entry.name} ({file})")
        name = next(n for n in names if not any(taken[x] for x in find_looks(n)))
        taken.update(find_looks(name))
        found.append(replace(entry, name=name))
    return tuple(found)


def _spelling(name: str) -> frozenset[str]:
    return frozenset((name.casefold(),))


def renamed(
    entries: Sequence[Entry], named: Sequence[Entry]
) -> Iterator[tuple[tuple[Entry, ...], str]]:
    """Yield bots whose names are not their own, with the reason in a sentence."""
    groups: list[tuple[set[str], list[tuple[Entry, Entry]]]] = []
    for old, new in zip(entries, named, strict=True):
        if {new.name, new.called or new.name} != {old.name}:
            own = looks_of(old.name)
            for looks, pairs in groups:
                if own & looks:
                    looks |= own
                    pairs.append((old, new))
                    break
            else:
                groups.append((set(own), [(old, new)]))
    for _, pairs in groups:
        olds, news = zip(*pairs, strict=True)
        names = (new.called or new.name for new in news[:_SHOWN])
        shown = some_of(names, len(news), with_total=True)
        why = f"{_why(olds, entries)}; the tables say {shown}"
        yield olds, f"{why}; give each bot a name of its own"


def _why(renamed: Sequence[Entry], entries: Sequence[Entry]) -> str:
    looks = frozenset[str]().union(*(looks_of(entry.name) for entry in renamed))
    alike = [entry.name for entry in entries if looks & looks_of(entry.name)]
    names = sorted(set(alike), key=str.casefold)
    if len(alike) == 1:
        if is_mixed(names[0]):
            return f"the name {names[0]!a} mixes letters of several alphabets"
        return f"the name {names[0]!a} has in it what another bot goes by"
    if len({name.casefold() for name in names}) == 1:
        return f"the name {renamed[0].name!r} is taken more than once"
    # Letter by letter: who reads them as they are sees no difference.
    if len(names) > _SHOWN:
        some = some_of((f"{name!a}" for name in names[:_SHOWN]), len(names))
        return f"the names {some} look alike ({len(names)} in all)"
    return f"the names {listed(f'{name!a}' for name in names)} look alike"
