"""A puzzle becomes a picture: the backdrop of its variant, the tokens of both loops, the four cards.

The SVG is what a model may see: it has no ids, classes, titles, comments or texts, tokens stand in it in reading order,
and cards in the order of their labels, so that nothing in it tells more than the picture does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cwr_audits.scenes.cyclic_order.contract import Axes, Box, Look, Puzzle, Rendering
from cwr_audits.scenes.cyclic_order.glyphs import outline
from cwr_audits.scenes.cyclic_order.layout import NUMBER, SIZE, Layout, Spot, layout, moved
from cwr_audits.scenes.cyclic_order.tokens import extent, rest, token
from cwr_audits.scenes.cyclic_order.variants import THEMES, backdrop, card

HEAD = f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIZE}" height="{SIZE}" viewBox="0 0 {SIZE} {SIZE}">'


class Part(NamedTuple):
    """A fragment of SVG and where it is put."""

    ink: str
    at: Spot


def draw(puzzle: Puzzle) -> Rendering:
    """The picture of a puzzle, and where things are on it."""
    axes, shapes = puzzle.axes, {look.name: look.shape for look in puzzle.looks}
    plan = layout(axes.scene_variant, axes.loop_path, axes.token_count)
    tokens = {
        loop: tuple(moved(extent(axes.token_style, shapes[name], plan.radius), at) for name, at in spots)
        for loop, spots in _spots(puzzle, plan).items()
    }
    cards = zip(puzzle.options, plan.frame.cards, strict=True)
    return Rendering(
        svg="".join((HEAD, *(_put(part) for part in parts(puzzle)), "</svg>\n")),
        width=SIZE,
        height=SIZE,
        option_choice_bboxes_px={option.option_id: box for option, box in cards},
        token_bboxes_px=tokens,
        number_bboxes_px=_number_boxes(plan),
    )


def parts(puzzle: Puzzle) -> Iterator[Part]:
    """All that is drawn, in the order of painting."""
    axes, looks = puzzle.axes, {look.name: look for look in puzzle.looks}
    plan = layout(axes.scene_variant, axes.loop_path, axes.token_count)
    yield Part(backdrop(axes.scene_variant, axes.loop_path, axes.token_count), (0, 0))
    for spots in _spots(puzzle, plan).values():
        for name, at in spots:
            yield Part(_token(axes, looks[name], plan), at)
    for option, (left, top, _, _) in zip(puzzle.options, plan.frame.cards, strict=True):
        yield Part(card(axes.scene_variant, option.label, option.first, option.second), (left, top))


def _token(axes: Axes, look: Look, plan: Layout) -> str:
    """A token on its rest, unless the backdrop has one for it."""
    theme, drawn = THEMES[axes.scene_variant], token(axes.token_style, look, axes.palette, plan.radius)
    return drawn if theme.ring else rest(axes.token_style, look, plan.radius, plan.frame.rest, theme.panel) + drawn


def _put(part: Part) -> str:
    return f'<g transform="translate({part.at[0]} {part.at[1]})">{part.ink}</g>' if any(part.at) else part.ink


def _spots(puzzle: Puzzle, plan: Layout) -> dict[str, list[tuple[str, Spot]]]:
    """The tokens of both loops in reading order, and where they are."""
    loops = {"reference": puzzle.reference, "broken": puzzle.broken}
    return {
        loop: [(name, (x + right, y + down)) for name, (right, down) in zip(names, plan.tokens, strict=True)]
        for (loop, names), (x, y) in zip(loops.items(), plan.frame.centres, strict=True)
    }


def _number_boxes(plan: Layout) -> tuple[Box, ...]:
    _, (x, y) = plan.frame.centres
    return tuple(
        moved(outline(str(index + 1), NUMBER).box, (x + right, y + down))
        for index, (right, down) in enumerate(plan.numbers)
    )
