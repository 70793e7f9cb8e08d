"""What a league has played: its store, its keys, and leagues that are frozen."""
