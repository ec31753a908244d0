"""Pictures for the documents, as SVG: an example at full size, and contact sheets, one a scene variant.

  example        the puzzle that `cwr show cyclic_order --seed public --index 1` tells
  contact sheet  every token style on every loop path; what occurs more than once on it stands in it once

`python -m cwr_audits.scenes.cyclic_order.sheet docs/cyclic-order` writes them; `files` is what they should be.
"""

from __future__ import annotations

import sys
from collections import Counter
from itertools import product
from pathlib import Path

from cwr_audits.scenes.cyclic_order import marks
from cwr_audits.scenes.cyclic_order.contract import LOOP_PATHS, SCENE_VARIANTS, TOKEN_STYLES, Puzzle, SceneConfig
from cwr_audits.scenes.cyclic_order.drawing import Part, draw, parts
from cwr_audits.scenes.cyclic_order.layout import SIZE
from cwr_audits.scenes.cyclic_order.looks import PALETTES
from cwr_audits.scenes.cyclic_order.sampling import instance_seed, sample
from cwr_certificates.seal import write_file

TOKENS = 5
SCALE = 0.3
BETWEEN = 64  # pixels of a picture, from one to the next
HEADING = 88  # em square of what stands above and beside the pictures
TOP = 160
INK = "#3a3d44"


def files() -> dict[str, bytes]:
    """Example and sheets by file name."""
    return {"example.svg": draw(example()).svg.encode("ascii"), **sheets()}


def sheets() -> dict[str, bytes]:
    """The sheets by file name, in the order of the variants."""
    return {f"{variant}.svg": _sheet(variant).encode("ascii") for variant in SCENE_VARIANTS}


def example() -> Puzzle:
    """The puzzle of the example."""
    return sample(instance_seed("public", 1), SceneConfig())


def shown(variant: str, path: str, style: str) -> Puzzle:
    """The puzzle that is shown of a combination; palettes alternate."""
    palettes = tuple(PALETTES)
    palette = palettes[(LOOP_PATHS.index(path) + TOKEN_STYLES.index(style)) % len(palettes)]
    config = SceneConfig((TOKENS,), (style,), (path,), (variant,), (palette,))
    return sample(f"sheet {variant} {path} {style}", config)


def _sheet(variant: str) -> str:
    cells = {
        (row, column): tuple(parts(shown(variant, path, style)))
        for (row, style), (column, path) in product(enumerate(TOKEN_STYLES), enumerate(LOOP_PATHS))
    }
    uses = Counter(part.ink for cell in cells.values() for part in cell)
    names = {ink: f"f{number}" for number, ink in enumerate(ink for ink, times in uses.items() if times > 1)}
    kept = "".join(f'<g id="{name}">{ink}</g>' for ink, name in names.items())
    drawn = "".join(_cell(*place, cell, names) for place, cell in cells.items())
    wide, high = (TOP + len(values) * (SIZE + BETWEEN) for values in (LOOP_PATHS, TOKEN_STYLES))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{round(wide * SCALE)}" height="{round(high * SCALE)}" '
        f'viewBox="0 0 {wide} {high}"><defs>{kept}</defs><path d="M0 0H{wide}V{high}H0Z" fill="#ffffff"/>'
        f"{_headings()}{drawn}</svg>\n"
    )


def _cell(row: int, column: int, cell: tuple[Part, ...], names: dict[str, str]) -> str:
    x, y = (TOP + place * (SIZE + BETWEEN) for place in (column, row))
    drawn = "".join(
        f'<use href="#{names[part.ink]}" x="{part.at[0]}" y="{part.at[1]}"/>'
        if part.ink in names
        else f'<g transform="translate({part.at[0]} {part.at[1]})">{part.ink}</g>'
        for part in cell
    )
    return f'<g transform="translate({x} {y})">{drawn}</g>'


def _headings() -> str:
    middles = [TOP + place * (SIZE + BETWEEN) + SIZE // 2 for place in range(max(len(LOOP_PATHS), len(TOKEN_STYLES)))]
    above = [marks.text(path, HEADING, x, TOP // 2, INK) for path, x in zip(LOOP_PATHS, middles, strict=True)]
    beside = [
        f'<g transform="translate({TOP // 2} {y})rotate(-90)">{marks.text(style, HEADING, 0, 0, INK)}</g>'
        for style, y in zip(TOKEN_STYLES, middles, strict=True)
    ]
    return "".join((*above, *beside))


def main(folder: str) -> None:
    """Write the files into a folder."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, content in files().items():
        write_file(Path(folder) / name, content)


if __name__ == "__main__":
    main(sys.argv[1])
