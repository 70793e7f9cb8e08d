"""Exports that are of no platform for sure, or that attack who reads them."""

import re
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from click.testing import CliRunner
from exports import (
    ANA,
    BEN,
    CY,
    HandIn,
    a_class,
    as_files,
    as_folder,
    as_zip,
    blackboard,
    brightspace,
    canvas,
    gradescope,
    litter,
    moodle,
)

from arena.cli.collect import command
from arena.collect.export_files import open_export
from arena.collect.platforms import PLATFORMS, understand
from arena.collect.platforms.pattern import read_pattern
from arena.collect.submission import Export, ExportFile, UnreadableError
from arena.errors import ConfigError


def understood(
    names: Sequence[str], pattern: str = "", name: str = "submissions"
) -> Export:
    files = as_files({name: name.encode() for name in names})
    export = understand(name, files, read_pattern(pattern) if pattern else None)
    found = [file.name for one in export.submissions for _, file in one.files]
    assert sorted([*found, *(name for name, _ in export.left)]) == sorted(names)
    return export


def people(export: Export) -> dict[str, list[str]]:
    return {
        one.people[0].ids[0]: [path for path, _ in one.files]
        for one in export.submissions
    }


class TestNobodyUnderstands:
    @pytest.mark.parametrize(
        ("names", "example"),
        [
            (
                ["ana.py", "ben.py"],
                "reads ana.py as the file ana.py of the student ana",
            ),
            (["ana.zip"], "reads ana.zip as the file ana.zip of the student ana"),
            (
                ["ana_mybot.py", "ben_bot_1.py"],
                "reads ana_mybot.py as the file mybot.py of the student ana",
            ),
            (
                ["mybot/bot.py", "mybot/src/x.py"],
                "reads mybot/bot.py as the file bot.py of the student mybot",
            ),
        ],
    )
    def test_the_sentence_has_a_pattern_that_works(
        self, names: list[str], example: str
    ) -> None:
        names = [*names, *("README.md", "src/x.py") * ("/" in names[0])]
        with pytest.raises(ConfigError) as error:
            understood(names)
        text = str(error.value)
        assert text.startswith("submissions: expected an export of Gradescope, Canvas")
        assert names[0] in text
        if "/" not in names[0]:
            assert example in text
        pattern = re.search(r"--pattern '(.*?)'", text)
        assert pattern is not None
        assert understood(names, pattern[1]).submissions

    def test_many_names_are_cut_and_printable(self) -> None:
        names = [f"\u202e{n}{'x' * 200}.py" for n in range(50)]
        with pytest.raises(ConfigError) as error:
            understood(names)
        text = str(error.value)
        assert text.isprintable()
        assert "(50 in all)" in text
        assert len(text) < 1200

    @pytest.mark.parametrize("names", [[], [".DS_Store", "__MACOSX/._x"]])
    def test_no_files(self, names: list[str]) -> None:
        with pytest.raises(ConfigError, match=r"^submissions: holds no files"):
            understood(names)

    @pytest.mark.parametrize(
        "names",
        [
            ["src/bot.py", "tests/test_bot.py"],
            ["bot.py", "helpers/__init__.py"],
            ["mybot/__init__.py", "mybot/brain.py"],
            ["ana/project/bot.py"],
        ],
    )
    def test_what_may_be_one_bot_is_nobodys(self, names: list[str]) -> None:
        with pytest.raises(ConfigError, match="expected an export of"):
            understood(names)


class TestSeveralExportsInAFolder:
    def exports(self) -> list[str]:
        hand_ins = [HandIn((ANA,)), HandIn((BEN,))]
        return [
            f"{section}/{name}"
            for section in ("Monday", "Tuesday", "Sunday")
            for name in moodle(hand_ins)
        ]

    def test_are_no_students(self) -> None:
        with pytest.raises(ConfigError) as error:
            understood(self.exports(), name="SS26")
        assert str(error.value) == (
            "SS26: holds several exports, each in a folder of its own: Monday, Tuesday"
            ", Sunday; name each of these folders instead"
        )

    def test_one_student_can_not_make_it_look_so(self) -> None:
        """Nor can students whose folders have a clone in them."""
        names = [name for name in self.exports() if name.startswith("Monday")]
        names += ["ana/project/.git/HEAD", "ana/project/bot.py", "ben/bot.py"]
        names += ["cy/repo/.git/HEAD", "cy/repo/bot.py"]
        assert len(people(understood(names))) == 4

    def test_archives_may_be_exports(self) -> None:
        with pytest.raises(ConfigError, match="if each of these is an export itself"):
            understood(["Monday.zip", "Tuesday.zip"])


class TestFoldersOfStudents:
    def test_each_folder_is_a_student(self) -> None:
        names = ["Ana Alder/bot.py", "ben/bot/__init__.py", "marks.csv"]
        for top in ("", "hand_ins/"):
            export = understood([top + name for name in names])
            assert export.platform == "folders of students"
            assert people(export) == {
                "Ana Alder": ["bot.py"],
                "ben": ["bot/__init__.py"],
            }
            assert [x.people[0].name for x in export.submissions] == ["Ana Alder", ""]
            assert export.left == ((f"{top}marks.csv", "of no student"),)

    def test_one_student(self) -> None:
        assert people(understood(["ana/bot.py"])) == {"ana": ["bot.py"]}
        assert people(understood(["ana/bot/__init__.py", "ana/x.py"])) == {
            "ana": ["bot/__init__.py", "x.py"]
        }

    def test_a_student_in_a_folder_is_no_platform(self) -> None:
        """All of his names are of another platform, but those of others are not."""
        hand_ins = [HandIn((x,)) for x in a_class(30)]
        for write in (canvas, moodle, blackboard, brightspace):
            names = [f"eve/{name}" for name in write(hand_ins)]
            export = understood([*names, "ana/bot.py"])
            assert set(people(export)) == {"eve", "ana"}


class TestOfSeveralPlatforms:
    def test_the_one_that_understands_more_is_right(self) -> None:
        """Not the first, and though one student sends more files than all others."""
        many = {f"birchben_10002_{n}_x.py": b"" for n in range(50)}
        hand_ins = [HandIn((ANA,), many), HandIn((BEN,)), HandIn((CY,))]
        for write, platform in (
            (moodle, "Moodle"),
            (blackboard, "Blackboard"),
            (brightspace, "Brightspace"),
        ):
            names = [*(write(hand_ins))]
            export = understand("x", as_files(dict.fromkeys(names, b"")))
            assert export.platform == platform
            assert len(export.submissions) == 3
        many = {f"Ben Birch_70002_assignsubmission_file_{n}.py": b"" for n in range(50)}
        hand_ins[0] = HandIn((ANA,), many)
        for flat in (True, False):
            export = understand("x", as_files(brightspace(hand_ins, flat=flat)))
            assert export.platform == "Brightspace"

    def test_half_of_the_files_is_too_little(self) -> None:
        own = list(canvas([HandIn((ANA,))]))
        with pytest.raises(ConfigError):
            understood([*own, "notes.py"])
        assert understood([*own, *canvas([HandIn((BEN,))]), "notes.py"])

    def test_two_exports_in_one_folder_are_one_of_each(self) -> None:
        """What the larger one does not know is left, and said."""
        both = {**canvas([HandIn((ANA,))]), **moodle([HandIn((x,)) for x in (BEN, CY)])}
        for names in (list(both), list(both)[::-1]):
            export = understood(names)
            assert export.platform == "Moodle"
            assert len(export.left) == 1

    def test_the_order_of_files_does_not_matter(self) -> None:
        for write in (canvas, moodle, blackboard, gradescope, brightspace):
            entries = write([HandIn((x,)) for x in a_class(7)])
            files = as_files(entries)
            one, other = understand("x", files), understand("x", files[::-1])
            assert one.platform == other.platform
            assert {x.people: x.submitted for x in one.submissions} == {
                x.people: x.submitted for x in other.submissions
            }

    def test_names_are_those_that_results_are_kept_under(self) -> None:
        """An attempt of a run before is known by the name of its platform."""
        assert list(PLATFORMS) == [
            "Gradescope",
            "Canvas",
            "Moodle",
            "Blackboard",
            "Brightspace",
            "Sakai",
            "clones of repositories",
        ]


class TestGradescope:
    def metadata(self, text: str, *folders: str) -> Export:
        entries = {"submission_metadata.yml": text.encode()}
        entries |= {f"{folder}/bot.py": b"" for folder in folders}
        return understand("x", as_files(entries))

    def test_a_team_is_all_its_members(self) -> None:
        [one] = understand("x", as_files(gradescope([HandIn((ANA, BEN))]))).submissions
        assert [(x.ids, x.name) for x in one.people] == [
            (("aalder1@uni.example", "3000001"), "Ana Alder"),
            (("bbirch2@uni.example", "3000002"), "Ben Birch"),
        ]

    def test_a_number_may_be_missing(self) -> None:
        entries = gradescope([HandIn((ANA,))], without_sid=True)
        [one] = understand("x", as_files(entries)).submissions
        assert one.people[0].ids == ("aalder1@uni.example",)

    @pytest.mark.parametrize(
        ("written", "expected"),
        [
            ("2026-11-28 21:14:03.861687000 Z", (21, 861687, 0)),
            ("2026-11-28 21:14:03 -08:00", (21, 0, -8)),
            ("2026-11-28 21:14:03.5 +01:00", (21, 500000, 1)),
            ("'2026-11-28T21:14:03+05:30'", (21, 0, 5.5)),
            ("2026-11-28 21:14:03", (21, 0, 0)),
            ("soon", None),
            ("[1]", None),
            ("{utc: [1]}", None),
            ("", None),
        ],
    )
    def test_times_have_zones(
        self, written: str, expected: tuple[int, int, float] | None
    ) -> None:
        text = f"submission_1:\n  :created_at: {written}\n"
        [one] = self.metadata(text, "submission_1").submissions
        time = None
        if expected is not None:
            hour, micro, zone = expected
            offset = timezone(timedelta(hours=zone))
            time = datetime(2026, 11, 28, hour, 14, 3, micro, offset)
        assert one.submitted == time
        assert one.submitted is None or one.submitted.tzinfo is not None

    def test_times_of_rails_are_in_their_zone(self) -> None:
        entries = gradescope([HandIn((ANA,))], rails_times=True)
        [one] = understand("x", as_files(entries)).submissions
        assert one.submitted == datetime(2026, 11, 28, 21, 14, 3, 861687, UTC)
        assert one.submitted.hour == 22
        for zone in ("Pacific Time (US & Canada)", "../../etc/passwd", "/etc", "x\\0y"):
            other = {
                name: data.replace(b"Europe/Berlin", zone.encode())
                for name, data in entries.items()
            }
            [one] = understand("x", as_files(other)).submissions
            assert one.submitted == datetime(2026, 11, 28, 21, 14, 3, 861687, UTC)

    def test_folders_without_metadata_are_people(self) -> None:
        export = understood(["submission_7/bot.py", "submission_8/bot.py"])
        assert export.platform == "Gradescope"
        assert set(people(export)) == {"7", "8"}
        text = "submission_7:\n  :submitters:\n  - :name: Ana Alder\n"
        one, other = self.metadata(text, "submission_7", "submission_8").submissions
        assert one.people[0].name == "Ana Alder"
        assert other.people[0].ids == ("8",)

    def test_who_has_no_files_is_told(self) -> None:
        text = "submission_7:\n  :submitters:\n  - :name: Ana Alder\n"
        one, _ = self.metadata(text, "submission_8").submissions
        assert one.people[0].name == "Ana Alder"
        assert one.files == ()

    @pytest.mark.parametrize(
        "submitters",
        ["", "[]", "3", "{}", "[1, [], {}]", "\n  - :name: ~\n", "*a"],
    )
    def test_submitters_that_are_none(self, submitters: str) -> None:
        text = f"submission_7:\n  :x: &a 1\n  :submitters: {submitters}\n"
        [one] = self.metadata(text, "submission_7").submissions
        assert one.people[0].ids == ("7",)

    def test_one_person_of_two_submissions_may_be_an_alias(self) -> None:
        text = (
            "submission_7:\n  :submitters:\n  - &1\n    :name: Ana Alder\n"
            "    :email: &2 ana@uni.example\n"
            "submission_8:\n  :submitters:\n  - *1\n  - :email: *2\n"
        )
        one, other = self.metadata(text, "submission_7", "submission_8").submissions
        assert one.people[0] == other.people[0]
        assert other.people[1].ids == ("ana@uni.example",)

    def test_what_the_autograder_has_printed_tells_nothing(self) -> None:
        """Students may nest it as they like, and put in what looks like metadata."""
        bomb = "a: &a [x]\n" + "".join(
            f"    a{n}: &a{n} [{', '.join(['*a' + str(n - 1) * (n > 1)] * 9)}]\n"
            for n in range(1, 30)
        )
        nested = "[" * 900 + "]" * 900
        text = (
            "submission_7:\n"
            f"  :results:\n    {bomb}"
            f"  :deep: {nested}\n"
            '  :tagged: !ruby/object:Foo\n    :submitters: [{":name": Eve}]\n'
            "  :output: |-\n    submission_8:\n      :submitters: []\n"
            "  ? [1, 2]\n  : 3\n"
            "  :submitters:\n  - :name: Ana Alder\n"
            "- 1\n"
        ).replace("- 1\n", "")
        [one] = self.metadata(text, "submission_7").submissions
        assert [person.name for person in one.people] == ["Ana Alder"]

    @pytest.mark.parametrize(
        "data",
        [
            b"submission_7: [",
            b"a: b: c",
            b"\xff\xfe\x00",
            b"\0",
            b"submission_7:\n  :submitters: " + b"[" * 15 + b"]" * 15,
            b"submission_7:\n  :x: " + b"[" * 100_000,
        ],
    )
    def test_metadata_that_are_none_are_one_sentence(self, data: bytes) -> None:
        entries = {"e/submission_metadata.yml": data, "e/submission_7/bot.py": b""}
        with pytest.raises(ConfigError, match=r"x: e/submission_metadata\.yml.*again"):
            understand("x", as_files(entries))

    @pytest.mark.parametrize("data", [b"", b"- 1\n", b"3", b"{}", b"submission_7: 1"])
    def test_metadata_that_say_nothing(self, data: bytes) -> None:
        entries = {"e/submission_metadata.yml": data, "e/submission_7/bot.py": b""}
        [one] = understand("x", as_files(entries)).submissions
        assert one.people[0].ids == ("7",)

    def test_metadata_that_can_not_be_read(self) -> None:
        def read(most: int) -> bytes:
            raise UnreadableError("is encrypted; unpack it")

        files = [
            ExportFile("submission_metadata.yml", read),
            *as_files({"submission_7/bot.py": b""}),
        ]
        with pytest.raises(ConfigError, match="is encrypted; unpack it"):
            understand("x", files)


class TestPattern:
    def test_groups(self) -> None:
        pattern = (
            r"(?P<id>\d+)-(?P<student>\w+)-(?P<name>[^/]*)/"
            r"(?P<timestamp>[^/]*)(?P<late>-LATE)?/(?P<file>.+)"
        )
        names = [
            "12-ana-Ana Alder/2026-11-28 21:14/bot/x.py",
            "12-ana-Ana Alder/2026-11-28 21:14/bot/y.py",
            "12-ana-Ana Alder/2026-11-29 21:14/bot.py",
            "13-ben-/2026-11-28 21:14/bot.py",
            "14-cy-Cy/x",
        ]
        export = understood(names, pattern)
        ana, later, ben = export.submissions
        assert ana.people == later.people
        assert ana.people[0].ids == ("12", "ana")
        assert ana.people[0].name == "Ana Alder"
        assert [path for path, _ in ana.files] == ["bot/x.py", "bot/y.py"]
        assert ana.submitted == datetime(2026, 11, 28, 21, 14)
        assert ana.is_late is False
        assert ben.people[0].ids == ("13", "ben")
        assert export.left == (("14-cy-Cy/x", "of no student"),)

    def test_late_is_what_matches(self) -> None:
        pattern = r"(?P<student>\w+?)(?P<late>_LATE)?/(?P<file>.+)"
        export = understood(["ana_LATE/x.py", "ben/x.py"], pattern)
        assert [one.is_late for one in export.submissions] == [True, False]
        assert set(people(export)) == {"ana", "ben"}

    @pytest.mark.parametrize(
        ("written", "expected"),
        [
            ("28.11.2026", None),
            ("2026-11-28T21-14-03", datetime(2026, 11, 28, 21, 14, 3)),
            ("2026-11-28 21-14-03", datetime(2026, 11, 28, 21, 14, 3)),
            ("2026-11-28_21-14", datetime(2026, 11, 28, 21, 14)),
            ("2026-11-28-21-14", datetime(2026, 11, 28, 21, 14)),
            ("2026-11-28-21-14-03", datetime(2026, 11, 28, 21, 14, 3)),
            ("20261128211403", datetime(2026, 11, 28, 21, 14, 3)),
            ("2026-11-28T21:14:03Z", datetime(2026, 11, 28, 21, 14, 3, tzinfo=UTC)),
            ("1795986843", datetime(2026, 11, 29, 21, 14, 3, tzinfo=UTC)),
            ("2026-11-28", datetime(2026, 11, 28)),
        ],
    )
    def test_times(self, written: str, expected: datetime | None) -> None:
        pattern = r"(?P<student>\w+)@(?P<timestamp>[^@]+)@(?P<file>.+)"
        names = [f"ana@{written}@x.py"]
        if expected is None:
            with pytest.raises(
                ConfigError, match=r"--pattern: takes .* expected a time"
            ):
                understood(names, pattern)
        else:
            [one] = understood(names, pattern).submissions
            assert one.submitted == expected

    def test_attempts_are_numbered(self) -> None:
        """As A+ of Aalto University does it: apluslms/a-plus, 2024."""
        pattern = r"(?P<student>[\d+]+)_file\d+_submission(?P<attempt>\d+)_(?P<file>.+)"
        names = [f"11+12_file1_submission{n}_x.py" for n in (9, 10)]
        export = understood(names, pattern)
        assert [one.order for one in export.submissions] == [9, 10]
        with pytest.raises(ConfigError, match="for the attempt; expected a number"):
            understood(["a-b-x"], r"(?P<student>\w)-(?P<attempt>\w)-(?P<file>\w)")

    def test_it_is_asked_in_the_place_of_all_platforms(self) -> None:
        names = list(canvas([HandIn((ANA,)), HandIn((BEN,))]))
        export = understood(names, r"(?P<student>[^_]+)_(?P<file>.+)")
        assert set(people(export)) == {"alderana", "birchben"}

    def test_it_has_to_match_the_whole_path(self) -> None:
        """Or a student could put another one into the middle of his own name."""
        names = ["eve_ben_x.py/y", "ben_x.py"]
        export = understood(names, r"(?P<student>[a-z]+)_(?P<file>[a-z]\.py)")
        assert people(export) == {"ben": ["x.py"]}
        assert export.left == (("eve_ben_x.py/y", "of no student"),)

    def test_below_the_folder_that_holds_all(self) -> None:
        names = ["all/ana/1.py", "all/ben/x/2.py", "all/index.html"]
        pattern = r"(?P<student>[^/]+)/(?P<file>.+)"
        assert people(understood(names, pattern)) == {
            "all": ["ana/1.py", "ben/x/2.py", "index.html"]
        }
        pattern = r"(?P<student>ana|ben)/(?P<file>.+)"
        assert people(understood(names, pattern)) == {
            "ana": ["1.py"],
            "ben": ["x/2.py"],
        }

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("(", r"'\(' is no regular expression: missing \)"),
            ("x", r"add \(\?P<student>\.\.\.\) and \(\?P<file>\.\.\.\)"),
            ("(?P<student>x)", r"add \(\?P<file>\.\.\.\)$"),
            (
                "(?P<student>x)(?P<file>y)(?P<timestmp>z)",
                "knows no group timestmp; did you mean 'timestamp'?",
            ),
            ("(?P<student>x)(?P<file>y)(?P<student>x)", "is no regular expression"),
            ("(" * 2000 + ")" * 2000, "is no regular expression|expected the groups"),
        ],
    )
    def test_a_mistake_is_one_sentence(self, text: str, said: str) -> None:
        with pytest.raises(ConfigError, match=f"^--pattern: .*{said}"):
            read_pattern(text)

    def test_the_command_says_it_before_anything_is_written(
        self, tmp_path: Path
    ) -> None:
        as_folder(tmp_path / "export", {"ana_bot.py": b""})
        options = ["--into", str(tmp_path / "hand_ins"), "--pattern", "(?P<file>.*)"]
        result = CliRunner().invoke(command, [str(tmp_path / "export"), *options])
        assert isinstance(result.exception, ConfigError)
        assert "add (?P<student>...)" in str(result.exception)
        assert not (tmp_path / "hand_ins").exists()

    def test_what_fits_nothing_is_said(self) -> None:
        with pytest.raises(
            ConfigError, match="fits the whole name of no file; found a"
        ):
            understood(["a.py", "b.py"], r"(?P<student>\d)(?P<file>\d)")

    @pytest.mark.parametrize("name", ["a/../b.py", "a/./b.py", "a//b.py", "a/b/", "/a"])
    def test_a_group_is_no_way_out(self, name: str) -> None:
        """The pattern may cut a path where the name alone is harmless."""
        pattern = r"(?P<student>x)-(?P<file>.*)"
        files = [ExportFile(f"x-{name}", lambda most: b"")]
        try:
            export = understand("x", files, read_pattern(pattern))
        except ConfigError:
            return
        for one in export.submissions:
            for path, _ in one.files:
                assert not {"", ".", ".."} & set(path.split("/"))


def test_one_who_is_called_like_a_folder_of_a_program_stops_no_others() -> None:
    names = [*(f"s{i}/bot.py" for i in range(9)), "data/bot.py"]
    assert len(understood(names).submissions) == 10
    with pytest.raises(ConfigError, match="expected an export of"):
        understood(names[1:])


def test_no_receipt_keeps_it_busy() -> None:
    # Where it is read again for each file, this takes minutes.
    start = "Bot_eve_attempt_2026-11-28-21-14-03"
    for typed in ("Name: " + " " * 2**19, "Name: Eve (eve)\n" + "a: b\n" * 100_000):
        entries = {f"{start}_{i}.py": b"" for i in range(300)}
        export = understand("x", as_files({f"{start}.txt": typed.encode(), **entries}))
        assert len(export.submissions[0].files) == 300


@pytest.mark.parametrize("text", [",(", ",", " - "])
def test_no_names_keep_it_busy(text: str) -> None:
    # Where time grows with the cube, this takes long.
    names = [text * (900 // len(text)) + str(i) for i in range(500)]
    assert understood([*(f"eve/{name}" for name in names), "ana/bot.py"]).submissions


@pytest.mark.parametrize("mark", ["timestamp.txt", ".git/HEAD"])
def test_one_with_many_files_does_not_say_what_an_export_is(mark: str) -> None:
    many = [f"eve/{i}.csv" for i in range(50)]
    own = ["ana/mybot.py", "ben/mybot.py", "cy/mybot.py", f"eve/{mark}"]
    export = understood([*own, *many])
    assert export.platform == "folders of students"
    assert [*people(export)] == ["ana", "ben", "cy", "eve"]


def test_exports_on_a_disk_are_as_those_in_the_memory(tmp_path: Path) -> None:
    entries = {**canvas([HandIn((x,)) for x in a_class(20)]), **litter()}
    expected = understand("x", as_files(entries))
    as_zip(tmp_path / "export.zip", entries)
    as_folder(tmp_path / "export", entries)
    with zipfile.ZipFile(tmp_path / "again.zip", "w") as file:
        file.write(tmp_path / "export.zip", "export.zip")
    for name in ("export.zip", "export", "again.zip"):
        with open_export(tmp_path / name) as files:
            export = understand("x", files)
            assert export.platform == "Canvas"
            assert {
                one.people: [(path, file.read(999)) for path, file in one.files]
                for one in export.submissions
            } == {
                one.people: [(path, file.read(999)) for path, file in one.files]
                for one in expected.submissions
            }
