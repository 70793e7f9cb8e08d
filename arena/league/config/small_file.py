"""Small files that come from people: never a device, and never more than fits."""

import os
import stat
from pathlib import Path

MAX_BYTES = 2**24


def read_small(path: Path) -> bytes:
    """Return the bytes of a file.

    Raises:
        OSError: it can't be read, is none (a pipe or a device has no end), or is longer
            than `MAX_BYTES`.
    """
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(0, "no file")
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise OSError(0, f"longer than {MAX_BYTES} bytes")
    return data
