"""The instructor's page of what honest play hardly explains."""

import shlex
from collections.abc import Iterator
from pathlib import Path

from arena.errors import RecordError
from arena.reports.grading.private import FOLDER, private_folder
from arena.reports.oddities import ADVICE, oddity_lines
from arena.reports.pages.site import rendered
from arena.reports.report import Report
from arena.reports.writing import write_text
from arena.text import counted

_PAGE = "surprises.html"


def write_oddities(report: Report, results: Path) -> Iterator[str]:
    """Write the page beside the games; yield where it is.

    The pages for the class say nothing of it.  Without anything odd there is no page.

    Raises:
        RecordError: it can't be written.
    """
    page = results / FOLDER / _PAGE
    found = [*oddity_lines(report.oddities, shlex.quote(str(results)))]
    if not found:
        try:
            # Results may come from somebody else, and it lead elsewhere.
            if not page.parent.is_symlink():
                page.unlink(missing_ok=True)
        except OSError as error:
            raise RecordError(
                f"{page}: can't be removed ({error.strerror}); allow writing there, "
                "then run arena report again"
            ) from None
        return
    private_folder(results)
    text = rendered("surprises.html", league=report.league, found=found, advice=ADVICE)
    write_text(page, [text])
    yield (
        f"{counted(len(found), 'result')} that honest play hardly explains: open {page}"
    )
