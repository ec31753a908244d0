"""Designs of experiments that have not been made: what a simulation is asked, as data (docs/scoring.md).

{"schema":"cwr-power/1", and any of FIELDS}; decimals are text ("0.25"), as JSON here has whole numbers only
  scale            probability: the effect is added to the C rate (and cut at 0 and 1); logit: to its log odds
  effect           F less C, on that scale          baseline   the C rate of a base without deviation
  baseline_spread  standard deviations, on the scale, of bases within families and of families
  effect_spread    the same of the effect
  replica_correlation   of the latent variables of two replicas of one base and arm
  trial_correlation     of two trials of one replica; at least the former
  undecided, attrition  shares of rows, by arm
  bases            in all, spread over families as evenly as can be; replicas and trials: of each base in each arm
  families_are, test, alpha, missing   the plan of the analysis
  target           power that a smallest number of bases is searched for, up to most_bases
  replica_ladder   numbers of replicas at which power is told; tolerance: a gain of less is a plateau
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from cwr_audits.allowed import as_seed
from cwr_audits.scoring.analysis import KINDS, POLICIES, TESTS, Plan
from cwr_audits.scoring.numbers import DECIMAL, read_decimal
from cwr_audits.scoring.plans import LARGEST_ALPHA, SMALLEST_ALPHA
from cwr_solvers.errors import MalformedInput
from cwr_solvers.jsontext import Json
from cwr_solvers.reading import as_int, as_items, as_map, as_name, as_object, refuse

Scale = Literal["probability", "logit"]

SCHEMA = "cwr-power/1"
SCALES: tuple[Scale, ...] = ("probability", "logit")
MOST_BASES, MOST_COPIES, MOST_ROWS, MOST_SIMULATIONS = 4096, 1024, 1 << 17, 1_000_000

DEFAULTS: Mapping[str, Json] = {
    "effect": "0.25",
    "scale": "probability",
    "baseline": "0.3",
    "baseline_spread": {"base": "0.1", "family": "0"},
    "effect_spread": {"base": "0.1", "family": "0"},
    "replica_correlation": "0",
    "trial_correlation": "0",
    "undecided": {"F": "0", "C": "0"},
    "attrition": {"F": "0", "C": "0"},
    "bases": 8,
    "families": 8,
    "families_are": "fixed",
    "replicas": 4,
    "trials": 1,
    "test": "sign-flip",
    "alpha": "0.05",
    "missing": "drop",
    "target": "0.8",
    "most_bases": 256,
    "replica_ladder": [1, 2, 4, 8, 16, 32, 64],
    "tolerance": "0.02",
    "simulations": 1000,
    "seed": "1",
}


@dataclass(frozen=True, slots=True)
class Spreads:
    """Standard deviations on the scale: of bases within a family, and of families."""

    base: float
    family: float


@dataclass(frozen=True, slots=True)
class Design:
    """One experiment and how to simulate it; see the top of this file."""

    effect: float
    scale: Scale
    baseline: float
    baseline_spread: Spreads
    effect_spread: Spreads
    replica_correlation: float
    trial_correlation: float
    undecided: Mapping[str, float]
    attrition: Mapping[str, float]
    bases: int
    families: int
    replicas: int
    trials: int
    plan: Plan
    simulations: int
    seed: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A design and what to search around it. `stated` is the document in full, defaults put in."""

    design: Design
    target: Fraction
    most_bases: int
    ladder: tuple[int, ...]
    tolerance: Fraction
    stated: Mapping[str, Json]


def read_asked(value: Json) -> Asked:
    """What a document asks; raises MalformedInput."""
    fields = as_object(value, "", ("schema",), tuple(DEFAULTS))
    as_name(fields["schema"], "/schema", (SCHEMA,), "schema")
    stated = {**DEFAULTS, **{name: one for name, one in fields.items() if name != "schema"}}
    design = _design(stated)
    ladder = as_items(stated["replica_ladder"], "/replica_ladder", lambda one, at: as_int(one, at, 1, MOST_COPIES))
    if len(ladder) < 2 or list(ladder) != sorted(set(ladder)):
        refuse("contradiction", "/replica_ladder", "two numbers or more, rising", str(list(ladder)))
    asked = Asked(
        design,
        read_decimal(stated["target"], "/target", Fraction(1, 100), Fraction(999, 1000)),
        as_int(stated["most_bases"], "/most_bases", 1, MOST_BASES),
        ladder,
        read_decimal(stated["tolerance"], "/tolerance", 0, 1),
        {"schema": SCHEMA, **stated},
    )
    _refuse_large(asked)
    return asked


def _refuse_large(asked: Asked) -> None:
    """Rows of the largest experiment that may be simulated."""
    one = asked.design
    copies = max(one.replicas, *asked.ladder)
    for bases, replicas in ((max(one.bases, asked.most_bases), one.replicas), (one.bases, copies)):
        rows = 2 * bases * replicas * one.trials
        if rows > MOST_ROWS:
            refuse("out-of-range", "", f"at most {MOST_ROWS} rows in an experiment", str(rows))


def _design(stated: Mapping[str, Json]) -> Design:
    scale = next(one for one in SCALES if one == as_name(stated["scale"], "/scale", SCALES, "scale"))
    widest = 1 if scale == "probability" else 10
    replica, trial = (_number(stated, name, 0, 1) for name in ("replica_correlation", "trial_correlation"))
    if trial < replica:
        refuse("contradiction", "/trial_correlation", "at least that of replicas", str(stated["trial_correlation"]))
    bases, families = (as_int(stated[name], f"/{name}", 1, MOST_BASES) for name in ("bases", "families"))
    if bases < families:
        refuse("contradiction", "/bases", "a base in every family", f"{bases} bases, {families} families")
    return Design(
        effect=_number(stated, "effect", -widest, widest),
        scale=scale,
        baseline=_baseline(stated, scale),
        baseline_spread=_spreads(stated, "baseline_spread"),
        effect_spread=_spreads(stated, "effect_spread"),
        replica_correlation=replica,
        trial_correlation=trial,
        undecided=_by_arm(stated, "undecided"),
        attrition=_by_arm(stated, "attrition"),
        bases=bases,
        families=families,
        replicas=as_int(stated["replicas"], "/replicas", 1, MOST_COPIES),
        trials=as_int(stated["trials"], "/trials", 1, MOST_COPIES),
        plan=_plan(stated),
        simulations=as_int(stated["simulations"], "/simulations", 2, MOST_SIMULATIONS),
        seed=as_seed(stated["seed"], "/seed"),
    )


def _number(stated: Mapping[str, Json], name: str, low: int, high: int) -> float:
    return float(read_decimal(stated[name], f"/{name}", low, high))


def _baseline(stated: Mapping[str, Json], scale: Scale) -> float:
    found = _number(stated, "baseline", 0, 1)
    if scale == "logit" and found in (0, 1):
        refuse("out-of-range", "/baseline", "a rate between 0 and 1, which has log odds", str(stated["baseline"]))
    return found


def _spreads(stated: Mapping[str, Json], name: str) -> Spreads:
    fields = as_object(stated[name], f"/{name}", ("base", "family"))
    return Spreads(*(float(read_decimal(fields[one], f"/{name}/{one}", 0, 10)) for one in ("base", "family")))


def _by_arm(stated: Mapping[str, Json], name: str) -> dict[str, float]:
    fields = as_object(stated[name], f"/{name}", ("F", "C"))
    return {arm: float(read_decimal(fields[arm], f"/{name}/{arm}", 0, 1)) for arm in ("F", "C")}


def _plan(stated: Mapping[str, Json]) -> Plan:
    for name, known in (("families_are", KINDS), ("test", TESTS), ("missing", POLICIES)):
        as_name(stated[name], f"/{name}", known, name)
    return Plan(
        read_decimal(stated["alpha"], "/alpha", SMALLEST_ALPHA, LARGEST_ALPHA),
        next(one for one in KINDS if one == stated["families_are"]),
        next(one for one in TESTS if one == stated["test"]),
        next(one for one in POLICIES if one == stated["missing"]),
    )


# --- from the words of a command line

_Words = Callable[[str], Json]


def _whole(text: str) -> Json:
    """A whole number, left as text where it is none, so that the reader says what is wrong."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else text


def _pair_of(first: str, second: str) -> _Words:
    """Two decimals with a comma between, or one for both."""

    def read(text: str) -> Json:
        parts = text.split(",")
        if len(parts) > 2 or not all(DECIMAL.fullmatch(part) for part in parts):
            raise MalformedInput("domain", "", f'one decimal, or two as "{first},{second}"', repr(text[:40]))
        return {first: parts[0], second: parts[-1]}

    return read


def _ladder(text: str) -> Json:
    return [_whole(part) for part in text.split(",")]


_WORDS: Mapping[str, _Words] = {
    "baseline_spread": _pair_of("base", "family"),
    "effect_spread": _pair_of("base", "family"),
    "undecided": _pair_of("F", "C"),
    "attrition": _pair_of("F", "C"),
    "bases": _whole,
    "families": _whole,
    "replicas": _whole,
    "trials": _whole,
    "most_bases": _whole,
    "replica_ladder": _ladder,
    "simulations": _whole,
}


def with_words(value: Json, words: Mapping[str, str | None]) -> Json:
    """A document with fields put in from words; raises MalformedInput, which names the field."""
    made: dict[str, Any] = dict(as_map(value, ""))
    for name, text in words.items():
        if text is not None:
            try:
                made[name] = _WORDS[name](text) if name in _WORDS else text
            except MalformedInput as error:
                raise MalformedInput(error.code, f"/{name}", error.expected, error.found) from None
    return made
