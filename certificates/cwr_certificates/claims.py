"""One function a kind of claim: it returns what is shown, or raises as desk.py says. Trusted.

`at` is the JSON pointer of the claim. docs/certificates.md says what each kind claims.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cwr_certificates.conflicts import conflict
from cwr_certificates.desk import Desk, Rejected, Shown, demand, earlier, number, played, refuted, replayed, short
from cwr_certificates.formulas import cheaper, lacking, occurrences, others, satisfied
from cwr_certificates.layers import layered
from cwr_certificates.replay import partition
from cwr_solvers.jsontext import Json
from cwr_solvers.reading import as_bool, as_int, as_items, as_list, as_name, as_object

REPLAY, BOTH, PROOF = "replay alone", "replay and statement", "statement and kernel"
MEANS: Mapping[str, str] = {"members": "listed", "quotient": "orbit"}  # what complete means: evidence of raw_count


def legal(desk: Desk, claim: Json, at: str) -> Shown:
    """Every step of the submission is legal, and the goal is met or is not."""
    fields = as_object(claim, at, ("kind", "submission", "goal"))
    goal = as_bool(fields["goal"], f"{at}/goal")
    cost, word = played(desk, fields["submission"], f"{at}/submission", goal)
    return Shown(f"legal at cost {cost}, the goal is {'met' if goal else 'not met'}", BOTH, word if goal else None)


def rejected(desk: Desk, claim: Json, at: str) -> Shown:
    """The submission first breaks a rule at this step, and there exactly these rules."""
    fields = as_object(claim, at, ("kind", "submission", "step", "rules"))
    verdict = replayed(desk, fields["submission"], f"{at}/submission")
    if verdict.status != "illegal":
        raise Rejected(f"the replay says {verdict.status}, not illegal")
    demand(fields["step"], verdict.step, "the first illegal step")
    demand(fields["rules"], list(verdict.codes), "the list of broken rules")
    return Shown(f"illegal at step {verdict.step} by {', '.join(verdict.codes)}", REPLAY)


def optimum(desk: Desk, claim: Json, at: str) -> Shown:
    """The model is accepted at this cost, and nothing is accepted at a lower one."""
    fields = as_object(claim, at, ("kind", "value", "model", "refutation"))
    cost, _ = played(desk, fields["model"], f"{at}/model", True)
    demand(fields["value"], cost, "the cost of the model")
    proof = refuted(desk, cheaper(desk.formula, cost), fields["refutation"], f"{at}/refutation")
    return Shown(f"the least cost of an accepted submission is {cost}; {proof}", f"{BOTH}, kernel")


def infeasible(desk: Desk, claim: Json, at: str) -> Shown:
    """No submission is accepted."""
    fields = as_object(claim, at, ("kind", "refutation"))
    proof = refuted(desk, desk.formula.cnf, fields["refutation"], f"{at}/refutation")
    return Shown(f"no submission is accepted; {proof}", PROOF)


def complete(desk: Desk, claim: Json, at: str) -> Shown:
    """Just these words are accepted, and the exchanges of the world part them into just these classes.

    Later claims build on what a member means and, for each class, on the cost and the namings of each member.
    """
    fields = as_object(claim, at, ("kind", "means", "classes", "refutation"))
    keys = ("representative", "size", "members")
    listed = as_items(fields["classes"], f"{at}/classes", lambda item, here: as_object(item, here, keys))
    members = [as_list(one["members"], f"{at}/classes/{index}/members") for index, one in enumerate(listed)]
    spread = [
        [_member(desk, word, f"{at}/classes/{index}/members/{place}") for place, word in enumerate(words)]
        for index, words in enumerate(members)
    ]
    every = [word for words in members for word in words]
    found = partition(desk.case, every)
    sizes = [sum(namings for _, namings in one) for one in spread]
    demand([number(size) for size in sizes], [number(size) for _, size in found], "a size, by the statement,")
    parts: Json = [{"representative": words[0], "size": number(size), "members": words} for words, size in found]
    demand(fields["classes"], parts, "the list of classes")
    means = "quotient" if any(namings != 1 for one in spread for _, namings in one) else "members"
    demand(fields["means"], means, "what a member means")
    proof = refuted(desk, others(desk.formula, every), fields["refutation"], f"{at}/refutation")
    text = f"accepted are just the words listed ({len(every)} in classes: {len(found)}); {proof}"
    return Shown(text, f"{BOTH}, kernel, exchanges by replay", (means, spread))


def _member(desk: Desk, word: Json, at: str) -> tuple[int, int]:
    cost, normal = played(desk, word, at, True)
    demand(word, normal, "the normal form of a member")
    return cost, desk.formula.statement.namings(desk.case.instance, word)


def raw_count(desk: Desk, claim: Json, at: str) -> Shown:
    """So many raw submissions are accepted: each word of a complete claim stands for its number of namings.

    A claim that names layers does without such a claim.
    """
    if isinstance(claim, dict) and "layers" in claim:
        return layered(desk, claim, at)
    fields = as_object(claim, at, ("kind", "value", "evidence", "rests_on"))
    source = earlier(desk, fields["rests_on"], f"{at}/rests_on", "complete")
    means, spread = source.value
    demand(fields["evidence"], MEANS[means], "the evidence")
    total = sum(namings for one in spread for _, namings in one)
    demand(fields["value"], number(total), "the number of raw submissions")
    formula = "" if means == "members" else ", formula for namings"
    return Shown(f"{short(total)} raw submissions are accepted ({MEANS[means]})", source.rests_on + formula)


def unique(desk: Desk, claim: Json, at: str) -> Shown:
    """Whether exactly one raw submission, or class, is accepted at the optimum, or within the bound."""
    fields = as_object(claim, at, ("kind", "raw_optimum", "raw_bound", "class_optimum", "class_bound", "rests_on"))
    source = earlier(desk, fields["rests_on"], f"{at}/rests_on", "complete")
    _, spread = source.value
    least = min((cost for one in spread for cost, _ in one), default=None)
    best = [sum(namings for cost, namings in one if cost == least) for one in spread]
    found = {
        "raw_optimum": sum(best) == 1,
        "raw_bound": sum(namings for one in spread for _, namings in one) == 1,
        "class_optimum": sum(1 for number_of_raw in best if number_of_raw) == 1,
        "class_bound": len(spread) == 1,
    }
    for key, value in found.items():
        demand(fields[key], value, key)
    said = ", ".join(f"{key.replace('_', ' at ')} {'yes' if value else 'no'}" for key, value in found.items())
    return Shown(f"exactly one accepted: {said}", source.rests_on)


def motif(desk: Desk, claim: Json, at: str) -> Shown:
    """Every accepted submission has the motif; or that of an earlier claim has it and the counterexample has not."""
    alone = isinstance(claim, dict) and claim.get("label") == "witness-only"
    more = ("counterexample", "extra") if alone else ()
    fields = as_object(claim, at, ("kind", "name", "label", "rests_on", "refutation", *more))
    formula = desk.formula
    name = as_name(fields["name"], f"{at}/name", formula.statement.MOTIFS, "motif")
    as_name(fields["label"], f"{at}/label", ("necessary", "witness-only"), "label")
    witness = earlier(desk, fields["rests_on"], f"{at}/rests_on", "legal").value
    if witness is None:
        raise Rejected("it rests on a submission that misses the goal")
    without = lacking(formula, name)
    if not alone:
        proof = refuted(desk, without, fields["refutation"], f"{at}/refutation")
        return Shown(f"{name} is necessary within the bound; {proof}", PROOF)
    _, other = played(desk, fields["counterexample"], f"{at}/counterexample", True)
    limit = without.variables
    extra = as_items(fields["extra"], f"{at}/extra", lambda item, here: as_int(item, here, -limit, limit))
    if not satisfied(without, occurrences(without), (*formula.statement.literals(formula.model, other), *extra)):
        raise Rejected("the counterexample is not shown to lack the motif")
    proof = refuted(desk, lacking(formula, name, witness), fields["refutation"], f"{at}/refutation")
    return Shown(f"{name} is witness-only: the witness has it, the counterexample lacks it; {proof}", f"{BOTH}, kernel")


CLAIMS: Mapping[str, Callable[[Desk, Json, str], Shown]] = {
    "legal": legal,
    "rejected": rejected,
    "optimum": optimum,
    "infeasible": infeasible,
    "complete": complete,
    "raw_count": raw_count,
    "unique": unique,
    "motif": motif,
    "conflict": conflict,
}
