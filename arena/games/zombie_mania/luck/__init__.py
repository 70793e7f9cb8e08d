"""What positions of Zombie Mania! are worth, and what luck was."""
