"""Coloured tiling: the board with its pieces, each face in its colour and with its colour's letter.

A piece has a thick outline, and its number and name in its first cell; between two of its cells there is no line. Faces
are the strips along the sides of a cell. The border colour lies around the board. Holes are crossed out. An illegal
piece is outlined in dashes, where it lies on the board or next to it. Pieces that are left stand below.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cwr_audits.pictures import svg
from cwr_audits.pictures.drawing import Drawing, Run, play, rules_broken, tell
from cwr_audits.pictures.palette import FACES
from cwr_audits.pictures.svg import CHARACTER
from cwr_solvers.world import Submission
from cwr_solvers.worlds.ft import interpreter
from cwr_solvers.worlds.ft.instance import SIDES, STEP, Cell, Faces, Instance, Placement

FACE = 16  # pixels, the depth of a face
LEAST = 72  # pixels, side of a cell
MOST = 16  # characters of a piece's name in a cell

KEY = (
    "A strip along a side of a cell is a face, its letter its colour; where two faces meet their colours must be "
    "equal. The bold words of a piece: its step and name. A crossed cell is a hole.",
)


@dataclass(frozen=True)
class _Grid:
    """Where cells are drawn: pixels of the corner of cell (0, 0), and of a cell; colours by number and letter."""

    left: int
    top: int
    wide: int
    high: int
    colours: Mapping[str, tuple[int, str]]

    def corner(self, cell: Cell) -> Cell:
        return self.left + cell[0] * self.wide, self.top + cell[1] * self.high


def draw(instance: Instance, submission: Submission[Placement], step: int | None) -> Drawing:
    """The drawing of a submission's first moves."""
    run = play(interpreter, instance, submission, step)
    grid = _grid(instance)
    parts = [*_board(instance, grid), *_border(instance, grid)]
    for number, move in enumerate(run.made, 1):
        parts += _piece(instance, grid, move, number, run.wrong is None and number == len(run.made))
    right, bottom = grid.corner((instance.width, instance.height))
    right, bottom = right + grid.left, bottom + grid.top
    wrong, right, bottom = _wrong(instance, grid, run, right, bottom)
    left = interpreter.left_over(instance, run.trace.states[-1])
    words = f"Pieces left: {', '.join(f'{n} × {svg.cut(name, MOST)}' for name, n in left.items()) or 'none'}."
    told = tell(run, [_said(move) for move in run.made], _said(run.wrong[1]) if run.wrong else "")
    title = f"{instance.code}: coloured tiling"
    return Drawing(title, run, (*parts, *wrong), right, bottom, (words, *_legend(grid), *KEY), (*told, words[:-1]))


def _said(move: Placement) -> str:
    turned = f", turn {move.turn}" * (move.turn > 0) + ", flipped" * (move.flip > 0)
    return f"{svg.cut(move.piece)} at ({move.x}, {move.y}){turned}"


def _colours(instance: Instance) -> dict[str, tuple[int, str]]:
    """For each colour its number and its letters: as few of the name as tell it from the others, else its number."""
    names = {colour for piece in instance.pieces for _, faces in piece.shape.cells for colour in faces if colour}
    ordered = sorted(names | ({instance.border} if instance.border else set()))
    letters: dict[str, str] = {}
    for number, name in enumerate(ordered):
        first = svg.clean(name)[:1]
        own = first.isascii() and all(other == name or other[:1] != first for other in ordered)
        letters[name] = first if own else str(number + 1)
    return {name: (number % len(FACES), letters[name]) for number, name in enumerate(ordered)}


def _legend(grid: _Grid) -> list[str]:
    told = [f"{letter} = {svg.cut(name)}" for name, (_, letter) in grid.colours.items() if letter != name]
    return [f"Colours: {', '.join(told)}."] if told else []


def _grid(instance: Instance) -> _Grid:
    """Cells large enough for what is written in them; around the board room for the border and one cell's edge."""
    colours = _colours(instance)
    most = len(str(max(instance.most_placements, 1))) if instance.most_placements < 10**4 else 4
    names = max((svg.columns(svg.cut(piece.name, MOST)) for piece in instance.pieces), default=0)
    letters = svg.widest(letter for _, letter in colours.values())
    side = max(FACE, letters + 6)
    wide = max(LEAST, CHARACTER * max(most, names) + 2 * side + 8)
    return _Grid(FACE + 8, FACE + 8, wide, LEAST, colours)


def _board(instance: Instance, grid: _Grid) -> list[str]:
    """The cells, and crosses over holes."""
    (left, top), (right, bottom) = grid.corner((0, 0)), grid.corner((instance.width, instance.height))
    parts = [svg.rect(left, top, right - left, bottom - top, "card")]
    for column in range(1, instance.width):
        x = left + grid.wide * column
        parts.append(svg.line([(x, top), (x, bottom)], "faint"))
    for row in range(1, instance.height):
        y = top + grid.high * row
        parts.append(svg.line([(left, y), (right, y)], "faint"))
    for hole in instance.holes:
        x, y = grid.corner(hole)
        parts.append(svg.rect(x, y, grid.wide, grid.high, "paper"))
        parts.append(svg.line([(x, y), (x + grid.wide, y + grid.high)]))
        parts.append(svg.line([(x, y + grid.high), (x + grid.wide, y)]))
    return parts


def _border(instance: Instance, grid: _Grid) -> list[str]:
    """A frame in the border's colour, with its letter in every corner's middle, where there is one."""
    if instance.border is None:
        return []
    number, letter = grid.colours[instance.border]
    (left, top), (right, bottom) = grid.corner((0, 0)), grid.corner((instance.width, instance.height))
    d = FACE
    parts = []
    for (x1, y1), (x2, y2) in (
        ((left - d, top - d), (right + d, top)),
        ((left - d, bottom), (right + d, bottom + d)),
        ((left - d, top), (left, bottom)),
        ((right, top), (right + d, bottom)),
    ):
        parts.append(svg.face([(x1, y1), (x2, y1), (x2, y2), (x1, y2)], number))
    for column in range(instance.width):
        x = left + grid.wide * column + grid.wide // 2
        parts += [svg.text(x, y, letter, "on", "middle") for y in (top - 3, bottom + d - 3)]
    for row in range(instance.height):
        y = top + grid.high * row + grid.high // 2 + 5
        parts += [svg.text(x, y, letter, "on", "middle") for x in (left - d // 2, right + d // 2)]
    return parts


def _piece(instance: Instance, grid: _Grid, move: Placement, number: int, last: bool) -> list[str]:
    coloured = interpreter.placed(instance, move)
    own = {cell for cell, _ in coloured}
    title = f"{number}. {_said(move)}"
    parts = [_area(grid, cell, "new" if last else "fill", title) for cell in sorted(own)]
    edges: list[str] = []
    for cell, faces in coloured:
        inside = [side for side in SIDES if (cell[0] + STEP[side][0], cell[1] + STEP[side][1]) in own]
        for side, colour in zip(SIDES, faces, strict=True):
            if side not in inside:
                edges.append(svg.line(_ends(grid, cell, side), "ink", "thick"))
                parts += [] if colour is None else _face(grid, cell, side, colour, inside)
    x, y = grid.corner(min(own))
    middle = x + grid.wide // 2
    names = [svg.text(middle, y + grid.high // 2 - 3, str(number), "new", "middle")]
    names.append(svg.name(middle, y + grid.high // 2 + 13, move.piece, "new", "middle", MOST))
    return [*parts, *edges, *names]


def _area(grid: _Grid, cell: Cell, kind: str, title: str) -> str:
    """A cell without lines around it."""
    x, y = grid.corner(cell)
    return svg.rect(x, y, grid.wide, grid.high, f"{kind} cwr-bare", title)


def _ends(grid: _Grid, cell: Cell, side: str) -> list[Cell]:
    """The two ends of a side of a cell."""
    x, y = grid.corner(cell)
    corners = [(x, y), (x + grid.wide, y), (x + grid.wide, y + grid.high), (x, y + grid.high), (x, y)]
    start = SIDES.index(side)
    return corners[start : start + 2]


def _face(grid: _Grid, cell: Cell, side: str, colour: str, open_to: Sequence[str]) -> list[str]:
    """A strip along a side, cut aslant where it meets another side of the piece, and its letter.

    `open_to` are the sides on which the piece goes on.
    """
    number, letter = grid.colours[colour]
    deep = max(FACE, svg.width(letter) + 6)
    x, y = grid.corner(cell)
    left, right = x + deep * ("left" not in open_to), x + grid.wide - deep * ("right" not in open_to)
    top, bottom = y + FACE * ("top" not in open_to), y + grid.high - FACE * ("bottom" not in open_to)
    inner = [(left, top), (right, top), (right, bottom), (left, bottom)]
    start = SIDES.index(side)
    strip = [*_ends(grid, cell, side), inner[(start + 1) % 4], inner[start]]
    places = {
        "top": (x + grid.wide // 2, y + 13),
        "right": (x + grid.wide - deep // 2, y + grid.high // 2 + 5),
        "bottom": (x + grid.wide // 2, y + grid.high - 3),
        "left": (x + deep // 2, y + grid.high // 2 + 5),
    }
    return [svg.face(strip, number), svg.text(*places[side], letter, "on", "middle")]


def _wrong(instance: Instance, grid: _Grid, run: Run, right: int, bottom: int) -> tuple[list[str], int, int]:
    """The cells of an illegal piece on the board or beside it, dashed and crossed; what it breaks stands below."""
    if run.wrong is None:
        return [], right, bottom
    number, move = run.wrong
    parts: list[str] = []
    covered = run.trace.states[-1].there
    shape = dict(interpreter.placed(instance, move))
    for cell in _near(instance, move):
        x, y = grid.corner(cell)
        if cell not in instance.cells:
            parts += svg.cross(*_beside(instance, grid, cell))
            continue
        parts += [] if cell in covered else _ghost(grid, cell, shape)
        inset = FACE + 2
        parts.append(svg.rect(x + inset, y + inset, grid.wide - 2 * inset, grid.high - 2 * inset, "bad"))
    words = f"✗ {number}: {_said(move)} breaks {rules_broken(run.trace)}"
    asked, wide, low = svg.box(0, bottom + 8, words)
    return parts + asked, max(right, wide), low


def _ghost(grid: _Grid, cell: Cell, shape: Mapping[Cell, Faces]) -> list[str]:
    """The faces of a cell of an illegal piece, where nothing covers it: so a clash of colours can be seen."""
    inside = [side for side in SIDES if (cell[0] + STEP[side][0], cell[1] + STEP[side][1]) in shape]
    faces = zip(SIDES, shape[cell], strict=True)
    return [part for side, colour in faces if colour is not None for part in _face(grid, cell, side, colour, inside)]


def _near(instance: Instance, move: Placement) -> list[Cell]:
    """The cells of a placement that are on the board or one step beside it."""
    cells = (cell for cell, _ in interpreter.placed(instance, move))
    return [(x, y) for x, y in cells if -1 <= x <= instance.width and -1 <= y <= instance.height]


def _beside(instance: Instance, grid: _Grid, cell: Cell) -> Cell:
    """The place of the cross for a cell that is a hole, or next to the board."""
    x, y = grid.corner(cell)
    across = max(grid.left - FACE // 2, min(x + grid.wide // 2, grid.corner((instance.width, 0))[0] + FACE // 2))
    down = max(grid.top - FACE // 2, min(y + grid.high // 2, grid.corner((0, instance.height))[1] + FACE // 2))
    return across, down
