"""table: columns of any class with one height, with names for columns and rows."""
