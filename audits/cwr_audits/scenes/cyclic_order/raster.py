"""SVG to PNG by libvips, which draws with librsvg. No font of the machine is used, and the file holds pixels and a
fixed resolution only, so the same libraries give the same bytes on every machine."""

from __future__ import annotations

import re

import pyvips

TEXT = re.compile(r"<(?:[\w.-]+:)?(?:text|tspan)[\s/>]")
WHITE = (255, 255, 255)


def png(svg: str, width: int | None = None) -> bytes:
    """The picture as PNG, as wide as it says or `width` pixels wide. Raises ValueError where there is text in it, which
    would need a font, and where it cannot be drawn."""
    if TEXT.search(svg):
        raise ValueError("text in a picture needs a font: draw outlines")
    try:
        made: bytes = _drawn(svg, width).pngsave_buffer(compression=6, filter="none", keep="none")
    except pyvips.Error as error:
        raise ValueError(f"no picture that can be drawn: {' '.join(str(error).split())}") from error
    return made


def _drawn(svg: str, width: int | None) -> pyvips.Image:
    """The picture on white, three bytes a pixel."""
    text = svg.encode("utf-8")
    drawn = pyvips.Image.svgload_buffer(text)
    if width is not None and width != drawn.width:
        drawn = pyvips.Image.svgload_buffer(text, scale=width / drawn.width)
    return drawn.flatten(background=WHITE)
