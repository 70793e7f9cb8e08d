"""What a verb shows on a terminal while it works."""
