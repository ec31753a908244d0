"""The families. Each package docstring is the rule book that every other part of cwr is written from."""
