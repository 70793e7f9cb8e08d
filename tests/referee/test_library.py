"""The modules that a contestant may import, and the files needed for that."""

import importlib.util
import json
import os
import py_compile
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from textwrap import dedent

import pytest
from distributions import install, write

import arena
from arena.games.registry import OUR_GAMES, PARTS
from arena.referee.sandbox.library import Library, MissingPackageError, find_library
from arena.referee.sandbox.readable_paths import runtime, with_python
from arena.worker.compat.zombiedice import ZombieDiceGuest

COMMON = {"arena", "greenlet", "msgspec", "numpy"}
ARENA = Path(arena.__path__[0])
GAMES = tuple(OUR_GAMES.values())


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages, before all others."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    return folder


def added(packages: Iterable[str], games: Iterable[str] = ()) -> set[str]:
    """Return the modules that a league has beside those that all have."""
    return set(find_library(list(packages), list(games)).modules) - COMMON


def readable(library: Library, path: Path | str) -> bool:
    return any(Path(path).is_relative_to(place) for place in library.read)


def imported(library: Library, statement: str) -> str:
    """Import in a process that knows Python's own modules and what is searched."""
    code = f"import sys; sys.path += {list(library.search)!r}; {statement}"
    done = subprocess.run(
        [os.path.realpath(sys.executable), *["-s", "-S", "-P", "-B", "-c"], code],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_all_leagues_have() -> None:
    import numpy

    library = find_library([], ["arena.games.zombie_dice:ZombieDice"])
    assert library.modules == ("arena", "greenlet", "msgspec", "numpy")
    for module in (numpy, json):
        assert readable(library, os.path.realpath(module.__path__[0]))
    assert readable(library, os.path.realpath(sys.executable))
    imported(library, "import numpy, arena.worker.find_bots, msgspec, ssl, decimal")


def test_a_contestants_process_imports_by_it_alone(tmp_path: Path) -> None:
    """Without `site`, from memory, behind the guard."""
    text = """
        import numpy, scipy.optimize
        from importlib.metadata import version
        assert version("scipy") == scipy.__version__
        assert not importlib.util.find_spec("rich")
        """
    library = find_library(["scipy"], [])
    path = tmp_path / "it.py"
    sources = ((str(path), b"import importlib.util\n" + dedent(text).encode()),)
    imported(
        library,
        "from pathlib import Path; from arena.worker.file_loader import FileLoader; "
        f"FileLoader(Path({str(path)!r}), {sources!r}, {library.modules!r}, {{}})"
        ".load()",
    )


def test_paths_are_real_and_none_lies_below_another(tmp_path: Path, site: Path) -> None:
    elsewhere = tmp_path / "store" / "lib"
    write(elsewhere, ["linked/__init__.py", "linked/data.txt"])
    (site / "linked").symlink_to(elsewhere / "linked")
    library = find_library(["linked"], [])
    for place in library.read:
        assert os.path.realpath(os.path.dirname(place)) == os.path.dirname(place)
        assert not any(str(above) in library.read for above in Path(place).parents)
    assert list(library.read) == sorted(set(library.read))
    assert str(elsewhere / "linked") in library.read
    # Where only real paths are shown, it is found by its own.
    assert str(elsewhere) in library.search
    imported(library, "import linked")


def test_no_folder_of_packages_is_open_as_a_whole(site: Path, tmp_path: Path) -> None:
    install(site, "wanted", ["wanted.py"])
    install(site, "unwanted", ["unwanted/__init__.py"])
    library = find_library(["wanted"], [])
    assert readable(library, site / "wanted.py")
    assert readable(library, site / "wanted-1.0.dist-info" / "METADATA")
    assert not readable(library, site / "unwanted" / "__init__.py")
    assert not readable(library, Path(__file__))
    assert not readable(library, Path.home())
    if sys.prefix != sys.base_prefix:
        assert not readable(library, sysconfig.get_path("purelib"))


def test_search_keeps_the_order_of_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [tmp_path / name for name in ("z", "b", "y", "a")]
    for folder in folders:
        write(folder, [f"from_{folder.name}.py"])
    monkeypatch.setattr(sys, "path", [*map(str, folders), *sys.path])
    library = find_library(["from_a", "from_y", "from_z"], [])
    assert library.search[:3] == tuple(str(tmp_path / name) for name in "zya")


def test_a_package_goes_by_either_of_its_names(site: Path) -> None:
    install(site, "Scikit-Nothing", ["sknothing/__init__.py"])
    for name in ("scikit-nothing", "Scikit_Nothing", "scikit.nothing", "sknothing"):
        assert added([name]) == {"sknothing"}
    info = site / "Scikit_Nothing-1.0.dist-info" / "METADATA"
    assert readable(find_library(["sknothing"], []), info)


def test_what_a_package_requires_comes_along(site: Path) -> None:
    install(site, "top", ["top.py"], "middle (>=1.0)", "absent>=2 ; os_name == 'nt'")
    install(
        site,
        "middle",
        ["middle/__init__.py"],
        "Deep_One[extra1]~=3.0",
        "plots>=1; extra == 'plot' and python_version > '3'",
    )
    install(site, "deep-one", ["deep_one.py"], "top")
    install(site, "plots", ["plots.py"])
    assert added(["top"]) == {"top", "middle", "deep_one"}


def test_all_that_a_distribution_is_made_of(site: Path) -> None:
    suffix = EXTENSION_SUFFIXES[0]
    files = [
        f"_fast{suffix}",
        f"81d2__mypyc{suffix}",
        "space/name/part.py",
        "single.py",
        "kit.libs/libfast-1.so.2",
        "kit/deep/only.pyi",
        "kit/__init__.py",
        "start.pth",
    ]
    install(site, "kit", files)
    library = find_library(["kit"], [])
    expected = {"_fast", "81d2__mypyc", "space", "single", "kit"}
    assert set(library.modules) - COMMON == expected
    for file in files[:-1]:
        assert readable(library, site / file), file
    imported(library, "import space.name.part, single, kit")


def test_a_package_that_was_left_where_it_is_written(
    tmp_path: Path, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = tmp_path / "work"
    write(work, ["in_work/__init__.py", "other_name.py"])
    monkeypatch.setattr(sys, "path", [*sys.path, str(work)])
    editable = json.dumps({"url": "file:///work", "dir_info": {"editable": True}})
    install(site, "In-Work", ["_in_work.pth"], direct_url__json=editable)
    install(
        site,
        "differs",
        ["__editable___differs_finder.py"],
        direct_url__json=editable,
        top_level__txt="other_name\n",
    )
    library = find_library(["in-work", "differs"], [])
    assert {"in_work", "other_name"} <= set(library.modules)
    assert readable(library, work / "in_work" / "__init__.py")
    assert not readable(library, work)
    imported(library, "import in_work, other_name")


def test_a_package_of_which_no_files_are_listed(site: Path) -> None:
    """As the packages of some systems are installed."""
    write(site, ["first.py", "second/__init__.py", "unlisted.py"])
    info = "Sys_Package-1.0.egg-info"
    write(site, [f"{info}/PKG-INFO"], "Metadata-Version: 1.1\nName: Sys-Package\n\n")
    write(site, [f"{info}/top_level.txt"], "first\nsecond\n")
    for name in ("sys-package", "first", "second"):
        assert added([name]) == {"first", "second"}


@pytest.mark.parametrize("name", ["nowhere-to-be-found", "", "a b", "../x", "x.y", "ü"])
def test_a_missing_package(name: str) -> None:
    with pytest.raises(MissingPackageError) as raised:
        find_library(["numpy", name], [])
    assert raised.value.package == name


def test_pythons_own_modules_need_no_package() -> None:
    assert find_library(["json", "math"], []) == find_library([], [])


def test_the_game_of_a_package_brings_what_it_requires(site: Path) -> None:
    needed = ("bot-arena", "dice", "solver")
    install(site, "pit-game", ["pit/__init__.py", "pit/rules.py"], *needed)
    write(site, ["pit/rules.py"], "from dice import cup")
    install(site, "dice", ["dice/cup.py"], "felt")
    install(site, "felt", ["felt.py"])
    # Nothing that plays imports it.
    install(site, "solver", ["solver.py"])
    assert added([], ["pit.rules:Pit"]) == {"pit", "dice", "felt"}


def test_a_game_that_is_left_where_it_is_written_brings_it_too(
    tmp_path: Path, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "work", ["pit/__init__.py"], "import dice")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "work")])
    points = "[arena]\npit = pit.plugin\n"
    install(site, "the-pit", ["_the_pit.pth"], "dice", entry_points__txt=points)
    install(site, "dice", ["dice.py"])
    assert added([], ["pit:Pit"]) == {"pit", "dice"}


def test_a_game_that_is_only_on_the_path_is_not_imported_for_it(site: Path) -> None:
    write(site, ["pitgame.py"], "import pitgame_rules, nowhere\nraise SystemExit(3)")
    write(site, ["pitgame_rules.py"], "from dice.cup import roll\nimport pitgame")
    write(site, ["unused.py"])
    install(site, "dice", ["dice/cup.py"])
    library = find_library([], ["pitgame:Game"])
    assert set(library.modules) - COMMON == {"pitgame", "pitgame_rules", "dice"}
    assert readable(library, site / "pitgame.py")
    assert not readable(library, site / "unused.py")
    assert "pitgame" not in sys.modules


def test_shared_libraries_in_use_are_readable() -> None:
    maps = Path("/proc/self/maps")
    if not maps.exists():
        pytest.skip("this system does not say which libraries are in use")
    library = find_library([], [])
    paths = {
        line.split(maxsplit=5)[5]
        for line in maps.read_text().splitlines()
        if ".so" in line
    }
    libc = [path for path in paths if "libc" in path or "libpython" in path]
    assert libc
    for path in libc:
        assert readable(library, path)


# What is open of arena, and of packages that bring games.


def test_of_arena_a_contestant_has_just_what_its_process_loads() -> None:
    library = find_library([], GAMES)
    guest = "arena.worker.compat.zombiedice"
    needed = ["arena.worker.zygote", guest, *(p.partition(":")[0] for p in GAMES)]
    loaded = imported(library, f"import {', '.join(needed)}; print(*sys.modules)")
    ours = {name for name in loaded.split() if name.partition(".")[0] == "arena"}
    # These are run under other names.
    ours |= {"arena.worker.__main__", *ZombieDiceGuest.modules.values()}
    assert {*library.parts} == ours


def test_no_other_file_of_arena_can_be_read() -> None:
    library = find_library([], GAMES)
    names = {path: library_name(path) for path in ARENA.rglob("*") if path.is_file()}
    found = {path for path in names if readable(library, path)}
    assert {names[path] for path in found} == {*library.parts}
    assert {path.suffix for path in found} <= {".py", ".pyc"}
    assert not readable(library, ARENA.parent / "pyproject.toml")


def library_name(path: Path) -> str:
    """Return the name of the module that a file of arena is, compiled or not."""
    folder = path.parent.parent if path.parent.name == "__pycache__" else path.parent
    name = path.name.partition(".")[0]
    parts = [*folder.relative_to(ARENA.parent).parts, name]
    return ".".join(parts[:-1] if name == "__init__" else parts)


def test_no_game_of_ours_has_a_part_open() -> None:
    parts = find_library([], GAMES).parts
    assert all(f"arena.games.{game}.state" in parts for game in OUR_GAMES)
    in_folders = [name.split(".")[3:] for name in parts]
    assert not [names for names in in_folders if {*names} & {*PARTS}]


def pit(site: Path, game_path: str = "pit.game:Pit", **files: str) -> Library:
    """Return the library of a league with a game of a package of such files."""
    names = [f"pit/{name}.py" for name in files]
    points = "[arena]\npit = pit.plugin\n"
    data = ["pit/table.npz", "pit/drawing.js", "pit/README.md", "pit_data/x.json"]
    install(site, "the-pit", [*names, *data], entry_points__txt=points)
    for name, text in zip(names, files.values(), strict=True):
        write(site, [name], text)
    return find_library([], [game_path])


def test_of_a_games_package_a_contestant_has_what_the_game_imports(site: Path) -> None:
    files = {
        "plugin": "import pit.tools",
        "game": "from . import board\nfrom .deep.er import *\nimport pit.none",
        "board": "def late():\n    if 1:\n        import pit.later",
        "deep/er": "try:\n    from .. import last as _\nexcept ImportError: pass",
        **dict.fromkeys(
            ("__init__", "later", "last", "tools", "deep/other", "new"), ""
        ),
    }
    library = pit(site, **files)
    open_now = {"pit", "pit.game", "pit.board", "pit.later", "pit.last", "pit.deep"}
    assert {n for n in library.parts if n.startswith("pit")} == open_now | {
        "pit.deep.er"
    }
    for file in ("game.py", "board.py", "deep/er.py", "later.py"):
        assert readable(library, site / "pit" / file)
    closed = ("plugin.py", "tools.py", "new.py", "deep/other.py", "table.npz")
    for file in (*closed, "drawing.js", "README.md", "../pit_data/x.json"):
        assert not readable(library, site / "pit" / file), file
    # It may ask for its own version.
    assert readable(library, site / "the_pit-1.0.dist-info" / "METADATA")


def test_a_part_is_closed_even_to_the_game_that_imports_it(site: Path) -> None:
    text = "".join(f"from . import {part}\n" for part in PARTS)
    names = ("luck/__init__", "luck/tables", "partner", "positions", "drawing")
    files = {"__init__": f"{text}import pit.luck.tables", **dict.fromkeys(names, "")}
    library = pit(site, "pit:Pit", **files)
    assert [n for n in library.parts if n.startswith("pit")] == ["pit"]
    for file in ("luck/__init__.py", "luck/tables.py", "partner.py", "drawing.py"):
        assert not readable(library, site / "pit" / file)


def test_what_only_type_checkers_import_is_not_needed(site: Path) -> None:
    checks = "import typing as t\nfrom typing import TYPE_CHECKING\n"
    text = "if TYPE_CHECKING:\n    import pit.a\nelse:\n    import pit.b\n"
    more = "if t.TYPE_CHECKING:\n    import pit.c"
    files = dict.fromkeys(("a", "b", "c"), "")
    library = pit(site, game=checks + text + more, **files)
    assert {"pit.b"} == {*library.parts} & {"pit.a", "pit.b", "pit.c"}


def test_compiled_modules_are_open_as_their_texts_are(site: Path) -> None:
    files = {"game": "", "luck": "VALUE = 1", "tools": ""}
    pit(site, **files)
    for name in files:
        py_compile.compile(str(site / "pit" / f"{name}.py"))
    library = find_library([], ["pit.game:Pit"])
    for name in files:
        compiled = importlib.util.cache_from_source(str(site / "pit" / f"{name}.py"))
        assert os.path.exists(compiled)
        assert readable(library, compiled) == (name == "game")


def test_a_games_package_stays_closed_where_others_ask_for_it(site: Path) -> None:
    pit(site, game="", luck="", tools="", __init__="")
    install(site, "needs-it", ["needs_it.py"], "the-pit")
    for name in ("the-pit", "pit", "needs-it"):
        library = find_library([name], ["pit.game:Pit"])
        assert readable(library, site / "pit" / "game.py")
        for closed in ("luck.py", "tools.py", "table.npz"):
            assert not readable(library, site / "pit" / closed)
    # Another installation of arena, under a name of its own.
    install(site, "course-league", ["arena/bot.py"], top_level__txt="arena\n")
    # Arena itself is asked for in vain too.
    for name in ("arena", "bot-arena", "course-league"):
        assert find_library([name], GAMES) == find_library([], GAMES)


def test_no_packages_lie_open_beside_pythons_own_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where arena is installed without an environment of its own."""
    own = tmp_path / "lib" / "python3"
    write(own, ["json.py", "site-packages/secret/__init__.py", "deep/er.py"])
    write(own, ["dist-packages/other.py", "site-packages/wanted.py"])
    (own / "link.py").symlink_to(own / "json.py")
    (own / "linked").symlink_to(own / "site-packages")
    (own / "away").symlink_to(Path(__file__))
    read = with_python([str(own / "site-packages" / "wanted.py")], [])
    assert str(own / "json.py") not in read
    monkeypatch.setattr(sysconfig, "get_path", lambda *_, **__: str(own))
    read = with_python([str(own / "site-packages" / "wanted.py")], [])
    inside = {path for path in read if path.startswith(str(own))}
    expected = ("json.py", "deep", "link.py", "site-packages/wanted.py")
    assert inside == {str(own / name) for name in expected}


def test_programs_do_not_find_arena_beside_their_runtime(tmp_path: Path) -> None:
    packages = tmp_path / "lib" / "python3" / "site-packages"
    write(packages, ["arena/bot.py", "other.py"])
    write(tmp_path, ["bin/python3", "lib/libpython.so"])
    found = runtime(str(tmp_path / "bin" / "python3"), [str(packages / "arena")])
    lib = tmp_path / "lib"
    assert set(found) == {
        str(tmp_path / "bin" / "python3"),
        str(lib / "libpython.so"),
        str(packages / "other.py"),
    }
