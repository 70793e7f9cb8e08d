"""The exports of the learning platforms: one file for each, which knows its names."""

import re
from collections.abc import Callable, Sequence

from arena.collect.archives import ARCHIVE_ENDS
from arena.collect.platforms import (
    blackboard,
    brightspace,
    canvas,
    clones,
    folders,
    gradescope,
    moodle,
    sakai,
)
from arena.collect.platforms import pattern as by_pattern
from arena.collect.platforms.listing import (
    LITTER,
    OF_NOBODY,
    Listing,
    Reading,
    listings,
)
from arena.collect.submission import Export, ExportFile
from arena.errors import ConfigError
from arena.text import cut, listed, one_line, quoted, some_of

Reader = Callable[[Listing], Reading | None]

PLATFORMS: dict[str, Reader] = {
    module.NAME: module.read
    for module in (
        gradescope,
        canvas,
        moodle,
        blackboard,
        brightspace,
        sakai,
        clones,
    )
}
"""What reads the exports of each platform; where several understand an export as well,
the first does."""
_SHOWN_NAMES = 5
_SHOWN_CHARS = 60


def understand(
    name: str, files: Sequence[ExportFile], pattern: re.Pattern[str] | None = None
) -> Export:
    """Return what students have submitted, as an export says it.

    `name` is that of the zip or folder, without its ending.  A pattern is asked in the
    place of all platforms.

    An export belongs to the platform that understands most of what lies at its top, and
    more than half: a student may call his own as another platform would, and have as
    many files in his folder as he likes.

    Raises:
        ConfigError: no platform understands it, or the pattern fits no file.
    """
    ways = [*listings(name, files)]
    if not ways[0].files:
        raise ConfigError(one_line(name), "holds no files; download the export again")
    if pattern is not None:
        return _by_pattern(ways, pattern)
    for listing in ways:
        best = _best(listing)
        if best is not None:
            return _export(listing, *best)
    _check_is_one(ways[-1])
    by_folder = [(x, found) for x in ways if (found := folders.read(x)) is not None]
    # A folder that holds all may be that of one student.
    if not by_folder or (len(by_folder) > 1 and len(by_folder[-1][1].submissions) == 1):
        raise _not_understood(ways[0])
    listing, reading = by_folder[-1]
    return _export(listing, folders.NAME, reading)


def _best(listing: Listing) -> tuple[str, Reading] | None:
    """Return the platform that understands most of an export, and how."""
    readings = [
        (platform, reading)
        for platform, read in PLATFORMS.items()
        if (reading := read(listing)) is not None
        and 2 * _unknown_tops(listing, reading) < len(listing.tops)
    ]
    return min(
        readings,
        key=lambda found: (_unknown_tops(listing, found[1]), *_misfit(found[1])),
        default=None,
    )


def _unknown_tops(listing: Listing, reading: Reading) -> int:
    """Return how many folders and files at the top a platform does not know."""
    unknown = {id(file) for file in reading.unknown}
    return len(
        {path.partition("/")[0] for path, file in listing.files if id(file) in unknown}
    )


def _check_is_one(listing: Listing) -> None:
    """Check that what nobody understands is not several exports in one folder.

    One student alone can't make it look so: most of the folders have to.

    Raises:
        ConfigError: it is.
    """
    inner, _ = listing.by_top()
    exports = [
        name
        for name, files in inner.items()
        if (best := _best(Listing(name, name, tuple(files)))) is not None
        and len(best[1].submissions) > 1
    ]
    if len(exports) > 1 and 2 * len(exports) > len(inner):
        some = [_shown(name) for name in exports[:_SHOWN_NAMES]]
        raise ConfigError(
            one_line(listing.export),
            "holds several exports, each in a folder of its own: "
            f"{some_of(some, len(exports))}; name each of these folders instead",
        )


def _misfit(reading: Reading) -> tuple[int, int]:
    """Return how badly a platform understands an export, the worse the larger.

    What a student has called a file comes last.  So of two that understand as many
    files, that one is right which leaves more of their names to students.
    """
    names = (path for one in reading.submissions for path, _ in one.files)
    return len(reading.unknown), -sum(map(len, names))


def _by_pattern(ways: Sequence[Listing], pattern: re.Pattern[str]) -> Export:
    found = [(listing, by_pattern.read(listing, pattern)) for listing in ways]
    listing, reading = min(found, key=lambda way: len(way[1].unknown))
    if not reading.submissions:
        names = _names(ways[0])
        raise ConfigError(
            by_pattern.OPTION,
            f"{quoted(pattern.pattern)} fits the whole name of no file; found {names}",
        )
    return _export(listing, by_pattern.OPTION, reading)


def _export(listing: Listing, platform: str, reading: Reading) -> Export:
    left = [(file.name, why) for file, why in reading.left]
    left += [(file.name, OF_NOBODY) for file in reading.unknown]
    left += [(file.name, LITTER) for file in listing.litter]
    return Export(platform, tuple(reading.submissions), tuple(left))


def _not_understood(listing: Listing) -> ConfigError:
    paths = [path for path, _ in listing.files]
    text, student, file = by_pattern.example(paths)
    meaning = ""
    if student:
        first, student, file = map(_shown, (paths[0], student, file))
        meaning = f", which reads {first} as the file {file} of the student {student}"
    platforms = [platform for platform in PLATFORMS if platform != clones.NAME]
    return ConfigError(
        one_line(listing.export),
        f"expected an export of {listed(platforms, 'or')}, {clones.NAME}, or a folder "
        f"for each student; found {_names(listing)}; say how the names are to be read, "
        f"such as by {by_pattern.OPTION} '{text}'{meaning}{_each(paths)}",
    )


def _each(paths: Sequence[str]) -> str:
    """Return what else to do with archives, behind a semicolon."""
    if not all(path.lower().endswith(ARCHIVE_ENDS) for path in paths):
        return ""
    return "; if each of these is an export itself, name them one by one instead"


def _names(listing: Listing) -> str:
    shown = [_shown(path) for path, _ in listing.files[:_SHOWN_NAMES]]
    return some_of(shown, len(listing.files), with_total=True)


def _shown(name: str) -> str:
    return cut(one_line(name), _SHOWN_CHARS)
