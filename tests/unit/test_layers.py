"""Counts by layers: equal to exhaustive search and to counts by hand, and no spoilt layers pass."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from math import factorial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from unit.certificate_samples import LIMITS, judge
from unit.large_spaces import assembly, idle_workshop, workshop

from cwr_audits.staging import put_folder
from cwr_certificates import bundle, layers
from cwr_certificates.desk import Rejected, digest, number
from cwr_certificates.formulas import base, dimacs
from cwr_certificates.kernel import verify
from cwr_certificates.layers import COUNTED, Row
from cwr_certificates.lrat import IN_ORDER, solve
from cwr_certificates.prover import LAYERS, Issued, issue
from cwr_certificates.replay import Case, after, begin, case, ended
from cwr_certificates.seal import DOCUMENT, sealed
from cwr_solvers.answers import Limits
from cwr_solvers.catalogue import WORLDS, showcase
from cwr_solvers.errors import MalformedInput, Undecided
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.search import count
from cwr_solvers.worlds.pa import interpreter as pa

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "certificates" / "schema"
FAMILIES = sorted(COUNTED)
CODES = [f"{family}-001" for family in FAMILIES]
RANDOM = 12  # instances a family

Files = dict[str, bytes]
Edit = Callable[[list[Any]], Iterator[list[Any]]]


def by_layers(value: Any, limits: Limits = LIMITS) -> Issued:
    return issue(value["family"], value["code"], value, None, [], [], limits, listed=False)


@cache
def of_code(code: str) -> Issued:
    return by_layers(showcase(code).instance)


def claim_of(issued: Issued) -> Any:
    claims: Any = issued.document["claims"]
    return next((claim for claim in claims if claim["kind"] == "raw_count"), None)


def counted(issued: Issued) -> dict[int, int]:
    """The numbers of the claim, once the checker has verified it."""
    report = judge(issued.files)
    assert report.outcome == "verified", report.findings
    claim = claim_of(issued)
    raw = {cost: int(many) for cost, many in claim["costs"]}
    assert sum(raw.values()) == int(claim["value"])
    return raw


@pytest.mark.parametrize("code", CODES)
def test_layers_count_what_the_list_of_a_showcase_counts(code: str) -> None:
    one = showcase(code)
    listed = issue(one.family, code, one.instance, None, [], [], LIMITS)
    assert claim_of(listed)["value"] == sum(counted(of_code(code)).values())
    assert claim_of(of_code(code))["evidence"] == ("orbit" if code == "PA-001" else "layered")


@pytest.mark.parametrize("family", FAMILIES)
def test_layers_count_what_exhaustive_search_counts(family: str) -> None:
    world, numbers = WORLDS[family], set[int]()
    for seed in range(RANDOM):
        value = world.generate(f"layers-{seed}")
        found = count(world, world.read_instance(value))
        issued = by_layers(value)
        if found.optimum is None:
            assert [claim["kind"] for claim in issued.document["claims"]] == ["infeasible"]  # type: ignore[union-attr, call-overload, index]
        else:
            assert counted(issued) == found.raw
        numbers.add(found.accepted_raw)
    assert len(numbers) > 3


def test_by_hand_a_workshop_of_24_actions() -> None:
    """Rows of n actions, each one of two: 2 ** n, for n from 0 to 24."""
    issued = by_layers(idle_workshop(24))
    assert counted(issued) == {length: 2**length for length in range(25)}
    assert claim_of(issued)["value"] == 2**25 - 1 > 10**7


def test_a_workshop_of_24_actions_is_counted_as_the_interpreter_counts() -> None:
    value = workshop(24)
    assert counted(by_layers(value)) == count(WORLDS["TW"], WORLDS["TW"].read_instance(value)).raw
    assert claim_of(by_layers(value))["value"] > 10**7


@pytest.mark.parametrize(("types", "each"), [(1, 4), (2, 3), (3, 4), (1, 9)])
def test_by_hand_an_assembly_of_12_components(types: int, each: int) -> None:
    """Each type its own permutation; and each set of connections in every order."""
    issued, length = by_layers(assembly(types, each)), types * each
    assert counted(issued) == {length: factorial(each) ** types * factorial(length)}
    value = claim_of(issued)["value"]
    assert isinstance(value, int) == (int(value) <= 2**53)


def test_an_assembly_of_12_components_with_more_than_10_to_the_12() -> None:
    issued = by_layers(assembly(2, 6))
    assert counted(issued) == {12: 720**2 * 479_001_600}
    assert 720**2 * 479_001_600 > 10**12


def test_an_assembly_of_12_components_is_counted_as_the_interpreter_counts() -> None:
    value: Any = assembly(2, 3)
    value["goal"]["connected"] = value["goal"]["connected"][:4]
    value["goal"]["paths"] = [{"from": "s0", "to": "t0"}]
    assert counted(by_layers(value)) == count(WORLDS["PA"], WORLDS["PA"].read_instance(value)).raw


def test_counts_beyond_the_integers_of_json_are_decimal_text() -> None:
    issued = by_layers(idle_workshop(60))
    assert claim_of(issued)["value"] == str(2**61 - 1)
    assert claim_of(issued)["costs"][-1] == [60, str(2**60)]
    assert judge(issued.files).outcome == "verified"


def test_certificate_and_layers_are_of_their_schemas() -> None:
    for name in ("certificate", "layers"):
        Draft202012Validator.check_schema(json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8")))
    for issued in (*map(of_code, CODES), by_layers(idle_workshop(60))):
        for name, file in (("certificate", DOCUMENT), ("layers", LAYERS)):
            schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8"))
            Draft202012Validator(schema).validate(json.loads(issued.files[file]))


@pytest.mark.parametrize("family", sorted(set(WORLDS) - set(COUNTED)))
def test_families_without_rows_are_not_counted_and_say_so(family: str) -> None:
    issued = by_layers(showcase(f"{family}-001").instance)
    assert claim_of(issued) is None
    assert "do not fall into rows" in issued.uncounted
    assert judge(issued.files).outcome == "verified"


def test_out_of_time_the_rest_is_claimed_and_the_count_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: Any) -> Any:
        raise Undecided("time", "too late")

    monkeypatch.setattr("cwr_certificates.prover.found_layers", late)
    issued = by_layers(workshop(12))
    assert claim_of(issued) is None
    assert issued.uncounted == "undecided (time): too late"


# --- what the moves ahead depend on ---


def _completions(found: Case, rows: list[Row], place: int, state: Any, known: dict[Any, Any]) -> dict[int, int]:
    """{number of moves in all: sets of moves of the rows from `place` on that lead to the goal}."""
    if (place, state) not in known:
        if place == len(rows):
            met, _, moves = ended(found, state)
            known[place, state] = {moves: 1} if met else {}
        else:
            total: dict[int, int] = {}
            for there in (state, *(after(found, state, move) for move in rows[place].moves)):
                if there is not None:
                    for moves, many in _completions(found, rows, place + 1, there, known).items():
                        total[moves] = total.get(moves, 0) + many
            known[place, state] = total
    result: dict[int, int] = known[place, state]
    return result


def _same_key_same_future(pending: Callable[..., Any]) -> int:
    """How many states share a key with another one; raises where two such states go on differently."""
    shared = 0
    for seed in range(25):
        found = case("PA", WORLDS["PA"].generate(f"pending-{seed}"))
        rows = layers.rows(found, base("PA", found.instance))
        known: dict[Any, Any] = {}
        states = {begin(found)}
        for place in range(len(rows) + 1):
            key = pending(found.instance, [move for row in rows[place:] for move in row.moves])
            futures: dict[Any, Any] = {}
            for state in states:
                future = _completions(found, rows, place, state, known)
                shared += key(state) in futures
                if futures.setdefault(key(state), future) != future:
                    raise ValueError(f"{found.json}: two states of one key go on differently")
            moves = rows[place].moves if place < len(rows) else ()
            states |= {there for state in states for move in moves if (there := after(found, state, move)) is not None}
    return shared


def test_states_of_one_key_go_on_alike() -> None:
    assert _same_key_same_future(pa.pending) > 1000


@pytest.mark.parametrize("part", ["number of connections", "used ports", "paths"])
def test_each_part_of_the_key_is_needed(part: str) -> None:
    place = {"number of connections": (0, 1), "used ports": (2,), "paths": (3, 4)}[part]

    def less(instance: Any, ahead: Any) -> Callable[[Any], Any]:
        whole = pa.pending(instance, ahead)

        def key(state: Any) -> Any:
            found: Any = whole(state)
            return found and tuple(item for index, item in enumerate(found) if index not in place)

        return key

    with pytest.raises(ValueError, match="go on differently"):
        _same_key_same_future(less)


# --- spoilt layers ---


def forged(issued: Issued, spoilt: list[Any], **more: Json) -> Files:
    """The certificate with other layers, and everything that can be made good for them made good."""
    document: Any = json.loads(issued.files[DOCUMENT])
    files = dict(issued.files)
    head = json.loads(files[LAYERS])
    files[LAYERS] = canonical({**head, "layers": spoilt, **more})
    claim = next(one for one in document["claims"] if one["kind"] == "raw_count")
    claim["layers_sha256"] = digest(files[LAYERS])
    try:
        found = case(document["family"], document["instance"])
        formula = base(found.family, found.instance)
        rows = layers.rows(found, formula)
        graph = layers.read(files[LAYERS], found, rows)
        cnf = layers.leaving(formula, rows, graph)
        claim["refutation"] |= {"formula_sha256": digest(dimacs(cnf)), "clauses": len(cnf.clauses)}
        proof = solve(cnf.clauses, 30.0, IN_ORDER).proof
        if proof is not None:
            files[claim["refutation"]["proof"]] = proof
            claim["refutation"]["proof_sha256"] = digest(proof)
        raw = layers.count(found, rows, graph)
        claim["costs"] = [[cost, number(many)] for cost, many in sorted(raw.items())]
        claim["value"] = number(sum(raw.values()))
    except (Rejected, MalformedInput):
        pass
    files[DOCUMENT] = sealed(document)
    return files


def fresh(graph: list[Any]) -> list[Any]:
    copied: list[Any] = json.loads(json.dumps(graph))
    return copied


def each_node(graph: list[Any]) -> Iterator[tuple[int, int]]:
    return ((place, index) for place, layer in enumerate(graph) for index in range(len(layer)))


def edge_removed(graph: list[Any]) -> Iterator[list[Any]]:
    for place, index in each_node(graph):
        for edge in range(len(graph[place][index]["to"])):
            spoilt = fresh(graph)
            del spoilt[place][index]["to"][edge]
            yield spoilt


def edge_added(graph: list[Any]) -> Iterator[list[Any]]:
    for place, index in each_node(graph[:-1]):
        for move in range(6):
            if all(move != known for known, _ in graph[place][index]["to"]):
                spoilt = fresh(graph)
                spoilt[place][index]["to"] = sorted([*spoilt[place][index]["to"], [move, 0]])
                yield spoilt


def edge_doubled(graph: list[Any]) -> Iterator[list[Any]]:
    for place, index in each_node(graph):
        for edge in graph[place][index]["to"]:
            spoilt = fresh(graph)
            spoilt[place][index]["to"] = sorted([*spoilt[place][index]["to"], edge])
            yield spoilt


def edge_by_another_move(graph: list[Any]) -> Iterator[list[Any]]:
    for place, index in each_node(graph):
        for edge in range(len(graph[place][index]["to"])):
            spoilt = fresh(graph)
            spoilt[place][index]["to"][edge][0] += 1
            yield spoilt


def edge_to_another_node(graph: list[Any]) -> Iterator[list[Any]]:
    for place, index in each_node(graph):
        for edge in range(len(graph[place][index]["to"])):
            spoilt = fresh(graph)
            spoilt[place][index]["to"][edge][1] += 1
            yield spoilt


def nodes_merged(graph: list[Any]) -> Iterator[list[Any]]:
    """All edges to the last node of a layer lead to its first, and the last is gone."""
    for place in range(1, len(graph)):
        if len(graph[place]) > 1:
            spoilt, last = fresh(graph), len(graph[place]) - 1
            spoilt[place].pop()
            for node in spoilt[place - 1]:
                node["to"] = [[move, 0 if there == last else there] for move, there in node["to"]]
                node["rest"] = 0 if node["rest"] == last else node["rest"]
            yield spoilt


def end_flipped(graph: list[Any]) -> Iterator[list[Any]]:
    for place, index in each_node(graph):
        spoilt = fresh(graph)
        spoilt[place][index]["rest"] = None if spoilt[place][index]["rest"] == "end" else "end"
        yield spoilt


def row_passed_by(graph: list[Any]) -> Iterator[list[Any]]:
    for place, index in each_node(graph[:-1]):
        spoilt = fresh(graph)
        if spoilt[place][index]["rest"] != 0:
            spoilt[place][index]["rest"] = 0
            yield spoilt


def node_that_nothing_leads_to(graph: list[Any]) -> Iterator[list[Any]]:
    for place in range(len(graph)):
        yield [*graph[:place], [*graph[place], {"rest": None, "to": []}], *graph[place + 1 :]]


def layer_dropped(graph: list[Any]) -> Iterator[list[Any]]:
    for place in range(len(graph)):
        if place == len(graph) - 2 and all(not node["to"] for node in graph[place]):
            continue  # that no later row has a move is true then, and may be said one row earlier
        yield [*graph[:place], *graph[place + 1 :]]


SPOILT: Mapping[str, Edit] = {
    edit.__name__: edit
    for edit in (
        edge_removed,
        edge_added,
        edge_doubled,
        edge_by_another_move,
        edge_to_another_node,
        nodes_merged,
        end_flipped,
        row_passed_by,
        node_that_nothing_leads_to,
        layer_dropped,
    )
}
SAMPLES: Mapping[str, Callable[[], Issued]] = {
    **{code: partial(of_code, code) for code in ("TW-001", "KL-001", "PA-001")},
    "workshop": cache(partial(by_layers, workshop(6) | {"goal": {"places": {"widget": {"min": 1}}}})),  # type: ignore[operator]
    "assembly": cache(partial(by_layers, assembly(1, 3, 2))),
}


@pytest.mark.parametrize("edit", SPOILT)
def test_no_spoilt_layers_pass(edit: str) -> None:
    """Though digests, formula, counts and, where there is one, the proof are made good for them."""
    tried = 0
    for name, sample in SAMPLES.items():
        issued = sample()
        for spoilt in SPOILT[edit](json.loads(issued.files[LAYERS])["layers"]):
            report = judge(forged(issued, spoilt))
            assert report.outcome != "verified", (name, spoilt)
            assert [one.outcome for one in report.findings if one.kind == "optimum"] == ["verified"]
            tried += 1
    assert tried > 3


def test_layers_made_good_for_nothing_pass() -> None:
    """What `forged` makes good is enough: without a fault its certificate is verified."""
    for sample in SAMPLES.values():
        issued = sample()
        assert judge(forged(issued, json.loads(issued.files[LAYERS])["layers"])).outcome == "verified"


def test_layers_of_another_instance_are_rejected() -> None:
    small, large = by_layers(idle_workshop(3)), by_layers(idle_workshop(4))
    document: Any = json.loads(large.files[DOCUMENT])
    document["claims"][-1] |= {"layers_sha256": digest(small.files[LAYERS])}
    files = {**large.files, LAYERS: small.files[LAYERS], DOCUMENT: sealed(document)}
    assert "the instance of the layers" in judge(files).findings[-1].text
    assert judge(files).outcome == "rejected"
    relabelled = forged(large, json.loads(small.files[LAYERS])["layers"])
    assert judge(relabelled).outcome == "rejected"


FALSE: Mapping[str, tuple[dict[str, Json], str, str]] = {
    "one more": ({"value": 2**4}, "rejected", "the number of raw submissions"),
    "another split": ({"costs": [[0, 1], [1, 1], [2, 5], [3, 8]]}, "rejected", "the number of each cost"),
    "no split": ({"costs": []}, "rejected", "the number of each cost"),
    "another evidence": ({"evidence": "orbit"}, "rejected", "the evidence"),
    "another digest": ({"layers_sha256": "0" * 64}, "rejected", "the file raw-count.layers"),
    "a folder": ({"layers": "x/raw-count.layers"}, "malformed", "bare file name"),
    "a missing file": ({"layers": "other.layers"}, "rejected", "missing"),
    "an unknown key": ({"rests_on": 0}, "malformed", "rests_on"),
}


@pytest.mark.parametrize("fault", FALSE)
def test_a_false_claim_is_refused_for_its_fault(fault: str) -> None:
    issued = by_layers(idle_workshop(3))
    changes, outcome, text = FALSE[fault]
    document: Any = json.loads(issued.files[DOCUMENT])
    document["claims"][-1] |= changes
    report = judge({**issued.files, DOCUMENT: sealed(document)})
    assert report.outcome == outcome
    assert text in report.findings[-1].text


def test_a_proof_of_another_formula_is_rejected() -> None:
    issued = by_layers(idle_workshop(3))
    document: Any = json.loads(issued.files[DOCUMENT])
    optimum, raw = document["claims"]
    raw["refutation"] = optimum["refutation"]
    report = judge({**issued.files, DOCUMENT: sealed(document)})
    assert [one.outcome for one in report.findings] == ["verified", "rejected"]


SPELLINGS = {"a space more": b" ", "no JSON": b"{", "another schema": None}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_layers_are_read_strictly(spelling: str) -> None:
    issued, more = by_layers(idle_workshop(3)), SPELLINGS[spelling]
    document: Any = json.loads(issued.files[DOCUMENT])
    data = issued.files[LAYERS].replace(b"layers/1", b"layers/2") if more is None else issued.files[LAYERS] + more
    document["claims"][-1]["layers_sha256"] = digest(data)
    report = judge({**issued.files, LAYERS: data, DOCUMENT: sealed(document)})
    assert report.outcome in ("malformed", "rejected")


# --- what the formula leans on ---


def test_rows_must_be_the_decisions_and_exclude_each_other() -> None:
    found = case("TW", idle_workshop(3))
    formula = base("TW", found.instance)
    assert [len(row.variables) for row in layers.rows(found, formula)] == [2, 2, 2]
    less = SimpleNamespace(
        decisions=formula.model.decisions, steps=SimpleNamespace(chosen=formula.model.steps.chosen[1:])
    )
    with pytest.raises(Rejected, match="not just the decisions"):
        layers.rows(found, formula._replace(model=less))
    row = tuple(variable for chosen in formula.model.steps.chosen for variable in chosen)
    wide = SimpleNamespace(decisions=row, steps=SimpleNamespace(chosen=(row,)))
    with pytest.raises(Rejected, match="two moves"):
        layers.rows(found, formula._replace(model=wide))


def test_the_formula_has_a_model_just_where_a_word_is_no_path() -> None:
    """Without the edges of any one node, exactly the words through it escape."""
    issued = by_layers(idle_workshop(3))
    found = case("TW", idle_workshop(3))
    formula = base("TW", found.instance)
    rows = layers.rows(found, formula)
    graph = layers.read(issued.files[LAYERS], found, rows)
    whole = layers.leaving(formula, rows, graph)
    proof = solve(whole.clauses, 30.0).proof
    assert proof is not None
    assert verify(whole.clauses, proof).outcome == "verified"
    for place, layer in enumerate(graph[:-1]):
        cut = [*graph[:place], [node._replace(to=node.to[1:]) for node in layer], *graph[place + 1 :]]
        model = solve(layers.leaving(formula, rows, cut).clauses, 30.0).model
        assert model is not None
        word: Any = formula.statement.word(formula.model, {literal for literal in model if literal > 0})
        assert word["actions"][place] == "r0"


# --- limits ---


def test_a_huge_file_of_layers_is_undecided_and_not_read(tmp_path: Path) -> None:
    issued = by_layers(idle_workshop(3))
    folder = tmp_path / "huge"
    put_folder(folder, issued.files)
    with (folder / LAYERS).open("r+b") as file:
        file.truncate(2**40)
    done = run(folder)
    assert done.returncode == 3, done.stdout + done.stderr
    assert "more than 8388608 bytes" in done.stdout


def test_a_file_of_layers_above_the_limit_is_undecided() -> None:
    issued = by_layers(idle_workshop(3))
    document: Any = json.loads(issued.files[DOCUMENT])
    data = b"[" * (layers.MOST_BYTES + 1)
    document["claims"][-1]["layers_sha256"] = digest(data)
    report = judge({**issued.files, LAYERS: data, DOCUMENT: sealed(document)})
    assert [one.outcome for one in report.findings] == ["verified", "undecided"]


def test_layers_too_large_for_a_formula_are_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    issued = by_layers(idle_workshop(3))
    formula = base("TW", case("TW", idle_workshop(3)).instance)
    size = 1 + formula.cnf.variables + sum(map(len, formula.cnf.clauses))
    monkeypatch.setattr("cwr_certificates.cnf.MOST", size + 5)
    assert judge(issued.files).findings[-1].outcome == "undecided"


def test_the_prover_gives_up_at_its_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cwr_certificates.layering.MOST_EDGES", 10)
    assert by_layers(idle_workshop(12)).uncounted == "undecided (states): more than 10 edges of layers"


# --- how strangers check it ---


def run(*arguments: str | Path, main: Path = ROOT / "certificates") -> Any:
    return subprocess.run(
        [sys.executable, "-I", "-S", str(main), *map(str, arguments)],
        cwd="/",
        env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_bare_python_and_the_one_file_checker_verify_layers(tmp_path: Path) -> None:
    put_folder(tmp_path / "good", by_layers(assembly(1, 4)).files)
    archive = tmp_path / "check.pyz"
    archive.write_bytes(bundle.build())
    for main in (ROOT / "certificates", archive):
        done = run(tmp_path / "good", main=main)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "576 raw submissions are accepted (orbit)" in done.stdout
        assert "formula for namings, what the moves ahead depend on" in done.stdout
        assert "of no claim: legal, rejected, infeasible, complete, unique, motif" in done.stdout


def test_the_same_bytes_again() -> None:
    assert by_layers(workshop(12)).files == by_layers(workshop(12)).files
