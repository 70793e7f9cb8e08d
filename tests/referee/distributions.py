"""Puts packages into a folder as an installer does."""

import base64
from collections.abc import Iterable
from pathlib import Path
from textwrap import dedent


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
