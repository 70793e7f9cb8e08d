"""Elo, fitted jointly to all games by maximum likelihood."""
