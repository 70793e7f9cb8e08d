"""What runs inside a contestant's process."""
