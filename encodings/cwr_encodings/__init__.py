"""The same rules as constraints, written without sight of any interpreter."""
