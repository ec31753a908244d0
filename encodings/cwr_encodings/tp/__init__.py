"""Finite typed pipeline as constraints, twice."""
