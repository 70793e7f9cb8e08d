"""One entry in one unit: its process, what it is asked, what it answers."""
