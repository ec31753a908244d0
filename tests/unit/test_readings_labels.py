"""Labels against listings: a claim that the graph predicate contradicts is a difference, whoever verified it."""

from __future__ import annotations

import pytest

from cwr_audits.readings.certificates import ISSUED, Certified, Claimed
from cwr_audits.readings.labels import ABSENT, NECESSARY, NO_SOLUTION, UNDECIDED_LABEL, WITNESS_ONLY, labelled
from cwr_audits.readings.listing import Kind, Listing, counted, read_listing, witness, write_listing
from cwr_audits.readings.rates import inconstant, rate
from cwr_audits.subject import subject
from cwr_solvers.jsontext import Json

ONE = subject("TW-001")
FIRST = '{"actions":["smelt","coat","smelt","rivet"]}'
SHOWN = '{"actions":["smelt","smelt","coat","rivet"]}'  # the witness
FIRST_JSON: Json = {"actions": ["smelt", "coat", "smelt", "rivet"]}
SHOWN_JSON: Json = {"actions": ["smelt", "smelt", "coat", "rivet"]}


def listing(*having: str) -> Listing:
    """The two words of the showcase, as if they were two classes."""
    return Listing((Kind((FIRST,), 1, 4), Kind((SHOWN,), 3, 5)), {"main": frozenset(having)})


def certificate(label: str | None = None, counterexample: Json = None, outcome: str = "verified") -> Certified:
    motifs = {} if label is None else {"main": Claimed(label, counterexample)}
    return Certified(ISSUED, "0" * 64, outcome, "planted", motifs)


@pytest.mark.parametrize(
    ("claim", "having", "says"),
    [
        (certificate(NECESSARY), (SHOWN,), "1 of 2 words lack it, for example " + FIRST),
        (certificate(WITNESS_ONLY, FIRST_JSON), (FIRST, SHOWN), "0 of 2 words lack it, and the counterexample is not"),
        (certificate(WITNESS_ONLY, SHOWN_JSON), (SHOWN,), "1 of 2 words lack it, and the counterexample is not"),
        (certificate(WITNESS_ONLY, FIRST_JSON), (), "the witness lacks it: " + SHOWN),
    ],
)
def test_a_claim_that_the_graph_contradicts(claim: Certified, having: tuple[str, ...], says: str) -> None:
    found = labelled(ONE, "main", listing(*having), claim)
    (difference,) = found.differences
    assert difference.subject == "the label of motif main"
    assert difference.sides["graph"].startswith(says)


def test_claims_that_the_graph_confirms() -> None:
    assert labelled(ONE, "main", listing(FIRST, SHOWN), certificate(NECESSARY)).differences == ()
    found = labelled(ONE, "main", listing(SHOWN), certificate(WITNESS_ONLY, FIRST_JSON))
    assert (found.label, found.counterexample, found.differences) == (WITNESS_ONLY, FIRST_JSON, ())


def test_no_claim_is_no_label() -> None:
    absent = labelled(ONE, "main", listing(FIRST), certificate())
    assert (absent.label, absent.counterexample) == (ABSENT, SHOWN_JSON)
    assert labelled(ONE, "main", listing(SHOWN), certificate()).label == UNDECIDED_LABEL
    assert labelled(ONE, "main", None, certificate()).label == UNDECIDED_LABEL
    assert labelled(ONE, "main", Listing((), {"main": frozenset()}), certificate()).label == NO_SOLUTION


@pytest.mark.parametrize("outcome", ["rejected", "malformed", "undecided"])
def test_a_certificate_that_is_not_verified_gives_no_label(outcome: str) -> None:
    found = labelled(ONE, "main", listing(FIRST, SHOWN), certificate(NECESSARY, outcome=outcome))
    assert (found.label, found.reason) == (UNDECIDED_LABEL, f"the certificate is {outcome}: planted")


def test_counts_and_witnesses_of_a_listing() -> None:
    two = listing(SHOWN)
    assert read_listing(write_listing(two)) == two
    every, best = counted(two, "main", two.kinds), counted(two, "main", two.cheapest)
    assert (every.classes, every.classes_with, every.raw, every.raw_with) == (2, 1, 4, 3)
    assert (best.classes, best.classes_with, best.raw, best.raw_with) == (1, 0, 1, 0)
    assert witness(ONE, two) == SHOWN


def test_base_rates_say_what_they_are_worth() -> None:
    never, always = listing(), listing(FIRST, SHOWN)
    empty = Listing((), {"main": frozenset()})
    assert rate([], "main").says == rate([None, empty], "main").says == "nothing examined"
    assert rate([never, None], "main").says == "never"
    assert rate([always, empty], "main").says == "always"
    varied = rate([never, always, listing(FIRST), None, empty], "main")
    assert varied.says == "varies"
    assert (varied.instances, varied.undecided, varied.solvable) == (5, 1, 3)
    assert (varied.classes, varied.classes_with, varied.some, varied.every) == (6, 3, 2, 1)


def test_a_class_of_two_minds_is_named() -> None:
    mixed = Listing((Kind((FIRST, SHOWN), 2, 4),), {"main": frozenset({SHOWN})})
    (difference,) = inconstant([None, mixed], "main")
    assert "base rate/1" in difference.subject
    assert difference.sides == {
        "one word of the class": f"yes: {SHOWN}",
        "another word of it": f"no: {FIRST}",
    }
    assert not mixed.has("main", mixed.kinds[0])
    assert inconstant([listing(SHOWN)], "main") == ()
