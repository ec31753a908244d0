"""Certificates tampered with, thousands of them: refused, or true all the same by exhaustive search; none raises.

Two kinds of mutants. Sealed ones are changed after sealing, as an accident would. Resealed ones are changed by someone
who knows the format: instance and proof digests, half of the time the formula digests too, and the seal are made anew.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from unit.certificate_samples import CODES, every, holds, judge, of_showcase, of_size, of_weld

from cwr_certificates import check as checker
from cwr_certificates import claims, desk, formulas
from cwr_certificates.bundle import ROOT
from cwr_certificates.desk import digest
from cwr_certificates.formulas import Formula
from cwr_certificates.prover import Issued
from cwr_certificates.replay import WORLDS, case, replay
from cwr_certificates.seal import DOCUMENT, sealed
from cwr_solvers.errors import CwrError
from cwr_solvers.jsontext import canonical

FEWEST = 2000
SHAPE = json.loads((ROOT / "certificates" / "schema" / "certificate.schema.json").read_text("utf-8"))
Path = tuple[Any, ...]


class Memory:
    """The checker's pure functions, each remembered by its arguments: what a mutant leaves alone costs nothing again.

    A formula is remembered by its instance; what is made of a formula, by that formula, which lives as long as this.
    """

    def __init__(self) -> None:
        self.known: dict[Any, Any] = {}

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        if key not in self.known:
            self.known[key] = make()
        return self.known[key]

    def base(self, family: str, instance: Any) -> Formula:
        text = canonical(WORLDS[family][1].write_instance(instance))
        return self.once((family, text), lambda: formulas.base(family, instance))

    def of_formula(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function of a formula (or clauses) and of JSON or bytes."""

        def remembered(about: Any, *more: Any) -> Any:
            rest = tuple(one if isinstance(one, bytes | tuple) else canonical(one) for one in more)
            found = self.once((function, id(about), rest), lambda: (about, function(about, *more)))
            return found[1]

        return remembered

    def satisfied(self, cnf: Any, having: Any, literals: Any) -> bool:
        chosen = tuple(literals)
        found = self.once(("satisfied", id(cnf), chosen), lambda: (cnf, formulas.satisfied(cnf, having, chosen)))
        return bool(found[1])

    def replay(self, about: Any, value: Any) -> Any:
        key = ("replay", about.family, canonical(about.json), canonical(value))
        return self.once(key, lambda: replay(about, value))


@pytest.fixture(scope="module")
def memory() -> Iterator[Memory]:
    made = Memory()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checker, "base", made.base)
        patch.setattr(desk, "replay", made.replay)
        for module in (desk, claims):
            patch.setattr(module, "satisfied", made.satisfied)
        for module, names in ((checker, ["occurrences"]), (desk, ["dimacs", "verify"]), (claims, BUILDERS)):
            for name in names:
                patch.setattr(module, name, made.of_formula(getattr(module, name)))
        yield made


BUILDERS = ["cheaper", "others", "lacking", "occurrences"]


def nodes(value: Any, at: Path = ()) -> Iterator[Path]:
    """The paths of all values within a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*at, key)
        yield from nodes(item, (*at, key))


def get(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


def others_for(draws: Random, value: Any) -> Any:
    """Some other value than the one given."""
    if isinstance(value, bool):
        return draws.choice([not value, 1, None])
    if isinstance(value, int):
        return draws.choice([value + 1, value - 1, -value - 1, str(value), 2**53])
    if isinstance(value, str):
        return draws.choice([value + "x", value[:-1], value.upper() + "'", 0, None])
    return draws.choice([[], {}, None, [value], 7]) if value else draws.choice([None, 7, [7]])


# ---- sealed


def sealed_mutants(issued: Issued, draws: Random) -> Iterator[dict[str, bytes]]:
    text = issued.files[DOCUMENT]
    document = json.loads(text)
    for path in nodes(document):
        for change in (_remove, _replace):
            other = json.loads(text)
            change(draws, other, path)
            yield {**issued.files, DOCUMENT: canonical(other)}
    for at in draws.sample(range(len(text)), 60):
        yield {**issued.files, DOCUMENT: _flip(draws, text, at)}
    for name, proof in issued.files.items():
        if name != DOCUMENT:
            for at in draws.sample(range(len(proof)), min(len(proof), 8)):
                yield {**issued.files, name: _flip(draws, proof, at)}
            yield {key: data for key, data in issued.files.items() if key != name}


def _remove(_draws: Random, document: Any, path: Path) -> None:
    del get(document, path[:-1])[path[-1]]


def _replace(draws: Random, document: Any, path: Path) -> None:
    get(document, path[:-1])[path[-1]] = others_for(draws, get(document, path))


def _flip(draws: Random, data: bytes, at: int) -> bytes:
    """The bytes with one changed, dropped or repeated."""
    byte = draws.choice([b"", data[at : at + 1] * 2, bytes([data[at] ^ (1 << draws.randrange(8))])])
    return data[:at] + byte + data[at + 1 :]


@pytest.mark.usefixtures("memory")
def test_nothing_changed_after_sealing_passes() -> None:
    draws = Random(1)
    tried = 0
    for issued in (*map(of_showcase, CODES), of_weld(), of_size("TW", "none")):
        for files in sealed_mutants(issued, draws):
            if files != issued.files:
                assert judge(files).outcome in ("rejected", "malformed")
                tried += 1
    assert tried >= FEWEST


# ---- resealed

Document = dict[str, Any]
Files = dict[str, bytes]
Change = Callable[[Random, Document, Files], None]


def a_leaf(draws: Random, document: Document, _files: Files) -> None:
    """Some value of a claim is another, or gone."""
    draws.choice([_replace, _replace, _replace, _remove])(draws, document["claims"], _some(draws, document["claims"]))


def a_leaf_of_the_instance(draws: Random, document: Document, _files: Files) -> None:
    """A number of the instance is one more or one less: a budget, a weight, a bound, a duration."""
    numbers = [path for path in nodes(document["instance"]) if type(get(document["instance"], path)) is int]
    path = draws.choice(numbers)
    get(document["instance"], path[:-1])[path[-1]] += draws.choice([1, -1])


def a_list(draws: Random, document: Document, _files: Files) -> None:
    """An element of a list is gone, twice there, or elsewhere."""
    lists = [get(document, path) for path in nodes(document) if isinstance(get(document, path), list)]
    one = draws.choice([found for found in lists if found])
    at = draws.randrange(len(one))
    draws.choice([lambda: one.pop(at), lambda: one.insert(at, one[at]), lambda: one.insert(0, one.pop(at))])()


def a_claim(draws: Random, document: Document, _files: Files) -> None:
    """A claim is gone, or one of another certificate is there too."""
    found = document["claims"]
    if draws.random() < 0.5:
        found.pop(draws.randrange(len(found)))
    else:
        other = draws.choice(every()).document["claims"]
        found.insert(draws.randrange(len(found) + 1), json.loads(json.dumps(draws.choice(other))))


def a_submission(draws: Random, document: Document, _files: Files) -> None:
    """Some submission is another of the same certificate."""
    keys = ("submission", "model", "representative", "counterexample")
    found = [path for path in nodes(document["claims"]) if path[-1] in keys or path[-2:-1] == ("members",)]
    if len(found) > 1:
        one, other = draws.sample(found, 2)
        get(document["claims"], one[:-1])[one[-1]] = json.loads(json.dumps(get(document["claims"], other)))


def a_value(draws: Random, document: Document, _files: Files) -> None:
    """An optimum, a count, a step or an index is near what it was; a truth is its opposite."""
    keys = ("value", "step", "rests_on", "size", "goal", "clauses", *desk_flags)
    found = [path for path in nodes(document["claims"]) if path[-1] in keys]
    if found:
        path = draws.choice(found)
        before = get(document["claims"], path)
        after = not before if isinstance(before, bool) else before + draws.choice([1, -1, 2])
        get(document["claims"], path[:-1])[path[-1]] = after


desk_flags = ("raw_optimum", "raw_bound", "class_optimum", "class_bound")


def the_classes(draws: Random, document: Document, _files: Files) -> None:
    """Classes are merged, split, short of a member, or one takes a member of another; written as classes are."""
    for claim in (claim for claim in document["claims"] if isinstance(claim, dict) and claim.get("kind") == "complete"):
        parts = [list(one["members"]) for one in claim["classes"]]
        weight = {
            canonical(word): one["size"] // len(one["members"]) for one in claim["classes"] for word in one["members"]
        }
        at = draws.randrange(len(parts)) if parts else 0
        how = draws.randrange(4)
        if how == 0 and len(parts) > 1:
            parts[at - 1] += parts.pop(at)
        elif how == 1 and parts:
            parts.insert(0, [parts[at].pop()])
        elif how == 2 and parts:
            parts[at].pop()
        elif len(parts) > 1:
            parts[at - 1].append(parts[at].pop())
        kept = [sorted(part, key=canonical) for part in parts if part]
        claim["classes"] = [
            {"representative": part[0], "size": sum(weight[canonical(word)] for word in part), "members": part}
            for part in sorted(kept, key=lambda part: canonical(part[0]))
        ]


def a_label(draws: Random, document: Document, _files: Files) -> None:
    """A motif has the other label, with the fields of that label; or another name."""
    for claim in (claim for claim in document["claims"] if isinstance(claim, dict) and claim.get("kind") == "motif"):
        if draws.random() < 0.3:
            claim["name"] = draws.choice(["main", "overlap", "crossed", "strict", "full"])
        elif claim["label"] == "necessary":
            words = [other["submission"] for other in document["claims"] if "submission" in other]
            claim.update(label="witness-only", counterexample=draws.choice(words), extra=[])
        else:
            claim["label"] = "necessary"
            del claim["counterexample"], claim["extra"]


def a_proof(draws: Random, _document: Document, files: Files) -> None:
    """A proof is short of a line, has another number, is empty, or is that of another claim."""
    names = sorted(name for name in files if name != DOCUMENT)
    name = draws.choice(names)
    lines = files[name].splitlines(keepends=True)
    at = draws.randrange(len(lines)) if lines else 0
    numbers = lines[at].split() if lines else []
    if numbers:
        numbers[draws.randrange(len(numbers))] = b"%d" % draws.randint(-20, 500)
    files[name] = draws.choice(
        [
            b"".join([*lines[:at], *lines[at + 1 :]]),
            b"".join([*lines[:at], b" ".join(numbers) + b"\n", *lines[at + 1 :]]),
            b"".join(lines[:at]),
            files[draws.choice(names)],
        ]
    )


CHANGES: tuple[Change, ...] = (
    a_leaf,
    a_leaf_of_the_instance,
    a_list,
    a_claim,
    a_submission,
    a_value,
    the_classes,
    a_label,
    a_proof,
)
LOOSE = (KeyError, IndexError, TypeError, AttributeError, ValueError, CwrError)


def _some(draws: Random, value: Any) -> Path:
    return draws.choice(list(nodes(value)))


def forge(memory: Memory, draws: Random, document: Document, files: Files) -> dict[str, bytes]:
    """Make anew every digest that someone without a proof can make."""
    document["instance_sha256"] = digest(canonical(document["instance"]))
    if draws.random() < 0.5:
        f = _formula(memory, document)
        for claim in document["claims"] if f else ():
            try:
                cnf = due(f, document, claim)
                claim["refutation"].update(clauses=len(cnf.clauses), formula_sha256=digest(desk.dimacs(cnf)))
            except LOOSE:
                continue
    for path in [path for path in nodes(document["claims"]) if path[-1] == "proof_sha256"]:
        refutation = get(document["claims"], path[:-1])
        refutation["proof_sha256"] = digest(files.get(str(refutation.get("proof")), b""))
    return {**files, DOCUMENT: sealed(document)}


def _formula(memory: Memory, document: Document) -> Formula | None:
    try:
        about = case(document["family"], document["instance"])
        return memory.base(about.family, about.instance)
    except LOOSE:
        return None


def due(f: Formula, document: Document, claim: Any) -> Any:
    """The formula that belongs to a claim."""
    if claim["kind"] == "optimum":
        return claims.cheaper(f, claim["value"])
    if claim["kind"] == "complete":
        return claims.others(f, [word for one in claim["classes"] for word in one["members"]])
    if claim["kind"] == "motif":
        witness = document["claims"][claim["rests_on"]]["submission"]
        return claims.lacking(f, claim["name"], *([] if claim["label"] == "necessary" else [witness]))
    return f.cnf


def test_resealed_certificates_are_refused_or_true(memory: Memory) -> None:
    draws = Random(2)
    samples = every()
    ends: Counter[str] = Counter()
    while sum(ends.values()) < FEWEST:
        issued = draws.choice(samples)
        document, files = json.loads(issued.files[DOCUMENT]), dict(issued.files)
        changes = draws.sample(CHANGES, draws.choice([1, 1, 2]))
        try:
            for change in changes:
                change(draws, document, files)
        except LOOSE:
            continue
        forged = forge(memory, draws, document, files)
        if forged == issued.files:
            continue
        report = judge(forged)
        ends[report.outcome] += 1
        if report.outcome == "verified":
            assert holds(document), document
            assert Draft202012Validator(SHAPE).is_valid(document), document
    assert ends["verified"] < 0.35 * sum(ends.values())
    assert ends["rejected"] > 1000
