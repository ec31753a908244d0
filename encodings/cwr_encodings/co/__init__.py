"""Cyclic order as constraints, twice."""
