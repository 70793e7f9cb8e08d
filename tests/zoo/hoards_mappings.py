"""Maps memory that belongs to nobody, page by page."""

import mmap

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        hoard = []
        for _ in range(32):
            hoard.append(mmap.mmap(-1, 2**24))
            hoard[-1].write(b"x")
        return "leaked: mapped 512 MB"
