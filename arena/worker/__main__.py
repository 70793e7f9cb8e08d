"""Run a contestant: `python -m arena.worker READ_FD WRITE_FD`."""

import sys

from arena.worker.serve import serve

serve(int(sys.argv[1]), int(sys.argv[2]))
