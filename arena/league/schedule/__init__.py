"""Who meets whom, how often, in which order."""
