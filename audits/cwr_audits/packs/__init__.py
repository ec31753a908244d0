"""Packs: items for models, keys for evaluators, and what freezes them (docs/packs.md has words and files)."""
