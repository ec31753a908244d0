"""Words for people, by family: a move in a line of text, from its JSON, and what the numbers of a row count."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Wording:
    """`said` tells a move; `column` heads the numbers of a row (see cwr_audits.tallies), `number` names one of them."""

    said: Callable[[Any], str]
    column: str
    number: str


def _name(move: str) -> str:
    return move


def _pipeline(move: Mapping[str, Any]) -> str:
    return f"{', '.join(move['out'])} = {move['op']}({', '.join(move['args'])})"


def _gate(move: Mapping[str, Any]) -> str:
    return f"{move['id']} = {move['op']}({', '.join(move['inputs'])})"


def _carrying(move: Mapping[str, Any]) -> str:
    return f"{move['op']} {move['arg']}"


def _start(move: Mapping[str, Any]) -> str:
    return f"{move['job']} at {move['start']}"


def _connection(move: Mapping[str, Any]) -> str:
    return f"{move['from']} → {move['to']}"


def _placement(move: Mapping[str, Any]) -> str:
    turned = f", turn {move['turn']}" if move.get("turn") else ""
    flipped = ", flipped" if move.get("flip") else ""
    return f"{move['piece']} at ({move['x']}, {move['y']}){turned}{flipped}"


WORDINGS: Mapping[str, Wording] = {
    "TW": Wording(_name, "Actions", "uses of"),
    "TP": Wording(_pipeline, "Steps", "uses of"),
    "BC": Wording(_gate, "Gates", "gates of"),
    "KL": Wording(_carrying, "Actions", "uses of"),
    "RS": Wording(_start, "Starts", "start of"),
    "PS": Wording(_name, "Actions", "uses of"),
    "PA": Wording(_connection, "Connections", "connections of"),
    "FT": Wording(_placement, "Pieces", "copies of"),
    "CO": Wording(_name, "Cards", "plays of"),
}
