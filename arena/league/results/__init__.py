"""What a league has played: its store, and leagues that are frozen."""
