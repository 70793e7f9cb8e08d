"""What every two entries did against each other."""
