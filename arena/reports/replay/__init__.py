"""A recorded game: found, walked through, told and drawn."""
