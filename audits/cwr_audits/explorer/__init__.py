"""The explorer: worlds, their certificates and their solutions as a folder of pages that any browser opens alone."""
