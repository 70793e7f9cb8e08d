"""The code that runs inside a contestant's process."""
