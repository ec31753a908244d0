"""Safety protocol as constraints, twice."""
