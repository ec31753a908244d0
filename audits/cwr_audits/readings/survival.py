"""Does a label survive when the bound grows?

Asked of the clauses of the raised instance: with the motif denied, they are refuted (and the proof checked) or they
have a model, which the interpreter and the graph predicate judge once more.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from cwr_audits.agreement import Difference
from cwr_audits.raised import raised
from cwr_audits.readings.labels import ABSENT, NECESSARY, UNDECIDED_LABEL, WITNESS_ONLY
from cwr_audits.routes import MEGABYTES
from cwr_audits.subject import Subject
from cwr_audits.wire import Reply, found, task
from cwr_audits.workers import Crew
from cwr_solvers.answers import Limits
from cwr_solvers.errors import Disagreement, MalformedInput, Undecided
from cwr_solvers.jsontext import Json, canonical

BY = (1, 2)
EVIDENCE = ("clauses", "steps", "formula_sha256", "proof_sha256")


@dataclass(frozen=True, slots=True)
class Survival:
    """One label under a bound raised by `by`. `survives` is None where it is undecided.

    evidence  of a necessary one: what was refuted and by which proof; None else
    reason    of an undecided one
    """

    by: int
    label: str
    survives: bool | None
    counterexample: Json = None
    evidence: Mapping[str, Json] | None = None
    reason: str = ""


Asked = Mapping[int, "Future[Reply] | Undecided"]


def ask(crew: Crew, one: Subject, motif: str, within: Limits) -> Asked:
    """Ask about all raised bounds; returns at once. Undecided where no instance has the raised bound."""
    return {by: _asked(crew, one, motif, by, within) for by in BY}


def _asked(crew: Crew, one: Subject, motif: str, by: int, within: Limits) -> Future[Reply] | Undecided:
    higher = raised(one.source, by)
    try:
        one.world.read_instance(higher)
    except MalformedInput as error:  # a limit of the grammar, or a name that the larger vocabulary takes
        return Undecided("bound", f"no instance has it: {error}")
    return crew.ask("clauses", task(one.world.family, higher, within, MEGABYTES, ask="bound", motif=motif))


def judged(
    crew: Crew, one: Subject, motif: str, base: str, asked: Asked, within: Limits
) -> tuple[tuple[Survival, ...], tuple[Difference, ...]]:
    """The survivals of a label, which is `base`."""
    survivals: list[Survival] = []
    differences: list[Difference] = []
    for by, future in asked.items():
        try:
            survivals.append(_judged(crew, one, motif, base, by, future, within))
        except Undecided as limit:
            survivals.append(Survival(by, UNDECIDED_LABEL, None, reason=str(limit)))
        except (Disagreement, MalformedInput) as error:
            sides = error.sides if isinstance(error, Disagreement) else {"clauses": str(error)}
            differences.append(Difference(f"motif {motif} under a bound raised by {by}", ("clauses",), sides))
            survivals.append(Survival(by, UNDECIDED_LABEL, None, reason="the routes disagree"))
    return tuple(survivals), tuple(differences)


def _judged(
    crew: Crew, one: Subject, motif: str, base: str, by: int, future: Future[Reply] | Undecided, within: Limits
) -> Survival:
    if isinstance(future, Undecided):
        raise future
    told: dict[str, Any] = found(future.result())
    if "model" not in told:
        if base != NECESSARY:
            sides = {"clauses": "every submission has it", "the bound itself": f"{base}: some submission lacks it"}
            raise Disagreement(f"motif {motif}", sides)
        return Survival(by, NECESSARY, survives=True, evidence={name: told[name] for name in EVIDENCE})
    model = told["model"]
    _refuse_other_verdict(crew, one, motif, by, model, within)
    now = ABSENT if base == ABSENT else WITNESS_ONLY  # the witness is what it was
    return Survival(by, now, base == now, counterexample=model)


def _refuse_other_verdict(crew: Crew, one: Subject, motif: str, by: int, model: Json, within: Limits) -> None:
    """Raises Disagreement where the model is not accepted, or has the motif by its graph."""
    asked = task(one.world.family, raised(one.source, by), within, MEGABYTES, ask="judge", submissions=[model])
    verdict = found(crew.ask("graph", asked).result())[0]
    if verdict["verdict"] != "accepted" or verdict["has"][motif]:
        said = {"graph": f"{verdict['verdict']}, has {verdict['has']}"}
        shown = canonical(model).decode("utf-8")
        raise Disagreement(f"motif {motif}", {"clauses": f"accepted without the motif: {shown}", **said})
