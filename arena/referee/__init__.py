"""One match, from spawning its contestants to the records of its games."""
