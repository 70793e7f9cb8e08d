"""The bots that take part in a league, and the files that they come from."""
