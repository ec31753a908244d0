"""PA as the matrix of its connections: a bit-vector a port, with a bit for each port that it is connected to.

row        of a port: the set of the ports to which it is `from`; one bit a port, the first port lowest
column     of a port: the set of the ports that are `from` of it, likewise
sheet      of a component: the rows of its ports, one after the other, the first one lowest
reach      of a component: the set of the components to which a directed path of at least one connection leads; no
           variable, but Warshall's closure of the matrix (https://doi.org/10.1145/321105.321107), one component after
           the other as a way station
Every pair of ports has its bit, also pairs that no rule allows, and a set of connections has one matrix.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from operator import and_, or_
from typing import TypeAlias

import z3

from cwr_solvers.answers import Claim, refuse_unsupported
from cwr_solvers.backends.smt import Encoding, Model, ValueOf, any_of, post_requests
from cwr_solvers.jsontext import Json
from cwr_solvers.worlds.pa.instance import Connection, Instance, Port, read_connection, write_connections

Bits: TypeAlias = z3.BitVecRef


@dataclass(frozen=True, slots=True)
class Wiring:
    """The terms of one question.

    asked    the instance
    ports    the ports, in the order of their bits
    sheets   the sheet of each component that has ports
    rows     the row of each port
    columns  the column of each port
    sent     for each component the set of those to which its connections lead, components in stated order
    reach    the reach of each component likewise
    cost     the number of connections
    """

    asked: Instance
    ports: tuple[Port, ...]
    sheets: tuple[Bits, ...]
    rows: tuple[Bits, ...]
    columns: tuple[Bits, ...]
    sent: tuple[Bits, ...]
    reach: tuple[Bits, ...]
    cost: Bits


def build(model: Model, instance: Instance, claim: Claim) -> Encoding:
    """Post the accepted submissions of `instance` within the claim's bound."""
    refuse_unsupported(claim, MOTIFS, MOTIFS, moves=True)
    wiring = _wiring(model, instance)
    for rule in RULES.values():
        rule(model, wiring)
    claim_bound(model, claim, wiring)
    claim_requests(model, claim, wiring)

    def decode(value_of: ValueOf) -> Json:
        sheets = [value_of(sheet) for sheet in wiring.sheets]
        return write_connections(_connections(wiring, sheets))

    return Encoding(wiring.sheets, wiring.cost, decode, "QF_BV")


def r1_direction(model: Model, wiring: Wiring) -> None:
    """R1: from an output port to an input port."""
    _deny(model, "R1", wiring, lambda start, end: end.output or not start.output)


def r2_type(model: Model, wiring: Wiring) -> None:
    """R2: both ports have the same type."""
    _deny(model, "R2", wiring, lambda start, end: start.type != end.type)


def r3_from_free(model: Model, wiring: Wiring) -> None:
    """R3: what is `from` of a connection is no end of another one."""
    for number, (row, column) in enumerate(zip(wiring.rows, wiring.columns, strict=True)):
        model.post("R3", *_sole_end(number, row, column))


def r4_to_free(model: Model, wiring: Wiring) -> None:
    """R4: what is `to` of a connection is no end of another one."""
    for number, (row, column) in enumerate(zip(wiring.rows, wiring.columns, strict=True)):
        model.post("R4", *_sole_end(number, column, row))


def r5_self(model: Model, wiring: Wiring) -> None:
    """R5: the ports belong to different components. By construction R7 says so too: such a component reaches itself."""
    _deny(model, "R5", wiring, lambda start, end: start.component == end.component)


def r6_forbidden(model: Model, wiring: Wiring) -> None:
    """R6: neither component is forbidden."""
    banned = wiring.asked.forbidden
    _deny(model, "R6", wiring, lambda start, end: start.component in banned or end.component in banned)


def r7_cycle(model: Model, wiring: Wiring) -> None:
    """R7: no component reaches itself."""
    model.post("R7", *(z3.Not(_has(reach, component)) for component, reach in enumerate(wiring.reach)))


def r8_connections(model: Model, wiring: Wiring) -> None:
    """R8: at most as many connections as the connection budget."""
    model.post("R8", _at_most(wiring.cost, wiring.asked.most_connections))


def r9_cost(model: Model, wiring: Wiring) -> None:
    """R9: the cost, one a connection, is within the cost budget."""
    model.post("R9", _at_most(wiring.cost, wiring.asked.most_cost))


def g_goal(model: Model, wiring: Wiring) -> None:
    """G: the listed ports are ends of connections, and the listed paths are there."""
    for port, row, column in zip(wiring.ports, wiring.rows, wiring.columns, strict=True):
        if port.name in wiring.asked.goal_ports:
            model.post("G", row | column != 0)
    number = {component.name: number for number, component in enumerate(wiring.asked.components)}
    model.post("G", *(_has(wiring.reach[number[start]], number[end]) for start, end in wiring.asked.goal_paths))


RULES: dict[str, Callable[[Model, Wiring], None]] = {
    "R1": r1_direction,
    "R2": r2_type,
    "R3": r3_from_free,
    "R4": r4_to_free,
    "R5": r5_self,
    "R6": r6_forbidden,
    "R7": r7_cycle,
    "R8": r8_connections,
    "R9": r9_cost,
    "G": g_goal,
}


def claim_bound(model: Model, claim: Claim, wiring: Wiring) -> None:
    """The claim's own bound of the cost."""
    if claim.most_cost is not None:
        model.post("claim", _at_most(wiring.cost, claim.most_cost))


def claim_requests(model: Model, claim: Claim, wiring: Wiring) -> None:
    """The motifs and moves that the claim wants to be there, or not."""
    post_requests(model, claim, lambda name: MOTIFS[name](model, wiring), lambda move: _occurs(wiring, move))


def motif_main(model: Model, wiring: Wiring) -> z3.BoolRef:
    """main: a splitter feeds two branches of different kinds that join before the goal component, and a spare rests."""
    if wiring.asked.sink is None:
        return any_of(model, ())
    return z3.And(_joins(model, wiring, wiring.asked.place[wiring.asked.sink]), _rests(model, wiring))


MOTIFS: dict[str, Callable[[Model, Wiring], z3.BoolRef]] = {"main": motif_main}


def _joins(model: Model, wiring: Wiring, sink: int) -> z3.BoolRef:
    """(a) to (c): no single component stands between two that a splitter feeds and one at or before the sink.

    By Menger's theorem this is to say that paths from the two to it have nothing in common but it. As there are no
    cycles, none of these paths meets the splitter or goes through their end.
    """
    kinds = [component.kind for component in wiring.asked.components]
    size = len(kinds)
    near = z3.BitVecVal(1 << sink, size, model.context)
    for number, reach in enumerate(wiring.reach):
        near = near | _set(model, [_has(reach, sink)], 1 << number, size)
    around = [_around(model, wiring, avoided) for avoided in range(size)]
    fed = [wiring.sent[wiring.asked.place[name]] for name in wiring.asked.splitters]
    found = []
    for one, two in combinations(range(size), 2):
        if kinds[one] != kinds[two]:
            model.look_at_clock()
            both = any_of(model, (z3.And(_has(ends, one), _has(ends, two)) for ends in fed))
            joined = reduce(and_, (paths[one] | paths[two] | 1 << number for number, paths in enumerate(around)))
            found.append(z3.And(both, joined & near != 0))
    return any_of(model, found)


def _around(model: Model, wiring: Wiring, avoided: int) -> list[Bits]:
    """For each component where paths lead from it on which one component is not; from that itself none does."""
    size = len(wiring.sent)
    none = z3.BitVecVal(0, size, model.context)
    others = ~z3.BitVecVal(1 << avoided, size, model.context)
    reach = _reach(model, wiring.sent, (station for station in range(size) if station != avoided))
    return [none if number == avoided else ends & others for number, ends in enumerate(reach)]


def _rests(model: Model, wiring: Wiring) -> z3.BoolRef:
    """(d): some spare has no connection, but a port that fits a port of another component."""
    found = []
    for name in wiring.asked.spares:
        mine = [port for port in wiring.ports if port.component == name]
        fitting = {(port.type, port.output) for port in wiring.ports if port.component != name}
        if any((port.type, not port.output) in fitting for port in mine):
            ends = zip(wiring.ports, wiring.rows, wiring.columns, strict=True)
            used = any_of(model, (row | column != 0 for port, row, column in ends if port.component == name))
            found.append(z3.Not(used))
    return any_of(model, found)


def _occurs(wiring: Wiring, move: Json) -> z3.BoolRef:
    """Whether a connection is there; raises MalformedInput for what is none."""
    names = [port.name for port in wiring.ports]
    start, end = (names.index(name) for name in read_connection(wiring.asked, move, ""))
    return _has(wiring.rows[start], end)


def _deny(model: Model, rule: str, wiring: Wiring, breaks: Callable[[Port, Port], bool]) -> None:
    """Post that no connection is there which breaks the rule by its ports alone, `from` and `to`."""
    for start, row in zip(wiring.ports, wiring.rows, strict=True):
        model.post(rule, row & _mask(breaks(start, end) for end in wiring.ports) == 0)


def _connections(wiring: Wiring, sheets: Sequence[int]) -> tuple[Connection, ...]:
    """The connections of the sheets with these values, sorted."""
    names = [port.name for port in wiring.ports]
    whole = 0
    for sheet, value in reversed(list(zip(wiring.sheets, sheets, strict=True))):
        whole = whole << sheet.size() | value
    bits = ((start, end) for start in names for end in names)
    return tuple(sorted(pair for number, pair in enumerate(bits) if whole >> number & 1))


def _sole_end(number: int, row: Bits, column: Bits) -> tuple[z3.BoolRef, z3.BoolRef]:
    """That at most one connection leaves by this row, and none comes in by the column then, but this one itself."""
    others = column & ~z3.BitVecVal(1 << number, column.size(), column.ctx)
    return row & (row - 1) == 0, z3.Or(row == 0, others == 0)


def _wiring(model: Model, instance: Instance) -> Wiring:
    ports = tuple(port for component in instance.components for port in component.ports)
    sheets, rows = _sheets(model, instance, len(ports))
    columns = tuple(_column(model, rows, number) for number in range(len(ports)))
    sent = _sent(model, instance, ports, rows)
    reach = _reach(model, sent, range(len(sent)))
    return Wiring(instance, ports, sheets, rows, columns, sent, reach, _count(model, rows))


def _sheets(model: Model, instance: Instance, size: int) -> tuple[tuple[Bits, ...], tuple[Bits, ...]]:
    """The sheets of all components, and the rows in them, each of as many bits as there are ports."""
    sheets: list[Bits] = []
    rows: list[Bits] = []
    for number, component in enumerate(instance.components):
        if component.ports:
            sheets.append(z3.BitVec(f"sheet {number}", len(component.ports) * size, model.context))
            lows = range(0, sheets[-1].size(), size)
            rows += [z3.Extract(low + size - 1, low, sheets[-1]) for low in lows]
    return tuple(sheets), tuple(rows)


def _column(model: Model, rows: Sequence[Bits], number: int) -> Bits:
    """The bits of this number of all rows, the first row lowest."""
    model.look_at_clock()
    bits = [z3.Extract(number, number, row) for row in reversed(rows)]
    return z3.Concat(bits) if len(bits) > 1 else bits[0]


def _sent(model: Model, instance: Instance, ports: Sequence[Port], rows: Sequence[Bits]) -> tuple[Bits, ...]:
    size = max(1, len(instance.components))
    masks = [_mask(port.component == component.name for port in ports) for component in instance.components]
    found: list[Bits] = []
    for component in instance.components:
        sent = [row for port, row in zip(ports, rows, strict=True) if port.component == component.name]
        ends = [_set(model, (row & mask != 0 for row in sent), 1 << number, size) for number, mask in enumerate(masks)]
        found.append(_union(model, ends, size))
    return tuple(found)


def _reach(model: Model, sent: Sequence[Bits], stations: Iterable[int]) -> tuple[Bits, ...]:
    """Where directed paths lead from each component that pass by these stations only."""
    reach = list(sent)
    for station in stations:
        model.look_at_clock()
        none = z3.BitVecVal(0, len(sent), model.context)
        reach = [one | z3.If(_has(one, station), reach[station], none) for one in reach]
    return tuple(reach)


def _set(model: Model, reasons: Iterable[z3.BoolRef], value: int, size: int) -> Bits:
    """The value where some reason holds, else the empty set."""
    some = z3.Or(z3.BoolVal(False, model.context), *reasons)
    return z3.If(some, z3.BitVecVal(value, size, model.context), z3.BitVecVal(0, size, model.context))


def _union(model: Model, sets: Collection[Bits], size: int) -> Bits:
    return reduce(or_, sets, z3.BitVecVal(0, size, model.context))


def _count(model: Model, rows: Sequence[Bits]) -> Bits:
    """The number of connections: of rows that are not empty, as under R3 none has more than one bit."""
    bits = max(1, len(rows).bit_length())
    sends = [_set(model, [row != 0], 1, bits) for row in rows]
    return sum(sends, z3.BitVecVal(0, bits, model.context))


def _mask(flags: Iterable[bool]) -> int:
    """The number whose bits these are, the first lowest."""
    return sum(1 << number for number, flag in enumerate(flags) if flag)


def _has(things: Bits, number: int) -> z3.BoolRef:
    return z3.Extract(number, number, things) == 1


def _at_most(number: Bits, bound: int) -> z3.BoolRef | bool:
    """number ≤ bound; a bound beyond the bits of `number` always holds, one below 0 never."""
    if bound < 0:
        return False
    return True if bound >= 2 ** number.size() else z3.ULE(number, bound)
