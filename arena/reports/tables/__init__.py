"""The leaderboard for people: in a terminal and in Markdown."""
