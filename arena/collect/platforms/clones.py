"""Folders of clones: a repository for each student or team.

    bot-1-submissions/bot-1-aalder/.git/HEAD
    bot-1-submissions/bot-1-aalder/mybot.py
    clones/aalder/mybot.py

`gh classroom clone student-repos` of GitHub Classroom (github/gh-classroom, 2023; the
service has ended in August 2026) makes the first; scripts for its successors mostly
have a name for the assignment, a `-` and the user, or the user alone.
"""

from arena.collect.platforms.listing import Listing, Reading, common_start, distinct
from arena.collect.submission import Person, Submission

NAME = "clones of repositories"
_END = "-submissions"


def read(listing: Listing) -> Reading | None:
    """Return the hand-ins in folders of clones; None if most are no clones."""
    folders, beside = listing.by_top()
    slug = listing.folder.removesuffix(_END) + "-"
    is_classroom = listing.folder.endswith(_END) and all(
        folder.startswith(slug) for folder in folders
    )
    clones = [
        folder
        for folder, files in folders.items()
        if any(path == ".git" or path.startswith(".git/") for path, _ in files)
    ]
    if not folders or (2 * len(clones) < len(folders) and not is_classroom):
        return None
    if not is_classroom:
        slug = common_start([*folders], "-") if len(folders) > 1 else ""
    submissions = []
    for folder, files in folders.items():
        user = folder.removeprefix(slug)
        # The name of the folder stays where others tell the slug.
        ids = tuple(dict.fromkeys(filter(None, (user, folder))))
        submissions.append(
            Submission(
                people=(Person(ids),),
                files=distinct(files),
                source=listing.source(folder),
            )
        )
    return Reading(submissions, [], [file for _, file in beside])
