"""The claim `conflict`: some rules leave no word that meets a request, and each of them is needed for that. Trusted.

The clauses of F say which rule they belong to; those of no rule say what a word is, or belong to the request. So the
formula of some rules is F and the request without the clauses of the other rules. A request has all of these keys:
  forbid     moves that do not occur in the word       require    moves that do
  without    motifs that do not hold                   most_cost  the cost is at most this, unless null
  word       the word is this one, unless null
  part       every decision that is true in this word is true, unless null: the word begins with it or, where the order
             of moves is not told apart, has all its moves (RS: no job starts earlier)
"""

from __future__ import annotations

from cwr_certificates.cnf import Cnf
from cwr_certificates.desk import Desk, Rejected, Shown, demand, refuted
from cwr_certificates.formulas import Formula, among, more, occurrences, satisfied
from cwr_solvers.errors import MalformedInput
from cwr_solvers.jsontext import LARGEST, Json, canonical
from cwr_solvers.reading import as_int, as_items, as_list, as_map, as_name, as_object, distinct

KEYS = ("forbid", "most_cost", "part", "require", "without", "word")
MOST_SHOWN = 400  # bytes of a request that a line has
PROOF = "statement and kernel"


def conflict(desk: Desk, claim: Json, at: str) -> Shown:
    """The rules and the request exclude each other; without any one of the rules they do not."""
    fields = as_object(claim, at, ("kind", "rules", "request", "relaxed", "refutation"))
    whole = asked(desk.formula, fields["request"], f"{at}/request")
    known = sorted(set(whole.rules) - {""})
    rules = as_items(fields["rules"], f"{at}/rules", lambda item, here: as_name(item, here, known, "rule with clauses"))
    distinct(rules, f"{at}/rules", "rule")
    proof = refuted(desk, among(whole, rules), fields["refutation"], f"{at}/refutation")
    relaxed = as_list(fields["relaxed"], f"{at}/relaxed")
    demand(len(relaxed), len(rules), "the number of rules shown to be needed")
    for index, rule in enumerate(rules):
        less = among(whole, [one for one in rules if one != rule])
        if not _has_model(desk.formula, less, relaxed[index], f"{at}/relaxed/{index}"):
            raise Rejected(f"{rule} is not shown to be needed")
    text = canonical({key: value for key, value in as_map(fields["request"], at).items() if value not in (None, [])})
    said = text.decode("utf-8") if len(text) <= MOST_SHOWN else f"a request of {len(text)} bytes"
    return Shown(f"no word meets {said}, by {', '.join(rules) or 'no rule'} and what words are; {proof}", PROOF)


def asked(f: Formula, request: Json, at: str) -> Cnf:
    """F and a request."""
    fields, cnf, write = as_object(request, at, KEYS), more(f), f.statement
    for index, motif in enumerate(as_list(fields["without"], f"{at}/without")):
        write.deny(cnf, f.model, as_name(motif, f"{at}/without/{index}", write.MOTIFS, "motif"))
    for index, move in enumerate(as_list(fields["require"], f"{at}/require")):
        cnf.add(*_occurs(f, cnf, move, f"{at}/require/{index}"))
    for index, move in enumerate(as_list(fields["forbid"], f"{at}/forbid")):
        for literal in _occurs(f, cnf, move, f"{at}/forbid/{index}"):
            cnf.add(-literal)
    if fields["most_cost"] is not None:
        write.at_most(cnf, f.model, as_int(fields["most_cost"], f"{at}/most_cost", 0, LARGEST))
    for literal in _spelled(f, fields["word"], f"{at}/word"):
        cnf.add(literal)
    for literal in _spelled(f, fields["part"], f"{at}/part"):
        if literal > 0:
            cnf.add(literal)
    return cnf


def _has_model(f: Formula, cnf: Cnf, value: Json, at: str) -> bool:
    """Whether the decisions of the word, if there is one, and the extra literals lead to a model."""
    fields, limit = as_object(value, at, ("word", "extra")), cnf.variables
    extra = as_items(fields["extra"], f"{at}/extra", lambda item, here: as_int(item, here, -limit, limit))
    return satisfied(cnf, occurrences(cnf), (*_spelled(f, fields["word"], f"{at}/word"), *extra))


def _occurs(f: Formula, cnf: Cnf, move: Json, at: str) -> list[int]:
    try:
        return f.statement.occurs(cnf, f.model, move)
    except MalformedInput as error:
        raise MalformedInput(error.code, at + error.pointer, error.expected, error.found) from None


def _spelled(f: Formula, word: Json, at: str) -> tuple[int, ...]:
    """The decisions of a word; none for null."""
    try:
        return () if word is None else f.statement.literals(f.model, word)
    except MalformedInput as error:
        raise MalformedInput(error.code, at + error.pointer, error.expected, error.found) from None
