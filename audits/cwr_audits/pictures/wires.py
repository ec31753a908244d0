"""Wires between two neighbouring layers: level, then down or up a track of their own, then level again.

A net has one start on the left and one or more ends on the right. Tracks are ordered so that few wires cross, and so
that no two nets ever run along the same line; nets for which no such order exists run straight across, aslant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cwr_audits.pictures import svg

TRACK = 12  # pixels between tracks
NEAR = 5  # pixels within which two level lines would be taken for one


@dataclass(frozen=True)
class Net:
    """From height `start` on the left to the heights `ends` on the right; `kind` and `more` are kinds of lines.

    A net of kind "unseen" has its track and is not drawn.
    """

    start: int
    ends: tuple[int, ...]
    kind: str = "ink"
    more: str = ""

    @property
    def level(self) -> bool:
        return self.ends == (self.start,)


def tracks(nets: Sequence[Net]) -> list[int | None]:
    """For each net the number of its track, None where it needs none or where there is none."""
    waiting = sorted((i for i, net in enumerate(nets) if not net.level), key=lambda i: _rank(nets[i]))
    first = {i: {j for j in waiting if j != i and _before(nets[j], nets[i])} for i in waiting}
    found: list[int | None] = [None] * len(nets)
    number, done = 0, set[int]()
    while waiting:
        ready = next((i for i in waiting if first[i] <= done), None)
        if ready is not None:
            found[ready] = number
            number += 1
        placed = waiting[0] if ready is None else ready
        waiting.remove(placed)
        done.add(placed)
    return found


def _rank(net: Net) -> tuple[int, int]:
    """Nets that go down take the tracks from their lowest start on, nets that go up from their highest on."""
    down = sum(net.ends) >= net.start * len(net.ends)
    return (0, -net.start) if down else (1, net.start)


def _before(one: Net, other: Net) -> bool:
    """Whether the track of `one` must lie left of the other's: it starts at a height at which the other ends."""
    return any(abs(one.start - end) < NEAR for end in other.ends)


def room(nets: Sequence[Net]) -> int:
    """The pixels between the layers that the tracks take."""
    return TRACK * (1 + sum(track is not None for track in tracks(nets)))


def draw(nets: Sequence[Net], left: int, first: int, right: int) -> list[str]:
    """The wires from x = left to right, the first track at x = first."""
    parts = []
    for net, track in zip(nets, tracks(nets), strict=True):
        if net.kind == "unseen":
            continue
        x = first if track is None else first + TRACK * track
        parts += [svg.line(points, net.kind, net.more) for points in _lines(net, left, x, right, track is not None)]
        parts += [svg.dot(x, y) for y in _forks(net)]
    return parts


def _lines(net: Net, left: int, x: int, right: int, tracked: bool) -> list[list[svg.Point]]:
    """The first end's wire as a whole, of the others what it does not cover already."""
    if net.level:
        return [[(left, net.start), (right, net.start)]]
    if not tracked:
        return [[(left, net.start), (x, net.start), (right, end)] for end in net.ends]
    far = sorted(net.ends, key=lambda end: -abs(end - net.start))
    below, above = ([end for end in far if (end > net.start) == side] for side in (True, False))
    wires = [[(x, end), (right, end)] for end in below[1:] + above[1:]]
    trunks = [[(x, net.start), (x, side[0]), (right, side[0])] for side in (below, above) if side]
    trunks[0].insert(0, (left, net.start))
    return [*trunks, *wires]


def _forks(net: Net) -> list[int]:
    """Where three or four lines of a net meet on its track."""
    heights = sorted({net.start, *net.ends})
    found = []
    for y in heights:
        lines = (y == net.start) + (y in net.ends) + (y > heights[0]) + (y < heights[-1])
        found += [y] if lines > 2 else []
    return found
