"""Files and folders: low-level input and output, tables of numbers, JSON, MAT files, the system."""
