"""The `runmat` command."""
