"""Exports of learning platforms, imitated: who hands in what when, as each writes it.

A test says it once, as `HandIn`s, and each maker writes it in the form of its platform:
the names of files in an export, each with its contents.  `as_zip` and `as_folder` put
them on the disk, `as_files` gives them to a parser as they are.

The people are invented.  Where a form is from stands at its maker; none of the
platforms was run.
"""

import re
import unicodedata
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from arena.collect.submission import ExportFile, UnreadableError

Entries = dict[str, bytes]
"""The names of an export's files, with `/` between their parts, and the contents."""
EVENING = datetime(2026, 11, 28, 21, 14, 3)
BOT = b"from arena import Bot\n\n\nclass MyBot(Bot):\n    pass\n"


@dataclass(frozen=True)
class Student:
    """One student, with all that platforms call one by."""

    first: str
    last: str
    number: int

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"

    @property
    def username(self) -> str:
        """The first letter and the last name, in ASCII."""
        plain = _ascii(f"{self.first[0]}{self.last}").lower()
        return re.sub(r"[^a-z]", "", plain) + str(self.number)

    @property
    def email(self) -> str:
        return f"{self.username}@uni.example"

    @property
    def sid(self) -> str:
        """The number that the university has given."""
        return str(3_000_000 + self.number)

    @property
    def canvas_id(self) -> int:
        return 10_000 + self.number

    @property
    def brightspace_id(self) -> int:
        return 39_000 + self.number

    @property
    def moodle_id(self) -> int:
        """The number that an assignment gives."""
        return 70_000 + self.number


@dataclass(frozen=True)
class HandIn:
    """What one student, or a team, hands in at one time."""

    students: tuple[Student, ...]
    files: Mapping[str, bytes] = field(default_factory=lambda: {"mybot.py": BOT})
    submitted: datetime = EVENING
    is_late: bool = False
    team: str = ""
    """The name of the team, where the platform tells that and not its members."""
    text: str = ""
    """What is typed into a form of the platform."""
    link: str = ""

    @property
    def who(self) -> Student:
        return self.students[0]


_FIRST = [
    "Ana",
    "Ben",
    "Cy",
    "Jürgen",
    "Zoë",
    "Mei Lin",
    "Mary-Jo",
    "Dea d'Est",
    "Şule",
]
_LAST = [
    "Alder", "Birch", "Cedar", "Müller", "Łuczak", "van der Esche", "Elm", "Fir-Pine",
    "Gürbüz", "Hazel", "Ivy", "Juniper", "Kapok", "Larch", "Maple", "Nutmeg", "Oak",
    "Poplar", "Quince", "Rowan", "Sumac", "Teak", "Ünal",
]  # fmt: skip
ANA, BEN, CY, JUERGEN, ZOE = (
    Student(first, last, number)
    for number, (first, last) in enumerate(zip(_FIRST[:5], _LAST, strict=False), 1)
)


def a_class(size: int) -> list[Student]:
    """Return invented students, up to 207; the first five are those with names here."""
    others = [(first, last) for first in _FIRST for last in _LAST]
    own = [(one.first, one.last) for one in (ANA, BEN, CY, JUERGEN, ZOE)]
    names = [*own, *(name for name in others if name not in own)]
    assert size <= len(names)
    return [Student(*name, number) for number, name in enumerate(names[:size], 1)]


def latest(hand_ins: Iterable[HandIn]) -> list[HandIn]:
    """Return the latest hand-in of each student or team, in the order of the first."""
    found: dict[tuple[Student, ...], HandIn] = {}
    for one in sorted(hand_ins, key=lambda one: one.submitted):
        found[one.students] = one
    return list(found.values())


def canvas(hand_ins: Sequence[HandIn], *, anonymous: bool = False) -> Entries:
    """Return a zip of Canvas: the latest attempts, all files in one folder.

    As `lib/content_zipper.rb` of instructure/canvas-lms writes it (read November 2026).
    """
    entries: Entries = {}
    attachment = count(500_001)
    for one in latest(hand_ins):
        name = one.team or f"{one.who.last}, {one.who.first}"
        parts = [] if anonymous else [re.sub(r"_(\d+)_", r"\1", name).lower()]
        parts += ["LATE"] if one.is_late else []
        parts += [f"anon_x{one.who.number}Yz" if anonymous else str(one.who.canvas_id)]
        prefix = re.sub(r"[^\w]", "", "_".join(parts))
        if one.text:
            entries[f"{prefix}_text.html"] = _page(one.text)
        elif one.link:
            link = f'<a href="{one.link}">{one.link}</a>'
            entries[f"{prefix}_link.html"] = _page(link)
        else:
            for file, data in one.files.items():
                shown = re.sub(r'[\0/\\:*?"<>|]+', "_", file)
                entries[f"{prefix}_{next(attachment)}_{shown}"] = data
    return entries


def moodle(
    hand_ins: Sequence[HandIn],
    *,
    folders: bool = True,
    before_4_1: bool = False,
    participant: str = "",
) -> Entries:
    """Return a zip of Moodle: the latest attempts, in folders or in none.

    As `mod/assign/classes/downloader.php` of moodle/moodle writes it (read November
    2026), and before 4.1 its `locallib.php`: there the names of folders end with `_`.
    `participant` is its word for a student without a name, for blind marking.
    """
    entries: Entries = {}
    for one in latest(hand_ins):
        who = one.team or participant or one.who.name
        number = "" if who == "Default group" else f"_{one.who.moodle_id}"
        prefix = _clean(who.replace("_", " ") + number) + "_assignsubmission"
        if one.text:
            last = "/" if folders else "_"
            if folders and before_4_1:
                last = "_/"
            entries[f"{prefix}_onlinetext{last}onlinetext.html"] = _page(one.text)
        for file, data in one.files.items():
            if not folders:
                entries[f"{prefix}_file_{_clean(file.rpartition('/')[2])}"] = data
            else:
                entries[f"{prefix}_file{'_' * before_4_1}/{file}"] = data
    return entries


def blackboard(
    hand_ins: Sequence[HandIn],
    *,
    assignment: str = "Bot 1",
    receipts: bool = True,
    language: Sequence[str] = (
        "Name",
        "Date Submitted",
        "Original filename",
        "Filename",
    ),
) -> Entries:
    """Return a `gradebook_….zip` of Blackboard: all attempts, all files in one folder.

    As the READMEs of kwurst/bb-file-cleanup (2014) and timdrysdale/gradex-cli (2020)
    show it, the latter also the receipt.
    """
    entries: Entries = {}
    for one in hand_ins:
        when = one.submitted.strftime("%Y-%m-%d-%H-%M-%S")
        prefix = f"{assignment}_{one.who.username}_attempt_{when}"
        pairs = []
        for file, data in one.files.items():
            stored = f"{prefix}_{_ascii(file.rpartition('/')[2])}"
            stored += f"({len(entries)})" * (stored in entries)
            entries[stored] = data
            pairs.append(f"\t{language[2]}: {file}\n\t{language[3]}: {stored}\n")
        if receipts:
            text = one.text or (
                "There is no student submission text data for this assignment."
            )
            entries[f"{prefix}.txt"] = (
                f"{language[0]}: {one.who.name} ({one.who.username})\n"
                f"Assignment: {assignment}\n"
                f"{language[1]}: {one.submitted:%A, %d %B %Y %H:%M:%S} o'clock CET\n"
                "Current Grade: Needs Grading\n\n"
                f"Submission Field:\n{text}\n\n"
                "Comments:\nThere are no student comments for this assignment.\n\n"
                "Files:\n" + "\n".join(pairs)
            ).encode()
    return entries


def gradescope(
    hand_ins: Sequence[HandIn],
    *,
    rails_times: bool = False,
    without_sid: bool = False,
    top: str = "assignment_5512_export/",
) -> Entries:
    """Return an export of Gradescope: the active submissions and their metadata.

    As `packages/…/parse-metadata.test.ts` of itsgeagle/provenance (April 2026) and
    `configure_new_database.py` of donnell-f/gradescope-sleuth-2 (2025) show it.
    `rails_times` has times as Ruby's own objects.
    """
    entries: Entries = {}
    lines = ["---"]
    for number, one in enumerate(latest(hand_ins), 700_001):
        lines += [f"submission_{number}:", "  :submitters:"]
        for student in one.students:
            lines.append(f"  - :name: {student.name}")
            if not without_sid:
                lines.append(f"    :sid: '{student.sid}'")
            lines.append(f"    :email: {student.email}")
        when = one.submitted.astimezone(UTC) if one.submitted.tzinfo else one.submitted
        stamp = f"{when:%Y-%m-%d %H:%M:%S}.861687000 Z"
        if rails_times:
            lines += [
                "  :created_at: !ruby/object:ActiveSupport::TimeWithZone",
                f"    utc: &{number} {stamp}",
                "    zone: !ruby/object:ActiveSupport::TimeZone",
                "      name: Europe/Berlin",
                f"    time: *{number}",
            ]
        else:
            lines.append(f"  :created_at: {stamp}")
        lines += [
            "  :score: 2.0",
            "  :status: processed",
            "  :results:",
            "    output: |-",
            "      =====",
            "      :submitters:",
            "  :history:",
            f"  - :id: {number - 1000}",
            f"    :created_at: {when - timedelta(hours=1):%Y-%m-%d %H:%M:%S}.5 Z",
        ]
        for file, data in one.files.items():
            entries[f"{top}submission_{number}/{file}"] = data
    entries[f"{top}submission_metadata.yml"] = "\n".join(lines).encode() + b"\n"
    return entries


def brightspace(
    hand_ins: Sequence[HandIn], *, flat: bool = False, index: bool = True
) -> Entries:
    """Return a zip of Brightspace: a folder for each attempt, or all files in one.

    As OfficeCoffee/GradingFileProject (2025) and cgmb/d2lmf (2015) read it; without
    folders as a script for the D2L of a university does (its pattern has `- ` before
    the date).
    """
    entries: Entries = {"index.html": b"<html></html>"} if index else {}
    for one in hand_ins:
        when = f"{one.submitted:%b} {one.submitted.day}, {one.submitted.year}"
        hour = one.submitted.hour % 12 or 12
        half = "AM" if one.submitted.hour < 12 else "PM"
        when += f" {hour}{one.submitted.minute:02} {half}"
        ids = f"{one.who.brightspace_id}-640693"
        for file, data in one.files.items():
            if flat:
                entries[f"{ids} - {one.who.name}- {when} - {file}"] = data
            else:
                entries[f"{ids} - {one.who.name} - {when}/{file}"] = data
    return entries


def sakai(
    hand_ins: Sequence[HandIn],
    *,
    assignment: str = "Bot 1",
    attachments: str = "Submission attachment(s)",
    feedback: str = "",
    folders: bool = True,
    anonymous: bool = False,
) -> Entries:
    """Return a zip of Sakai: the latest attempts, in folders or in none.

    As `AssignmentServiceImpl.java` of sakaiproject/sakai writes it (read
    November 2026).  `attachments` and `feedback` are its words for two folders in
    the folder of each.
    """
    entries: Entries = {
        f"{assignment}/grades.csv": b'"Bot 1","SCORE_GRADE_TYPE"\n\n"Display ID","ID"\n'
    }
    for number, one in enumerate(latest(hand_ins), 4001):
        who = "; ".join(f"{x.last}, {x.first}({x.username})" for x in one.students)
        who = f"a{number}f0 Anonymous" if anonymous else _ascii(who)
        top = f"{assignment}/{who}" + ("/" if folders else "_")
        if folders:
            entries[f"{top}timestamp.txt"] = f"{one.submitted.isoformat()}Z".encode()
            entries[f"{top}comments.txt"] = b""
        if one.text:
            text = f"{top}{who}" if folders else top
            entries[f"{text}_submissionText.html"] = _page(one.text)
        for file, data in one.files.items():
            entries[f"{top}{attachments}{'/' if folders else '_'}{file}"] = data
        if feedback:
            entries[f"{top}{feedback}/marks.txt"] = b"Well done"
    return entries


def clones(
    hand_ins: Sequence[HandIn], *, slug: str = "bot-1", top: str = "", git: bool = True
) -> Entries:
    """Return a folder of clones: `bot-1-aalder1/mybot.py`, and so on.

    As `gh classroom clone student-repos` of github/gh-classroom makes it (2023), below
    the folder `bot-1-submissions`; without `slug` each folder has the name of a user.
    """
    entries: Entries = {}
    for one in latest(hand_ins):
        user = re.sub(r"\W", "-", one.team).lower() or one.who.username
        folder = f"{top}{slug}-{user}/" if slug else f"{top}{user}/"
        if git:
            entries[f"{folder}.git/HEAD"] = b"ref: refs/heads/main\n"
            entries[f"{folder}.git/config"] = b"[core]\n"
        for file, data in one.files.items():
            entries[folder + file] = data
    return entries


def classroom_50(hand_ins: Sequence[HandIn], *, slug: str = "ai-bot-1") -> Entries:
    """Return a folder of clones with the scores of all.

    As `gh teacher download` of foundation50/classroom50 makes it (`download.go`, 2026).
    """
    top = f"{slug}_submissions_2026_11_29_T_09_00_00/"
    entries = clones(hand_ins, slug=slug, top=top)
    rows = [
        "username,first_name,last_name,email,section,score,max_score,datetime,"
        "submission_tag,submitted_by,review_url,late,override"
    ]
    for one in latest(hand_ins):
        who = one.who
        entries[f"{top}{slug}-{who.username}/result.json"] = b"{}"
        rows.append(
            f"{who.username},{who.first},{who.last},{who.email},,1,1,"
            f"{one.submitted.isoformat()}Z,submit/1,{who.username},,"
            f"{str(one.is_late).lower()},"
        )
    entries[f"{top}scores.csv"] = "\n".join(rows).encode()
    return entries


def litter(top: str = "") -> Entries:
    """Return what macOS and Windows add to a zip that is made anew there."""
    return {
        f"{top}.DS_Store": b"\0",
        f"__MACOSX/{top}._.DS_Store": b"\0",
        f"{top}desktop.ini": b"",
    }


def as_zip(path: Path, entries: Mapping[str, bytes]) -> Path:
    """Write an export as a zip, and return where."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in entries.items():
            file.writestr(zipfile.ZipInfo(name, (2026, 11, 29, 9, 0, 0)), data)
    return path


def as_folder(path: Path, entries: Mapping[str, bytes]) -> Path:
    """Write an export as a folder, and return where."""
    path.mkdir(parents=True, exist_ok=True)
    for name, data in entries.items():
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return path


def as_files(entries: Mapping[str, bytes]) -> list[ExportFile]:
    """Return an export as parsers get it."""
    return [
        ExportFile(unicodedata.normalize("NFC", name), _Reader(data))
        for name, data in entries.items()
    ]


@dataclass(frozen=True)
class _Reader:
    data: bytes

    def __call__(self, most: int) -> bytes:
        if len(self.data) > most:
            raise UnreadableError("is too long")
        return self.data


def _ascii(text: str) -> str:
    """Return a text without what is not ASCII; letters lose their marks."""
    plain = unicodedata.normalize("NFD", text)
    return plain.encode("ascii", "ignore").decode()


def _clean(name: str) -> str:
    return re.sub(r'[\0-\x1f"*/:<>?\\|]', "", name)


def _page(text: str) -> bytes:
    return f"<html><body><p>{text}</p></body></html>".encode()
