"""Pass marks, points and grades, files for gradebooks, and aliases for public pages."""
