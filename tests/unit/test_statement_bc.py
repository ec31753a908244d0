"""The statement of BC against the rule book, played out here in the plainest way."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, product
from typing import Any, NamedTuple

import pytest
from clause_models import SHOWCASES, completes, digest, formula, projections, raw_words, without, words

from cwr_certificates import cnf
from cwr_certificates.cnf import TRUE
from cwr_certificates.statements import bc, bc_motifs
from cwr_certificates.steps import step_row
from cwr_solvers.errors import MalformedInput, Undecided
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.worlds.bc.instance import Instance, read_instance

SHOWCASE = read_instance(SHOWCASES["BC"]["instance"])
TABLES = {"AND": "0001", "OR": "0111", "XOR": "0110", "NOR": "1000", "NAND": "1110", "BUT": "0010", "IF": "1101"}
TABLES |= {"LEFT": "0011", "NOT": "1010", "ZERO": "0000", "ONE": "1111"}
Gate = tuple[str, str, str]  # operator, first and second input


class Circuit(NamedTuple):
    gates: tuple[Gate, ...]
    outputs: tuple[str, ...]


def make(pins: str, operators: str, goal: str, most: int, **more: Any) -> Instance:
    """An instance from words: operators as `AND` or `AND*2` for a cost; goal as `0110`, or `f=0110 g=0001`."""
    fields: list[Json] = []
    for one in operators.split():
        name, _, cost = one.partition("*")
        fields.append({"name": name, "table": [int(bit) for bit in TABLES[name]], "cost": int(cost or 1)})
    named = {one.partition("=")[0]: [int(bit) for bit in one.partition("=")[2]] for one in goal.split() if "=" in one}
    document: dict[str, Any] = {
        "family": "BC",
        "code": "t",
        "pins": list(pins),
        "operators": fields,
        "goal": {"outputs": named} if named else {"output": [int(bit) for bit in goal]},
        "motif": more.get("motif", "").split(),
        "budget": {"gates": most, "cost": more.get("cost", 100)},
    }
    return read_instance(document)


def pin_values(instance: Instance) -> list[int]:
    """The vector of each pin as a number whose binary digits are the rows, the last row first."""
    every = list(enumerate(product((0, 1), repeat=len(instance.pins))))
    return [sum(row[n] << r for r, row in every) for n in range(len(instance.pins))]


def value(table: str, first: int, second: int, rows: int) -> int:
    """The vector of a gate."""
    return sum(int(table[2 * (first >> r & 1) + (second >> r & 1)]) << r for r in range(rows))


def spent(instance: Instance, gates: tuple[Gate, ...]) -> int:
    return sum(instance.operator[operator].cost for operator, _, _ in gates)


def next_gates(instance: Instance, number: int, raw: bool = False) -> list[Gate]:
    """All gates that could be gate `number`, in normal form or all of them."""
    signals = [*instance.pins, *(f"g{n}" for n in range(number))]
    pairs = [(s, t) for s in signals for t in signals]
    swaps = [name for name, table in TABLES.items() if table[1] != table[2]]
    return [
        (name, s, t)
        for name in TABLES
        for s, t in pairs
        if name in instance.operator and (raw or name in swaps or signals.index(s) <= signals.index(t))
    ]


def accepted(instance: Instance, raw: bool = False) -> Iterator[Circuit]:
    """All accepted circuits, in normal form or all of them."""
    rows, wanted = (
        2 ** len(instance.pins),
        [sum(bit << r for r, bit in enumerate(one)) for one in instance.goal.values()],
    )
    choices = [next_gates(instance, number, raw) for number in range(instance.most_gates)]
    computed = cache(lambda name, x, y: value(TABLES[name], x, y, rows))

    def after(gates: tuple[Gate, ...], known: dict[str, int]) -> Iterator[Circuit]:
        fits = [[name for name, one in known.items() if one == vector] for vector in wanted]
        yield from (Circuit(gates, outputs) for outputs in product(*fits))
        missing = {vector for fit, vector in zip(fits, wanted, strict=True) if not fit}
        last = len(gates) + 1 == instance.most_gates
        for gate in choices[len(gates)] if len(gates) < instance.most_gates else ():
            result = computed(gate[0], known[gate[1]], known[gate[2]])
            if last and missing and {result} != missing:
                continue
            if spent(instance, (*gates, gate)) <= instance.most_cost:
                yield from after((*gates, gate), {**known, f"g{len(gates)}": result})

    yield from after((), dict(zip(instance.pins, pin_values(instance), strict=True)))


def json(instance: Instance, circuit: Circuit) -> Json:
    gates: list[Json] = [
        {"id": f"g{n}", "op": operator, "inputs": [first, second]}
        for n, (operator, first, second) in enumerate(circuit.gates)
    ]
    if instance.single:
        return {"gates": gates, "output": circuit.outputs[0]}
    return {"gates": gates, "outputs": dict(zip(instance.goal, circuit.outputs, strict=True))}


def text(instance: Instance, circuit: Circuit) -> bytes:
    return canonical(json(instance, circuit))


def motifs(instance: Instance, circuit: Circuit) -> set[str]:
    """The motifs that a circuit shows."""
    gates = {f"g{n}": gate for n, gate in enumerate(circuit.gates)}
    o = circuit.outputs[0]
    if not instance.single or o not in gates:
        return set()
    inputs = {name: gate[1:] for name, gate in gates.items()}
    below = {name: {name} for name in instance.pins}
    for name, (first, second) in inputs.items():
        below[name] = {name} | below[first] | below[second]
    pins = set(instance.pins)

    def reads(gate: str, one: str, other: str) -> bool:
        return inputs[gate] in ((one, other), (other, one))

    found = {"weak"} if below[inputs[o][0]] & below[inputs[o][1]] else set()
    for x, y, e in product(gates, repeat=3):
        apart = reads(o, x, e) and not below[x] & below[e] - pins
        if apart and below[x] & below[y] & pins and any(reads(e, y, z) for z in pins - below[x] - below[y]):
            found.add("mid")
        for p, q in combinations(pins, 2):
            crossed = reads(x, p, q) and reads(y, p, q) and any(reads(e, y, z) for z in pins - {p, q})
            if len({x, y, e, o}) == 4 and crossed and reads(o, x, e):
                found.add("shape")
                if instance.motif == tuple(gates[name][0] for name in (x, y, e, o)):
                    found.add("typed")
    return found


SMALL = {
    "xor": make("ab", "AND OR XOR", "0110", 2),
    "xor from nand": make("ab", "NAND", "0110", 4),
    "asymmetric": make("ab", "BUT XOR", "0100", 2),
    "only asymmetric": make("ab", "BUT IF", "0001", 2),
    "order of inputs": make("ab", "LEFT NOT", "1010", 2),
    "constants": make("a", "ZERO ONE XOR", "11", 2),
    "two outputs": make("ab", "AND XOR", "sum=0110 carry=0001", 2),
    "outputs alike": make("ab", "AND OR", "f=0001 g=0001", 2),
    "one named output": make("abc", "AND XOR", "f=01101001", 2),
    "pin and gate": make("ab", "AND", "f=0011 g=0001", 2),
    "output is a pin": make("ab", "AND OR", "0011", 2),
    "costs": make("ab", "AND*3 OR*2 XOR*0", "0110", 2, cost=3),
    "all for nothing": make("ab", "AND*0", "0001", 2, cost=0),
    "too dear": make("ab", "AND*3", "0001", 2, cost=2),
    "infeasible": make("ab", "AND OR", "0110", 2),
    "no operator": make("ab", "", "0101", 2),
    "no gate": make("ab", "AND", "0101", 0),
    "three pins": make("abc", "XOR", "01101001", 3),
}

NANDS, BUTS = "NAND NAND NAND NAND", "BUT BUT BUT BUT"
CIRCUITS = {
    "nand": make("abc", "NAND", "01010111", 4, motif=NANDS),
    "nand, no shape": make("abc", "NAND", "00110101", 4, motif=NANDS),
    "nand, apart": make("abc", "NAND", "01001111", 4),
    "nand, five gates": make("abc", "NAND", "01110000", 5),
    "but": make("abc", "BUT", "01000001", 4, motif=BUTS),
    "but, no shape": make("abc", "BUT", "01010100", 4, motif=BUTS),
    "and or": make("abc", "AND OR", "00010111", 4, motif="AND OR AND OR"),
    "and xor": make("abc", "AND XOR", "00010111", 4, motif="AND XOR AND XOR"),
    "other order": make("abc", "AND XOR", "00010111", 4, motif="XOR AND AND XOR"),
    "no motif named": make("abc", "AND XOR", "00010111", 4),
    "no third pin": make("ab", "NAND OR", "1001", 4),
    "one pin": make("a", "XOR AND", "01", 3, motif="AND AND AND AND"),
    "the output is a pin": SMALL["output is a pin"],
    "named output": make("ab", "NAND", "f=0110", 4, motif=NANDS),
}


def drawn(seed: int) -> Instance:
    """A random instance of two or three pins, one or two operators, and a goal that some circuit reaches."""
    draw = random.Random(f"bc {seed}")
    pins, most = draw.choice([("ab", 2), ("abc", 2), ("ab", 3)])
    names = draw.sample(sorted(TABLES), 2 if most == 2 else 1)
    operators = " ".join(f"{name}*{draw.choice([0, 1, 1, 2])}" for name in names)
    bare = make(pins, operators, "0" * 2 ** len(pins), most)
    known, rows = dict(zip(pins, pin_values(bare), strict=True)), 2 ** len(pins)
    for n in range(most):
        name, first, second = draw.choice(next_gates(bare, n))
        known[f"g{n}"] = value(TABLES[name], known[first], known[second], rows)
    ends = [known[draw.choice(list(known)[-2:])] for _ in range(draw.randint(1, 2))]
    wanted = ["".join(str(one >> r & 1) for r in range(rows)) for one in ends]
    goal = wanted[0] if len(wanted) == 1 else " ".join(f"{name}={one}" for name, one in zip("yx", wanted, strict=True))
    return make(pins, operators, goal, most, cost=draw.randint(1, 4))


INSTANCES = {"showcase": SHOWCASE, **SMALL, **{f"drawn {seed}": drawn(seed) for seed in range(24)}}
MOTIF = {"showcase": SHOWCASE, **CIRCUITS}
EACH = pytest.mark.parametrize("name", INSTANCES)


@cache
def known(name: str) -> dict[bytes, tuple[int, set[str]]]:
    """{accepted word: its cost and motifs} of one of the instances."""
    one = INSTANCES[name] if name in INSTANCES else MOTIF[name]
    return {text(one, circuit): (spent(one, circuit.gates), motifs(one, circuit)) for circuit in accepted(one)}


@EACH
def test_models_are_the_accepted_words(name: str) -> None:
    assert words(bc, INSTANCES[name]) == set(known(name))


@EACH
def test_at_most_bounds_the_cost(name: str) -> None:
    for cost in (-1, 0, 1, 3):
        meant = {word for word, (paid, _) in known(name).items() if paid <= cost}
        assert set(raw_words(bc, INSTANCES[name], cost)) == meant


def lacking(name: str, motif: str) -> list[bytes]:
    return sorted(word for word, (_, shown) in known(name).items() if motif not in shown)


@pytest.mark.parametrize("name", MOTIF)
@pytest.mark.parametrize("motif", bc.MOTIFS)
def test_denied_motif_leaves_the_words_without_it(name: str, motif: str) -> None:
    posted, model = formula(bc, MOTIF[name], motif=motif)
    found = projections(posted.clauses, model.decisions)
    left = sorted(canonical(bc.word(model, {one for one in literals if one > 0})) for literals in found)
    assert left == lacking(name, motif)
    assert all(completes(posted.clauses, literals) for literals in found[:: 1 + len(found) // 3])


def test_the_instances_show_each_motif_and_its_absence() -> None:
    shown = {name: [found for _, found in known(name).values()] for name in MOTIF}
    for motif, least in (("shape", 4), ("typed", 4), ("mid", 6), ("weak", 4)):
        mixed = [name for name, every in shown.items() if {motif in found for found in every} == {True, False}]
        assert len(mixed) >= least, motif
    assert shown["named output"] == [set(), set()]
    assert not any("shape" in found for found in shown["no third pin"])
    assert not any("typed" in found for found in shown["no motif named"])
    assert any("mid" in found for found in shown["nand, five gates"])


def test_the_motifs_of_the_showcase() -> None:
    left = {motif: len(raw_words(bc, SHOWCASE, motif=motif)) for motif in bc.MOTIFS}
    assert len(raw_words(bc, SHOWCASE)) == 42
    assert left == {"shape": 6, "typed": 33, "mid": 6, "weak": 0}


def test_another_motif_is_no_motif() -> None:
    posted, model = formula(bc, SMALL["two outputs"])
    with pytest.raises(KeyError):
        bc.deny(posted, model, "main")


def reads_only(posted: cnf.Cnf, model: bc.Model) -> bc_motifs.Depends:
    """Dependence without what is read depending on more."""
    depends = {(s, s): TRUE for s in range(len(model.vectors))}
    for g, pairs in enumerate(model.reads, len(model.instance.pins)):
        for s in range(g):
            depends[g, s] = cnf.any_of(posted, [literal for pair, literal in pairs.items() if s in pair])
    return depends


def one_order(_posted: cnf.Cnf, model: bc.Model) -> bc_motifs.Both:
    pins = len(model.instance.pins)
    return {
        (g, s, t): model.reads[g - pins][s, t]
        for g in range(pins, len(model.vectors))
        for s, t in combinations(range(g), 2)
    }


@pytest.mark.parametrize(
    ("part", "replacement"),
    [
        ("common", lambda *_: TRUE),
        ("common", lambda *_: -TRUE),
        ("dependence", reads_only),
        ("either_order", one_order),
        ("fours", lambda _: iter(())),
        ("shapes", lambda *_: iter(())),
    ],
)
def test_each_part_of_the_denial_matters(
    part: str, replacement: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bc_motifs, part, replacement)
    some = ("nand", "nand, no shape", "nand, five gates", "but", "but, no shape")
    assert any(
        raw_words(bc, MOTIF[name], motif=motif) != lacking(name, motif)
        for name in some
        for motif in ("mid", "weak", "shape")
    )


VITAL = {
    "r4_cost": make("ab", "AND*2 OR", "0001", 2, cost=3),
    "g_goal": make("ab", "AND", "0001", 1),
    "sorted_inputs": make("ab", "AND BUT", "0001", 1),
}


def every_circuit(instance: Instance, raw: bool = False) -> Iterator[Circuit]:
    """All circuits within the gate budget, whatever they compute and cost; single outputs."""
    rows: list[tuple[Gate, ...]] = [()]
    for number in range(instance.most_gates):
        rows += [(*row, gate) for row in rows if len(row) == number for gate in next_gates(instance, number, raw)]
    for row in rows:
        for output in (*instance.pins, *(f"g{n}" for n in range(len(row)))):
            yield Circuit(row, (output,))


@pytest.mark.parametrize(("rule", "raw"), [("r4_cost", False), ("g_goal", False), ("sorted_inputs", True)])
def test_a_rule_left_out_lets_in_words_that_break_it_alone(
    rule: str, raw: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    instance = VITAL[rule]
    loose, normal = without(monkeypatch, bc, rule, instance), words(bc, instance)
    at_any_cost = make("ab", "AND*2 OR", "0001", 2)
    meant = {
        "r4_cost": accepted(at_any_cost),
        "g_goal": every_circuit(instance),
        "sorted_inputs": accepted(instance, raw=True),
    }
    assert normal < loose
    assert loose == {text(instance, circuit) for circuit in meant[rule]}


@pytest.mark.parametrize("rule", ["r2_inputs", "output_signals"])
def test_without_one_pair_or_output_there_are_more_models(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    instance = SMALL["xor"]
    monkeypatch.setattr(bc, rule, lambda *_: None)
    posted, model = formula(bc, instance)
    assert len(projections(posted.clauses, model.decisions)) > len(known("xor"))


def test_one_place_more_lets_in_circuits_beyond_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    instance, larger = make("ab", "BUT", "0100", 1), make("ab", "BUT", "0100", 2)
    monkeypatch.setattr(bc, "r3_gates", lambda posted, one: step_row(posted, one.most_gates + 1, 1))
    posted, model = formula(bc, instance)
    assert (
        len(projections(posted.clauses, model.decisions)) == len(list(accepted(larger))) > len(list(accepted(instance)))
    )


def test_one_rule_holds_by_construction() -> None:
    """It posts nothing; that no word breaks it is what the comparison of words shows."""
    posted, model = formula(bc, SHOWCASE)
    before = list(posted.clauses)
    bc.r1_order(posted, model)
    assert posted.clauses == before


def gates(*rows: str) -> list[Json]:
    """Gates as `g0 AND a b`."""
    return [{"id": row.split()[0], "op": row.split()[1], "inputs": [*row.split()[2:]]} for row in rows]


@pytest.mark.parametrize(
    ("word", "code", "pointer"),
    [
        ([], "wrong-type", ""),
        ({"gates": []}, "missing-key", "/output"),
        ({"gates": [], "output": "a", "x": 1}, "unknown-key", "/x"),
        ({"gates": [], "output": "g0"}, "unknown-name", "/output"),
        ({"gates": gates("g0 NOT a b"), "output": "a"}, "unknown-name", "/gates/0/op"),
        ({"gates": gates("g4 AND a b"), "output": "a"}, "unknown-name", "/gates/0/id"),
        ({"gates": gates("g0 AND a g4"), "output": "a"}, "unknown-name", "/gates/0/inputs/1"),
        ({"gates": gates("g0 AND a"), "output": "a"}, "out-of-range", "/gates/0/inputs"),
        ({"gates": gates("g1 AND a b"), "output": "g1"}, "domain", "/gates"),
        ({"gates": gates("g0 AND a b", "g0 AND a b"), "output": "g0"}, "domain", "/gates"),
        ({"gates": gates("g0 AND a g0"), "output": "g0"}, "domain", "/gates"),
        ({"gates": gates("g0 AND a g1", "g1 AND a b"), "output": "g0"}, "domain", "/gates"),
        ({"gates": gates("g0 AND b a"), "output": "g0"}, "domain", "/gates"),
        ({"gates": gates(*["g0 AND a b"] * 5), "output": "g0"}, "out-of-range", "/gates"),
    ],
)
def test_what_is_no_word_is_refused(word: Json, code: str, pointer: str) -> None:
    with pytest.raises(MalformedInput) as error:
        bc.literals(formula(bc, SHOWCASE)[1], word)
    assert (error.value.code, error.value.pointer) == (code, pointer)


def test_where_operators_differ_only_the_symmetric_ones_are_sorted() -> None:
    model = formula(bc, VITAL["sorted_inputs"])[1]
    assert bc.literals(model, {"gates": gates("g0 BUT b a"), "output": "g0"})
    with pytest.raises(MalformedInput):
        bc.literals(model, {"gates": gates("g0 AND b a"), "output": "g0"})


def test_every_word_has_literals_of_its_own_and_illegal_ones_fail() -> None:
    instance = VITAL["r4_cost"]
    posted, model = formula(bc, instance)
    every = list(every_circuit(instance))
    told = {bc.literals(model, json(instance, circuit)): circuit for circuit in every}
    assert len(told) == len(every) == 308
    fine = {text(instance, circuit) for circuit in accepted(instance)}
    for literals, circuit in told.items():
        assert completes(posted.clauses, literals) == (text(instance, circuit) in fine)


def test_namings() -> None:
    assert bc.namings(SHOWCASE, SHOWCASES["BC"]["witness"]) == 16
    assert bc.namings(SHOWCASE, {"gates": gates("g0 AND a a", "g1 XOR a g0"), "output": "g1"}) == 2
    with pytest.raises(MalformedInput):
        bc.namings(SHOWCASE, {"gates": [], "output": "d"})


@pytest.mark.parametrize("name", ["xor", "asymmetric", "two outputs", "drawn 6"])
def test_namings_count_raw_submissions(name: str) -> None:
    instance = INSTANCES[name]
    total = sum(bc.namings(instance, json(instance, circuit)) for circuit in accepted(instance))
    assert total == len(list(accepted(instance, raw=True)))


def test_too_large_a_formula_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cnf, "MOST", 10_000)
    with pytest.raises(Undecided) as error:
        formula(bc, make("abcdefgh", "AND", "01" * 128, 64))
    assert error.value.reason == "size"


def test_the_name_stands_for_these_clauses() -> None:
    assert bc.NAME == "bc/1"
    assert digest(bc, SHOWCASE) == "f60ec8c68d0e2d45"
    assert digest(bc, SHOWCASE, "typed") == "b8e5c00047301874"
    assert digest(bc, CIRCUITS["but"], "mid") == "112a21a66781baef"
    assert digest(bc, CIRCUITS["but"], "weak") == "b9c4e05c6ddf37bc"
