"""clingo as a peer of the routes: the showcases as answer-set programs, and what clingo lists of them.

program   asp/<family>.lp, written from the rule book of its world; its part "words" or "raw" goes with it
facts     what an instance adds to the program of its world, as text
words     the submissions in normal form, as canonical JSON bytes, as docs/contracts.md says
raw       all accepted submissions, here only counted

No product code is asked for rules: only the data (`instance.py`), and canonical JSON. The module `clingo` is handed in,
so that this file can be imported without it. clingo's integers have 32 bits; an instance with larger ones is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.worlds.bc import instance as bc
from cwr_solvers.worlds.co import instance as co
from cwr_solvers.worlds.ft import instance as ft
from cwr_solvers.worlds.kl import instance as kl
from cwr_solvers.worlds.pa import instance as pa
from cwr_solvers.worlds.ps import instance as ps
from cwr_solvers.worlds.rs import instance as rs
from cwr_solvers.worlds.tp import instance as tp
from cwr_solvers.worlds.tw import instance as tw

PROGRAMS = Path(__file__).parent / "asp"
LARGEST = 2**31 - 1
CONFIGURATION = "crafty"  # of clingo's presets the one that was quickest on the showcases

Term: TypeAlias = "str | int | tuple[Term, ...]"
Atom: TypeAlias = tuple[Any, ...]  # predicate name and arguments: strings, integers, tuples of them


class Bare(str):
    """A constant that stands unquoted in a fact."""

    __slots__ = ()


def words(clingo: Any, family: str, instance: Any) -> frozenset[bytes]:
    """Every word that clingo lists; raises RuntimeError where it does not finish or lists one twice."""
    decode = DECODE[family]
    listed = _listed(clingo, family, instance, "words")
    found = [canonical(decode(instance, [_atom(clingo, symbol) for symbol in shown])) for shown in listed]
    if len(set(found)) < len(found):
        raise RuntimeError(f"{family}: clingo listed a word twice")
    return frozenset(found)


def raw(clingo: Any, family: str, instance: Any) -> int:
    """How many raw submissions clingo lists; raises RuntimeError where it does not finish."""
    return sum(1 for _ in _listed(clingo, family, instance, "raw"))


def _listed(clingo: Any, family: str, instance: Any, part: str) -> Iterator[Sequence[Any]]:
    """The shown atoms of every answer set, as clingo's symbols.

    Not projected on them: they determine all the others, and `words` and `raw` would show it if they did not.
    """
    control = clingo.Control(["--models=0", "--warn=none", f"--configuration={CONFIGURATION}"])
    control.load(str(PROGRAMS / f"{family.lower()}.lp"))
    control.add("base", [], "\n".join(_fact(*atom) for atom in FACTS[family](instance)))
    control.ground([("base", []), (part, [])])
    with control.solve(yield_=True) as models:
        for model in models:
            yield model.symbols(shown=True)
        if not models.get().exhausted:
            raise RuntimeError(f"{family}: clingo did not finish")


def _fact(name: str, *arguments: Term) -> str:
    return f"{name}({','.join(map(_text, arguments))})." if arguments else f"{name}."


def _text(term: Term) -> str:
    """A term in clingo's syntax; raises OverflowError for an integer beyond 32 bits."""
    if isinstance(term, Bare):
        return str(term)
    if isinstance(term, str):
        return '"' + term.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(term, tuple):
        return f"({','.join(map(_text, term))})"
    if abs(term) > LARGEST:
        raise OverflowError(f"{term} is beyond clingo's integers")
    return str(term)


def _atom(clingo: Any, symbol: Any) -> Atom:
    return (symbol.name, *(_value(clingo, argument) for argument in symbol.arguments))


def _value(clingo: Any, symbol: Any) -> Term:
    if symbol.type == clingo.SymbolType.Number:
        return int(symbol.number)
    if symbol.type == clingo.SymbolType.String:
        return str(symbol.string)
    return tuple(_value(clingo, argument) for argument in symbol.arguments)


def _tw_facts(instance: tw.Instance) -> Iterator[Atom]:
    places, last = instance.places, min(instance.most_actions, instance.most_cost)
    # No count ever exceeds this, so a maximum above it says nothing; one may be beyond clingo's integers.
    ever = sum(instance.initial) + last * max((sum(recipe.produce) for recipe in instance.recipes), default=0)
    yield "last", last
    yield from (("initial", place, count) for place, count in zip(places, instance.initial, strict=True))
    for recipe in instance.recipes:
        yield "recipe", recipe.name
        for place, used, read, made in zip(places, recipe.consume, recipe.read, recipe.produce, strict=True):
            yield "needs", recipe.name, place, used + read
            yield "gains", recipe.name, place, made - used
    for when, bounds in (("throughout", instance.throughout), ("goal", instance.goal)):
        for place, allowed in zip(places, bounds.places, strict=True):
            yield "least", Bare(when), place, allowed.least
            if allowed.most is not None and allowed.most < ever:
                yield "most", Bare(when), place, allowed.most
        yield "least_total", Bare(when), bounds.total.least
        if bounds.total.most is not None and bounds.total.most < ever:
            yield "most_total", Bare(when), bounds.total.most


def _tp_facts(instance: tp.Instance) -> Iterator[Atom]:
    yield "last", min(instance.most_steps, instance.most_cost)
    yield "most_live", instance.most_live
    yield "listed", len(instance.ids)
    yield from (("listed_id", number) for number in range(len(instance.ids)))
    yield from (("initial", name, type_, value) for name, (type_, value) in _wrapped(instance.initial))
    for operation in instance.operations:
        name = operation.name
        yield "operation", name
        yield "outputs", name, len(operation.outputs)
        yield from (("input", name, place, type_) for place, type_ in enumerate(operation.inputs))
        yield from (("output", name, place, type_) for place, type_ in enumerate(operation.outputs))
        for number, (given, made) in enumerate(operation.table.items()):
            yield "row", name, number
            yield from (("row_in", name, number, place, _whole(value)) for place, value in enumerate(given))
            yield from (("row_out", name, number, place, _whole(value)) for place, value in enumerate(made))
    wanted = Counter((type_, _whole(value)) for type_, value in instance.goal)
    yield from (("goal", type_, value, count) for (type_, value), count in wanted.items())
    yield "goal_size", len(instance.goal)
    if not instance.leftovers_allowed:
        yield ("exact",)


def _wrapped(initial: Mapping[str, tp.Typed]) -> Iterator[tuple[str, tuple[str, str]]]:
    return ((name, (type_, _whole(value))) for name, (type_, value) in initial.items())


def _whole(value: tp.Value) -> str:
    """A value as one constant; a tuple of one would read as an integer in parentheses."""
    return " ".join(map(str, value))


def _rs_facts(instance: rs.Instance) -> Iterator[Atom]:
    yield "deadline", instance.deadline
    yield from (("capacity", name, count) for name, count in zip(instance.resources, instance.capacity, strict=True))
    for job in instance.jobs:
        yield "job", job.name, job.duration
        yield from (("after", job.name, before) for before in job.after)
        for name, count in zip(instance.resources, job.demand, strict=True):
            yield "demand", job.name, name, count


def _bc_facts(instance: bc.Instance) -> Iterator[Atom]:
    pins = len(instance.pins)
    yield "pins", pins
    yield "most_gates", instance.most_gates
    yield "most_cost", instance.most_cost
    for operator in instance.operators:
        yield "operator", operator.name, operator.cost
        yield from (("table", operator.name, row >> 1, row & 1, bit) for row, bit in enumerate(operator.table))
        if operator.table[1] == operator.table[2]:
            yield "symmetric", operator.name
    for row in range(2**pins):
        yield from (("pin", pin, row, row >> (pins - 1 - pin) & 1) for pin in range(pins))
        yield from (("goal", name, row, vector[row]) for name, vector in instance.goal.items())


def _kl_facts(instance: kl.Instance) -> Iterator[Atom]:
    yield "carrier", instance.carrier
    yield from (("initial", name, place) for name, place in instance.initial.items())
    for edge in instance.edges:
        yield "edge", edge.name, edge.source, edge.target, edge.cost
        if edge.key is not None:
            yield "key", edge.name, edge.key
        if edge.consumes:
            yield "consumes", edge.name
    yield "capacity", instance.capacity
    yield "pickup_cost", instance.pickup_cost
    yield "drop_cost", instance.drop_cost
    yield "last", instance.most_actions
    yield "most_moves", instance.most_traversals
    yield "most_cost", instance.most_cost
    if instance.goal_carrier is not None:
        yield "goal_carrier", instance.goal_carrier
    yield from (("goal", name, place) for name, place in instance.goal_locations.items())
    if instance.most_held is not None:
        yield "most_held", instance.most_held


def _ps_facts(instance: ps.Instance) -> Iterator[Atom]:
    yield "last", min(instance.most_actions, instance.most_cost)
    yield from (("initial", number, field.initial) for number, field in enumerate(instance.fields))
    for operation in instance.operations:
        yield "operation", operation.name
        yield from (("when", operation.name, *_literal(literal)) for literal in operation.when)
        yield from (("then", operation.name, field, value) for field, value in operation.then)
    for number, clause in enumerate(instance.invariants):
        yield "clause", number
        yield from (("literal", number, *_literal(literal)) for literal in clause)
    yield from (("goal", *_literal(literal)) for literal in instance.goal)


def _literal(literal: ps.Literal) -> tuple[int, int, int]:
    return literal.field, literal.value, int(literal.positive)


def _pa_facts(instance: pa.Instance) -> Iterator[Atom]:
    yield "most", min(instance.most_connections, instance.most_cost)
    for port in instance.port.values():
        yield "output" if port.output else "input", port.name, port.component, port.type
    yield from (("forbidden", name) for name in instance.forbidden)
    yield from (("goal_port", name) for name in instance.goal_ports)
    yield from (("goal_path", source, target) for source, target in instance.goal_paths)


def _ft_facts(instance: ft.Instance) -> Iterator[Atom]:
    yield "most", min(instance.most_placements, instance.most_cost)
    yield from (("board", x, y) for x, y in sorted(instance.cells))
    if instance.border is not None:
        yield "border", instance.border
    if instance.use_all:
        yield ("use_all",)
    for piece in instance.pieces:
        yield "supply", piece.name, piece.count
        for variant, shape in piece.variants.items():
            if piece.least[variant] == variant:
                yield "least", piece.name, variant
            for (x, y), faces in shape.cells:
                yield "cell", piece.name, variant, x, y
                coloured = ((side, colour) for side, colour in zip(ft.SIDES, faces, strict=True) if colour is not None)
                yield from (("face", piece.name, variant, x, y, side, colour) for side, colour in coloured)


def _co_facts(instance: co.Instance) -> Iterator[Atom]:
    yield "last", instance.most_cards
    yield "length", len(instance.broken)
    yield from (("broken", position, token) for position, token in enumerate(instance.broken))
    yield from (("card", card.label, card.first - 1, card.second - 1) for card in instance.cards)
    reference = instance.reference
    yield from (("follows", one, other) for one, other in pairwise((*reference, reference[0])))


def _of(atoms: Iterable[Atom], name: str) -> list[Atom]:
    """The arguments of all atoms of a name, sorted."""
    return sorted(atom[1:] for atom in atoms if atom[0] == name)


def _actions(_instance: Any, atoms: list[Atom]) -> Json:
    return {"actions": [name for _, name in _of(atoms, "act")]}


def _tp_word(instance: tp.Instance, atoms: list[Atom]) -> Json:
    lists: dict[tuple[str, int], list[Json]] = {}
    for part in ("arg", "out"):
        for time, _, value in _of(atoms, part):
            lists.setdefault((part, time), []).append(instance.ids[value] if isinstance(value, int) else value)
    return {
        "steps": [
            {"op": op, "args": lists.get(("arg", time), []), "out": lists.get(("out", time), [])}
            for time, op in _of(atoms, "apply")
        ]
    }


def _rs_word(_instance: rs.Instance, atoms: list[Atom]) -> Json:
    return {"starts": dict(_of(atoms, "start"))}


def _bc_word(instance: bc.Instance, atoms: list[Atom]) -> Json:
    names = (*instance.pins, *instance.ids)
    reads = {(gate, place): names[signal] for gate, place, signal in _of(atoms, "reads")}
    gates: list[Json] = [
        {"id": names[gate], "op": op, "inputs": [reads[gate, 1], reads[gate, 2]]} for gate, op in _of(atoms, "gate")
    ]
    outputs: dict[str, Json] = {name: names[signal] for name, signal in _of(atoms, "output")}
    return {"gates": gates, "output": outputs["output"]} if instance.single else {"gates": gates, "outputs": outputs}


def _kl_word(_instance: kl.Instance, atoms: list[Atom]) -> Json:
    return {"actions": [{"op": op, "arg": arg} for _, op, arg in _of(atoms, "act")]}


def _pa_word(_instance: pa.Instance, atoms: list[Atom]) -> Json:
    return {"connections": [{"from": source, "to": target} for source, target in _of(atoms, "wire")]}


def _ft_word(instance: ft.Instance, atoms: list[Atom]) -> Json:
    placed = sorted((name, x, y, flip, turn) for name, (flip, turn), x, y in _of(atoms, "place"))
    placements: list[Json] = []
    for name, x, y, flip, turn in placed:
        piece = instance.piece[name]
        placement: dict[str, Json] = {"piece": name, "x": x, "y": y}
        placement |= {"turn": turn} if piece.rotates else {}
        placements.append(placement | ({"flip": flip} if piece.reflects else {}))
    return {"placements": placements}


def _co_word(_instance: co.Instance, atoms: list[Atom]) -> Json:
    return {"cards": [label for _, label in _of(atoms, "play")]}


FACTS: Mapping[str, Callable[[Any], Iterator[Atom]]] = {
    "TW": _tw_facts,
    "TP": _tp_facts,
    "RS": _rs_facts,
    "BC": _bc_facts,
    "KL": _kl_facts,
    "PS": _ps_facts,
    "PA": _pa_facts,
    "FT": _ft_facts,
    "CO": _co_facts,
}
DECODE: Mapping[str, Callable[[Any, list[Atom]], Json]] = {
    "TW": _actions,
    "TP": _tp_word,
    "RS": _rs_word,
    "BC": _bc_word,
    "KL": _kl_word,
    "PS": _actions,
    "PA": _pa_word,
    "FT": _ft_word,
    "CO": _co_word,
}
