"""A puzzle becomes a picture: the backdrop of its variant, the tokens of both loops, the four cards.

The SVG is what a model may see: it has no ids, classes, titles, comments or texts, tokens stand in it in reading order,
and cards in the order of their labels, so that nothing in it tells more than the picture does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain

from cwr_audits.scenes.cyclic_order.contract import Axes, Box, Look, Puzzle, Rendering
from cwr_audits.scenes.cyclic_order.glyphs import outline
from cwr_audits.scenes.cyclic_order.layout import NUMBER, SIZE, Layout, Spot, layout, moved
from cwr_audits.scenes.cyclic_order.tokens import extent, token
from cwr_audits.scenes.cyclic_order.variants import backdrop, card

HEAD = f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIZE}" height="{SIZE}" viewBox="0 0 {SIZE} {SIZE}">'


def draw(puzzle: Puzzle) -> Rendering:
    """The picture of a puzzle, and where things are on it."""
    axes, looks = puzzle.axes, {look.name: look for look in puzzle.looks}
    plan = layout(axes.scene_variant, axes.loop_path, axes.token_count)
    loops = {"reference": puzzle.reference, "broken": puzzle.broken}
    spots = dict(zip(loops, (_spots(plan, centre) for centre in plan.frame.centres), strict=True))
    parts = chain(
        (HEAD, backdrop(axes.scene_variant, axes.loop_path, axes.token_count)),
        _tokens(axes, looks, plan.radius, loops, spots),
        _cards(puzzle),
        ("</svg>\n",),
    )
    return Rendering(
        svg="".join(parts),
        width=SIZE,
        height=SIZE,
        option_choice_bboxes_px={
            option.option_id: box for option, box in zip(puzzle.options, plan.frame.cards, strict=True)
        },
        token_bboxes_px={
            loop: tuple(
                moved(extent(axes.token_style, looks[name].shape, plan.radius), at)
                for name, at in zip(names, spots[loop], strict=True)
            )
            for loop, names in loops.items()
        },
        number_bboxes_px=_number_boxes(plan),
    )


def _spots(plan: Layout, centre: Spot) -> tuple[Spot, ...]:
    return tuple((centre[0] + x, centre[1] + y) for x, y in plan.tokens)


def _tokens(
    axes: Axes,
    looks: Mapping[str, Look],
    radius: int,
    loops: Mapping[str, tuple[str, ...]],
    spots: Mapping[str, tuple[Spot, ...]],
) -> Iterable[str]:
    for loop, names in loops.items():
        for name, (x, y) in zip(names, spots[loop], strict=True):
            drawn = token(axes.token_style, looks[name], axes.palette, radius)
            yield f'<g transform="translate({x} {y})">{drawn}</g>'


def _cards(puzzle: Puzzle) -> Iterable[str]:
    for index, option in enumerate(puzzle.options):
        yield card(puzzle.axes.scene_variant, index, option.label, option.first, option.second)


def _number_boxes(plan: Layout) -> tuple[Box, ...]:
    _, (x, y) = plan.frame.centres
    return tuple(
        moved(outline(str(index + 1), NUMBER).box, (x + right, y + down))
        for index, (right, down) in enumerate(plan.numbers)
    )
