"""The random streams of a session."""
