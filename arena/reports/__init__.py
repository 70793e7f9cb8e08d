"""What a league has come to: tables in the terminal, files, lines for programs."""
