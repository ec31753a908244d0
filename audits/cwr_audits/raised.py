"""The same instance with its bound raised: what a claim over "the bound" is asked again for.

The bound of an instance is what it allows a submission to spend; all parts of it rise together, by the same number:

  TW, PS  actions and cost           TP  steps and cost, and ids to name what further steps create
  BC      gates and cost             KL  actions, traversals and cost
  PA      connections and cost       FT  placements and cost
  RS      the deadline               CO  cards

Limits on states (places, live values, capacities, supplies) and goals are not the bound and stay. Vocabularies that a
budget implies grow along: gates are named up to the budget, jobs start up to the deadline. Ids of TP are listed, so as
many are added as further steps can create, with names that nothing else has.

Every accepted submission is accepted under the raised bound too: raising takes nothing away. But what is raised need
not be an instance: a bound may be the largest that the grammar allows, or a pin of BC named like a gate that is added.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count, islice
from typing import Any

from cwr_solvers.jsontext import Json


def raised(source: Json, by: int) -> Json:
    """The JSON of an instance with its bound raised by `by`; the code stays. `source` is in normal form."""
    made: Any = source
    return RAISE[made["family"]](made, by)


def _budget(*names: str) -> Callable[[dict[str, Any], int], dict[str, Any]]:
    """Raises these parts of the budget."""

    def rise(source: dict[str, Any], by: int) -> dict[str, Any]:
        return {**source, "budget": {**source["budget"], **{name: source["budget"][name] + by for name in names}}}

    return rise


def _deadline(source: dict[str, Any], by: int) -> dict[str, Any]:
    return {**source, "deadline": source["deadline"] + by}


def _steps_and_ids(source: dict[str, Any], by: int) -> dict[str, Any]:
    """Budgets, and ids for all that `by` further steps may create."""
    most = max((len(operation["outputs"]) for operation in source["operations"]), default=0)
    taken = {*source["ids"], *source["initial"]}
    fresh = (name for name in (f"v{number}" for number in count()) if name not in taken)
    return {**_budget("steps", "cost")(source, by), "ids": [*source["ids"], *islice(fresh, by * most)]}


# family -> (instance JSON, by) -> instance JSON
RAISE: Mapping[str, Callable[[dict[str, Any], int], dict[str, Any]]] = {
    "TW": _budget("actions", "cost"),
    "TP": _steps_and_ids,
    "RS": _deadline,
    "KL": _budget("actions", "traversals", "cost"),
    "PS": _budget("actions", "cost"),
    "BC": _budget("gates", "cost"),
    "PA": _budget("connections", "cost"),
    "FT": _budget("placements", "cost"),
    "CO": _budget("cards"),
}
