"""Encodings and statements attacked: is every rule function missed when it is gone?

mutant           one function of a route that is named after a rule, in a private copy of its module: it posts nothing.
                 Where it also makes what others use, it cannot go; then its edits are tried, first those that make it
                 less tight (a limit one higher, a condition that always holds), until one is killed; so they are where
                 the route without the function does not come to an end
killed           on some instance the route then has other words or costs than the interpreter, or contradicts itself
by construction  no mutant was killed, and the function's docstring says that words, or other rules, leave it nothing to
                 forbid
hole             on none of the instances; a function that is missing is a hole as well
crashes          no edit gives other words, but the route crashes on some instance: a fault there cannot go unseen
undecided        a mutant ran out of time, and none was killed
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FunctionType, ModuleType
from typing import Any, TypeAlias

from cwr_audits.attacks.graders import CRASHES
from cwr_audits.attacks.mutants import Mutant, copy_of, dropped, mutants, rule_functions
from cwr_audits.attacks.rows import Row
from cwr_audits.engines.interpreter import search
from cwr_solvers.answers import Answer, Limits
from cwr_solvers.errors import Disagreement, MalformedInput, Undecided
from cwr_solvers.world import World

# the answer of a module (an encoding or a statement) on an instance; raises Undecided and Disagreement
Solve: TypeAlias = Callable[[Any, Any, Limits], Answer]

SECONDS = 5.0  # for a mutant on one instance
MOST_WORDS = 10_000
LOOSER = ("off by one", "always")  # edits that make what a function builds less tight, for the most part
_POSTS_NOTHING = re.compile(r"\b(no clause|nothing to post|by construction)\b", re.IGNORECASE)


def answers(world: World, instances: Sequence[Any]) -> list[Answer]:
    """What the interpreter says of the instances."""
    return [search(world, instance, MOST_WORDS).answer for instance in instances]


def attack(route: str, world: World, module: ModuleType, solve: Solve, instances: Sequence[Any]) -> Iterator[Row]:
    """A row for each rule of the world. The showcase, first among the instances and the largest, is tried last."""
    instances = [*instances[1:], *instances[:1]]
    due = answers(world, instances)
    functions = rule_functions(module)
    for rule in world.rules:
        if rule not in functions:
            yield Row(route, rule, "hole", f"no function of {module.__name__} is named after the rule")
        else:
            yield _judge(route, rule, functions[rule], module, solve, instances, due)


def _judge(
    route: str,
    rule: str,
    function: FunctionType,
    module: ModuleType,
    solve: Solve,
    instances: Sequence[Any],
    due: Sequence[Answer],
) -> Row:
    """The row of one rule: killed where one of its mutants is."""
    words: dict[str, str] = {}
    for mutant in _candidates(function):
        word, text = outcome(changed_module(module, function, mutant), solve, instances, due)
        words.setdefault(word, text if mutant.kind == "dropped" else f"{text} ({mutant.name})")
        if word == "killed" or (word == "hole" and mutant.kind == "dropped"):
            break
    if "killed" in words:
        return Row(route, rule, "killed", words["killed"])
    if posts_nothing(function):
        return Row(route, rule, "by construction", " ".join((function.__doc__ or "").split()))
    word = next((one for one in ("hole", "undecided", "crashes") if one in words), "undecided")
    return Row(route, rule, word, words.get(word, "no edit of the function could be made"))


def posts_nothing(function: FunctionType) -> bool:
    """Whether the docstring of a rule function says that it posts nothing."""
    return _POSTS_NOTHING.search(function.__doc__ or "") is not None


def _candidates(function: FunctionType) -> Iterator[Mutant]:
    """The function gone, where that can be; then its edits, less tight ones first."""
    own = sys.modules[function.__module__]
    if function.__annotations__.get("return") == "None":
        yield dropped(own, function.__name__)
    inside = [one for one in mutants(own, (function.__name__,)) if one.function == function.__name__]
    edits = [one for one in inside if one.kind != "dropped"]
    yield from sorted(edits, key=lambda one: one.kind not in LOOSER)


def changed_module(module: ModuleType, function: FunctionType, mutant: Mutant) -> ModuleType:
    """A copy of a module in which one rule function is changed, be it its own or one that it imports."""
    if function.__module__ == module.__name__:
        return copy_of(module, {mutant.function: mutant.code})
    made = copy_of(module, {})
    other = copy_of(sys.modules[function.__module__], {mutant.function: mutant.code})
    setattr(made, function.__name__, getattr(other, function.__name__))
    return made


def outcome(module: ModuleType, solve: Solve, instances: Sequence[Any], due: Sequence[Answer]) -> tuple[str, str]:
    """killed, hole, crashes or undecided, and by what. Given up at the first instance that takes too long."""
    crashed = []
    for instance, wanted in zip(instances, due, strict=True):
        try:
            said = solve(module, instance, Limits(SECONDS, len(wanted.words)))
        except (Disagreement, MalformedInput) as error:
            return "killed", f"{instance.code}: contradicts itself: {error}"
        except Undecided as error:
            if error.reason == "words":
                return "killed", f"{instance.code}: more than the {len(wanted.words)} words"
            return "undecided", f"{instance.code}: {error}"
        except CRASHES as error:
            crashed.append(f"{instance.code}: {type(error).__name__}")
        else:
            if (said.optimum, said.words) != (wanted.optimum, wanted.words):
                return "killed", f"{instance.code}: {_differ(said.words, wanted.words)}"
    if crashed or not instances:
        return "crashes", f"on {len(crashed)} of {len(instances)} instances ({', '.join(crashed)}), the same words else"
    return "hole", f"the same words on {len(instances)} instances"


def _differ(said: Mapping[bytes, int], due: Mapping[bytes, int]) -> str:
    more, fewer = said.keys() - due.keys(), due.keys() - said.keys()
    return f"{len(more)} words more, {len(fewer)} fewer" if more or fewer else "other costs"
