"""Layouts and wires: no node on another, no two nets along one line, the same whatever the hash seed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random

import pytest

from cwr_audits.pictures import wires
from cwr_audits.pictures.layers import heights, layered
from cwr_audits.pictures.wires import Net, tracks

GAP = 10


def graphs() -> list[tuple[int, list[tuple[int, int]]]]:
    """Random graphs without cycles, some in several pieces."""
    draws = Random("graphs")
    found = []
    for _ in range(40):
        count = draws.randint(1, 24)
        pairs = [(draws.randrange(count), draws.randrange(count)) for _ in range(draws.randint(0, 2 * count))]
        found.append((count, sorted({(a, b) for a, b in pairs if a < b})))
    return found


@pytest.mark.parametrize(("count", "edges"), graphs())
def test_edges_run_from_layer_to_layer(count: int, edges: list[tuple[int, int]]) -> None:
    found = layered(count, edges)
    layer = {node: place for place, row in enumerate(found.layers) for node in row}
    assert len(layer) == sum(map(len, found.layers))
    assert set(range(count)) <= set(layer)
    assert set(found.chains) == set(edges)
    for (source, target), chain in found.chains.items():
        assert (chain[0], chain[-1]) == (source, target)
        assert all(layer[b] == layer[a] + 1 for a, b in pairwise(chain))
        assert all(node >= found.count for node in chain[1:-1])
    entered = {target for _, target in edges}
    assert all(layer[node] == 0 for node in range(count) if node not in entered)


@pytest.mark.parametrize(("count", "edges"), graphs())
def test_no_node_lies_on_another(count: int, edges: list[tuple[int, int]]) -> None:
    found = layered(count, edges)

    def high(node: int) -> int:
        return 20 + 8 * (node % 5) if node < count else 6

    middle = heights(found, high, GAP)
    assert all(middle[node] - high(node) // 2 >= 0 for node in middle)
    for row in found.layers:
        for above, below in pairwise(row):
            assert middle[below] - middle[above] >= (high(above) + high(below)) // 2 + GAP - 1


def test_nothing_is_laid_out_of_nothing() -> None:
    assert layered(0, []).layers == ()
    assert heights(layered(0, []), lambda _: 1, 1) == {}


def test_a_long_wire_runs_level_where_there_is_room() -> None:
    found = layered(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
    middle = heights(found, lambda node: 20 if node < 4 else 6, GAP)
    chain = found.chains[0, 3]
    assert len(chain) == 4
    assert middle[chain[1]] == middle[chain[2]]


def channels() -> list[list[Net]]:
    """Random nets whose starts, and whose ends, lie on different heights: as nodes and ports do."""
    draws = Random("channels")
    found = []
    for _ in range(60):
        starts = draws.sample(range(0, 400, 10), draws.randint(1, 8))
        ends = draws.sample(range(0, 400, 10), len(starts) * 2)
        found.append(
            [Net(start, tuple(sorted(ends[2 * i : 2 * i + draws.randint(1, 2)]))) for i, start in enumerate(starts)]
        )
    return found


def shared(nets: Sequence[Net], places: Sequence[int | None]) -> list[tuple[int, int]]:
    """Pairs of nets that run along one line: one's start line and the other's end line at one height, or one track."""
    found = []
    for a, one in enumerate(nets):
        for b, other in enumerate(nets):
            left, right = places[a], places[b]
            if a == b or left is None or right is None:
                continue
            if left == right or (left > right and any(abs(one.start - end) < wires.NEAR for end in other.ends)):
                found.append((a, b))
    return found


def test_no_two_nets_run_along_one_line() -> None:
    met = reversed_ones = 0
    for nets in channels():
        places = tracks(nets)
        assert shared(nets, places) == []
        used = [one for one in places if one is not None]
        assert sorted(used) == list(range(len(used)))
        backwards = [None if one is None else len(used) - 1 - one for one in places]
        reversed_ones += bool(shared(nets, backwards))
        met += len(used)
    assert met > 100
    assert reversed_ones > 5, "the check sees tracks in the wrong order"


def test_a_net_that_goes_straight_needs_no_track_and_a_circle_runs_aslant() -> None:
    assert tracks([Net(10, (10,)), Net(50, (90,))]) == [None, 0]
    places = tracks([Net(10, (50,)), Net(50, (10,))])
    assert sorted(place is None for place in places) == [False, True]
    drawn = wires.draw([Net(10, (50,)), Net(50, (10,))], 0, 20, 60)
    assert len(drawn) == 2


@pytest.mark.parametrize(
    ("net", "dots"),
    [
        (Net(0, (20,)), 0),
        (Net(0, (0,)), 0),
        (Net(0, (0, 20)), 1),
        (Net(10, (0, 20)), 1),
        (Net(0, (10, 20)), 1),
        (Net(10, (0, 10, 20, 30)), 2),
    ],
)
def test_dots_stand_where_wires_of_a_net_part(net: Net, dots: int) -> None:
    drawn = wires.draw([net], 0, 20, 60)
    assert sum("<circle" in part for part in drawn) == dots
    assert wires.draw([Net(net.start, net.ends, "unseen")], 0, 20, 60) == []
