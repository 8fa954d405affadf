"""What the core itself costs: microseconds for each operation that is captured."""
