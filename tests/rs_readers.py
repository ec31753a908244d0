"""Published scheduling files as RS instances, in the JSON that the RS reader takes.

  .rcp   Patterson's format: jobs and resources, capacities, then for each job duration, demands and successors
  .sm    PSPLIB single-mode format: sections with headings; successors and requests stand in two tables
  .jss   job shop: a line a job, of pairs machine and duration in order of processing; # opens a comment
The deadline is the sum of all durations: within it, running the jobs one after another is always possible.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any


def read_published(path: Path) -> dict[str, Any]:
    """The instance in a file, by its suffix."""
    readers = {".rcp": read_rcp, ".sm": read_sm, ".jss": read_jss}
    return readers[path.suffix](path.stem, path.read_text(encoding="ascii"))


def read_rcp(code: str, text: str) -> dict[str, Any]:
    """Patterson: all white space is alike."""
    numbers = [int(word) for word in text.split()]
    jobs, resources, *rest = numbers
    capacity, rest = rest[:resources], rest[resources:]
    rows = []
    for _ in range(jobs):
        duration, *rest = rest
        demand, rest = rest[:resources], rest[resources:]
        count, *rest = rest
        successors, rest = rest[:count], rest[count:]
        rows.append((duration, demand, successors))
    if rest:
        raise ValueError(f"{code}: {len(rest)} numbers left over")
    return _instance(code, capacity, rows)


def read_sm(code: str, text: str) -> dict[str, Any]:
    """PSPLIB, one mode a job, renewable resources only."""
    relations = _table(text, "PRECEDENCE RELATIONS")
    requests = _table(text, "REQUESTS/DURATIONS")
    capacity = _table(text, "RESOURCEAVAILABILITIES")[0]
    if [row[0] for row in relations] != [row[0] for row in requests]:
        raise ValueError(f"{code}: the two tables name different jobs")
    rows = []
    for (_, modes, count, *successors), (_, mode, duration, *demand) in zip(relations, requests, strict=True):
        if (modes, mode, count, len(demand)) != (1, 1, len(successors), len(capacity)):
            raise ValueError(f"{code}: a row is not of one mode, or not of its length")
        rows.append((duration, demand, successors))
    return _instance(code, capacity, rows)


def read_jss(code: str, text: str) -> dict[str, Any]:
    """Job shop: machines are resources of capacity 1, a job is a chain."""
    lines = [[int(word) for word in line.split()] for line in text.splitlines() if line and not line.startswith("#")]
    (jobs, machines), *chains = lines
    if len(chains) != jobs:
        raise ValueError(f"{code}: {jobs} jobs announced, {len(chains)} found")
    rows = []
    for chain in chains:
        pairs = list(zip(chain[0::2], chain[1::2], strict=True))
        for index, (machine, duration) in enumerate(pairs):
            following = [len(rows) + 2] if index + 1 < len(pairs) else []
            rows.append((duration, [int(machine == other) for other in range(machines)], following))
    return _instance(code, [1] * machines, rows)


def _table(text: str, heading: str) -> list[list[int]]:
    """The rows of numbers between a heading and the next line of stars."""
    section = text.split(heading, 1)[1].split("\n***", 1)[0]
    lines = [line for line in section.splitlines() if re.fullmatch(r"[\s\d]*\d[\s\d]*", line)]
    return [[int(word) for word in line.split()] for line in lines]


def _instance(code: str, capacity: list[int], rows: list[tuple[int, list[int], list[int]]]) -> dict[str, Any]:
    """Jobs are named by number from 1; successors become predecessors."""
    jobs = [
        {
            "name": f"j{number}",
            "duration": duration,
            "demand": {f"r{resource}": amount for resource, amount in enumerate(demand) if amount},
            "after": [f"j{other}" for other, row in enumerate(rows, 1) if number in row[2]],
        }
        for number, (duration, demand, _) in enumerate(rows, 1)
    ]
    resources = {f"r{resource}": amount for resource, amount in enumerate(capacity)}
    deadline = sum(row[0] for row in rows)
    return {"family": "RS", "code": code, "resources": resources, "jobs": jobs, "deadline": deadline}
