"""The statement of PS against the rule book, played out here in the plainest way."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import groupby, product
from typing import Any

import pytest
from clause_models import SHOWCASES, completes, digest, formula, projections, raw_words, without, words

from cwr_certificates import cnf
from cwr_certificates.cnf import TRUE
from cwr_certificates.statements import ps, ps_motifs
from cwr_certificates.steps import step_row
from cwr_solvers.errors import MalformedInput, Undecided
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.worlds.ps.instance import Instance, Literal, Operation, read_instance

SHOWCASE = read_instance(SHOWCASES["PS"]["instance"])
Actions = tuple[str, ...]
State = dict[int, int]


def literal(text: str) -> Json:
    """`a=1` or `a!=1`; what looks like a number is one."""
    field, word, value = text.replace("!=", " not ").replace("=", " is ").split()
    return {"field": field, word: int(value) if value.isdigit() else value}


def make(fields: dict[str, str], operations: dict[str, tuple[str, str]], most: int, **more: Any) -> Instance:
    """An instance from {field: its values, the initial one first} and {operation: (when, then)}."""

    def values(text: str) -> list[Json]:
        return [int(one) if one.isdigit() else one for one in text.split()]

    def then(text: str) -> dict[str, Json]:
        return {one.split("=")[0]: values(one.split("=")[1])[0] for one in text.split()}

    document: dict[str, Any] = {
        "family": "PS",
        "code": "t",
        "fields": [{"name": name, "values": values(text), "initial": values(text)[0]} for name, text in fields.items()],
        "operations": [
            {"name": name, "when": [literal(one) for one in when.split()], "then": then(effects)}
            for name, (when, effects) in operations.items()
        ],
        "invariants": [[literal(one) for one in clause.split()] for clause in more.get("invariants", ())],
        "goal": [literal(one) for one in more.get("goal", "").split()],
        "budget": {"actions": most, "cost": more.get("cost", most)},
    }
    if more.get("resource"):
        document["resource"] = dict(zip(("field", "free", "held"), more["resource"].split(), strict=True))
    return read_instance(document)


def true(one: Literal, value: int) -> bool:
    return value == one.value if one.positive else value != one.value


def all_true(literals: tuple[Literal, ...], state: State) -> bool:
    return all(true(one, state[one.field]) for one in literals)


def initial(instance: Instance) -> State:
    return {f: field.initial for f, field in enumerate(instance.fields)}


def faults(instance: Instance, actions: Actions) -> set[str]:
    """The rules that the first bad action breaks, or the goal; empty when accepted."""
    state = initial(instance)
    for number, name in enumerate(actions, 1):
        operation = instance.operation[name]
        if not all_true(operation.when, state):
            return {"R1"}
        state = {**state, **dict(operation.then)}
        broken = {
            "R2": not all(any(true(one, state[one.field]) for one in clause) for clause in instance.invariants),
            "R3": number > instance.most_actions,
            "R4": number > instance.most_cost,
        }
        if any(broken.values()):
            return {rule for rule, value in broken.items() if value}
    return set() if all_true(instance.goal, state) else {"G"}


def states(instance: Instance, actions: Actions) -> list[State]:
    found = [initial(instance)]
    for name in actions:
        found.append({**found[-1], **dict(instance.operation[name].then)})
    return found


def legal(instance: Instance, actions: Actions = ()) -> Iterator[Actions]:
    """All legal rows."""
    yield actions
    for name in instance.operation:
        if faults(instance, (*actions, name)) <= {"G"}:
            yield from legal(instance, (*actions, name))


def text(actions: Actions) -> bytes:
    return canonical({"actions": list(actions)})


def accepted(instance: Instance) -> dict[bytes, Actions]:
    return {text(row): row for row in legal(instance) if not faults(instance, row)}


def main(instance: Instance, actions: Actions) -> bool:
    """The motif of a legal row, from the list of its intervals (first state, last state, value)."""
    if instance.resource is None:
        return False
    field, free, held = instance.resource.field, instance.resource.free, instance.resource.held
    known = states(instance, actions)
    runs = [list(run) for _, run in groupby(range(len(known)), key=lambda t: known[t][field])]
    operations = [instance.operation[name] for name in actions]

    def asks(operation: Operation, value: int) -> bool:
        every = range(len(instance.fields[field].values))
        return any(one.field == field and {v for v in every if true(one, v)} == {value} for one in operation.when)

    def inside(run: list[int], value: int) -> list[int]:
        """The actions that happen in an interval and ask for the value."""
        return [t for t in run[:-1] if asks(operations[t], value)]

    for before, middle, after in zip(runs, runs[1:], runs[2:], strict=False):
        if [known[run[0]][field] for run in (before, middle, after)] == [free, held, free]:
            for u, p, q in product(inside(middle, held), inside(after, free), inside(after, free)):
                moves_on = any(f != field for f, _ in operations[q].then)
                if p != q and moves_on and causal(instance, operations, field, u, p):
                    return True
    return False


def causal(instance: Instance, operations: list[Operation], field: int, u: int, p: int) -> bool:
    for one in operations[p].when:
        makers = [
            t for t, other in enumerate(operations) if any(f == one.field and true(one, v) for f, v in other.then)
        ]
        if one.field != field and not true(one, initial(instance)[one.field]) and makers == [u]:
            return True
    return False


LOCK = {"lock": "free held"}
FLAGS = {**LOCK, "a": "0 1", "b": "0 1"}
# Work under the lock, then two actions that need the release; the work may be repeated or undone.
DESK = {
    "take": ("lock=free", "lock=held"),
    "give": ("lock=held", "lock=free"),
    "work": ("lock=held", "a=1"),
    "use": ("lock=free a=1", "b=1"),
    "look": ("lock=free", ""),
}
MAIN = "lock free held"

SMALL = {
    "desk": make(FLAGS, DESK, 6, goal="b=1", resource=MAIN),
    "desk, no goal": make(FLAGS, DESK, 6, resource=MAIN),
    "no resource": make(FLAGS, DESK, 5, goal="b=1"),
    "not held": make(FLAGS, {**DESK, "work": ("lock!=free", "a=1"), "look": ("lock!=held", "b=0")}, 6, resource=MAIN),
    "three values": make(
        {"lock": "free held lost", "a": "0 1", "b": "0 1"},
        {
            **DESK,
            "lose": ("lock=held a=1", "lock=lost"),
            "find": ("lock!=free", "lock=free"),
            "look": ("lock!=held", ""),
        },
        6,
        resource=MAIN,
    ),
    "held at first": make({**FLAGS, "lock": "held free"}, DESK, 6, resource=MAIN),
    "other maker": make(FLAGS, {**DESK, "look": ("lock=free b=1", "a=1 lock=free")}, 6, resource=MAIN),
    "not zero": make(
        {**FLAGS, "a": "0 1 2"},
        {**DESK, "use": ("lock=free a!=0", "b=1"), "look": ("lock=held", "a=2")},
        6,
        resource=MAIN,
    ),
    "two under the lock": make(
        {**FLAGS, "c": "0 1"},
        {**DESK, "look": ("lock=held", "c=1"), "work": ("lock=held c=1", "a=1")},
        6,
        resource=MAIN,
    ),
    "lost at first": make(
        {**FLAGS, "lock": "lost free held"}, {**DESK, "look": ("lock!=free", "lock=held")}, 7, resource=MAIN
    ),
    "p ends the interval": make(
        FLAGS, {**DESK, "use": ("lock=free", "b=1"), "look": ("lock=free a=1", "lock=held")}, 6, resource=MAIN
    ),
    "q assigns the lock": make(
        FLAGS, {**DESK, "use": ("lock=free a=1", ""), "look": ("lock=free", "lock=free")}, 6, resource=MAIN
    ),
    "true at first": make(
        FLAGS, {**DESK, "work": ("lock=held", "a=0"), "use": ("lock=free a=0", "b=1")}, 5, resource=MAIN
    ),
    "at once": make({"a": "0 1", "b": "0 1"}, {"swap": ("a=0", "a=1 b=1"), "back": ("a=1 b!=0", "a=0")}, 4),
    "numbers and strings": make({"a": "0 x 1"}, {"f": ("a!=x", "a=x"), "g": ("a=x", "a=1")}, 4, goal="a!=0"),
    "one value": make({"a": "0", "b": "0 1"}, {"f": ("a=0", "a=0 b=1"), "g": ("a!=0", "b=0")}, 3, goal="b=1 a=0"),
    "contradictory": make({"a": "0 1"}, {"f": ("a=0 a=1", "a=1"), "g": ("", "a=1")}, 2, goal="a=1"),
    "no field": make({}, {"f": ("", "")}, 2),
    "nothing": make({"a": "0 1"}, {}, 2),
    "no action": make(FLAGS, DESK, 0, resource=MAIN),
    "infeasible": make(FLAGS, DESK, 3, goal="b=1", resource=MAIN),
}


def drawn(seed: int) -> Instance:
    """A random instance of three fields, three operations and two invariants, with a goal and a cost that may bind."""
    draw = random.Random(f"ps {seed}")
    fields = {name: draw.choice(["0 1", "0 1 2", "1 0"]) for name in "abc"}

    def some(chance: float, words: tuple[str, ...]) -> str:
        return " ".join(
            f"{f}{draw.choice(words)}{draw.choice(fields[f].split())}" for f in fields if draw.random() < chance
        )

    operations = {f"o{n}": (some(0.5, ("=", "!=")), some(0.5, ("=",))) for n in range(3)}
    invariants = [f"{some(0.7, ('=', '!='))} a={fields['a'][0]}" for _ in range(2)]
    more = {"invariants": invariants, "goal": some(0.4, ("=", "!=")), "cost": draw.randint(2, 5)}
    return make(fields, operations, draw.randint(3, 4), **more)


def drawn_locks(seed: int) -> Instance:
    """A random instance with a lock, work under it and uses of the work."""
    draw = random.Random(f"ps locks {seed}")
    lock = draw.choice(["free held", "free held lost", "held free"])
    under, apart = draw.choice(["lock=held", "lock!=free", "lock=held a!=1"]), draw.choice(["lock=free", "lock!=held"])
    operations = {
        "take": ("lock=free", "lock=held"),
        "give": (draw.choice(["lock=held", "lock!=free"]), draw.choice(["lock=free", "lock=free", "lock=free b=1"])),
        "work": (under, draw.choice(["a=1", "a=1 b=0", "a=1 lock=held"])),
        "use": (
            f"{apart} {draw.choice(['a=1', 'a!=0', 'a=1 b!=2'])}",
            draw.choice(["b=1", "", "a=2", "b=2 lock=free"]),
        ),
        "more": (
            draw.choice([apart, "", f"{apart} b!=0", "lock=held"]),
            draw.choice(["b=2", "a=1", "lock=free", "a=0"]),
        ),
    }
    goal = draw.choice(["", "", "a!=0", "b!=0", "lock=free b=2"])
    return make({"lock": lock, "a": "0 1 2", "b": "0 1 2"}, operations, draw.randint(5, 6), goal=goal, resource=MAIN)


INSTANCES = {"showcase": SHOWCASE, **SMALL, **{f"drawn {seed}": drawn(seed) for seed in range(24)}}
LOCKS = {f"locks {seed}": drawn_locks(seed) for seed in range(16)}
EACH = pytest.mark.parametrize("name", INSTANCES)


@cache
def known(name: str) -> dict[bytes, tuple[int, bool]]:
    """{accepted word: its number of actions, and whether it has the motif} of one of the instances."""
    one = {**INSTANCES, **LOCKS}[name]
    return {word: (len(row), main(one, row)) for word, row in accepted(one).items()}


@EACH
def test_models_are_the_accepted_words(name: str) -> None:
    assert words(ps, INSTANCES[name]) == set(known(name))


@EACH
def test_at_most_bounds_the_number_of_actions(name: str) -> None:
    for cost in range(-1, 4):
        meant = {word for word, (length, _) in known(name).items() if length <= cost}
        assert set(raw_words(ps, INSTANCES[name], cost)) == meant


MOTIF = {**SMALL, **LOCKS, "showcase": SHOWCASE}


@pytest.mark.parametrize("name", MOTIF)
def test_denied_motif_leaves_the_words_without_it(name: str) -> None:
    posted, model = formula(ps, MOTIF[name], motif="main")
    found = projections(posted.clauses, model.decisions)
    left = sorted(canonical(ps.word(model, {one for one in literals if one > 0})) for literals in found)
    assert left == lacking(name)
    assert all(completes(posted.clauses, literals) for literals in found[:: 1 + len(found) // 5])


def lacking(name: str) -> list[bytes]:
    return sorted(word for word, (_, shown) in known(name).items() if not shown)


def test_the_instances_show_the_motif_and_its_absence() -> None:
    shown = {name: [verdict for _, verdict in known(name).values()] for name in MOTIF}
    assert shown["showcase"] == [True]
    for name in ("no resource", "p ends the interval", "q assigns the lock", "true at first"):
        assert shown[name], name
        assert not any(shown[name]), name
    mixed = {name for name, verdicts in shown.items() if set(verdicts) == {True, False}}
    assert {
        "desk",
        "not held",
        "three values",
        "held at first",
        "other maker",
        "not zero",
        "two under the lock",
        "lost at first",
    } <= mixed
    assert len(mixed & set(LOCKS)) >= 6


def test_the_motif_of_the_showcase_is_necessary() -> None:
    assert raw_words(ps, SHOWCASE, motif="main") == []


def test_another_motif_is_no_motif() -> None:
    posted, model = formula(ps, SHOWCASE)
    with pytest.raises(KeyError):
        ps.deny(posted, model, "shape")


@pytest.mark.parametrize(
    ("part", "replacement"),
    [
        ("asks", lambda *_: True),
        ("true_for", lambda one, value: value == one.value),
        ("makes_true", lambda *_: True),
        ("causes", lambda _cnf, model, _: {(u, p): TRUE for p in range(len(model.steps.idle)) for u in range(p)}),
        (
            "intervals",
            lambda _cnf, model, *_: [dict.fromkeys(range(len(model.states)), TRUE) for _ in model.steps.idle],
        ),
    ],
)
def test_each_part_of_the_denial_matters(
    part: str, replacement: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ps_motifs, part, replacement)
    assert any(raw_words(ps, MOTIF[name], motif="main") != lacking(name) for name in MOTIF)


VITAL = {
    "r1_when": make({"a": "0 1"}, {"f": ("a=0", "a=1")}, 2),
    "r2_invariant": make({"a": "0 1 2"}, {"f": ("", "a=1"), "g": ("", "a=2")}, 2, invariants=["a!=2"]),
    "r4_cost": make({"a": "0 1"}, {"f": ("", "a=1")}, 3, cost=2),
    "g_goal": make({"a": "0 1"}, {"f": ("", "a=1"), "g": ("", "a=0")}, 2, goal="a=1"),
}


@pytest.mark.parametrize("rule", VITAL)
def test_a_rule_left_out_lets_in_words_that_break_it_alone(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    instance = VITAL[rule]
    loose, normal = without(monkeypatch, ps, rule, instance), words(ps, instance)
    rows = (row for n in range(instance.most_actions + 1) for row in product(instance.operation, repeat=n))
    alone = {text(row) for row in rows if faults(instance, row) == {rule.partition("_")[0].upper()}}
    assert normal < loose
    assert loose - normal <= alone


def test_one_place_more_lets_in_words_beyond_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = make({"a": "0 1"}, {"f": ("", "a=1")}, 2, cost=3)
    loose = without(monkeypatch, ps, "r3_actions", instance, lambda cnf, one: step_row(cnf, one.most_actions + 1, 1))
    assert loose - words(ps, instance) == {text(("f",) * 3)}
    assert faults(instance, ("f",) * 3) == {"R3"}


def test_without_rules_every_row_is_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """The definitions of the states forbid nothing."""
    for rule in VITAL:
        monkeypatch.setattr(ps, rule, lambda *_: None)
    for name in ("at once", "contradictory", "numbers and strings"):
        one = INSTANCES[name]
        model = formula(ps, one)[1]
        rows = len(one.operations)
        assert len(raw_words(ps, one)) == sum(rows**n for n in range(len(model.steps.idle) + 1))


@pytest.mark.parametrize(
    ("word", "code", "pointer"),
    [
        ([], "wrong-type", ""),
        ({}, "missing-key", "/actions"),
        ({"actions": [], "x": 1}, "unknown-key", "/x"),
        ({"actions": ["melt"]}, "unknown-name", "/actions/0"),
        ({"actions": ["acquire", True]}, "wrong-type", "/actions/1"),
        ({"actions": ["acquire"] * 7}, "out-of-range", "/actions"),
    ],
)
def test_what_is_no_word_is_refused(word: Json, code: str, pointer: str) -> None:
    with pytest.raises(MalformedInput) as error:
        ps.literals(formula(ps, SHOWCASE)[1], word)
    assert (error.value.code, error.value.pointer) == (code, pointer)


def test_every_word_has_literals_of_its_own_and_illegal_ones_fail() -> None:
    instance = VITAL["r2_invariant"]
    posted, model = formula(ps, instance)
    rows = [row for n in range(3) for row in product(instance.operation, repeat=n)]
    told = {ps.literals(model, {"actions": list(row)}): row for row in rows}
    assert len(told) == len(rows) == 7
    for literals, row in told.items():
        assert completes(posted.clauses, literals) == (not faults(instance, row))


def test_namings() -> None:
    assert ps.namings(SHOWCASE, {"actions": ["acquire"]}) == 1
    with pytest.raises(MalformedInput):
        ps.namings(SHOWCASE, {"actions": ["melt"]})


def test_too_large_a_formula_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cnf, "MOST", 10_000)
    with pytest.raises(Undecided) as error:
        formula(ps, make(FLAGS, DESK, 10_000))
    assert error.value.reason == "size"


def test_the_name_stands_for_these_clauses() -> None:
    assert ps.NAME == "ps/1"
    assert digest(ps, SHOWCASE) == "3293ccbc69c8d6f6"
    assert digest(ps, SHOWCASE, "main") == "53bb7a687c5f8ed1"
    assert digest(ps, SMALL["three values"], "main") == "f78470c1d229518d"
