"""Boolean circuit as constraints, twice."""
