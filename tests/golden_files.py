"""Compares long texts with the files in `golden/`.

After a change that is wanted, `python -m pytest --renew-golden` writes them anew (name
the tests to renew only theirs), and `git diff` shows what has changed.
"""

from pathlib import Path

FOLDER = Path(__file__).parent / "golden"
renewing = False
"""Set by `--renew-golden`."""


def check(text: str, name: str) -> None:
    """Check that a text is what a file below `golden/` holds.

    Raises:
        AssertionError: it is not.
    """
    path = FOLDER / name
    if renewing:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    assert path.exists(), f"no {path}; to write it: python -m pytest --renew-golden"
    assert text == path.read_bytes().decode(), (
        f"not as in {path}; if that is wanted: python -m pytest --renew-golden"
    )
