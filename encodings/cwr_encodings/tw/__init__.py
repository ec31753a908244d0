"""Token workshop as constraints, twice."""
