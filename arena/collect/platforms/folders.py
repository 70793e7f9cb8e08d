"""Folders of students, as people make them by hand: the last resort.

    hand_ins/Ana Alder/mybot.py
    hand_ins/ben/bot/__init__.py

Files alone are not taken, as nothing tells those of students from those of one bot.
"""

from arena.collect.platforms.listing import Listing, Reading, distinct
from arena.collect.submission import Person, Submission

NAME = "folders of students"
_CODE_ENDS = (".py", ".pyw", ".ipynb", ".zip", ".tar", ".gz", ".tgz", ".7z", ".rar")
_NO_STUDENTS = frozenset(
    ("bin", "build", "data", "dist", "doc", "docs", "lib", "src", "test", "tests")
)
"""Names of folders of one program."""
_FEW = 10
"""Of so many students one may be called so."""


def read(listing: Listing) -> Reading | None:
    """Return the hand-ins in folders of students; None if they may be of one bot."""
    folders, beside = listing.by_top()
    paths = [path for files in folders.values() for path, _ in files]
    of_program = sum(folder.lower() in _NO_STUDENTS for folder in folders)
    is_package = len(folders) == 1 and "__init__.py" in paths
    if (
        not folders
        or is_package
        or any(path.lower().endswith(_CODE_ENDS) for path, _ in beside)
        or of_program * _FEW > len(folders)
    ):
        return None
    submissions = [
        Submission(
            people=(Person((folder,), folder if " " in folder else ""),),
            files=distinct(files),
            source=listing.source(folder),
        )
        for folder, files in folders.items()
    ]
    return Reading(submissions, [], [file for _, file in beside])
