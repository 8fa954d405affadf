"""What acceleration did, for people and programs."""
