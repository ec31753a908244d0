"""Routes that lie: each answers as the interpreter does, but for one planted fault."""

from __future__ import annotations

from typing import Any

from cwr_audits.engines.interpreter import answer
from cwr_solvers.errors import MalformedInput


def _told(task: dict[str, Any]) -> dict[str, Any]:
    return {**answer(task), "raw": None, "reachable_states": None}


def infeasible(task: dict[str, Any]) -> Any:
    return {**_told(task), "optimum": None, "words": []}


def drops_a_word(task: dict[str, Any]) -> Any:
    told = _told(task)
    return {**told, "words": told["words"][1:]}


def adds_a_word(task: dict[str, Any]) -> Any:
    told = _told(task)
    made = '{"actions":["rivet"]}'
    return {**told, "words": [*told["words"], [made, told["optimum"]]]}


def wrong_optimum(task: dict[str, Any]) -> Any:
    told = _told(task)
    return {**told, "optimum": told["optimum"] - 1}


def wrong_cost(task: dict[str, Any]) -> Any:
    told = _told(task)
    (word, cost), *others = told["words"]
    return {**told, "words": [[word, cost + 1], *others]}


def says_a_word_twice(task: dict[str, Any]) -> Any:
    told = _told(task)
    return {**told, "words": [*told["words"], told["words"][0]]}


def spells_otherwise(task: dict[str, Any]) -> Any:
    told = _told(task)
    (word, cost), *others = told["words"]
    return {**told, "words": [[word.replace(":", ": "), cost], *others]}


def says_no_word(task: dict[str, Any]) -> Any:
    told = _told(task)
    return {**told, "words": [*told["words"], ['{"actions":1}', told["optimum"]]]}


def miscounts(task: dict[str, Any]) -> Any:
    told = answer(task)
    return {**told, "raw": [[cost, hex(int(number, 16) + 1)] for cost, number in told["raw"]]}


def shapeless_but_for_showcases(task: dict[str, Any]) -> Any:
    return answer(task) if task["instance"]["code"].endswith("-001") else 5


def malformed_but_for_showcases(task: dict[str, Any]) -> Any:
    if task["instance"]["code"].endswith("-001"):
        return answer(task)
    raise MalformedInput("domain", "/budget", "another", "this")
