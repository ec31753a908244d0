"""Renderings of the cyclic-order scene that nobody drew: boxes on a grid, for tests that look at no picture."""

from __future__ import annotations

from cwr_audits.scenes.cyclic_order.contract import Box, Puzzle, Rendering

SIZE = 1000


def row(top: int, count: int, side: int) -> tuple[Box, ...]:
    """So many squares beside each other."""
    return tuple((20 + 90 * place, top, 20 + 90 * place + side, top + side) for place in range(count))


def fake_rendering(puzzle: Puzzle) -> Rendering:
    """A rendering of a puzzle: its SVG has the four borders and nothing else."""
    count = len(puzzle.broken)
    cards = {one.option_id: (40 + 240 * place, 700, 240 + 240 * place, 903) for place, one in enumerate(puzzle.options)}
    drawn = "".join(
        f'<rect x="{left}" y="{top}" width="{right - left}" height="{bottom - top}" fill="none" stroke="#222" '
        'stroke-width="4"/>'
        for left, top, right, bottom in cards.values()
    )
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}">{drawn}</svg>'
    tokens = {"reference": row(50, count, 60), "broken": row(300, count, 60)}
    return Rendering(svg, SIZE, SIZE, cards, tokens, row(380, count, 30))
