"""A recorded game: found, replayed, shown in lines of text, and drawn."""
