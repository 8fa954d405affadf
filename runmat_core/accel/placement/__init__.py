"""Where a plan runs: work, costs, calibration, and the cheapest placement."""
