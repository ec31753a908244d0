"""Token shapes, symbols and palettes by name; what is drawn of them is drawn elsewhere."""

from __future__ import annotations

from collections.abc import Mapping

# palette -> {colour: "#rrggbb"}; each has at least MOST_TOKENS colours, pairwise at a Lab distance of 50 or more
PALETTES: Mapping[str, Mapping[str, str]] = {}
SHAPES: tuple[str, ...] = ()
SYMBOLS: tuple[str, ...] = ()
