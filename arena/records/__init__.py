"""What a game leaves behind: its record, its faults, how long decisions took."""
