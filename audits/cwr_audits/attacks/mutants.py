"""Mutants of a module: one small edit in one of its functions, run in a private copy of the module.

Which functions: rule functions (named after a rule, `r1_…` or `g_…`) can be dropped; and whatever the functions that
judge reach, by name, gets every edit below. What only words a fault for people is left alone: f-strings, arguments of
`Fault` and `join`, and assignments to names that are used there only.

kind        edit
dropped     the rule function finds nothing: it returns None, or no faults
off by one  a < b becomes a <= b, and a < b - 1; likewise for <=, > and >=; x.holds(a) of bounds becomes x.holds(a + 1),
            and x.holds(a - 1); where a limit is handed on, f(x.most_…), it is one higher
flipped     a comparison or a condition is negated
always      the condition of an `if`, or of a comprehension, holds always
and/or      `and` becomes `or`, `any` becomes `all`, `max` becomes `min`; and the other way round
number      an integer is one higher
arithmetic  + becomes -, & becomes |; and the other way round
"""

from __future__ import annotations
import __future__

import ast
import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import TypeAlias

Function: TypeAlias = ast.FunctionDef

RULE = re.compile(r"(r[0-9]+|g)_")
LONGEST = 150  # characters of what is said of an edit

_NEGATED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
# operator: the one that differs at equality, and what moves the bound by one the other way
_NEAR: Mapping[type[ast.cmpop], tuple[type[ast.cmpop], type[ast.operator]]] = {
    ast.Lt: (ast.LtE, ast.Sub),
    ast.LtE: (ast.Lt, ast.Add),
    ast.Gt: (ast.GtE, ast.Add),
    ast.GtE: (ast.Gt, ast.Sub),
}
_OTHER: Mapping[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
_CALLS = {"any": "all", "all": "any", "max": "min", "min": "max"}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One edit: in which function, of which kind, at which line:column, what stands there now; and its code."""

    function: str
    kind: str
    place: str
    said: str
    code: CodeType

    @property
    def name(self) -> str:
        return f"{self.function} ({self.place}) {self.kind}: {self.said}"


@dataclass(frozen=True, slots=True)
class _Swap:
    """Set one field of a node of the syntax tree."""

    kind: str
    node: ast.AST
    field: str
    value: object


def rule_of(function: str) -> str | None:
    """The rule that a function is named after."""
    found = RULE.match(function)
    return None if found is None else found.group(1).upper()


def rule_functions(module: ModuleType) -> dict[str, FunctionType]:
    """{rule: its function} in a module, own or imported. Raises ValueError where a rule has two."""
    found: dict[str, FunctionType] = {}
    for name, value in vars(module).items():
        rule = rule_of(name) if isinstance(value, FunctionType) else None
        if rule is not None:
            if rule in found:
                raise ValueError(f"{module.__name__} has two functions for {rule}")
            found[rule] = value
    return found


def copy_of(module: ModuleType, codes: Mapping[str, CodeType]) -> ModuleType:
    """A private copy of a module, in which functions have other code. The module itself is not touched."""
    made = ModuleType(module.__name__, module.__doc__)
    made.__file__ = module.__file__
    exec(_compiled(module), made.__dict__)
    for name, code in codes.items():
        made.__dict__[name].__code__ = code
    return made


@cache
def _compiled(module: ModuleType) -> CodeType:
    return compile(inspect.getsource(module), module.__file__ or module.__name__, "exec", dont_inherit=True)


def dropped(module: ModuleType, function: str) -> Mutant:
    """The mutant in which a rule function of a module does nothing."""
    node = _functions(ast.parse(inspect.getsource(module)))[function]
    return _mutant(node, _drop(node))


def mutants(module: ModuleType, judges: Iterable[str]) -> Iterator[Mutant]:
    """Every mutant of the functions that the judging ones reach, in the order of the file."""
    tree = ast.parse(inspect.getsource(module))
    functions = _functions(tree)
    reached = _reached(tree, functions, judges)
    for name, node in functions.items():
        if name in reached:
            yield from _mutants(node)


def _functions(tree: ast.Module) -> dict[str, Function]:
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def _mutants(function: Function) -> Iterator[Mutant]:
    if rule_of(function.name) is not None:
        yield _mutant(function, _drop(function))
    spoken = _spoken(function)
    for node in _inner(function, spoken):
        for swap in _swaps(node):
            yield _mutant(function, swap)


def _drop(function: Function) -> _Swap:
    returns = "" if function.returns is None else ast.unparse(function.returns)
    nothing: ast.expr = ast.Tuple([], ast.Load()) if returns.startswith("tuple") else ast.Constant(None)
    return _Swap("dropped", function, "body", [ast.Return(nothing)])


def _mutant(function: Function, swap: _Swap) -> Mutant:
    """Edit the tree, compile the function, and put the tree back."""
    before = _text(swap)
    kept = getattr(swap.node, swap.field)
    setattr(swap.node, swap.field, swap.value)
    said = "finds nothing" if swap.kind == "dropped" else f"{before} → {_text(swap)}"
    code = _code(function)
    setattr(swap.node, swap.field, kept)
    place = f"{getattr(swap.node, 'lineno', function.lineno)}:{getattr(swap.node, 'col_offset', 0)}"
    return Mutant(function.name, swap.kind, place, said if len(said) <= LONGEST else f"{said[:LONGEST]}…", code)


def _text(swap: _Swap) -> str:
    """What stands at the edit: the whole expression, or the condition of a statement."""
    if swap.kind == "dropped":
        return ""
    node = ast.fix_missing_locations(swap.node)
    text = f"if {ast.unparse(node.test)}" if isinstance(node, ast.If) else ast.unparse(node)
    return " ".join(text.split())


def _code(function: Function) -> CodeType:
    tree = ast.fix_missing_locations(ast.Module([function], []))
    code = compile(tree, "mutant", "exec", __future__.annotations.compiler_flag, dont_inherit=True)
    return next(one for one in code.co_consts if isinstance(one, CodeType) and one.co_name == function.name)


def _swaps(node: ast.AST) -> Iterator[_Swap]:
    """The edits at one node."""
    if isinstance(node, ast.Compare):
        yield from _compared(node)
    elif isinstance(node, ast.BoolOp):
        yield _Swap("and/or", node, "op", ast.Or() if isinstance(node.op, ast.And) else ast.And())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield _Swap("flipped", node, "operand", ast.UnaryOp(ast.Not(), node.operand))
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield _Swap("number", node, "value", node.value + 1)
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in _OTHER:
        yield _Swap("arithmetic", node, "op", _OTHER[type(node.op)]())
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _CALLS:
        yield _Swap("and/or", node, "func", ast.Name(_CALLS[node.func.id], ast.Load()))
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "holds":
        for away in (ast.Add(), ast.Sub()):
            yield _Swap("off by one", node, "args", [ast.BinOp(node.args[0], away, ast.Constant(1))])
    if isinstance(node, ast.Call):
        yield from _limits(node)
    yield from _conditions(node)


def _compared(node: ast.Compare) -> Iterator[_Swap]:
    for place, (op, bound) in enumerate(zip(node.ops, node.comparators, strict=True)):
        if type(op) in _NEAR:
            near, away = _NEAR[type(op)]
            yield _Swap("off by one", node, "ops", [*node.ops[:place], near(), *node.ops[place + 1 :]])
            moved = ast.BinOp(bound, away(), ast.Constant(1))
            yield _Swap(
                "off by one", node, "comparators", [*node.comparators[:place], moved, *node.comparators[place + 1 :]]
            )
        negated = _NEGATED[type(op)]()
        yield _Swap("flipped", node, "ops", [*node.ops[:place], negated, *node.ops[place + 1 :]])


def _limits(node: ast.Call) -> Iterator[_Swap]:
    for place, argument in enumerate(node.args):
        if isinstance(argument, ast.Attribute) and argument.attr.startswith("most_"):
            higher = ast.BinOp(argument, ast.Add(), ast.Constant(1))
            yield _Swap("off by one", node, "args", [*node.args[:place], higher, *node.args[place + 1 :]])


def _conditions(node: ast.AST) -> Iterator[_Swap]:
    """Conditions; those that are comparisons have negations of their own."""
    known = ast.Compare | ast.BoolOp | ast.UnaryOp
    if isinstance(node, ast.If | ast.IfExp):
        if not isinstance(node.test, known):
            yield _Swap("flipped", node, "test", ast.UnaryOp(ast.Not(), node.test))
        yield _Swap("always", node, "test", ast.Constant(True))
    if isinstance(node, ast.comprehension):
        for place, test in enumerate(node.ifs):
            changed = [] if isinstance(test, known) else [("flipped", ast.UnaryOp(ast.Not(), test))]
            for kind, other in (*changed, ("always", ast.Constant(True))):
                yield _Swap(kind, node, "ifs", [*node.ifs[:place], other, *node.ifs[place + 1 :]])


def _reached(tree: ast.Module, functions: Mapping[str, Function], judges: Iterable[str]) -> set[str]:
    """The functions that the judging ones name, directly, through tables of the module, or through each other."""
    tables = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    found: set[str] = set()
    frontier = [name for name in judges if name in functions or name in tables]
    while frontier:
        name = frontier.pop()
        if name not in found:
            found.add(name)
            names = _named(functions[name]) if name in functions else _loads(ast.walk(tables[name]))
            frontier += sorted(names.intersection((*functions, *tables)))
    return found.intersection(functions)


def _named(function: Function) -> set[str]:
    """The names of the module that a function judges with; its own variables are none of them."""
    own = {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    own |= {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return _loads(_inner(function, _spoken(function))) - own


def _loads(nodes: Iterable[ast.AST]) -> set[str]:
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _inner(function: Function, spoken: set[ast.AST]) -> list[ast.AST]:
    """The nodes of a function's body that judge, in the order of a walk."""
    return [node for statement in function.body for node in ast.walk(statement) if node not in spoken]


def _spoken(function: Function) -> set[ast.AST]:
    """The nodes of a function that only word something for people, its annotations included."""
    spoken = {inner for node in ast.walk(function) if _words(node) for inner in ast.walk(node)}
    assigned = [node for node in ast.walk(function) if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign)]
    for node in assigned:
        if isinstance(node, ast.AnnAssign):
            spoken.update(ast.walk(node.annotation))
    while True:
        loads = [node for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
        judged = {node.id for node in loads if node not in spoken}
        used = {node.id for node in loads}
        more = {
            inner
            for node in assigned
            if node.value is not None and (names := _targets(node)) and names <= used and not names & judged
            for inner in ast.walk(node)
        }
        if more <= spoken:
            return spoken
        spoken |= more


def _words(node: ast.AST) -> bool:
    if isinstance(node, ast.JoinedStr | ast.Raise):
        return True
    if not isinstance(node, ast.Call):
        return False
    called = node.func
    return (isinstance(called, ast.Name) and called.id == "Fault") or (
        isinstance(called, ast.Attribute) and called.attr == "join"
    )


def _targets(node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> set[str]:
    """The names that an assignment sets; none where it sets anything but names."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    leaves = [leaf for target in targets for leaf in (target.elts if isinstance(target, ast.Tuple) else [target])]
    names = {leaf.id for leaf in leaves if isinstance(leaf, ast.Name)}
    return names if len(names) == len(leaves) else set()
