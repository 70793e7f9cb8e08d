"""The bots that come with arena: `random`, and `sensible` of the games' partners."""
