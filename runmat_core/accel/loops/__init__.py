"""Loops that become one kernel: tracing a body, and what stands for its trips in the graph."""
