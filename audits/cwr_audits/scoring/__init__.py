"""Scoring of runs, and the power of experiments that are scored so (docs/scoring.md)."""
