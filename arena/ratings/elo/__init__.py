"""Elo, fitted jointly to all games of a label by maximum likelihood.

`pool`: the games as arrays; `model`: the maximum; `standard_errors`; `fit`: all of it.
"""
