"""What may stand in the bytes of a PNG: its size, its pixels, its end, and nothing beside or behind them.

Libraries state a resolution (pHYs) as well: it may stand there where it is the one that every picture states."""

from __future__ import annotations

from collections.abc import Iterator

SIGNATURE = b"\x89PNG\r\n\x1a\n"
FIRST, PIXELS, LAST, RESOLUTION = b"IHDR", b"IDAT", b"IEND", b"pHYs"
DOTS = bytes.fromhex("00000b1300000b1301")  # 2835 dots a metre, 72 an inch, both ways
LENGTH, NAME, CHECKSUM = 4, 4, 4  # bytes of a chunk beside its content


def faults(png: bytes) -> Iterator[str]:
    """What should not stand in the bytes of a picture."""
    names, rest = chunks(png)
    if not png.startswith(SIGNATURE) or names[:1] != [FIRST] or names[-1] != LAST or rest:
        yield "no PNG, or not whole, or something stands behind it"
    for name in names:
        if name not in (FIRST, PIXELS, LAST) and (name != RESOLUTION or RESOLUTION + DOTS not in png):
            yield f"a chunk {name.decode('latin-1')!r}"
    if names.count(RESOLUTION) > 1:
        yield "two resolutions"


def chunks(png: bytes) -> tuple[list[bytes], int]:
    """The names of the chunks of a PNG, and how many bytes are left behind the last (below 0: are missing in it)."""
    names: list[bytes] = []
    place = len(SIGNATURE)
    while place < len(png) and LAST not in names:
        names.append(png[place + LENGTH : place + LENGTH + NAME])
        place += LENGTH + NAME + int.from_bytes(png[place : place + LENGTH], "big") + CHECKSUM
    return names, len(png) - place
