"""What is captured: operators, calls, subscripts, and where an operation goes to the graph."""
