"""What positions of Zombie Dice are worth, and what luck was."""
