"""What positions of Zombie Run! are worth, and what luck was."""
