"""Token shapes, symbols and palettes by name; tokens.py draws them.

Vocabulary
  shape    a solid outline that is told apart by its silhouette, however it is turned and however small; none looks
           like a digit or like a letter of a card (no circle, no crescent, no half disc)
  symbol   a pictogram on a round badge, told apart likewise; no symbol is a shape
  palette  colours by name; any two of a palette are at a Lab distance (CIE76, D65) of at least LEAST_COLOUR_DISTANCE,
           and none is a grey, as decoration is: its chroma (Lab) is at least LEAST_CHROMA
"""

from __future__ import annotations

from collections.abc import Mapping

LEAST_COLOUR_DISTANCE = 50
LEAST_CHROMA = 25

# palette -> {colour: "#rrggbb"}; each has at least MOST_TOKENS colours
PALETTES: Mapping[str, Mapping[str, str]] = {
    "fair": {
        "red": "#dc1c22",
        "orange": "#fd9401",
        "yellow": "#faf14f",
        "green": "#2da738",
        "turquoise": "#35d5c7",
        "sky": "#539ef7",
        "navy": "#16217b",
        "purple": "#8c2ae4",
        "pink": "#ff7fb5",
        "brown": "#6b3f1d",
    },
    "orchard": {
        "cherry": "#b6153b",
        "apricot": "#ffb07b",
        "lemon": "#fee034",
        "lime": "#78db30",
        "pine": "#1e5c3a",
        "mint": "#80e9c1",
        "azure": "#318fe0",
        "indigo": "#3b2bb5",
        "plum": "#581b4f",
        "magenta": "#e33ab9",
    },
    "harbour": {
        "coral": "#ff6f54",
        "gold": "#f6b40a",
        "olive": "#686c05",
        "emerald": "#04b171",
        "aqua": "#44ecff",
        "cobalt": "#0063e3",
        "orchid": "#d047f3",
        "ruby": "#db2a81",
        "maroon": "#52061a",
        "pear": "#a8ec20",
    },
}

# what a token is filled with that has no colour of its own
NEUTRALS: Mapping[str, str] = {"fair": "#c3cfdf", "orchard": "#cfdcbb", "harbour": "#e6d3b3"}

SHAPES: tuple[str, ...] = (
    "square",
    "triangle",
    "diamond",
    "star",
    "cross",
    "heart",
    "drop",
    "house",
    "cloud",
    "bolt",
    "crown",
    "fish",
    "tree",
    "shirt",
)
SYMBOLS: tuple[str, ...] = (
    "sun",
    "flower",
    "anchor",
    "key",
    "umbrella",
    "bell",
    "leaf",
    "mushroom",
    "boat",
    "cup",
    "flag",
    "note",
    "butterfly",
    "candle",
)
