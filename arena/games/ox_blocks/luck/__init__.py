"""What positions of OX Blocks are worth, and what luck was."""
