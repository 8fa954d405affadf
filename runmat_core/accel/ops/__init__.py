"""What operations are: the objects that nodes name, their host rules and their code."""
