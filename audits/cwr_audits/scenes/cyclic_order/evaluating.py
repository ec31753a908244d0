"""What evaluators do with records of the cyclic-order scene: grade answers by them, and show why an answer is right."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from cwr_audits.scenes.cyclic_order.contract import Box
from cwr_audits.scenes.cyclic_order.grading import (
    DECIMAL_PLACES,
    LEAST_OVERLAP,
    Edges,
    Truth,
    grade,
    graded_json,
    read_truth,
    told,
)
from cwr_audits.scenes.parts import Judge, Ruling
from cwr_audits.scoring.numbers import decimal_of
from cwr_solvers.jsontext import Json

SHOWN_DIGITS = 16


def rule(truth: Truth, data: bytes, demanded: bool) -> Ruling:
    """The ruling on an answer."""
    graded = grade(truth, data, demanded=demanded)
    errors = dict.fromkeys(part.error for part in (graded.answer, graded.annotation) if part.error is not None)
    status = "accepted" if graded.status == "absent" else graded.status
    return Ruling(status, graded_json(graded), tuple(told(graded)), tuple(errors))


def explain(record: Json, data: bytes, demanded: bool) -> list[str]:
    """What the card that was named comes to, and what the reference would need; the two boxes and their overlap.

    Of what is malformed nothing is told: the error says what is wrong with it.
    """
    made: Any = record
    truth, trace = read_truth(record), made["execution_trace"]
    graded = grade(truth, data, demanded=demanded)
    lines = []
    for one in trace["solver_trace"]["options"]:
        if one["label"] == graded.found:
            lines.append(f"card {_option(one, trace)}")
            for fault in one["unmet"]:
                lines += [f"  found:  {fault['found']}", f"  needed: {fault['needed']}"]
    if graded.box is not None:
        lines.append(f"box given: {_box(graded.box)}")
        lines.append(f"box of card {truth.answer}: {_box(truth.box)}")
        lines.append(f"intersection over union: exactly {graded.overlap}, wanted {LEAST_OVERLAP} or more")
    return lines


def _box(edges: Edges | Box) -> str:
    return f"[{', '.join(_pixels(Fraction(edge)) for edge in edges)}]"


def _pixels(edge: Fraction) -> str:
    """A number as an answer may have it: exact, and without zeros at its end."""
    return str(edge) if edge.denominator == 1 else decimal_of(edge, DECIMAL_PLACES).rstrip("0")


def summary(record: Json) -> Mapping[str, str]:
    """A record in a few words."""
    made: Any = record
    axes = made["axes"]
    return {
        "id": made["id"],
        "answer": made["answer_gt"]["value"],
        "tokens": str(axes["token_count"]),
        "style": axes["token_style"],
        "path": axes["loop_path"],
        "variant": axes["scene_variant"],
        "palette": axes["palette"],
    }


def show(record: Json) -> list[str]:
    """Loops, options, which one repairs and why, where the card is, and what it all follows from."""
    made: Any = record
    trace = made["execution_trace"]
    where, judged = made["render_map"], trace["solver_trace"]
    digests = {
        "instance": judged["instance_sha256"],
        "SVG": where["svg_sha256"],
        "configuration": trace["config_sha256"],
        "prompts": trace["bundle_sha256"],
    }
    return [
        f"{made['id']}: {', '.join(text for name, text in summary(record).items() if name not in ('id', 'answer'))}",
        _line("reference", " ".join(trace["reference_sequence"])),
        _line("broken", _numbered(trace["broken_sequence"])),
        _line("", f"the reference, rotated by {trace['rotation']}, two tokens exchanged"),
        *(_option(one, trace) for one in judged["options"]),
        *(_line("redrawn", f"{_swap(one['swap'])}: {one['reason']}") for one in trace["redraws"]),
        _line("repairs", f"of all pairs: {', '.join(_swap(one) for one in judged['repairing_swaps'])}"),
        _line("answer", made["answer_gt"]["value"]),
        _line("box", f"{made['annotation_gt']['value']} in pixels of {where['width']} × {where['height']}"),
        _line("", f"{made['projected_annotation']['bbox']} in units of the SVG"),
        _line("judged by", ", ".join(judged["routes"])),
        _line("digests", ", ".join(f"{name} {digest[:SHOWN_DIGITS]}" for name, digest in digests.items())),
        _line("seed", f"{trace['instance_seed']}, {trace['code_version']}, wording {made['prompt']['wording']}"),
    ]


def _line(name: str, text: str) -> str:
    return f"{name:<12}{text}"


def _option(one: Any, trace: Any) -> str:
    swap = next(spec["swap"] for spec in trace["option_specs"] if spec["label"] == one["label"])
    if one["verdict"] == "accepted":
        why = f"repairs: reads like the reference from position {one['matches_at']} on"
    else:
        why = "a mirror image of the reference" if one["mirror"] else "another cyclic order"
    return _line(f"{one['label']}  {_swap(swap)}", f"{_numbered(one['loop'])}: {why}")


def _swap(swap: list[int]) -> str:
    return f"{swap[0]} and {swap[1]}"


def _numbered(loop: list[str]) -> str:
    return " ".join(f"{number}:{token}" for number, token in enumerate(loop, 1))


JUDGE = Judge(read_truth=read_truth, grade=rule, explain=explain, summary=summary, show=show)
