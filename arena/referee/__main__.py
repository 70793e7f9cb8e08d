"""Run a referee process: units on standard input, records on standard output."""

import os
import sys

import trio

from arena.referee.service import serve

# What is printed by mistake must not get between the frames.
output = os.dup(1)
os.dup2(2, 1)
trio.run(serve, sys.stdin.fileno(), output)
