"""Reads the documents: their sections, tables, code, commands and links."""

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
BOTS = ROOT / "bots"
README = (ROOT / "README.md").read_text("utf-8")
CONFIGS = (ROOT / "configs" / "README.md").read_text("utf-8")
RESULTS = (ROOT / "results" / "README.md").read_text("utf-8")
REFEREE = (ROOT / "arena" / "referee" / "README.md").read_text("utf-8")
GAMES = ("zombie_dice", "ox_blocks", "zombie_run", "zombie_mania")
GUIDE_PAGES = (
    *(ROOT / "bots" / f"{page}.md" for page in ("README", "search", "testing")),
    *(ROOT / "bots" / f"{page}.md" for page in ("limits", "zombiedice")),
    *(ROOT / "arena" / "games" / game / "README.md" for game in GAMES),
)
GUIDE = "\n".join(page.read_text("utf-8") for page in GUIDE_PAGES)
"""All that students read but the page about programs, one page after the other."""
PROGRAMS = (ROOT / "bots" / "programs" / "README.md").read_text("utf-8")


def _lines(page: str) -> Iterator[tuple[str, bool]]:
    """Yield the lines, and of each whether it is a heading."""
    is_code = False
    for line in page.splitlines():
        is_code ^= line.lstrip().startswith("```")
        yield line, line.startswith("#") and not is_code


def section(page: str, heading: str) -> str:
    """Return the part of a page below a heading, up to the next one.

    What the heading says behind a colon may be left out.
    """
    found = []
    is_inside = False
    for line, is_heading in _lines(page):
        if is_heading:
            is_inside = re.sub("^#+ ", "", line).partition(": ")[0] == heading
        elif is_inside:
            found.append(f"{line}\n")
    assert found, heading
    return "".join(found)


def tables(text: str) -> list[list[list[str]]]:
    """Return the tables of a text, each as its rows without their heads."""
    found = re.findall(r"(?:^\|.*\n)+", f"{text}\n", re.MULTILINE)
    return [[row[2:-2].split(" | ") for row in x.splitlines()[2:]] for x in found]


def cells(text: str) -> list[list[str]]:
    """Return the rows of all tables in a text, without their heads."""
    return [row for table in tables(text) for row in table]


def quoted(text: str) -> list[str]:
    """Return what stands in backticks."""
    return re.findall(r"`(.*?)`", text)


def firsts(text: str) -> list[str]:
    """Return what stands in backticks in the first cells of tables."""
    return [name for row in cells(text) for name in quoted(row[0])]


def names(text: str) -> list[str]:
    """Return the same without what methods are called with."""
    return [re.sub(r"\(.*", "", name) for name in firsts(text)]


def blocks(page: str, language: str) -> list[str]:
    """Return the code blocks of a page in one language."""
    found = re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)
    return list(map(textwrap.dedent, found))


def files(page: str) -> dict[str, str]:
    """Return the code in Python by the file that the first line of each names."""
    return {x.split("\n", 1)[0].removeprefix("# "): x for x in blocks(page, "python")}


def indented(text: str) -> list[str]:
    """Return every indented line that is no code of a fenced block."""
    plain = re.sub(r"```python\n.*?```", "", text, flags=re.DOTALL)
    return [line.strip() for line in re.findall(r"^ {4,}\S.*$", plain, re.MULTILINE)]


def lost_links(path: Path) -> list[str]:
    """Return the links of a page that lead nowhere: to no file, or to no heading."""
    links = re.findall(r"\]\((?!https?:)([^)]+)\)", path.read_text("utf-8"))
    return [link for link in links if not _leads_somewhere(path, link)]


def _leads_somewhere(page: Path, link: str) -> bool:
    name, _, anchor = link.partition("#")
    target = page.parent / name if name else page
    if not target.exists():
        return False
    if not anchor:
        return True
    headings = (line for line, is_it in _lines(target.read_text("utf-8")) if is_it)
    return anchor in {
        re.sub(r"[^\w\- ]", "", heading.lstrip("# ")).lower().replace(" ", "-")
        for heading in headings
    }
