"""One bot tried as a league would play it."""
