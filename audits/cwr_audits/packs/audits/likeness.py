"""Is one program another one in other names? Typed maps between the programs of two instances of a family.

A map takes every name of a program to a name of the other instance, kind by kind. It need not be one to one: two
names may become one. It keeps signatures: what the instance says of a name must become what the other instance says
of the image.

  TW  recipe      the multisets that it consumes, needs and produces, under one map of places
  TP  operation   its types in and out, under one map of types; the order of arguments and of outputs may be another
  BC  operator    two inputs, whatever its table is; pins become pins, gates gates; inputs may be exchanged where the
                  other operator is symmetric
  KL  edge        its ends, its key and whether that is used up, under one map of nodes and objects; any object may
                  become any object that this leaves
  RS  job         the demands, under one map of resources; start times are kept, whatever durations are
  PS  operation   the sets of its conditions and of its effects, under one map of fields and of their values
  PA  port        direction and type; ports of one component become ports of one component
  FT  piece       the cells that it covers, moved, turned and reflected with the whole board; colours do not matter

The distance of a program from another is the least number of moves to insert, delete or replace (where words are sets
of moves, the larger of what is left over on either side), and one more for another final choice, after the best such
map of what is kept. Distance 0: the other program is the image of the whole. All maps are tried, by backtracking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import Any, TypeAlias

from cwr_audits.distance import BAGS
from cwr_solvers.errors import Undecided
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.world import Submission, World

Name: TypeAlias = tuple[str, str]  # kind and name
Binding: TypeAlias = tuple[tuple[Name, Any], ...]  # names and their images

MOST_NODES = 3_000_000


@dataclass(frozen=True, slots=True)
class Side:
    """An instance, in JSON and as read."""

    world: World
    source: Any
    instance: Any


@dataclass(frozen=True, slots=True)
class Program:
    """A submission move by move, in JSON, with its choice."""

    moves: tuple[Any, ...]
    choice: tuple[str, ...]


def program(side: Side, submission: Submission[Any]) -> Program:
    """The program that a submission is."""
    moves = tuple(side.world.write_move(side.instance, move) for move in submission.moves)
    return Program(moves, submission.choice or ())


@dataclass(slots=True)
class Likeness:
    """The maps between two instances, tried one by one; `nodes` counts what was tried."""

    one: Side
    other: Side
    most: int = MOST_NODES
    nodes: int = 0

    def distance(self, first: Program, second: Program, most: int) -> int | None:
        """The distance, or None where it is above `most`. Raises Undecided."""
        search = self._bag if self.one.world.family in BAGS else self._aligned
        pairs = [[self._pairs(move, against) for against in second.moves] for move in first.moves]
        least = 0 if self.one.world.family in BAGS else abs(len(first.moves) - len(second.moves))
        for allowed in range(least, most + 1):
            if search(pairs, (first, second), allowed):
                return allowed
        return None

    def _pairs(self, move: Json, against: Json) -> tuple[Binding, ...]:
        """The ways in which a move becomes another one."""
        return tuple(dict.fromkeys(PAIRS[self.one.world.family](self.one, self.other, move, against)))

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes > self.most:
            raise Undecided("size", f"more than {self.most} partial maps")

    def _aligned(self, pairs: _Pairs, both: tuple[Program, Program], allowed: int) -> bool:
        long, wide = (len(one.moves) for one in both)

        def go(i: int, j: int, bound: Mapping[Name, Any], left: int) -> bool:
            self._count()
            if abs((long - i) - (wide - j)) > left:
                return False
            if i == long and j == wide:
                return left > 0 or self._chosen(both, bound)
            if i < long and j < wide:
                found = (joined(bound, way) for way in pairs[i][j])
                if any(more is not None and go(i + 1, j + 1, more, left) for more in found):
                    return True
            steps = [(i + (i < long), j + (j < wide)), (i + 1, j), (i, j + 1)]
            ways = {(a, b) for a, b in steps if a <= long and b <= wide and (a, b) != (i, j)}
            return left > 0 and any(go(a, b, bound, left - 1) for a, b in sorted(ways, reverse=True))

        return go(0, 0, {}, allowed)

    def _bag(self, pairs: _Pairs, both: tuple[Program, Program], allowed: int) -> bool:
        long, wide = (len(one.moves) for one in both)

        def go(i: int, bound: Mapping[Name, Any], covered: frozenset[int], left: int) -> bool:
            self._count()
            if wide - len(covered) - (long - i) > allowed:
                return False
            if i == long:
                return self._chosen(both, bound)
            for j in range(wide):
                for way in pairs[i][j]:
                    more = joined(bound, way)
                    if more is not None and go(i + 1, more, covered | {j}, left):
                        return True
            return left > 0 and go(i + 1, bound, covered, left - 1)

        return go(0, {}, frozenset(), allowed)

    def _chosen(self, both: tuple[Program, Program], bound: Mapping[Name, Any]) -> bool:
        """Whether the final choice becomes the other one."""
        choices = [one.choice for one in both]
        if len(choices[0]) != len(choices[1]):
            return False
        found: Mapping[Name, Any] | None = bound
        for signal, image in zip(*choices, strict=True):
            way = _signal(self.one, self.other, signal, image)
            found = None if found is None or way is None else joined(found, (way,))
        return found is not None


_Pairs: TypeAlias = Sequence[Sequence[tuple[Binding, ...]]]


def joined(bound: Mapping[Name, Any], way: Binding) -> Mapping[Name, Any] | None:
    """The map with more images; None where a name would have two."""
    found = dict(bound)
    for name, image in way:
        if found.setdefault(name, image) != image:
            return None
    return found


# --- how a move becomes another one, by family


def _multisets(kind: str, ones: Sequence[Mapping[str, int]], others: Sequence[Mapping[str, int]]) -> Iterator[Binding]:
    """The maps that take each of some multisets to its counterpart."""
    names = sorted({name for one in ones for name in one})
    images = sorted({name for other in others for name in other})
    for chosen in product(images, repeat=len(names)):
        become = dict(zip(names, chosen, strict=True))
        if all(_image(one, become) == _plain(other) for one, other in zip(ones, others, strict=True)):
            yield tuple(((kind, name), image) for name, image in become.items())


def _image(counts: Mapping[str, int], become: Mapping[str, str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for name, number in counts.items():
        if number:
            found[become[name]] = found.get(become[name], 0) + number
    return found


def _plain(counts: Mapping[str, int]) -> dict[str, int]:
    return {name: number for name, number in counts.items() if number}


def _named(side: Side, field: str, name: str) -> dict[str, Any]:
    """What an instance says of a name."""
    return next(one for one in side.source[field] if one["name"] == name)


def _tw(one: Side, other: Side, move: Any, against: Any) -> Iterator[Binding]:
    parts = ("consume", "read", "produce")
    says, wants = (
        [_named(side, "recipes", name).get(part, {}) for part in parts]
        for side, name in ((one, move), (other, against))
    )
    for way in _multisets("place", says, wants):
        yield (("recipe", move), against), *way


def _tp(one: Side, other: Side, move: Any, against: Any) -> Iterator[Binding]:
    says, wants = _named(one, "operations", move["op"]), _named(other, "operations", against["op"])
    counts = [(len(move[part]), len(against[part]), len(wants[types])) for part, types in _TP_PARTS]
    if any(len(set(three)) > 1 for three in counts):
        return
    for ins, outs in product(permutations(range(counts[0][0])), permutations(range(counts[1][0]))):
        way: list[tuple[Name, Any]] = [(("operation", move["op"]), (against["op"], ins, outs))]
        for (part, types), order in zip(_TP_PARTS, (ins, outs), strict=True):
            for place, image in enumerate(order):
                way.append((("type", says[types][place]), wants[types][image]))
                way.append((("id", move[part][place]), against[part][image]))
        yield tuple(way)


_TP_PARTS = (("args", "inputs"), ("out", "outputs"))


def _bc(one: Side, other: Side, move: Any, against: Any) -> Iterator[Binding]:
    table = _named(other, "operators", against["op"])["table"]
    orders = [against["inputs"], against["inputs"][::-1]] if table[1] == table[2] else [against["inputs"]]
    for images in orders:
        ways = [_signal(one, other, signal, image) for signal, image in zip(move["inputs"], images, strict=True)]
        if None not in ways:
            said = (("operator", move["op"]), against["op"]), (("gate", move["id"]), against["id"])
            yield *said, *(way for way in ways if way is not None)


def _signal(one: Side, other: Side, signal: str, image: str) -> tuple[Name, Any] | None:
    """A pin becomes a pin, a gate a gate."""
    kinds = ["pin" if name in side.source["pins"] else "gate" for side, name in ((one, signal), (other, image))]
    return ((kinds[0], signal), image) if kinds[0] == kinds[1] else None


def _kl(one: Side, other: Side, move: Any, against: Any) -> Iterator[Binding]:
    if move["op"] != against["op"]:
        return
    if move["op"] != "move":
        yield ((("object", move["arg"]), against["arg"]),)
        return
    says, wants = _named(one, "edges", move["arg"]), _named(other, "edges", against["arg"])
    if says.get("use") == wants.get("use") and (says.get("key") is None) == (wants.get("key") is None):
        ends = tuple((("node", says[end]), wants[end]) for end in ("from", "to"))
        keys = () if says.get("key") is None else ((("object", says["key"]), wants["key"]),)
        yield (("edge", move["arg"]), against["arg"]), *ends, *keys


def _rs(one: Side, other: Side, move: Any, against: Any) -> Iterator[Binding]:
    if move["start"] == against["start"]:
        says, wants = _named(one, "jobs", move["job"]), _named(other, "jobs", against["job"])
        for way in _multisets("resource", [says["demand"]], [wants["demand"]]):
            yield (("job", move["job"]), against["job"]), *way


def _ps(one: Side, other: Side, move: Any, against: Any) -> Iterator[Binding]:
    says, wants = (_literals(_named(side, "operations", name)) for side, name in ((one, move), (other, against)))
    choices = [[image for image in wants if image[:2] == said[:2]] for said in says]
    for images in product(*choices):
        if set(images) == set(wants):
            fields = tuple((("field", said[2]), image[2]) for said, image in zip(says, images, strict=True))
            values = tuple(
                (("value", f"{said[2]} {said[3]}"), image[3]) for said, image in zip(says, images, strict=True)
            )
            found = joined({}, (*fields, *values))
            if found is not None:
                yield (("operation", move), against), *found.items()


def _literals(operation: Mapping[str, Any]) -> list[tuple[str, str, str, str]]:
    """Conditions and effects: part, whether it says that something is or is not, field, value."""
    found = []
    for one in operation["when"]:
        how = "is" if "is" in one else "not"
        found.append(("when", how, str(one["field"]), _said(one[how])))
    return found + [("then", "is", str(field), _said(value)) for field, value in operation["then"].items()]


def _said(value: Json) -> str:
    return canonical(value).decode("utf-8")


def _pa(one: Side, other: Side, move: Any, against: Any) -> Iterator[Binding]:
    way: list[tuple[Name, Any]] = []
    for end in ("from", "to"):
        said, image = move[end], against[end]
        for kind, get in (("port", str), ("component", _component)):
            way.append(((kind, get(said)), get(image)))
        way.append((("type", one.instance.port[said].type), other.instance.port[image].type))
        if one.instance.port[said].output != other.instance.port[image].output:
            return
    if joined({}, tuple(way)) is not None:
        yield tuple(way)


def _component(port: str) -> str:
    return port.rpartition(".")[0]


Cells: TypeAlias = frozenset[tuple[int, int]]
BOARDS: Mapping[str, Callable[[int, int], tuple[int, int]]] = {
    "as it is": lambda x, y: (x, y),
    "turned once": lambda x, y: (-y, x),
    "turned twice": lambda x, y: (-x, -y),
    "turned thrice": lambda x, y: (y, -x),
    "left and right exchanged": lambda x, y: (-x, y),
    "top and bottom exchanged": lambda x, y: (x, -y),
    "rows and columns exchanged": lambda x, y: (y, x),
    "rows and columns exchanged backwards": lambda x, y: (-y, -x),
}


def _ft(one: Side, other: Side, move: Any, against: Any) -> Iterator[Binding]:
    here, there = _covered(one, move), _covered(other, against)
    for said, turn in BOARDS.items():
        turned = {turn(x, y) for x, y in here}
        across = min(x for x, _ in there) - min(x for x, _ in turned)
        down = min(y for _, y in there) - min(y for _, y in turned)
        if {(x + across, y + down) for x, y in turned} == there:
            yield (("board", ""), (said, across, down)), (("piece", move["piece"]), against["piece"])


def _covered(side: Side, move: Any) -> Cells:
    """The cells that a placement covers."""
    laid = side.world.read_move(side.instance, move)
    shape = side.instance.piece[laid.piece].variants[laid.flip, laid.turn]
    return frozenset((laid.x + x, laid.y + y) for (x, y), _ in shape.cells)


PAIRS: Mapping[str, Callable[[Side, Side, Any, Any], Iterator[Binding]]] = {
    "TW": _tw,
    "TP": _tp,
    "BC": _bc,
    "KL": _kl,
    "RS": _rs,
    "PS": _ps,
    "PA": _pa,
    "FT": _ft,
}
