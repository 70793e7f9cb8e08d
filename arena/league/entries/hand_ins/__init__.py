"""What students hand in: read once, kept as it was read."""
