"""Arrays of named categories."""
