"""The leaderboard in a terminal and in Markdown, with its notes and its legend."""
