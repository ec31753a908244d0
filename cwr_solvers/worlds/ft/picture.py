"""Coloured tiling: a submission as the board with its pieces. Holes are crossed out.

A piece bears its name and the number of its step in its first cell, and the colours of its faces along them; there are
no lines between its cells. The last piece stands out; of an illegal one the cells on the board or next to it are
outlined. Pieces that are left are listed beside the board.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from cwr_solvers import svg
from cwr_solvers.grading import run
from cwr_solvers.svg import LINE, MARGIN
from cwr_solvers.world import Submission
from cwr_solvers.worlds.ft import interpreter
from cwr_solvers.worlds.ft.instance import SIDES, STEP, Cell, Instance, Placement

GAP = 24
PAD = 4


@dataclass(frozen=True)
class _Grid:
    """Where cells are drawn: pixels of the corner of cell (0, 0), and of a cell."""

    left: int
    top: int
    wide: int
    high: int

    def corner(self, cell: Cell) -> Cell:
        return self.left + cell[0] * self.wide, self.top + cell[1] * self.high


def picture(instance: Instance, submission: Submission[Placement], step: int | None) -> str:
    """The SVG of a submission up to `step` (None: the whole); a first illegal step is marked and nothing after it."""
    moves = submission.moves[:step]
    trace = run(interpreter, instance, Submission(moves, submission.choice))
    made = moves[: len(trace.states) - 1]
    wrong = None if trace.first_illegal_step is None else moves[trace.first_illegal_step - 1]
    outlined = [] if wrong is None else _near(instance, wrong)
    framed = any(x in (-1, instance.width) or y in (-1, instance.height) for x, y in outlined)
    grid = _grid(instance, framed)
    parts = _board(instance, grid)
    for number, move in enumerate(made, 1):
        parts += _piece(instance, grid, move, number, number == len(made))
    for cell in outlined:
        x, y = grid.corner(cell)
        parts.append(svg.rect(x + 3, y + 3, grid.wide - 6, grid.high - 6, "bad"))
    lines = [("left:", "faint")]
    lines += [
        (f"{number} × {name}", "ink") for name, number in interpreter.left_over(instance, trace.states[-1]).items()
    ]
    lines += [("nothing", "faint")] if len(lines) == 1 else []
    lines += [] if wrong is None else [(f"{trace.first_illegal_step} {_said(wrong)} ✗", "bad")]
    right, bottom = grid.corner((instance.width + framed, instance.height + framed))
    parts += [svg.text(right + GAP, MARGIN + LINE * row + 12, words, kind) for row, (words, kind) in enumerate(lines)]
    caption = svg.caption(trace, len(moves), len(submission.moves))
    if instance.border is not None:
        caption.insert(0, (f"border {instance.border}", "faint"))
    wide = right + GAP + svg.widest(words for words, _ in lines)
    high = max(bottom, MARGIN + LINE * len(lines)) + PAD
    return svg.document(f"Coloured tiling {instance.code}", wide, high, parts, caption)


def _near(instance: Instance, move: Placement) -> list[Cell]:
    """The cells of a placement that are on the board or one step beside it."""
    cells = (cell for cell, _ in interpreter.placed(instance, move))
    return [(x, y) for x, y in cells if -1 <= x <= instance.width and -1 <= y <= instance.height]


def _grid(instance: Instance, framed: bool) -> _Grid:
    """Cells large enough for what is written in them; a frame of one cell more, where something lies outside."""
    shapes = [piece.shape for piece in instance.pieces]
    colours = [colour for shape in shapes for _, faces in shape.cells for colour in faces if colour is not None]
    names = svg.widest(f"{instance.most_placements} {piece.name}" for piece in instance.pieces)
    wide = max(names + 2 * svg.widest(colours) + 4 * PAD, 3 * LINE if colours else LINE + 2 * PAD)
    high = 3 * LINE + 2 * PAD if colours else LINE + 2 * PAD
    return _Grid(MARGIN + wide * framed, MARGIN + high * framed, wide, high)


def _board(instance: Instance, grid: _Grid) -> list[str]:
    """Faint lines between cells, and crosses over holes."""
    (left, top), (right, bottom) = grid.corner((0, 0)), grid.corner((instance.width, instance.height))
    columns = (grid.left + grid.wide * column for column in range(instance.width + 1))
    rows = (grid.top + grid.high * row for row in range(instance.height + 1))
    parts = [svg.line(x, top, x, bottom, "faint") for x in columns]
    parts += [svg.line(left, y, right, y, "faint") for y in rows]
    for hole in instance.holes:
        x, y = grid.corner(hole)
        parts.append(svg.line(x, y, x + grid.wide, y + grid.high, "faint"))
        parts.append(svg.line(x, y + grid.high, x + grid.wide, y, "faint"))
    return parts


def _piece(instance: Instance, grid: _Grid, move: Placement, number: int, last: bool) -> list[str]:
    coloured = interpreter.placed(instance, move)
    own = {cell for cell, _ in coloured}
    title = f"{number}. {_said(move)}"
    parts = [_area(grid, cell, "new" if last else "fill", title) for cell in sorted(own)]
    for cell, faces in coloured:
        for side, colour in zip(SIDES, faces, strict=True):
            if (cell[0] + STEP[side][0], cell[1] + STEP[side][1]) not in own:
                parts.append(svg.steps(_face(grid, cell, side)))
                parts += [] if colour is None else [_written(grid, cell, side, colour)]
    x, y = grid.corner(min(own))
    words, kind = f"{number} {move.piece}", "new" if last else "ink"
    return [*parts, svg.text(x + grid.wide // 2, y + grid.high // 2 + 5, words, kind, "middle")]


def _said(move: Placement) -> str:
    turned = f", turn {move.turn}" * (move.turn > 0) + ", flipped" * (move.flip > 0)
    return f"{move.piece} at ({move.x}, {move.y}){turned}"


def _area(grid: _Grid, cell: Cell, kind: str, title: str) -> str:
    """A cell without lines around it."""
    x, y = grid.corner(cell)
    shape = f'x="{x}" y="{y}" width="{grid.wide}" height="{grid.high}"'
    return f'<rect class="{kind}" style="stroke:none" {shape}><title>{escape(title)}</title></rect>'


def _face(grid: _Grid, cell: Cell, side: str) -> list[Cell]:
    """The two ends of a side of a cell."""
    x, y = grid.corner(cell)
    corners = [(x, y), (x + grid.wide, y), (x + grid.wide, y + grid.high), (x, y + grid.high), (x, y)]
    start = SIDES.index(side)
    return corners[start : start + 2]


def _written(grid: _Grid, cell: Cell, side: str, colour: str) -> str:
    """The colour of a face, along it."""
    x, y = grid.corner(cell)
    middle = y + grid.high // 2 + 5
    places = {
        "top": (x + grid.wide // 2, y + LINE - PAD, "middle"),
        "right": (x + grid.wide - PAD, middle, "end"),
        "bottom": (x + grid.wide // 2, y + grid.high - PAD - 1, "middle"),
        "left": (x + PAD, middle, "start"),
    }
    across, down, anchor = places[side]
    return svg.text(across, down, colour, "faint", anchor)
