"""One unit of work, from starting its contestants to the records of its games."""
