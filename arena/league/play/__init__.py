"""Playing what is planned, and recording it as it comes in."""
