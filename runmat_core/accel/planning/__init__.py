"""From a sub-graph to a plan: rewriting, grouping, lowering to kernels."""
