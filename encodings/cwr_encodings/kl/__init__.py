"""Keyed logistics as constraints, twice."""
