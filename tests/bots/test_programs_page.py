"""The page for authors of programs tells the protocol as it is; its examples play."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from documents import PROGRAMS, ROOT, cells, quoted, section, tables
from programs import needs_cc, needs_node

from arena.games import Observation, game_class
from arena.referee.contestant.clock import Spent
from arena.referee.contestant.json_lines import JsonLines
from arena.referee.contestant.misconduct import death_of_program, late_program
from arena.referee.contestant.wire import BotRequest, ReplyError, RequestKind
from arena.referee.work_unit import EntrySpec
from arena.worker.protocol import Failed

FOLDER = ROOT / "bots" / "programs"
LINES = (FOLDER / "transcript.txt").read_text("utf-8").splitlines()
REQUESTS = [json.loads(line[3:]) for line in LINES if line.startswith("-> ")]
REPLIES = [json.loads(line[3:]) for line in LINES if line.startswith("<- ")]


def told_keys(heading: str) -> list[list[str]]:
    """Return what stands in backticks in the first cells of each table."""
    text = section(PROGRAMS, heading)
    return [[name for row in x for name in quoted(row[0])] for x in tables(text)]


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


@needs_node
def test_the_example_in_javascript_replies_as_shown() -> None:
    assert play("node", "stop_at_two.js") == REPLIES


@needs_cc
def test_the_example_in_c_is_built_as_told_and_replies_as_shown(tmp_path: Path) -> None:
    (command,) = re.findall(r"^ {4}(cc .*)$", PROGRAMS, re.MULTILINE)
    shutil.copy(FOLDER / "stop_at_two.c", tmp_path)
    assert command in (FOLDER / "stop_at_two.c").read_text()
    ran = subprocess.run(
        [*command.split(), "-Werror"], cwd=tmp_path, capture_output=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    found = play("./stop_at_two", folder=tmp_path)
    assert unnamed(found) == unnamed(REPLIES)


SPOILT = [
    *("braaains", "", "[]", '{"type":"act"}', '{"id":1}'),
    '{"type":"act","id":1',
    '{"type":"act","id":1}{}',
    '{"type":"act","id":-1}',
    '{"type":"act","id":1,"x":' + "[" * 100 + "]" * 100 + "}",
    '{"type":"act","id":1,"x":"\\"}',
]
"""Lines that are no requests."""


@needs_cc
def test_the_example_in_c_believes_nothing(tmp_path: Path) -> None:
    program = str(tmp_path / "program")
    source = str(FOLDER / "stop_at_two.c")
    subprocess.run(["cc", "-o", program, source], check=True)
    for line in SPOILT:
        ran = subprocess.run(
            [program], input=f"{line}\n".encode(), capture_output=True, check=False
        )
        said = b"this is no request\n"
        assert (ran.returncode, ran.stdout, ran.stderr) == (1, b"", said)
    odd = b'{ "id" : 7 , "type" :"act","legal_actions": [ "lose red" , "roll"],"\\"":1,'
    odd += b'"observation":{"cup":{"brains":9},"shotguns":2,"brains": 0}}\n'
    lost = b'{"type":"act","id":8,"observation":{},"legal_actions":[]}\n'
    ran = subprocess.run([program], input=odd + lost, capture_output=True, check=False)
    assert list(map(json.loads, ran.stdout.splitlines())) == [
        {"id": 7, "action": "roll"},
        {"id": 8, "error": "shotguns or brains are missing"},
    ]


def test_the_story_on_the_page_is_that_of_the_transcript() -> None:
    story = re.sub(r"\s+", "", section(PROGRAMS, "A first game"))
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
    keys, *others = told_keys(f"`{word}`")
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
        told = re.findall(
            r"`(\w+)`", section(PROGRAMS, "`end`").split("| `result` |")[1]
        )
        assert [key for key in told if key in requests[0]["result"]] == list(
            requests[0]["result"]
        )


def test_observations_have_the_fields_of_the_guide() -> None:
    """`test_guide.py` proves which these are."""
    names = set(game_class("zombie_dice").observation_type.__struct_fields__)
    for request in REQUESTS:
        if "observation" in request:
            assert set(request["observation"]) == names - {"game"}
    common = told_keys("`act`")[2]
    assert set(common) == set(Observation.__struct_fields__) - {"game"}


def said(asked: RequestKind, line: bytes | None) -> str:
    """Return the sentence about a line that a program sends when it is asked."""
    pending = BotRequest(asked, 7, b"", 1.0)
    wire = JsonLines(EntrySpec("a", "/a", "program"), ("zombie_dice",))
    try:
        reply = wire.parse(line or b"{}", pending if line is not None else None)
    except ReplyError as error:
        return str(error)
    assert isinstance(reply, Failed)
    return reply.message


def sentences() -> Iterator[str]:
    """Yield what a program's author reads, of each kind."""
    act, load = (
        BotRequest(RequestKind.ACT, 7, b"", 2.55),
        BotRequest(RequestKind.LOAD, 7, b"", 2.55),
    )
    yield death_of_program(load, 1, is_flood=False).message
    yield said(RequestKind.LOAD, b'{"id":7,"games":["chess"]}')
    yield late_program(act, Spent(cpu=2.55), has_partial=False).message
    for has_partial in (False, True):
        yield late_program(act, Spent(slept=2.55), has_partial=has_partial).message
    yield death_of_program(act, -11, is_flood=False).message
    yield death_of_program(act, 1, is_flood=False).message
    yield death_of_program(act, -9, is_flood=False).message
    yield death_of_program(act, -25, is_flood=True).message
    yield said(RequestKind.ACT, b"hello")
    yield said(RequestKind.ACT, b'{"id":7}')
    yield said(RequestKind.ACT, b'{"action":"roll"}')
    yield said(RequestKind.ACT, b'{"id":8,"action":"roll"}')
    yield said(RequestKind.ACT, None)


def test_the_sentences_in_the_table_are_those_that_are_said() -> None:
    rows = cells(section(PROGRAMS, "When it forfeits"))
    told = [text for row in rows for text in quoted(row[1])]
    shapes = [".*".join(map(re.escape, text.split("..."))) for text in told]
    for sentence in sentences():
        assert any(re.match(shape, sentence) for shape in shapes), sentence
