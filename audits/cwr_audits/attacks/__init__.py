"""Attacks on the project's own parts: answers, graders, instances and encodings (see docs/attack.md)."""
