"""Resource and precedence scheduling as constraints, twice."""
