"""The clauses that deny the motif of TW: submissions whose verdict is worked out by hand, and mutants that they expose.

A recipe is written "p: a a / d > m": it consumes two tokens of a, reads d, and makes one of m; "b*8" are eight tokens.
Most cases vary one pattern: p makes m and q makes of it c, of depth 2; x makes b, of depth 1; z joins b and c; p and q
read the only d.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest
from pysat.solvers import Minisat22

from cwr_certificates.formulas import base, lacking
from cwr_certificates.statements import tw, tw_motifs
from cwr_solvers.errors import Undecided
from cwr_solvers.worlds.tw.instance import Instance, read_instance

LARGE = 2**53


class Case(NamedTuple):
    """A submission, and whether it has the motif, by hand."""

    name: str
    initial: str
    recipes: str
    actions: str
    has: bool
    most: str = ""  # `throughout` maxima, as many tokens
    spare: int = 1  # actions that the budget allows beyond these


P, Q, X, Z = "p: a / d > m", "q: m / d > c", "x: s > b", "z: b c > e"
JOIN = "; ".join((P, Q, X, Z))

CASES = (
    Case("the pattern", "a s d", JOIN, "p q x z", True),
    Case("no idle place", "a s d", JOIN, "p q x z", True, spare=0),
    Case("no join", "a s d", JOIN, "p q x", False),
    Case("nothing at all", "a s d", JOIN, "", False),
    # (b)
    Case("as many tokens as readers", "a s d d", JOIN, "p q x z", False),
    Case("a token made after its readers counts", "a s d", f"{P}; {Q}; x: s > b; z: b c > e d", "p q x z", False),
    Case("an action that reads two tokens is one", "a s d d", f"p: a / d d > m; {Q}; {X}; {Z}", "p q x z", False),
    Case("nothing is read", "a s", f"p: a > m; q: m > c; {X}; {Z}", "p q x z", False),
    Case("a tool that is read once only", "a s d", f"{P}; q: m > c; {X}; {Z}", "p q x z", False),
    Case("the scarce tool is the second", "a s t t d", f"{P}; {Q}; x: s / t > b; {Z}", "p q x z", True),
    Case("the scarce tool is the first", "a s d t t", f"{P}; {Q}; x: s / t > b; {Z}", "p q x z", True),
    Case("an ample tool stands before it", "a s aa aa d", f"{P}; {Q}; x: s / aa > b; {Z}", "p q x z", True),
    Case("a reader twice", "a a s d", f"{P}; q: m > c; {X}; {Z}", "p p q x z", True),
    # (a): produced, disjoint, unequal
    Case("equal depth", "a s d", f"{P}; x: s / d > b; z: b m > e", "p x z", False),
    Case("depths 2 and 3", "a g d", f"{P}; {Q}; k: c > f; y: g > h; x: h > b; z: b f > e", "p q k y x z", True),
    Case("depths 2 and 2", "a g d", f"{P}; {Q}; y: g > h; x: h > b; {Z}", "p q y x z", False),
    Case("the deeper one is of a later place", "s a d", f"x: s > b; {P}; {Q}; z: b c > e", "x p q z", True),
    Case("an initial token", "a b d", f"{P}; {Q}; {Z}", "p q z", False),
    Case("an initial token may be taken", "a b s d", JOIN, "p q x z", False),
    Case("one producer back", "a d", "p: a / d > m n; q: m / d > c; z: n c > e", "p q z", False),
    Case("two producers back", "a d", "p: a / d > m n; q: m / d > c; k: c > f; z: n f > e", "p q k z", False),
    Case(
        "a common ancestor of both",
        "a d",
        "p: a / d > m n; q: m / d > c; k: c > f; l: n > o; z: o f > e",
        "p q k l z",
        False,
    ),
    Case("two tokens of one action", "s d", "x: s > b b; k: b / d > c; l: b / d > c; z: c c > e", "x k l z", False),
    Case("a place's two tokens", "a s d", f"{P}; q: m / d > b; {X}; z: b b > e", "p q x z", True),
    Case("made of nothing, depth 1", "a d", f"{P}; {Q}; x: > b; {Z}", "p q x z", True),
    Case("the greatest depth counts", "a s s d", f"{P}; q: m s / d > c; {X}; {Z}", "p q x z", True),
    Case("a token read is not taken", "a s d", f"{P}; {Q}; {X}; z: b / c > e", "p q x z", False),
    Case("three hands", "a s d v", f"{P}; {Q}; {X}; z: v b c > e", "p q x z", True),
    # assignments
    Case("a token is taken once", "a s g d", f"p: a / d > m; q: m / d > c c; {X}; y: g > h; k: h > b; {Z}",
         "p q x y k z z", True, spare=0),
    Case("a token not there yet is not taken", "a s d", f"{JOIN}; k: e > b", "p q x z k", True),
    Case("a token of the same depth may be taken", "a s g d", f"{JOIN}; y: g > h; k: h > b", "p q y k x z", False),
    Case("of the second made", "a s g d", f"{JOIN}; y: g > h; k: h > b", "p q x y k z", False),
    # orders
    Case("another order spares it", "a s g d", f"{JOIN}; y: g > h; k: h > b", "p q x z y k", False),
    Case("another order spares it, also with a cell", "a s g d u", f"{P}; {Q}; {X}; z: b c u > e; y: g > h; k: h > b u",
         "p q x z y k", False),
    Case("that order breaks a maximum", "a s g d u", f"{P}; {Q}; {X}; z: b c u > e; y: g > h; k: h > b u",
         "p q x z y k", True, most="u"),
    # numbers
    Case("every token of a place", "a s d b*8", f"{P}; {Q}; {X}; z: b*9 c > e", "p q x z", True),
    Case("another recipe takes more", "a s d", f"{P}; x: s / d > b; z: b m > e; w: b b > e", "p x z", False),
    Case("more than can be taken", f"a*{LARGE} s d", JOIN, "p q x z", True),
    Case("a recipe that nobody can pay", "a s d", f"{JOIN}; k: a*{LARGE} > e", "p q x z", True),
    Case("a recipe that only itself could pay", "a s d", f"{JOIN}; k: a*{LARGE} > a*{LARGE}", "p q x z", True),
    Case("a recipe that makes very many", "a s d", f"{P}; {Q}; x: s > b*{LARGE}; {Z}", "p q x z", True),
)  # fmt: skip


def weights(text: str) -> dict[str, int]:
    found: Counter[str] = Counter()
    for word in text.split():
        place, _, number = word.partition("*")
        found[place] += int(number or 1)
    return dict(found)


def instance_of(case: Case) -> Instance:
    recipes, names = [], set(weights(case.initial))
    for text in case.recipes.split("; "):
        name, _, rest = text.partition(":")
        (left, _, made), tools = rest.partition(">"), ""
        left, _, tools = left.partition("/")
        parts = {"consume": weights(left), "read": weights(tools), "produce": weights(made)}
        recipes.append({"name": name, **parts})
        names.update(*parts.values())
    budget = len(case.actions.split()) + case.spare
    return read_instance(
        {
            "family": "TW",
            "code": "TW-hand",
            "places": sorted(names),
            "initial": weights(case.initial),
            "recipes": recipes,
            "throughout": {"places": {place: {"max": most} for place, most in weights(case.most).items()}},
            "goal": {},
            "budget": {"actions": budget, "cost": budget},
        }
    )


def has(case: Case) -> bool:
    """Whether the clauses say so: F and the submission are satisfiable, and no more with the denial."""
    formula = base("TW", instance_of(case))
    word = list(tw.literals(formula.model, {"actions": [*case.actions.split()]}))
    with Minisat22(bootstrap_with=formula.cnf.clauses) as solver:
        assert solver.solve(assumptions=word)
    with Minisat22(bootstrap_with=lacking(formula, "main").clauses) as solver:
        return not solver.solve(assumptions=word)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_verdict_is_that_of_the_rule_book(case: Case) -> None:
    assert has(case) == case.has


def test_more_hands_than_a_formula_can_hold_are_refused() -> None:
    case = Case("", f"a*{LARGE} s d", f"{P}; {Q}; {X}; {Z}; k: a*{LARGE} > e", "p q x z", True)
    with pytest.raises(Undecided) as error:
        has(case)
    assert error.value.reason == "size"


# What is changed in the text of the clauses: (fragment, replacement). Each fragment stands there once.
MUTANTS = (
    # (b)
    ("    short = short_of_tokens(cnf, instance, word)", "    short = TRUE"),
    ("[recipe.produce[q] - (recipe.read[q] > 0) for", "[-(recipe.read[q] > 0) for"),
    ("recipe.produce[q] - (recipe.read[q] > 0)", "recipe.produce[q] - recipe.read[q]"),
    ("tally(cnf, word, start, gains)", "tally(cnf, word, 0, gains)"),
    ("gains)[-1], 0))", "gains)[-1], 1))"),
    ("gains)[-1], 0))", "gains)[-1], -1))"),
    ("    return any_of(cnf, short)", "    return short[0] if short else -TRUE"),
    ("    return any_of(cnf, short)", "    return short[-1] if short else -TRUE"),
    # orders
    ("    same_kinds(cnf, word, order)", "    pass"),
    ("    same_kinds(cnf, word, order)", "    order = word"),
    # tokens
    ("can_run(instance, n)", "can_run(instance, 0)"),
    ("recipe.consume[q] * runs for", "recipe.consume[q] for"),
    ("most = n * max(weights)", "most = 1"),
    ("most = n * max(weights)", f"most = {2**53}"),
    ("min(instance.initial[q], most)", "0"),
    ("[min(recipe.produce[q], most) for", "[recipe.produce[q] for"),
    ("[min(recipe.produce[q], most) for", "[min(recipe.produce[q], 1) for"),
    # hands
    ("acts = [both(cnf, short, kind) for kind in kinds]", "acts = list(kinds)[:1] + [-TRUE] * (len(kinds) - 1)"),
    ("range(max(shelf.weights))", "range(min(1, max(shelf.weights)))"),
    ("strict=True) if weight > hand]", "strict=True) if weight > 0]"),
    ("strict=True) if weight > hand]", "strict=True) if weight > hand + 1]"),
    ("number = [works, *", "number = [-TRUE, *"),
    ("            cnf.add(-number[n + 1], number[n])", "            pass"),
    ("            cnf.add(-taken, reaches(shelf.put[t], n + 1))", "            pass"),
    ("            cnf.add(-taken, -shelf.gone[n])", "            pass"),
    ("any_of(cnf, [shelf.gone[n], taken])", "taken"),
    ("any_of(cnf, [shelf.gone[n], taken])", "shelf.gone[n]"),
    # what is true of tokens
    ("ways = [[both(cnf, one, true) for true in line]", "ways = [[one for true in line]"),
    ("return [any_of(cnf, same) for same in zip(nothing, *ways, strict=True)]", "return nothing"),
    ("[TRUE, *joint[: n - 1], *joint", "[TRUE, *[-TRUE] * (n - 1), *joint"),
    ("[TRUE, *joint[: n - 1], *joint", "[*joint[:n], *joint"),
    ("*joint[n : n + t], TRUE,", "*[-TRUE] * t, TRUE,"),
    ("*joint[n : n + t], TRUE,", "*joint[n : n + t + 1],"),
    ("[any_of(cnf, same) for same in zip(*hands, strict=True)]", "[same[-1] for same in zip(*hands, strict=True)]"),
    ("comes = both(cnf, reaches(shelf.put[t + 1], n + 1), -reaches(shelf.put[t], n + 1))", "comes = TRUE"),
    ("reaches(shelf.put[t + 1], n + 1), -reaches(shelf.put[t], n + 1))", "reaches(shelf.put[t + 1], n + 1), TRUE)"),
    ("[any_of(cnf, [old, both(cnf, comes, new)]) for", "[both(cnf, comes, new) for"),
    ("[any_of(cnf, [old, both(cnf, comes, new)]) for", "[old for"),
    ("    return -TRUE if -TRUE in (one, other) else", "    return one if -TRUE in (one, other) else"),
    # (a)
    ("        no_unequal_join(cnf, hands)", "        pass"),
    ("combinations(hands, 2)", "combinations(hands[:2], 2)"),
    ("common = any_of(cnf, [", "common = TRUE or any_of(cnf, ["),
    ("common = any_of(cnf, [", "common = -TRUE or any_of(cnf, ["),
    ("cnf.add(common, -flat", "cnf.add(-flat"),
    ("zip(pair[0][n:], pair[1][n:], strict=True)", "[*zip(pair[0][n:], pair[1][n:], strict=True)][1:]"),
    ("in permutations(pair)", "in (pair,)"),
    ("in permutations(pair)", "in (pair[::-1],)"),
    ("range(1, n)", "range(1, 2)"),
    ("range(1, n)", "range(2, n)"),
    ("-flat[0], -deep[d], flat[d])", "-deep[d], flat[d])"),
    ("-flat[0], -deep[d], flat[d])", "-flat[0], -deep[d])"),
)


def module_of(text: str) -> ModuleType:
    module = ModuleType("mutant")
    sys.modules["mutant"] = module
    exec(compile(text, "mutant", "exec"), module.__dict__)
    return module


def outcome(case: Case) -> bool | str:
    """The verdict; where clauses are no formula, what went wrong."""
    try:
        return has(case)
    except (Undecided, ArithmeticError, LookupError, ValueError, MemoryError) as fault:
        return type(fault).__name__


@pytest.mark.parametrize(("fragment", "replacement"), MUTANTS)
def test_each_part_of_the_denial_matters(fragment: str, replacement: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = Path(tw_motifs.__file__).read_text("utf-8")
    assert text.count(fragment) == 1
    mutant = module_of(text.replace(fragment, replacement))
    monkeypatch.setattr(tw_motifs, "deny_main", mutant.deny_main)
    assert any(outcome(case) != case.has for case in sorted(CASES, key=lambda case: len(case.actions)))
