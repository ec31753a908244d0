"""The statement of TP against the rule book, played out here on named values."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import pytest
from clause_models import SHOWCASES, completes, digest, formula, projections, raw_words, without, words

from cwr_certificates.cnf import TRUE, Cnf
from cwr_certificates.statements import tp, tp_motifs, tp_words
from cwr_certificates.steps import Steps, step_row
from cwr_solvers.errors import MalformedInput, Undecided
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.worlds.tp.instance import Instance, Step, Typed, read_instance, write_steps

SHOWCASE = read_instance(SHOWCASES["TP"]["instance"])
Word = tuple[Step, ...]
Rows = list[tuple[list[list[int]], list[list[int]]]]


def make(
    operations: dict[str, tuple[list[str], list[str], Rows]],
    initial: dict[str, tuple[str, list[int]]],
    goal: list[tuple[str, list[int]]],
    **more: Any,
) -> Instance:
    """An instance whose types A, B, C have the values [0], [1], [2]; `more` has ids, steps, cost, live, leftovers."""
    steps = more.get("steps", 3)
    document: dict[str, Any] = {
        "family": "TP",
        "code": "t",
        "types": {name: [[0], [1], [2]] for name in "ABC"},
        "operations": [
            {"name": name, "inputs": ins, "outputs": outs, "table": [{"in": a, "out": b} for a, b in rows]}
            for name, (ins, outs, rows) in operations.items()
        ],
        "initial": {name: {"type": kind, "value": value} for name, (kind, value) in initial.items()},
        "ids": [f"v{n}" for n in range(more.get("ids", 9))],
        "goal": {
            "values": [{"type": kind, "value": value} for kind, value in goal],
            "leftovers": more.get("leftovers", "forbidden"),
        },
        "budget": {"live": more.get("live", 9), "steps": steps, "cost": more.get("cost", steps)},
    }
    return read_instance(document)


def faults(instance: Instance, word: Word) -> set[str]:
    """The rules that the first bad step breaks, or the goal; empty when accepted."""
    live: dict[str, Typed] = dict(instance.initial)
    allocated = set(live)
    for number, step in enumerate(word, 1):
        op = instance.operation[step.op]
        wanted = list(zip(step.args, op.inputs, strict=False))
        broken = {
            "R1": len(step.args) != len(op.inputs),
            "R2": any(arg not in live for arg in step.args),
            "R3": len(set(step.args)) != len(step.args),
            "R5": len(step.out) != len(op.outputs),
            "R6": bool(allocated & set(step.out)) or len(set(step.out)) != len(step.out) or "" in step.out,
        }
        broken["R4"] = not broken["R1"] and any(arg in live and live[arg][0] != kind for arg, kind in wanted)
        if not any(broken[rule] for rule in ("R1", "R2", "R3", "R4")):
            broken["R7"] = tuple(live[arg][1] for arg in step.args) not in op.table
        if not any(broken.values()):
            made = op.table[tuple(live.pop(arg)[1] for arg in step.args)]
            live.update(zip(step.out, zip(op.outputs, made, strict=True), strict=True))
            allocated.update(step.out)
            broken["R8"] = len(live) > instance.most_live
            broken["R9"] = number > instance.most_steps
            broken["R10"] = number > instance.most_cost
        if any(broken.values()):
            return {rule for rule, value in broken.items() if value}
    have, need = Counter(live.values()), Counter(instance.goal)
    return set() if need <= have and (instance.leftovers_allowed or need == have) else {"G"}


def text(word: Word) -> bytes:
    return canonical(write_steps(word))


def extensions(instance: Instance, word: Word) -> Iterator[Word]:
    """The words of one step more, with any arguments that are not consumed yet."""
    created = sum(len(step.out) for step in word)
    used = {arg for step in word for arg in step.args}
    live = [name for name in (*instance.initial, *instance.ids[:created]) if name not in used]
    for op in instance.operations:
        out = instance.ids[created : created + len(op.outputs)]
        if len(out) == len(op.outputs):
            for args in product(live, repeat=len(op.inputs)):
                yield *word, Step(op.name, args, tuple(out))


def accepted(instance: Instance) -> dict[bytes, Word]:
    """All accepted words: a word is tried when the one without its last step breaks at most the goal."""
    found, layer = {}, [()]
    while layer:
        found.update({text(word): word for word in layer if not faults(instance, word)})
        legal = [word for word in layer if faults(instance, word) <= {"G"}]
        layer = [longer for word in legal for longer in extensions(instance, word)]
    return found


def main(instance: Instance, word: Word) -> bool:
    """The motif of a legal word, by following values by name."""
    worth = {name: value for name, (_, value) in instance.initial.items()}
    for step in word:
        worth.update(
            zip(step.out, instance.operation[step.op].table[tuple(worth[arg] for arg in step.args)], strict=True)
        )
    user = {arg: step for step in word for arg in step.args}

    def ends(value: str, changed: bool) -> Iterator[tuple[str, bool]]:
        """The ends of the paths of at least one step from a value, and whether it changed on the way."""
        for after in user[value].out if value in user else ():
            different = changed or worth[after] != worth[value]
            yield after, different
            yield from ends(after, different)

    for s in word:
        for x, y in product(s.out, s.out):
            for end, changed in ends(x, False):
                if x != y and changed and end in user and user[end] is user.get(y):
                    later = {id(user[value]): user[value] for value in user[y].out if value in user}
                    if len(later) == 1 and not any(value in user for step in later.values() for value in step.out):
                        return True
    return False


SAME: Rows = [([[n]], [[n]]) for n in range(3)]
FLIP: Rows = [([[0]], [[1]]), ([[1]], [[0]])]
PAIR: Rows = [([[a], [b]], [[b]]) for a in range(3) for b in range(3)]
SPLIT: Rows = [([[n]], [[n], [n]]) for n in range(3)]
WORKS = {
    "split": (["A"], ["A", "B"], SPLIT),
    "flip": (["A"], ["A"], FLIP),
    "copy": (["A"], ["A"], SAME),
    "join": (["A", "B"], ["C"], PAIR),
    "seal": (["C"], ["C"], SAME),
}
TWIN = {"split": (["A"], ["A", "A"], SPLIT), "flip": (["A"], ["A"], FLIP), "join": (["A", "A"], ["A"], PAIR)}
FORKED = {
    "split": (["A"], ["A", "B"], SPLIT),
    "flip": (["A"], ["A"], FLIP),
    "fork": (["A", "B"], ["C", "C"], [([[a], [b]], [[a], [b]]) for a in range(2) for b in range(2)]),
    "seal": (["C"], ["C"], SAME),
}
A0, A1 = ("A", [0]), ("A", [1])

SMALL = {
    "works": make(WORKS, {"i": A0}, [("C", [0])], steps=5),
    "works, any end": make(WORKS, {"i": A0}, [], steps=4, leftovers="allowed"),
    "twin": make(TWIN, {"i": A0}, [A1], steps=4, leftovers="allowed"),
    "twin, two": make(TWIN, {"i": A0, "k": A1}, [A1], steps=3, ids=4),
    "goal twice": make(TWIN, {"i": A0}, [A1, A1], steps=3, leftovers="allowed"),
    "goal at the start": make(TWIN, {"i": A0}, [A0], steps=2, leftovers="forbidden"),
    "source and sink": make(
        {"give": ([], ["A"], [([], [[1]])]), "drop": (["A"], [], [([[1]], [])])}, {}, [A1], steps=3
    ),
    "partial": make({"up": (["A"], ["A"], [([[0]], [[1]])])}, {"i": A0, "k": A1}, [A1, A1], steps=2),
    "no operation": make({}, {"i": A0}, [A0]),
    "no step": make(TWIN, {"i": A0}, [A0], steps=0),
    "nothing": make({}, {}, []),
    "infeasible": make({"copy": (["A"], ["A"], SAME)}, {"i": A0}, [A1]),
    "out of reach": make({"copy": (["A"], ["A"], SAME)}, {"i": A0}, [("B", [2])]),
    "order of arguments": make({"join": (["A", "A"], ["A"], PAIR)}, {"i": A0, "k": A1}, [A1]),
    "few ids": make(TWIN, {"i": A0}, [], steps=3, ids=2, leftovers="allowed"),
    "change beside": make(
        {name: WORKS[name] for name in WORKS if name != "copy"}, {"i": A0, "k": A0}, [A0, ("C", [0])], steps=4
    ),
    "no room": make(TWIN, {"i": A0}, [], steps=2, live=1, leftovers="allowed"),
    "two after": make(FORKED, {"i": A0}, [], steps=5, live=3, leftovers="allowed"),
    "little room": make(TWIN, {"i": A0}, [], steps=4, live=2, leftovers="allowed"),
}


def drawn(seed: int) -> Instance:
    """A random instance of two or three operations of up to two inputs and outputs, with partial tables."""
    draw = random.Random(f"tp {seed}")

    def some(least: int, most: int) -> list[str]:
        return [draw.choice("AAB") for _ in range(draw.randint(least, most))]

    operations = {}
    for n in range(draw.randint(2, 3)):
        ins, outs = some(1, 2), some(0 if n else 1, 2)
        given = [list(map(list, row)) for row in product(product(range(2)), repeat=len(ins)) if draw.random() < 0.8]
        operations[f"o{n}"] = (ins, outs, [(row, [[draw.randrange(2)] for _ in outs]) for row in given])
    initial = {name: (draw.choice("AAB"), [draw.randrange(2)]) for name in "ij"[: draw.randint(1, 2)]}
    goal = [(draw.choice("AB"), [draw.randrange(2)]) for _ in range(draw.choice([0, 0, 0, 1, 2]))]
    leftovers = draw.choice(["allowed", "forbidden"]) if goal else "allowed"
    return make(
        operations, initial, goal, leftovers=leftovers, steps=3, ids=draw.randint(2, 6), live=draw.randint(2, 4)
    )


def drawn_works(seed: int) -> Instance:
    """The works with other tables and an operation drawn at random, so that values change here and there."""
    draw = random.Random(f"tp works {seed}")
    kinds = draw.choice([(["A"], ["B"]), (["C"], ["A"]), (["B"], ["B"]), (["A", "A"], ["A"]), (["C"], ["A", "C"])])
    rows = [
        (list(map(list, row)), [[draw.randrange(2)] for _ in kinds[1]])
        for row in product(product(range(2)), repeat=len(kinds[0]))
    ]
    works = dict(WORKS) | {"other": (*kinds, rows)}
    del works[draw.choice(["copy", "flip", "seal"])]
    return make(works, {"i": A0}, [], steps=5, live=2, leftovers="allowed")


INSTANCES = {
    "showcase": SHOWCASE,
    **SMALL,
    **{f"drawn {seed}": drawn(seed) for seed in range(20)},
    **{f"works {seed}": drawn_works(seed) for seed in range(8)},
}
EACH = pytest.mark.parametrize("name", INSTANCES)


@cache
def known(name: str) -> dict[bytes, tuple[int, bool]]:
    """{accepted word: its number of steps, and whether it shows the motif} of one of the instances."""
    one = INSTANCES[name]
    return {text: (len(word), main(one, word)) for text, word in accepted(one).items()}


@EACH
def test_models_are_the_accepted_words(name: str) -> None:
    assert words(tp, INSTANCES[name]) == set(known(name))


@EACH
def test_at_most_bounds_the_number_of_steps(name: str) -> None:
    for cost in range(-1, 3):
        meant = {word for word, (steps, _) in known(name).items() if steps <= cost}
        assert set(raw_words(tp, INSTANCES[name], cost)) == meant


@EACH
def test_denied_motif_leaves_the_words_without_it(name: str) -> None:
    cnf, model = formula(tp, INSTANCES[name], motif="main")
    found = projections(cnf.clauses, model.decisions)
    left = sorted(canonical(tp.word(model, {one for one in literals if one > 0})) for literals in found)
    assert left == sorted(word for word, (_, shown) in known(name).items() if not shown)
    assert all(completes(cnf.clauses, literals) for literals in found[:10])


def test_the_instances_show_the_motif_and_its_absence() -> None:
    shown = {name: [verdict for _, verdict in known(name).values()] for name in INSTANCES}
    assert shown["showcase"] == [True]
    assert sum(len(set(verdicts)) == 2 for verdicts in shown.values()) >= 6


DENIAL = {"never": lambda *_: -TRUE, "always": lambda *_: TRUE}


@pytest.mark.parametrize("value", DENIAL)
@pytest.mark.parametrize("part", ["differs", "path_end"])
def test_each_part_of_the_denial_matters(part: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tp_motifs, part, DENIAL[value])
    names = ("works", "works, any end", "twin", "little room", "change beside")
    left = {name: set(raw_words(tp, INSTANCES[name], motif="main")) for name in names}
    assert any(left[name] != {word for word, (_, shown) in known(name).items() if not shown} for name in names)


ONE = {"i": A0}
COPY = {"copy": (["A"], ["A"], SAME)}
VITAL = {
    "r1_arity": make({"join": (["A", "A"], ["A"], PAIR)}, {"i": A0, "k": A1}, [], steps=1, leftovers="allowed"),
    "r2_live": make(COPY, ONE, [], steps=2, leftovers="allowed"),
    "r3_distinct": make({"join": (["A", "A"], ["A"], PAIR)}, {"i": A0, "k": A1}, [], steps=1, leftovers="allowed"),
    "r4_types": make(COPY, {"i": A0, "k": ("B", [0])}, [], steps=1, leftovers="allowed"),
    "r6_fresh": make(COPY, ONE, [], ids=1, leftovers="allowed"),
    "r7_table": make({"up": (["A"], [], [([[1]], [])])}, ONE, [], steps=1, leftovers="allowed"),
    "r8_live": make(TWIN, ONE, [], steps=2, live=2, leftovers="allowed"),
    "r10_cost": make(COPY, ONE, [A0], cost=2),
    "g_goal": make({"flip": (["A"], ["A"], FLIP)}, ONE, [A1], steps=2),
}


@pytest.mark.parametrize("rule", VITAL)
def test_a_rule_left_out_lets_in_words_that_break_it_alone(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    instance = VITAL[rule]
    normal = words(tp, instance)
    assert normal == set(accepted(instance))
    monkeypatch.setattr(tp, rule, lambda *_: None)
    cnf, model = formula(tp, instance)
    found = projections(cnf.clauses, model.decisions)
    loose = [tp_words.named(model, {one for one in literals if one > 0}) for literals in found]
    assert normal < {text(word) for word in loose}
    judged = [faults(instance, word) for word in loose if text(word) not in normal]
    number = rule.partition("_")[0].upper()
    assert {number} in judged
    assert all(number in broken for broken in judged)


@pytest.mark.parametrize("value", [TRUE, -TRUE])
def test_which_outputs_exist_matters(value: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """R5: were there more outputs than the operations have, they would be left over; were there less, not to be had."""
    instance = make(TWIN, ONE, [A1], steps=2)

    def outputs(_cnf: Cnf, one: Instance, _steps: Steps) -> dict[tuple[int, int], int]:
        return {(q, s): value for q in range(one.most_steps) for s in range(2)}

    assert without(monkeypatch, tp, "r5_outputs", instance, outputs) < words(tp, instance)


def test_one_place_more_lets_in_words_beyond_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = make(COPY, ONE, [A0], steps=2, cost=3)
    normal = words(tp, instance)
    loose = without(monkeypatch, tp, "r9_steps", instance, lambda cnf, one: step_row(cnf, one.most_steps + 1, 1))
    longer = (Step("copy", ("i",), ("v0",)), Step("copy", ("v0",), ("v1",)), Step("copy", ("v1",), ("v2",)))
    assert loose - normal == {text(longer)}
    assert faults(instance, longer) == {"R9"}


def test_the_goal_forbids_leftovers_only_where_it_says_so() -> None:
    operations = {"split": (["A"], ["A", "B"], SPLIT)}
    split = text((Step("split", ("i",), ("v0", "v1")),))
    assert split in words(tp, make(operations, ONE, [A0], leftovers="allowed"))
    assert split not in words(tp, make(operations, ONE, [A0]))
    assert split in words(tp, make(operations, ONE, [("B", [0]), A0]))


def step(op: str, args: list[str], out: list[str]) -> Json:
    return {"op": op, "args": list(args), "out": list(out)}


DECODE = step("decode", ["input"], ["v0", "v1"])


@pytest.mark.parametrize(
    ("steps", "code", "pointer"),
    [
        ([step("melt", [], [])], "unknown-name", "/steps/0/op"),
        ([step("decode", ["w"], ["v0", "v1"])], "unknown-name", "/steps/0/args/0"),
        ([{"op": "decode", "args": ["input"]}], "missing-key", "/steps/0/out"),
        ([DECODE] * 6, "out-of-range", "/steps"),
        ([step("decode", ["input"], ["v1", "v0"])], "domain", "/steps"),
        ([step("decode", ["input"], ["v0"])], "domain", "/steps"),
        ([step("decode", ["input"], ["v0", "v0"])], "domain", "/steps"),
        ([step("decode", ["input"], ["v0", "v1", "v2"])], "domain", "/steps"),
        ([step("decode", ["input", "input", "input"], ["v0", "v1"])], "domain", "/steps"),
        ([step("decode", ["v0"], ["v0", "v1"])], "domain", "/steps"),
        ([step("decode", ["v5"], ["v0", "v1"])], "domain", "/steps"),
        ([DECODE, step("invert", ["v2"], ["v2"])], "domain", "/steps"),
        ([DECODE, step("invert", ["v0"], ["input"])], "domain", "/steps"),
        ([DECODE, DECODE, DECODE, DECODE], "domain", "/steps"),
    ],
)
def test_what_is_no_word_is_refused(steps: list[Json], code: str, pointer: str) -> None:
    with pytest.raises(MalformedInput) as error:
        tp.literals(formula(tp, SHOWCASE)[1], {"steps": steps})
    assert (error.value.code, error.value.pointer) == (code, pointer)


def test_a_list_is_no_word() -> None:
    with pytest.raises(MalformedInput):
        tp.literals(formula(tp, SHOWCASE)[1], [])


def test_every_word_has_literals_of_its_own_and_illegal_ones_fail() -> None:
    """All words of up to two steps with arguments that were created, consumed or not."""
    instance = make(TWIN, ONE, [A1], steps=2, leftovers="allowed")
    cnf, model = formula(tp, instance)
    tried: list[Word] = [()]
    for word in tried:
        if len(word) < 2:
            names = ["i", *instance.ids[: sum(len(one.out) for one in word)]]
            free = instance.ids[len(names) - 1 :]
            for op in instance.operations:
                out = free[: len(op.outputs)]
                tried += [(*word, Step(op.name, args, out)) for args in product(names, repeat=len(op.inputs))]
    told = {tp.literals(model, write_steps(word)): word for word in tried}
    assert len(told) == len(tried) == 35
    verdicts = [faults(instance, word) for word in told.values()]
    assert [completes(cnf.clauses, literals) for literals in told] == [not broken for broken in verdicts]
    assert {"R2"} in verdicts
    assert {"R3"} in verdicts


@pytest.mark.parametrize("args", [[], ["input", "input"]])
def test_a_wrong_number_of_arguments_can_be_told_and_fails(args: list[str]) -> None:
    cnf, model = formula(tp, SHOWCASE)
    literals = tp.literals(model, {"steps": [step("decode", args, ["v0", "v1"])]})
    assert literals != tp.literals(model, {"steps": [DECODE]})
    assert projections([*cnf.clauses, *((literal,) for literal in literals)], model.decisions) == []


def test_namings_count_the_choices_of_names() -> None:
    assert tp.namings(SHOWCASE, {"steps": []}) == 1
    assert tp.namings(SHOWCASE, {"steps": [DECODE]}) == 6 * 5
    assert tp.namings(SHOWCASE, SHOWCASES["TP"]["witness"]) == 6 * 5 * 4 * 3 * 2 * 1
    with pytest.raises(MalformedInput):
        tp.namings(SHOWCASE, {"steps": [{}]})


def test_too_large_a_formula_is_refused() -> None:
    with pytest.raises(Undecided) as error:
        tp.state(Cnf(), make(TWIN, ONE, [A0], steps=10_000, live=2**53))
    assert error.value.reason == "size"


def test_the_name_stands_for_these_clauses() -> None:
    assert tp.NAME == "tp/1"
    assert digest(tp, SHOWCASE) == "abfd5c714c224da2"
    assert digest(tp, SHOWCASE, "main") == "b3e69e265cc8cb2f"
    assert digest(tp, SMALL["goal twice"]) == "d3eef9698abe7707"
