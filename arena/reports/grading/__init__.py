"""Pass marks, points and grades, and the names on public pages."""
