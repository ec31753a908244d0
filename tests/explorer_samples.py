"""Instances for the tests of the explorer: names that would like to be markup, and more classes than a page of rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cwr_audits.subject import subject
from cwr_solvers.jsontext import canonical

# each would run, or turn the text around, where it is not taken as plain text
HOSTILE = {
    "smelt": "</script><script>window.ran=1</script>",
    "coat": "\"'><img/src=x/onerror='window.ran=2'>&amp;{{7*7}}",
    "rivet": "\u05d0\u05d1\u05d2<!--\u0645\u0631\u062d\u0628\u0627",
    "ore": "--><svg/onload=window.ran=3>",
    "blank": "]]></style><style>body{display:none}</style>",
}
HOSTILE_CODE = "<script>window.ran=4</script>\"&'../../\u05d0"


def hostile(folder: Path) -> Path:
    """A file with the instance of TW-001 under hostile names."""
    source = json.loads(canonical(subject("TW-001").source))
    return _written(folder / "hostile.json", {**_renamed(source), "code": HOSTILE_CODE})


def many(folder: Path, deadline: int = 7) -> Path:
    """A file with the instance of RS-001 and a later deadline: each schedule is a class of its own."""
    source = json.loads(canonical(subject("RS-001").source))
    return _written(folder / "many.json", {**source, "code": "RS-MANY", "deadline": deadline})


def empty(folder: Path) -> Path:
    """A file with the instance of TW-001 and one action too few: nothing is accepted."""
    source = json.loads(canonical(subject("TW-001").source))
    return _written(folder / "empty.json", {**source, "code": "TW-NONE", "budget": {"actions": 3, "cost": 3}})


def _renamed(value: Any) -> Any:
    if isinstance(value, dict):
        return {HOSTILE.get(key, key): _renamed(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_renamed(item) for item in value]
    return HOSTILE.get(value, value) if isinstance(value, str) else value


def _written(path: Path, source: Any) -> Path:
    path.write_text(json.dumps(source), "utf-8")
    return path
