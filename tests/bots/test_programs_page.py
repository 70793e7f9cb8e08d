"""The page for authors of programs tells the protocol as it is; its examples play."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from arena.games import Observation, game_class
from arena.league.config import load_config
from arena.referee.json_lines import JsonLines
from arena.referee.misconduct import MAX_PRINTED, death_of_program, late_program
from arena.referee.record import EntrySpec, Limits, Termination
from arena.referee.requests import Asked, Pending, ReplyError
from arena.worker.protocol import MAX_ACTION, MAX_REPLY, Failed

FOLDER = Path(__file__).parents[2] / "bots" / "programs"
PAGE = (FOLDER / "README.md").read_text()
LINES = (FOLDER / "transcript.txt").read_text().splitlines()
REQUESTS = [json.loads(line[3:]) for line in LINES if line.startswith("-> ")]
REPLIES = [json.loads(line[3:]) for line in LINES if line.startswith("<- ")]


def section(heading: str) -> str:
    """Return the part of the page below a heading, up to the next one."""
    found = re.search(
        rf"^#+ {re.escape(heading)}$(.*?)(?=^#+ |\Z)", PAGE, re.MULTILINE | re.DOTALL
    )
    assert found, heading
    return found[1]


def tables(text: str) -> Iterator[list[str]]:
    """Yield what stands in backticks in the first cells of each table."""
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        rows = re.findall(r"^\| (.*?) \|", table, re.MULTILINE)[2:]
        yield [name for row in rows for name in re.findall(r"`(.*?)`", row)]


def play(*command: str, folder: Path = FOLDER) -> list[dict[str, Any]]:
    """Return what a program replies to the requests of the transcript."""
    text = "".join(json.dumps(request) + "\n" for request in REQUESTS)
    ran = subprocess.run(
        command, input=text, capture_output=True, text=True, cwd=folder, check=True
    )
    assert ran.stderr == ""
    return [json.loads(line) for line in ran.stdout.splitlines()]


def unnamed(replies: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return replies without the names that programs give themselves."""
    return [{k: v for k, v in reply.items() if k != "name"} for reply in replies]


def test_the_example_in_javascript_replies_as_shown() -> None:
    if shutil.which("node") is None:
        pytest.skip("this machine has no node")
    assert play("node", "stop_at_two.js") == REPLIES


def test_the_example_in_c_is_built_as_told_and_replies_as_shown(tmp_path: Path) -> None:
    if shutil.which("cc") is None:
        pytest.skip("this machine has no C compiler")
    (command,) = re.findall(r"^ {4}(cc .*)$", PAGE, re.MULTILINE)
    shutil.copy(FOLDER / "stop_at_two.c", tmp_path)
    assert command in (FOLDER / "stop_at_two.c").read_text()
    ran = subprocess.run(
        [*command.split(), "-Werror"], cwd=tmp_path, capture_output=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    found = play("./stop_at_two", folder=tmp_path)
    assert unnamed(found) == unnamed(REPLIES)


SPOILT = [
    "braaains",
    "",
    "[]",
    '{"type":"act"}',
    '{"id":1}',
    '{"type":"act","id":1',
    '{"type":"act","id":1}{}',
    '{"type":"act","id":-1}',
    '{"type":"act","id":1,"x":' + "[" * 100 + "]" * 100 + "}",
    '{"type":"act","id":1,"x":"\\"}',
]
"""Lines that are no requests."""


def test_the_example_in_c_believes_nothing(tmp_path: Path) -> None:
    if shutil.which("cc") is None:
        pytest.skip("this machine has no C compiler")
    program = str(tmp_path / "program")
    source = str(FOLDER / "stop_at_two.c")
    subprocess.run(["cc", "-o", program, source], check=True)
    for line in SPOILT:
        ran = subprocess.run(
            [program], input=f"{line}\n".encode(), capture_output=True, check=False
        )
        assert (ran.returncode, ran.stdout, ran.stderr) == (
            1,
            b"",
            b"this is no request\n",
        )
    odd = b'{ "id" : 7 , "type" :"act","legal_actions": [ "lose red" , "roll"],"\\"":1,'
    odd += b'"observation":{"cup":{"brains":9},"shotguns":2,"brains": 0}}\n'
    lost = b'{"type":"act","id":8,"observation":{},"legal_actions":[]}\n'
    ran = subprocess.run([program], input=odd + lost, capture_output=True, check=False)
    assert list(map(json.loads, ran.stdout.splitlines())) == [
        {"id": 7, "action": "roll"},
        {"id": 8, "error": "shotguns or brains are missing"},
    ]


def test_the_story_on_the_page_is_that_of_the_transcript() -> None:
    story = re.sub(r"\s+", "", section("A first game"))
    for line in (line for line in LINES if "…" not in line and line[:2] == "<-"):
        assert line.replace(" ", "", 1) in story.replace(
            "stop_at_twoinJavaScript", "stop_at_two in JavaScript"
        )
    for request in REQUESTS:
        assert f'"type":"{request["type"]}","id":{request["id"]},' in story
        for event in request.get("observation", {}).get("events", []):
            assert re.sub(r"\s+", "", json.dumps(event)) in story


@pytest.mark.parametrize("word", ["load", "begin", "act", "end"])
def test_every_key_of_a_message_is_told(word: str) -> None:
    keys, *others = tables(section(f"`{word}`"))
    requests = [request for request in REQUESTS if request["type"] == word]
    replies = [
        reply
        for request, reply in zip(REQUESTS, REPLIES, strict=True)
        if request["type"] == word
    ]
    assert requests
    for request, reply in zip(requests, replies, strict=True):
        assert list(request) == keys
        told = others[0] if word in ("load", "act") else ["id"]
        assert set(reply) <= set(told)
    if word == "load":
        assert others == [["id", "games", "name", "version"]]
        assert requests[0]["protocol"] == 1
    if word == "end":
        told = re.findall(r"`(\w+)`", section("`end`").split("| `result` |")[1])
        assert [key for key in told if key in requests[0]["result"]] == list(
            requests[0]["result"]
        )


def test_observations_have_the_fields_of_the_guide() -> None:
    """`test_guide.py` proves which these are."""
    names = set(game_class("zombie_dice").observation_type.__struct_fields__)
    for request in REQUESTS:
        if "observation" in request:
            assert set(request["observation"]) == names - {"game"}
    common = list(tables(section("`act`")))[2]
    assert set(common) == set(Observation.__struct_fields__) - {"game"}


def test_the_limits_are_those_in_force() -> None:
    text = section("Limits")
    told = re.findall(r"^\| `(\w+)` \| ([\d.]+)", text, re.MULTILINE)
    assert told
    for name, value in told:
        assert float(value) == getattr(Limits(), name)
    for figure in (
        f"{MAX_PRINTED // 2**20} MiB between the begin of one game",
        f"at most {MAX_REPLY // 1024} KiB",
        f"{MAX_ACTION} characters",
    ):
        assert figure in " ".join(text.split())


def test_every_reason_of_a_forfeit_is_in_the_table() -> None:
    (told,) = tables(section("When it forfeits"))
    reasons = set(Termination) - {Termination.NATURAL, Termination.ADJUDICATED}
    assert set(told) == reasons


def said(asked: Asked, line: bytes | None) -> str:
    """Return the sentence about a line that a program sends when it is asked."""
    pending = Pending(asked, 7, b"", 1.0)
    wire = JsonLines(EntrySpec("a", "/a", "program"), ("zombie_dice",))
    try:
        reply = wire.parse(line or b"{}", pending if line is not None else None)
    except ReplyError as error:
        return str(error)
    assert isinstance(reply, Failed)
    return reply.message


def sentences() -> Iterator[str]:
    """Yield what a program's author reads, of each kind."""
    act, load = Pending(Asked.ACT, 7, b"", 2.55), Pending(Asked.LOAD, 7, b"", 2.55)
    yield death_of_program(load, 127, "x can't be started: y", is_flood=False).message
    yield said(Asked.LOAD, b'{"id":7,"games":["chess"]}')
    yield late_program(act, 2.55, 2.6, has_partial=False).message
    for has_partial in (False, True):
        yield late_program(act, 0.0, 7.1, has_partial=has_partial).message
    yield death_of_program(act, -11, "", is_flood=False).message
    yield death_of_program(act, 1, "", is_flood=False).message
    yield death_of_program(act, -9, "", is_flood=False).message
    yield death_of_program(act, -25, "", is_flood=True).message
    yield said(Asked.ACT, b"hello")
    yield said(Asked.ACT, b'{"id":7}')
    yield said(Asked.ACT, b'{"action":"roll"}')
    yield said(Asked.ACT, b'{"id":8,"action":"roll"}')
    yield said(Asked.ACT, None)


def test_the_sentences_in_the_table_are_those_that_are_said() -> None:
    rows = re.findall(
        r"^\| `\w+` \| (.*?) \|", section("When it forfeits"), re.MULTILINE
    )
    told = [text for row in rows for text in re.findall(r"`(.*?)`", row)]
    shapes = [".*".join(map(re.escape, text.split("..."))) for text in told]
    for sentence in sentences():
        assert any(re.match(shape, sentence) for shape in shapes), sentence


def test_the_small_league_is_one(tmp_path: Path) -> None:
    (block,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "try.yaml").write_text(block)
    config = load_config(tmp_path / "try.yaml")
    assert [bot.name for bot in config.bots] == ["a", "b"]
    assert yaml.safe_load(block)["name"] == "try"


def test_the_page_leads_to_what_there_is() -> None:
    for link in re.findall(r"\]\((?!https|#)([^)#]+)", PAGE):
        assert (FOLDER / link).exists(), link
    headings = re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", h).lower().replace(" ", "-") for h in headings}
    for anchor in re.findall(r"\]\(#([^)]+)\)", PAGE):
        assert anchor in anchors
