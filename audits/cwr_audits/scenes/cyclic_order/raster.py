"""SVG to PNG, by resvg: the same bytes on every machine, since no font of the machine is used."""

from __future__ import annotations

import re

import resvg_py

TEXT = re.compile(r"<(?:[\w.-]+:)?(?:text|tspan)[\s/>]")


def png(svg: str, width: int | None = None) -> bytes:
    """The picture as PNG, as wide as it says or `width` pixels wide. Raises ValueError where there is text in it, which
    would need a font, and where it cannot be drawn."""
    if TEXT.search(svg):
        raise ValueError("text in a picture needs a font: draw outlines")
    return resvg_py.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True)
