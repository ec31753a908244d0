"""What evaluators do with records of the cyclic-order scene: grade answers by them, and show why an answer is right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cwr_audits.scenes.cyclic_order.grading import Truth, grade, graded_json, read_truth, told
from cwr_audits.scenes.parts import Judge, Ruling
from cwr_solvers.jsontext import Json

SHOWN_DIGITS = 16


def rule(truth: Truth, data: bytes, demanded: bool) -> Ruling:
    """The ruling on an answer."""
    graded = grade(truth, data, demanded=demanded)
    errors = dict.fromkeys(part.error for part in (graded.answer, graded.annotation) if part.error is not None)
    status = "accepted" if graded.status == "absent" else graded.status
    return Ruling(status, graded_json(graded), tuple(told(graded)), tuple(errors))


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
    return [
        f"{made['id']}: {', '.join(text for name, text in summary(record).items() if name not in ('id', 'answer'))}",
        f"reference  {' '.join(trace['reference_sequence'])}",
        f"broken     {_numbered(trace['broken_sequence'])}",
        f"           the reference, rotated by {trace['rotation']}, two tokens exchanged",
        *(_option(one, trace) for one in trace["solver_trace"]["options"]),
        *(f"redrawn    {_swap(one['swap'])}: {one['reason']}" for one in trace["redraws"]),
        f"repairs    of all pairs: {', '.join(_swap(one) for one in trace['solver_trace']['repairing_swaps'])}",
        f"answer     {made['answer_gt']['value']}",
        f"box        {made['annotation_gt']['value']} in pixels of {_size(made['render_map'])}; in units of the SVG "
        f"{made['projected_annotation']['bbox']}",
        f"judged by  {', '.join(trace['solver_trace']['routes'])}",
        f"digests    instance {_short(trace['solver_trace']['instance_sha256'])}, "
        f"SVG {_short(made['render_map']['svg_sha256'])}, configuration {_short(trace['config_sha256'])}, "
        f"prompts {_short(trace['bundle_sha256'])}",
        f"seed       {trace['instance_seed']}, {trace['code_version']}, wording {made['prompt']['wording']}",
    ]


def _option(one: Any, trace: Any) -> str:
    swap = next(spec["swap"] for spec in trace["option_specs"] if spec["label"] == one["label"])
    if one["verdict"] == "accepted":
        why = f"repairs: reads like the reference from position {one['matches_at']} on"
    else:
        why = "a mirror image of the reference" if one["mirror"] else "another cyclic order"
    return f"{one['label']}  {_swap(swap):<9}{_numbered(one['loop'])}: {why}"


def _swap(swap: list[int]) -> str:
    return f"{swap[0]} and {swap[1]}"


def _numbered(loop: list[str]) -> str:
    return " ".join(f"{number}:{token}" for number, token in enumerate(loop, 1))


def _size(render_map: Any) -> str:
    return f"{render_map['width']} × {render_map['height']}"


def _short(digest: str) -> str:
    return digest[:SHOWN_DIGITS]


JUDGE = Judge(read_truth=read_truth, grade=rule, summary=summary, show=show)
