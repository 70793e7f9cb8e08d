"""The map of the code leads to what there is, and no modules import in a circle."""

import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp

ARENA = Path(__file__).parents[1] / "arena"
PAGE = (ARENA / "README.md").read_text("utf-8")


def test_every_room_is_on_the_map_once() -> None:
    rooms = [
        f"{file.parent.relative_to(ARENA)}/"
        for file in ARENA.rglob("__init__.py")
        if file.parent != ARENA
    ]
    bullets = re.findall(r"^ *- (.*?):", PAGE, re.MULTILINE | re.DOTALL)
    found = [room for bullet in bullets for room in re.findall("`([a-z_/]+/)`", bullet)]
    assert sorted(found) == sorted(rooms)


def test_the_map_leads_to_what_there_is() -> None:
    paths = re.findall(r"`([a-z_./<>]+(?:\.py|\.js|\.html|/))`", PAGE)
    assert paths
    for path in paths:
        there = [*ARENA.glob(path.replace("<game>", "*").rstrip("/"))]
        assert there, path


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Also none through a package's face, or for types only."""
    graph = grimp.build_graph("arena", cache_dir=None)
    imports = {
        module: graph.find_modules_directly_imported_by(module)
        for module in graph.modules
    }
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        circle = " -> ".join(reversed(error.args[1]))
        raise AssertionError(f"a circle of imports: {circle}") from None
