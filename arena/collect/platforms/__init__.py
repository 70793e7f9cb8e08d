"""The exports of the learning platforms: one file for each, which knows its names."""
