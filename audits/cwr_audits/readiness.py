"""Is a world ready? What the catalogue of worlds demands before private variants, each with evidence or the lack of it.

ready         the evidence is there, of this very instance, and says yes
not ready     the evidence is there and says no, or what is demanded does not exist yet
not measured  there is no evidence, or it is of another instance, certificate or code
Each row names the digest of what it rests on and the command that makes it again. Families are ranked by the number of
rows that are ready; ties keep the order in which the catalogue proposes to implement them. That is the rule by which
families are selected, and it looks at no model's result. Families that packs are not made of are not ranked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, TypeAlias

from cwr_audits.conform import corpus
from cwr_audits.engines.interpreter import search
from cwr_audits.evidence import Evidence
from cwr_audits.judges import attack_name, code_digest, pack_digest, pack_name
from cwr_audits.metamorphic import Changed, change, changes, differences
from cwr_audits.packs.families import PACKED
from cwr_audits.spaces import space
from cwr_audits.trust import NOT_MEASURED
from cwr_solvers.errors import CwrError, MalformedInput, UsageError
from cwr_solvers.grading import grade
from cwr_solvers.jsontext import INSTANCE_BYTES, INSTANCE_DEPTH, parse
from cwr_solvers.reading import as_map
from cwr_solvers.sampling import stream

State: TypeAlias = Literal["ready", "not ready", "not measured"]

FEWEST_CASES = 40
FEWEST_ROUTES = 3
SCHEME = "mixed"
MOST_WORDS = 10_000
NOT_BUILT = (
    "a workshop whose tokens have identities",
    "liveness and deadlock of protocols",
    "private variants: nothing is sealed here; `cwr seal` commits to seeds, tiers and rules when there are some",
)


@dataclass(frozen=True, slots=True)
class Item:
    """One demand on one world."""

    demand: str
    state: State
    says: str
    rests_on: str
    command: str


def items(one: Evidence, root: Path) -> tuple[Item, ...]:
    """The rows of one world; a pack is demanded where packs are made of its family."""
    packed = one.about.world.family in PACKED
    return tuple(demand(one, root) for demand in DEMANDS if packed or demand is not _frozen)


def ranked(found: Mapping[str, Sequence[Item]], families: Mapping[str, str]) -> list[tuple[str, int]]:
    """(code, number of ready rows), best first, of families that packs are made of; `families` gives that of a code."""
    ready = {code: sum(item.state == "ready" for item in rows) for code, rows in found.items()}
    counted = [(code, number) for code, number in ready.items() if families[code] in PACKED]
    return sorted(counted, key=lambda one: (-one[1], PACKED.index(families[one[0]]), one[0]))


def _grader(one: Evidence, root: Path) -> Item:
    """The strict interpreter, held to the corpus."""
    demand, command = "strict interpreter and grader", f"cwr conform --world {one.about.world.family}"
    folder = root / "tests" / "corpus"
    try:
        cases = corpus(folder, (one.about.world.family,))
    except UsageError:
        return Item(demand, "not measured", "there is no corpus", NOT_MEASURED, command)
    wrong = [case.id for case in cases if not _as_due(one, case)]
    digest = sha256(b"".join(case.data for case in cases)).hexdigest()
    state: State = "ready" if not wrong and len(cases) >= FEWEST_CASES else "not ready"
    return Item(demand, state, f"{len(cases) - len(wrong)} of {len(cases)} cases as expected", digest, command)


def _as_due(one: Evidence, case: Any) -> bool:
    world = one.about.world
    verdict = grade(world, world.read_instance(case.instance), case.data)
    return (verdict.status, verdict.step, verdict.codes) == (case.due.verdict, case.due.step, case.due.codes)


def _solver(one: Evidence, _root: Path) -> Item:
    demand, command = "separate solvers", f"cwr certify {one.about.code}"
    if one.audit is None:
        return Item(demand, "not measured", "there is no audit", NOT_MEASURED, command)
    agree = one.audit["agreed"] is True and len(one.audit["routes"]) >= FEWEST_ROUTES
    says = f"{len(one.audit['routes'])} routes, {'agreeing' if agree else 'not agreeing'}"
    return Item(demand, "ready" if agree else "not ready", says, one.audit_digest, command)


def _claims(demand: str, kinds: Sequence[str]) -> Callable[[Evidence, Path], Item]:
    """A demand that verified claims of the certificate meet."""

    def asked(one: Evidence, _root: Path) -> Item:
        command = f"python certificates certificates/issued/{one.about.code}"
        if one.report is None:
            return Item(demand, "not measured", "there is no certificate", NOT_MEASURED, command)
        lacking = [kind for kind in kinds if not one.verified(kind)]
        says = f"not verified: {', '.join(lacking)}" if lacking else f"verified: {', '.join(kinds)}"
        return Item(demand, "not ready" if lacking else "ready", says, one.certificate_digest, command)

    return asked


def _mutants(one: Evidence, root: Path) -> Item:
    demand, command = "mutants of answers, graders and encodings", f"cwr attack {one.about.code} --keep"
    path = root / "audits" / "issued" / attack_name(one.about.code)
    if not path.is_file():
        return Item(demand, "not measured", "there is no kept attack", NOT_MEASURED, command)
    data = path.read_bytes()
    try:
        told: Any = as_map(parse(data, INSTANCE_BYTES, INSTANCE_DEPTH), "")
        own = (told["instance_sha256"], told["code_sha256"])
        outcome, killed = told["outcome"], sum(part.get("killed", 0) for part in told["counts"].values())
    except (MalformedInput, KeyError, TypeError, AttributeError):
        return Item(demand, "not measured", "the kept attack cannot be read", NOT_MEASURED, command)
    if own != (one.about.digest, code_digest(one.about.world.family, root)):
        return Item(demand, "not measured", "the kept attack is of other code", NOT_MEASURED, command)
    state: State = "ready" if outcome == "no hole" and killed else "not ready"
    return Item(demand, state, f"{outcome}; {killed} mutants killed", sha256(data).hexdigest(), command)


def _renaming(one: Evidence, _root: Path) -> Item:
    """Names and orders that mean nothing change nothing: by the interpreter here, by every route in the tests."""
    demand, command = "renaming and order of rules", "pytest tests/contract/test_metamorphic.py"
    world, instance = one.about.world, one.about.instance
    try:
        before = search(world, instance, MOST_WORDS)
        known = space(world, instance, before.answer.words)
        wrong = [name for name in changes(world.family) if _changed(one, name, before, known)]
    except CwrError as error:
        return Item(demand, "not measured", str(error), NOT_MEASURED, command)
    says = f"{len(changes(world.family))} kinds of change" + (
        f", not equal: {', '.join(wrong)}" if wrong else ", equal"
    )
    return Item(demand, "not ready" if wrong else "ready", says, one.about.digest, command)


def _changed(one: Evidence, name: str, before: Any, known: Any) -> bool:
    world = one.about.world
    made: Changed = change(world.family, name, one.about.source, SCHEME, stream("readiness", one.about.code, name))
    after = world.read_instance(made.instance)
    return bool(differences(world, one.about.instance, after, made, before, known, search(world, after, MOST_WORDS)))


def _motifs(one: Evidence, _root: Path) -> Item:
    demand, command = "motifs over the whole solution space", f"cwr audit motifs {one.about.code}"
    if one.motifs is None:
        return Item(demand, "not measured", "there is no audit of motifs", NOT_MEASURED, command)
    labels = ", ".join(f"{told['motif']} {told['label']}" for told in one.motifs)
    known = all(told["label"] in ("necessary", "witness-only") for told in one.motifs) and one.motifs != []
    return Item(demand, "ready" if known else "not ready", labels, one.motifs_digest, command)


def _frozen(one: Evidence, root: Path) -> Item:
    """The public pack of the showcases: frozen, or each reason against it."""
    demand, command = "frozen packs P, R, E, F, C", "make audit"
    path = root / "audits" / "issued" / pack_name()
    if not path.is_file():
        return Item(demand, "not measured", "no outcome of freezing is kept", NOT_MEASURED, command)
    data = path.read_bytes()
    try:
        told: Any = as_map(parse(data, INSTANCE_BYTES, INSTANCE_DEPTH), "")
        made_of, refused = told["made_of_sha256"], [f"{one['what']}: {one['text']}" for one in told["refused"]]
        passed, digest, certified = list(told["audits"].values()), told["digest"], set(told["certificates"])
    except (MalformedInput, KeyError, TypeError, AttributeError):
        return Item(demand, "not measured", "the kept outcome cannot be read", NOT_MEASURED, command)
    if made_of != pack_digest(root):
        return Item(demand, "not measured", "the kept outcome is of other sources or code", NOT_MEASURED, command)
    lacking = {f"{one.about.code}{arm}" for arm in ("", "-F", "-C")} - certified
    against = [*refused, *([f"without certificates: {', '.join(sorted(lacking))}"] if lacking else [])]
    rests_on = sha256(data).hexdigest()
    if against or digest is None or not passed:
        return Item(demand, "not ready", "; ".join(against) or "not frozen", rests_on, command)
    waived = ", ".join(sorted(told["waived"])) or "none"
    says = f"{passed.count('passed')} of {len(passed)} audits passed, waived: {waived}; manifest {digest[:12]}"
    return Item(demand, "ready", says, rests_on, command)


DEMANDS: tuple[Callable[[Evidence, Path], Item], ...] = (
    _grader,
    _solver,
    _claims("witnesses, alternates and probes", ("legal", "rejected")),
    _claims("optimum and exhaustive check", ("optimum", "complete", "raw_count", "unique")),
    _mutants,
    _renaming,
    _motifs,
    _frozen,
)
