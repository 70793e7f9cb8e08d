"""The competition: who plays, what is scheduled, what has been played."""
