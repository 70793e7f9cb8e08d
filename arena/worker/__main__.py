"""Run a contestant's process or a zygote, with the given module search path.

    python arena/worker/__main__.py serve SEARCH READ_FD WRITE_FD
    python arena/worker/__main__.py zygote SEARCH SOCKET_FD FOLDERS [MODULE ...]

SEARCH and FOLDERS are folders, separated by the system's separator of paths.  The
interpreter runs without `site`: a contestant sees no other packages.
"""

import os
import site
import sys

task, search, *rest = sys.argv[1:]
# Nothing stands before Python's own modules.
sys.path[:] = [p for p in sys.path if p] + search.split(os.pathsep)
# `exit()` and `quit()`, which a script may use, are no modules' but site's.
site.setquit()

if task == "zygote":
    from arena.worker.zygote import run_zygote

    run_zygote(int(rest[0]), rest[1].split(os.pathsep), rest[2:])
else:
    from arena.worker.serve import serve_cold

    serve_cold(*map(int, rest))
