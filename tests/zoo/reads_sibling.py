"""Reads the secrets of another process from /proc."""

from arena import Bot


class Culprit(Bot):
    def __init__(self, victim):
        self.folder = f"/proc/{victim}"

    def act(self, obs):
        read = []
        for name in ("cmdline", "environ", "maps", "mem"):
            try:
                with open(f"{self.folder}/{name}", "rb") as file:
                    assert name == "mem" or file.read(1)
                read.append(name)
            except (OSError, AssertionError):
                pass
        return f"leaked: {' '.join(read)}" if read else "stop"
