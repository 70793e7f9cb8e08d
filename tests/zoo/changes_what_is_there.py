"""Changes a file and its folder in all ways there are; the content stays."""

import os

from arena import Bot


class Culprit(Bot):
    def __init__(self, canary):
        self.path = canary
        self.other = f"{canary}.other"

    def act(self, obs):
        deeds = {
            "open": lambda: open(self.path, "r+").close(),
            "append": lambda: open(self.path, "a").close(),
            "truncate": lambda: os.truncate(self.path, os.stat(self.path).st_size),
            "chmod": lambda: os.chmod(self.path, 0o666),
            "utime": lambda: os.utime(self.path, (1, 1)),
            "xattr": lambda: os.setxattr(self.path, "user.zoo", b"x"),
            "link": lambda: os.link(self.path, self.other),
            "rename": lambda: os.rename(self.other, self.path),
            "unlink": lambda: os.unlink(self.other),
            "symlink": lambda: os.symlink(self.path, self.other),
            "mkdir": lambda: os.mkdir(f"{self.other}.folder"),
        }
        done = []
        for name, deed in deeds.items():
            try:
                deed()
                done.append(name)
            except OSError:
                pass
        return f"leaked: {' '.join(done)}" if done else "stop"
