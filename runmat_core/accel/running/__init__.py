"""Plans on providers: programs, memory, faults, and the engine of a session."""
