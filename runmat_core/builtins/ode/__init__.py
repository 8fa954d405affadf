"""Initial value problems of ordinary differential equations."""
