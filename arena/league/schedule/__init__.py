"""Schedules, the identity and luck of games, and the queue of those to be played."""
