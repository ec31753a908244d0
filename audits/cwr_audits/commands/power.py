"""Command power: simulate an experiment that has not been made, and fix its analysis.

With --out the folder gets preregistration.json and power.svg when all is done; until then it has the journal from which
an interrupted run goes on. A preregistration is never written over. Exit codes: 0 simulated, 2 wrong usage.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path

from cwr_audits.files import read_json
from cwr_audits.late import TABLE, resolve
from cwr_audits.out import ACCEPTED, say, say_json
from cwr_audits.scoring.designs import SCHEMA, Asked, read_asked, with_words
from cwr_audits.scoring.experiments import JOURNAL, asking, journal_of
from cwr_audits.scoring.numbers import decimal_of
from cwr_audits.scoring.plans import SCHEMA as PLAN_SCHEMA
from cwr_audits.scoring.plans import write_plan
from cwr_audits.scoring.plots import plot
from cwr_audits.scoring.searches import Findings, findings
from cwr_audits.scoring.signflip import smallest_p
from cwr_audits.scoring.summaries import Measured, measured_json, summary_json
from cwr_audits.staging import refuse_taken
from cwr_audits.telling import telling
from cwr_certificates.seal import write_file
from cwr_solvers.jsontext import INSTANCE_BYTES, INSTANCE_DEPTH, Json, canonical

PREREGISTRATION, PLOT = "preregistration.json", "power.svg"
MEASURED = ("power", "coverage", "width", "bias", "sign", "exaggeration")
NAMES = ("power", "coverage", "interval width", "bias", "wrong sign (type S)", "exaggeration (type M)")


def power(config: str | None, words: dict[str, str | None], workers: int, out: str | None, json_out: bool) -> int:
    """Simulate what a document asks, with what the words put in its place."""
    stated: Json = {"schema": SCHEMA} if config is None else read_json(config, INSTANCE_BYTES, INSTANCE_DEPTH)
    asked = read_asked(with_words(stated, words))
    folder = None if out is None else Path(out)
    if folder is not None:
        refuse_taken(folder / PREREGISTRATION)
    with journal_of(folder) as journal, asking(workers) as ask, telling() as tell:
        found = findings(asked, ask, journal, tell)
    document = preregistration(asked, found)
    if folder is not None:
        write_file(folder / PLOT, plot(found, float(asked.target)).encode("utf-8"))
        write_file(folder / PREREGISTRATION, canonical(document) + b"\n")
        (folder / JOURNAL).unlink()
    if json_out:
        say_json(document)
    else:
        _print(asked, found)
    return ACCEPTED


def preregistration(asked: Asked, found: Findings) -> dict[str, Json]:
    """The document that `cwr score` holds a run to."""
    return {
        "schema": PLAN_SCHEMA,
        "analysis": write_plan(asked.design.plan),
        "design": dict(asked.stated),
        "results": {
            "effect": summary_json(found.effect),
            "null": summary_json(found.null),
            "smallest_p": str(_smallest_p(asked)),
            "smallest_bases": {
                "bases": found.smallest.bases,
                "settled": found.smallest.settled,
                "tried": _tried(found.smallest.tried),
            },
            "replica_plateau": {"replicas": found.plateau.replicas, "tried": _tried(found.plateau.tried)},
        },
    }


def _smallest_p(asked: Asked) -> Fraction:
    return smallest_p(asked.design.families if asked.design.plan.families == "random" else asked.design.bases)


def _tried(found: Mapping[int, Measured]) -> Json:
    return [{"number": number, "power": measured_json(one)} for number, one in found.items()]


def _print(asked: Asked, found: Findings) -> None:
    draw: Callable[..., None] = resolve(TABLE)
    rows = [
        (name, _said(getattr(found.effect, field)), _said(getattr(found.null, field)))
        for name, field in zip(NAMES, MEASURED, strict=True)
    ]
    counts = [
        (name, str(getattr(found.effect, name)), str(getattr(found.null, name)))
        for name in ("simulations", "undecided", "intervals", "rejections")
    ]
    truth = ("truth", decimal_of(found.effect.truth, 4), decimal_of(found.null.truth, 4))
    draw(("measured", "with the effect", "without"), [truth, *rows, *counts])
    draw(("bases", "power"), [(str(number), _said(one)) for number, one in found.smallest.tried.items()])
    draw(("replicas", "power"), [(str(number), _said(one)) for number, one in found.plateau.tried.items()])
    _print_words(asked, found)


def _print_words(asked: Asked, found: Findings) -> None:
    design, plan = asked.design, asked.design.plan
    say(f"plan: families {plan.families}, test {plan.test}, alpha {plan.alpha}, missing {plan.missing}")
    say("without the effect, power is the error rate; after ± stands one Monte Carlo error")
    if plan.test == "sign-flip":
        cannot = ": it cannot reject" if _smallest_p(asked) > plan.alpha else ""
        say(f"smallest p that the design can attain: {_smallest_p(asked)}{cannot}")
    enough = f"{found.smallest.bases} bases" if found.smallest.bases else f"no number up to {asked.most_bases}"
    unsure = "" if found.smallest.settled else "; within two Monte Carlo errors, so simulate more"
    say(f"smallest number of bases for power {asked.target} in {design.families} families: {enough}{unsure}")
    flat = f"from {found.plateau.replicas} replicas on" if found.plateau.replicas else "not seen"
    say(f"plateau in replicas (within {asked.tolerance} of {asked.ladder[-1]}): {flat}")


def _said(one: Measured | None) -> str:
    if one is None:
        return "none"
    error = "?" if one.error == float("inf") else decimal_of(one.error, 4)
    return f"{decimal_of(one.value, 4)} ± {error}"
