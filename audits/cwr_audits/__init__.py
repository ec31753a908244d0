"""Do the routes agree, and is the task fit: everything that compares, reports and talks to people."""
