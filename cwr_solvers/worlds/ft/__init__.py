"""Coloured tiling (FT): polyominoes on a board with holes, with coloured faces. This text is the rule book.

Vocabulary
  board       cells (x, y), x from 0 to width-1 rightward, y from 0 to height-1 downward, less the holes
  piece       a set of cells given by offsets from its origin, and how many copies of it there are; each cell has four
              faces (top, right, bottom, left); a face between two cells of the piece is internal and has no colour; an
              exterior face has a colour or none; faces without a colour match everything
  turn, flip  a piece may allow rotation (turn: 0 to 3 quarter turns clockwise) and reflection (flip: 0 or 1, x becomes
              -x before turning); colours move with their faces. After turning and flipping, the shape is moved so that
              the least x and the least y of its cells are 0 (also when neither was applied, offsets are taken as
              stated: a piece with offsets that do not begin at 0 keeps them only where it allows neither)
  placement   {"piece": name, "x": integer, "y": integer}, plus "turn" exactly for pieces that allow rotation and "flip"
              exactly for those that allow reflection; the origin (0, 0) of the shape lies at (x, y); one step, cost
              one; no removal
  submission  {"placements": [placement, ...]}, any number, also none

Rules of a step, preconditions, judged side by side unless said otherwise
  R1  supply     fewer copies of the piece are placed than there are
  R2  bounds     every cell of the placed piece is a cell of the board (in bounds and no hole)
  R3  overlap    no cell of it is covered already (cells outside the board are not judged)
  R4  colours    wherever an exterior face of it meets a face of a piece placed before, both have the same colour or one
                 has none; judged only when R2 and R3 hold (also when R1 does not)
  R5  border     wherever an exterior face of it lies on the border (the neighbouring cell is outside the board or a
                 hole), it has the border colour, or none; judged only when R2 and R3 hold, and not at all where the
                 instance states no border colour

Rules of a step, judged on the state after it, and only when R1 to R5 hold
  R6  placements the number of placements so far is at most the placement budget
  R7  cost       the cost so far is at most the cost budget

Rule of the end
  G   goal       every cell of the board is covered, and, where the goal says "all", every copy of every piece is placed

Malformed, not illegal: unknown pieces; x or y beyond 2^53; turn outside 0..3, flip outside 0..1; turn or flip given for
a piece that does not allow it, or missing where it does. In a state: the same; placements that break R1, R2 or R3
(cells that contradict each other); `steps` or `cost` other than the number of placements. Colours in a state may clash.

All rules are kept by every subset of a legal set of placements, so every order of a legal set is legal. A word lists
its placements sorted by (piece, x, y, flip, turn), each with the least (flip, turn) that gives the same coloured cells
at the same place; it stands for n! raw submissions times, for every placement, the number of (flip, turn) that give the
same coloured cells.

Symmetries that a class forgets: the order of placements, and the choice among (flip, turn) that give the same coloured
cells. (Symmetries of the board are not forgotten.)

Motif `main`. The contact graph of a solution: a node for each placement with its orientation (horizontal: all cells in
one row and more than one; vertical: all in one column and more than one; else "other"), an edge where cells of two
placements share a side, labelled with the side on which they touch (horizontal neighbours or vertical neighbours; both
possible). It holds when the contact graph, with these labels, is isomorphic to that of the witness; the instance may
state it as `motif`: a list of orientations and a list of labelled contacts. It is false where the instance states none.
"""
