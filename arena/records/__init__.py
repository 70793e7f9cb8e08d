"""Records of games: results, faults, moves and decision times."""
