"""The modules that a contestant may import, and the files needed for that."""

import base64
import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from textwrap import dedent

import pytest

from arena.referee.sandbox.library import Library, MissingPackageError, find_library

COMMON = {"arena", "greenlet", "msgspec", "numpy", "pluggy"}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages, before all others."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    return folder


def write(folder: Path, files: Iterable[str], text: str = "") -> None:
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(dedent(text))


def install(
    site: Path, name: str, files: Iterable[str], *requires: str, **more: str
) -> None:
    """Put a distribution there as an installer does; `more` is its metadata."""
    files = list(files)
    write(site, files)
    info = f"{name.replace('-', '_')}-1.0.dist-info"
    lines = [f"Requires-Dist: {line}" for line in requires]
    head = ["Metadata-Version: 2.1", f"Name: {name}", "Version: 1.0"]
    write(site, [f"{info}/METADATA"], "\n".join([*head, *lines, "", ""]))
    for file, text in more.items():
        write(site, [f"{info}/{file.replace('__', '.')}"], text)
    listed = ["../../bin/tool", "__pycache__/x.cpython-311.pyc", *files]
    listed += [f"{info}/METADATA", f"{info}/RECORD"]
    digest = base64.urlsafe_b64encode(b"x" * 32).decode().rstrip("=")
    rows = [f'"{file}",sha256={digest},0' for file in listed]
    write(site, [f"{info}/RECORD"], "\n".join(rows) + "\n")


def added(packages: Iterable[str], games: Iterable[str] = ()) -> set[str]:
    """Return the modules that a league has beside those that all have."""
    return set(find_library(list(packages), list(games)).modules) - COMMON


def readable(library: Library, path: Path | str) -> bool:
    return any(Path(path).is_relative_to(place) for place in library.read)


def imported(library: Library, statement: str) -> None:
    """Import in a process that knows Python's own modules and what is searched."""
    code = f"import sys; sys.path += {list(library.search)!r}; {statement}"
    done = subprocess.run(
        [os.path.realpath(sys.executable), *["-s", "-S", "-P", "-B", "-c"], code],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_what_all_leagues_have() -> None:
    import numpy

    import arena

    library = find_library([], ["arena.games.zombie_dice:ZombieDice"])
    assert library.modules == ("arena", "greenlet", "msgspec", "numpy", "pluggy")
    for module in (arena, numpy, json):
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
        assert os.path.realpath(place) == place
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
    install(site, "pit-game", ["pit/__init__.py", "pit/rules.py"], "bot-arena", "dice")
    install(site, "dice", ["dice.py"])
    assert added([], ["pit.rules:Pit"]) == {"pit", "dice"}


def test_a_game_that_is_left_where_it_is_written_brings_it_too(
    tmp_path: Path, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "work", ["pit/__init__.py"])
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
