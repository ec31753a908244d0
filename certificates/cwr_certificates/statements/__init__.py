"""The claims about each world as clauses, written from the rule books alone. Trusted: what a refutation proves is that
these clauses have no model. Each module has the names that docs/contracts.md lists under Statement."""
