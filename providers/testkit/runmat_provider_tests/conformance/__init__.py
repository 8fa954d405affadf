"""Tests that every provider passes."""
