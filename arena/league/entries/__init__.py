"""Who takes part in a league, and in which role."""
