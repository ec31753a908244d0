"""Typed-port assembly as constraints, twice."""
