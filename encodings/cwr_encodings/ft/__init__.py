"""Coloured tiling as constraints, twice."""
