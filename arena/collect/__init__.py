"""Hand-ins made of what a learning platform exports."""
