"""Unit tests written as functions or scripts: suites, qualifications, results."""
