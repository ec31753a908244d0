"""Making an item of the cyclic-order scene: puzzle, picture, prompt and record, and its certificates where asked for.

  model/images/ID.png           the picture
  evaluator/pictures/ID.svg     the same before it was exported
  evaluator/certificates/ID/    the certificates of the puzzle and of its open sibling
The picture as SVG stays with the evaluator: it tells nothing by its names, but it is text, and the task is to look.
"""

from __future__ import annotations

import struct
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyvips

from cwr_audits.scenes import batches
from cwr_audits.scenes.cyclic_order.certifying import certified
from cwr_audits.scenes.cyclic_order.contract import Puzzle, Rendering
from cwr_audits.scenes.cyclic_order.drawing import draw
from cwr_audits.scenes.cyclic_order.prompts import FILE, Prompt, bundle, prompt
from cwr_audits.scenes.cyclic_order.raster import png
from cwr_audits.scenes.cyclic_order.records import Record, record, with_certificate, write_record
from cwr_audits.scenes.cyclic_order.sampling import CODE_VERSION, instance_seed, read_config, sample, write_config
from cwr_audits.scenes.parts import Export, Made, Maker
from cwr_audits.wire import Task
from cwr_solvers import sampling as streams
from cwr_solvers.errors import Disagreement
from cwr_solvers.jsontext import Json
from cwr_solvers.worlds import co

WORLD = Path(co.__file__).parent
PNG_SIZE = struct.Struct(">II")
PNG_SIZE_AT = 16  # after the signature, and length and name of the first chunk


def make(seed: str, index: int, config: Json, export: Export) -> Made:
    """The item of a batch at an index."""
    return made(instance_seed(seed, index), config, export)


def made(instance_seed: str, config: Json, export: Export) -> Made:
    """The item of an instance seed; raises MalformedInput for a bad configuration, and Disagreement."""
    asked = read_config(config)
    puzzle = sample(instance_seed, asked)
    rendering = draw(puzzle)
    image = png(rendering.svg, export.width) if export.png else None
    pixels = size_of(image) if image is not None else unexported(rendering, export.width)
    words = prompt(instance_seed, *pixels)
    found = record(puzzle, asked, rendering, words, pixels)
    files = {f"evaluator/pictures/{found.id}.svg": rendering.svg.encode("utf-8")}
    if image is not None:
        files[f"model/{_image(found.id)}"] = image
    if export.certify:
        found, proofs = _certified(found)
        files |= {f"evaluator/certificates/{found.id}/{name}": data for name, data in proofs.items()}
    item = _item(found.id, words, pixels, image is not None)
    return Made(found.id, files, item, write_record(found), _log(found.id, puzzle))


def answer(task: Task) -> list[dict[str, Any]]:
    """What batches.py asks of a worker; named here, so that a worker has the drawing loaded before it forks."""
    return batches.answer(task)


def size_of(image: bytes) -> tuple[int, int]:
    """Width and height of a PNG, as its header says."""
    width, height = PNG_SIZE.unpack_from(image, PNG_SIZE_AT)
    return int(width), int(height)


def unexported(rendering: Rendering, width: int | None) -> tuple[int, int]:
    """The size that the picture would be exported with."""
    if width is None:
        return rendering.width, rendering.height
    return width, max(1, (2 * rendering.height * width + rendering.width) // (2 * rendering.width))


def versions() -> dict[str, Json]:
    """What the items follow from beside seed and configuration."""
    sources = [*sorted(Path(__file__).parent.glob("*.py")), Path(streams.__file__), *sorted(WORLD.glob("*.py"))]
    code = sha256(b"".join(sha256(path.read_bytes()).digest() for path in sources)).hexdigest()
    return {
        "code_version": CODE_VERSION,
        "code_sha256": code,
        "bundle": FILE.stem,
        "bundle_sha256": bundle().digest,
        "pyvips": pyvips.__version__,
        "libvips": ".".join(str(pyvips.version(part)) for part in range(3)),
    }


def _image(name: str) -> str:
    return f"images/{name}.png"


def _item(name: str, words: Prompt, pixels: tuple[int, int], image: bool) -> dict[str, Json]:
    """What a model is given; `image` is null where none was exported."""
    return {
        "id": name,
        "image": _image(name) if image else None,
        "width": pixels[0],
        "height": pixels[1],
        "prompts": dict(words.texts),
    }


def _log(name: str, puzzle: Puzzle) -> tuple[dict[str, Json], ...]:
    redraws: list[dict[str, Json]] = [
        {"id": name, "event": "redraw", "swap": [one.first, one.second], "reason": one.reason} for one in puzzle.redraws
    ]
    misses: list[dict[str, Json]] = [
        {"id": name, "event": "near miss", "swap": [one.first, one.second], "reason": "mirror image"}
        for one in puzzle.options
        if one.option_id in puzzle.near_misses
    ]
    return (*redraws, *misses)


def _certified(found: Record) -> tuple[Record, dict[str, bytes]]:
    """The record with the certificate among its routes, and the files; raises Disagreement where they differ."""
    proved = certified(dict(found.instance))
    trace = found.execution_trace
    swaps = tuple(f"{first}-{second}" for first, second in trace.solver_trace.repairing_swaps)
    if (proved.answer, tuple(sorted(proved.repairs))) != (trace.answer_option_label, tuple(sorted(swaps))):
        sides = {
            "interpreter": f"{trace.answer_option_label} of {', '.join(swaps)}",
            "certificate": f"{proved.answer} of {', '.join(proved.repairs)}",
        }
        raise Disagreement(f"what repairs {found.id}", sides)
    return with_certificate(found), dict(proved.files)


MAKER = Maker(read_config=lambda value: write_config(read_config(value)), versions=versions, make=make)
