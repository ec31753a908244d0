"""How many submissions are accepted, shown by layers of states and without a list. Trusted.

The decisions of F fall into rows, of each of which an accepted word takes at most one: those of one action, or those of
one output port. The file of layers is a graph: a node of layer p says how words may stand before row p, an edge which
move of the row is made. `rest` of a node says what follows where none is made: nothing (null), "end" (no later row has
a move, and the word is accepted), or a node of the next layer. So a path from the first node to an end is a word.
  at least so many   each edge is replayed; one node, one state (as far as it matters for the moves ahead); out of a
                     node each edge has another move, so that each path is another word
  at most so many    refuted is F with "the word is no path": `at` of a node is true where the word passes there
Moves that no edge has need no proof of their own: a word that makes one passes no further node, so no end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from math import factorial
from typing import Any, NamedTuple

from cwr_certificates.cnf import TRUE, Cnf, any_of
from cwr_certificates.desk import Desk, Rejected, Shown, demand, digest, number, refuted, short
from cwr_certificates.formulas import Formula, more
from cwr_certificates.replay import Case, after, begin, ended, one_move, remainder
from cwr_solvers.errors import Undecided
from cwr_solvers.jsontext import LARGEST, Json, canonical, parse
from cwr_solvers.reading import as_int, as_items, as_list, as_object, as_text, refuse

SCHEMA = "cwr-layers/1"
MOST_BYTES, MOST_DEPTH = 8 * 2**20, 8
FREE = "formula for namings, what the moves ahead depend on"


class Row(NamedTuple):
    """Decisions of which an accepted word takes at most one, and the move that each of them makes."""

    variables: tuple[int, ...]
    moves: tuple[Any, ...]


class Node(NamedTuple):
    """`rest`: what follows where no move is made; `to`: (place of a move in the row, node of the next layer)."""

    rest: int | str | None
    to: tuple[tuple[int, int], ...]


Layers = Sequence[Sequence[Node]]


def by_step(model: Any) -> list[tuple[int, ...]]:
    """The decisions on each step."""
    return list(model.steps.chosen)


def by_source(model: Any) -> list[tuple[int, ...]]:
    """The decisions on the connections of each output port."""
    sources = dict.fromkeys(source for source, _ in model.made)
    return [tuple(one for (source, _), one in model.made.items() if source == port) for port in sources]


def one(_moves: int) -> int:
    """A word stands for itself."""
    return 1


# family -> its rows (what they must be is checked), and for how many raw submissions a word of n moves stands
COUNTED: Mapping[str, tuple[Callable[[Any], list[tuple[int, ...]]], Callable[[int], int]]] = {
    "CO": (by_step, one),
    "KL": (by_step, one),
    "PA": (by_source, factorial),
    "PS": (by_step, one),
    "TW": (by_step, one),
}


def layered(desk: Desk, claim: Json, at: str) -> Shown:
    """So many raw submissions of each cost are accepted."""
    keys = ("kind", "value", "evidence", "costs", "layers", "layers_sha256", "refutation")
    fields = as_object(claim, at, keys)
    name = as_text(fields["layers"], f"{at}/layers")
    if re.fullmatch(r"[a-z0-9-]{1,60}\.layers", name) is None:
        refuse("domain", f"{at}/layers", "a bare file name like raw-count.layers", repr(name)[:60])
    data = desk.proofs(name)
    demand(fields["layers_sha256"], digest(data), f"the file {name}")
    found = rows(desk.case, desk.formula)
    layers = read(data, desk.case, found)
    raw = count(desk.case, found, layers)
    desk.models += sum(len(node.to) for layer in layers for node in layer)
    demand(fields["evidence"], evidence(desk.case), "the evidence")
    demand(fields["costs"], [[cost, number(many)] for cost, many in sorted(raw.items())], "the number of each cost")
    demand(fields["value"], number(sum(raw.values())), "the number of raw submissions")
    proof = refuted(desk, leaving(desk.formula, found, layers), fields["refutation"], f"{at}/refutation")
    size = f"{sum(map(len, layers))} nodes replayed"
    text = f"{short(sum(raw.values()))} raw submissions are accepted ({evidence(desk.case)}); {size}; {proof}"
    return Shown(text, f"replay, statement and kernel{'' if evidence(desk.case) == 'layered' else f', {FREE}'}")


def evidence(case: Case) -> str:
    """How the count of a family is called: by paths alone, or by paths and a formula for namings."""
    return "layered" if COUNTED[case.family][1] is one else "orbit"


def rows(case: Case, formula: Formula) -> list[Row]:
    """The rows of F; Rejected unless each decision is in one of them and F has a clause for every two of a row."""
    if case.family not in COUNTED:
        raise Rejected(f"words of {case.family} do not fall into rows")
    found = COUNTED[case.family][0](formula.model)
    clauses = set(formula.cnf.clauses)
    if sorted(variable for row in found for variable in row) != sorted(formula.model.decisions):
        raise Rejected("the rows are not just the decisions")
    if any((-one, -other) not in clauses for row in found for one, other in combinations(row, 2)):
        raise Rejected("a row may have two moves")
    return [Row(row, moves) for row, moves in zip(found, _moves(case, formula, found), strict=True)]


def _moves(case: Case, formula: Formula, found: list[tuple[int, ...]]) -> Iterator[tuple[Any, ...]]:
    """The moves of each row: a word of one decision has one move, and what it says in the first row of steps it says
    in all. (Were it another one, the paths would still be words, and no more of them than F allows.)"""
    for number_of_row, row in enumerate(found):
        if number_of_row == 0 or COUNTED[case.family][0] is not by_step:
            moves = tuple(one_move(case, formula.statement.word(formula.model, {variable})) for variable in row)
            if len(set(moves)) < len(moves):
                raise Rejected("two decisions of a row make one move")
        yield moves


def read(data: bytes, case: Case, found: Sequence[Row]) -> Layers:
    """The layers that a file holds, in the shape that the rows allow."""
    if len(data) > MOST_BYTES:
        raise Undecided("size", f"a file of layers of more than {MOST_BYTES} bytes")
    document = parse(data, MOST_BYTES, MOST_DEPTH)
    if canonical(document) != data:
        refuse("syntax", "", "canonical JSON (RFC 8785)", "another spelling")
    fields = as_object(document, "", ("schema", "instance_sha256", "layers"))
    demand(fields["schema"], SCHEMA, "the schema of the layers")
    demand(fields["instance_sha256"], digest(canonical(case.json)), "the instance of the layers")
    layers = as_items(fields["layers"], "/layers", lambda item, at: as_items(item, at, _node))
    if not 1 <= len(layers) <= len(found) + 1 or len(layers[0]) != 1:
        raise Rejected(f"not 1 to {len(found) + 1} layers, the first of one node")
    for layer, row, following in zip(layers, (*found, Row((), ())), (*layers[1:], ()), strict=False):
        for node in layer:
            targets = [target for _, target in node.to] + ([node.rest] if isinstance(node.rest, int) else [])
            if any(place >= len(row.moves) for place, _ in node.to) or any(one >= len(following) for one in targets):
                raise Rejected("an edge by no move, or to no node")
            if any(before >= later for (before, _), (later, _) in pairwise(node.to)):
                raise Rejected("two edges by one move, or not in order")
    made = [move for row in found for move in row.moves]
    if len(set(made)) < len(made) and any(isinstance(node.rest, int) for layer in layers for node in layer):
        raise Rejected("a row is passed by, and another row has its moves too")
    return layers


def _node(value: Json, at: str) -> Node:
    fields = as_object(value, at, ("rest", "to"))
    to = as_items(fields["to"], f"{at}/to", _edge)
    rest = fields["rest"]
    return Node(rest if rest is None or rest == "end" else as_int(rest, f"{at}/rest", 0, LARGEST), to)


def _edge(value: Json, at: str) -> tuple[int, int]:
    numbers = as_list(value, at)
    if len(numbers) != 2:
        refuse("domain", at, "two numbers", f"{len(numbers)}")
    place, target = (as_int(item, at, 0, LARGEST) for item in numbers)
    return place, target


def count(case: Case, found: Sequence[Row], layers: Layers) -> dict[int, int]:
    """{cost: raw submissions of that cost}, by replaying each edge and counting the paths that meet there."""
    raw: dict[int, int] = {}
    here: dict[int, tuple[Any, Hashable, int]] = {0: (begin(case), None, 1)}
    for place, layer in enumerate(layers):
        matters = remainder(case, [move for row in found[place + 1 :] for move in row.moves])
        following: dict[int, tuple[Any, Hashable, int]] = {}
        for index, node in enumerate(layer):
            if index not in here:
                raise Rejected(f"no edge leads to node {index} of layer {place}")
            state, _, paths = here[index]
            if node.rest == "end":
                cost, many = _accepted(case, state)
                raw[cost] = raw.get(cost, 0) + paths * many
            for target, state_there in _onward(case, found, place, node, state):
                key = matters(state_there)
                first, known, before = following.get(target, (state_there, key, 0))
                if known != key:
                    raise Rejected(f"two states in node {target} of layer {place + 1}")
                following[target] = (first, known, before + paths)
        here = following
    return raw


def _accepted(case: Case, state: Any) -> tuple[int, int]:
    """The cost of a word that ends in a state, and for how many raw submissions it stands."""
    met, cost, moves = ended(case, state)
    if not met:
        raise Rejected("a path ends where the goal is not met")
    return cost, COUNTED[case.family][1](moves)


def _onward(case: Case, found: Sequence[Row], place: int, node: Node, state: Any) -> Iterator[tuple[int, Any]]:
    """The nodes to which a node leads, each with the state there."""
    if isinstance(node.rest, int):
        yield node.rest, state
    for move, target in node.to:
        there = after(case, state, found[place].moves[move])
        if there is None:
            raise Rejected(f"an edge of layer {place} is an illegal move")
        yield target, there


def leaving(f: Formula, found: Sequence[Row], layers: Layers) -> Cnf:
    """F, and "the word is no path of the layers"."""
    cnf = more(f)
    later = [-TRUE]  # of each row: it or a row after it has a move
    for row in reversed(found):
        later.append(any_of(cnf, (*row.variables, later[-1])))
    later.reverse()
    at = [[cnf.new() for _ in layer] for layer in layers]
    cnf.add(at[0][0])
    for place, layer in enumerate(layers):
        row = found[place].variables if place < len(found) else ()
        for node, here in zip(layer, at[place], strict=True):
            if node.rest == "end":
                cnf.add(-here, later[place])
            elif isinstance(node.rest, int):
                cnf.add(-here, *row, at[place + 1][node.rest])
            for move, target in node.to:
                cnf.add(-here, -row[move], at[place + 1][target])
    return cnf
