"""The prompt bundle: what a model reads beside the picture.

  wording       one of several texts that ask the same: how loops are read, that the clasp of both counts for nothing,
                when two are equal, what a card does, that exactly one card repairs; drawn evenly from a stream of its
                own
  answer form   how the answer is to be written: the letter alone, or the letter and the box of the card

The bundle is a file beside this one, named by PROMPT_BUNDLE; its digest is that of its bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from string import Template

from cwr_audits.scenes.cyclic_order.contract import PROMPT_BUNDLE, QUERY_KEY, SCENE_KEY, TASK_KEY
from cwr_audits.scenes.cyclic_order.sampling import draws
from cwr_solvers.jsontext import INSTANCE_BYTES, INSTANCE_DEPTH, Json, parse, pointer
from cwr_solvers.reading import as_map, as_name, as_object, as_text, refuse
from cwr_solvers.sampling import pick

ANSWER_ONLY, ANSWER_AND_ANNOTATION = "answer_only", "answer_and_annotation"
ANSWER_FORMS = (ANSWER_ONLY, ANSWER_AND_ANNOTATION)
FILE = Path(__file__).parent / "prompts" / f"{PROMPT_BUNDLE}.json"
KEYS = {"bundle": PROMPT_BUNDLE, "scene_key": SCENE_KEY, "task_key": TASK_KEY, "query_key": QUERY_KEY}


@dataclass(frozen=True, slots=True)
class Bundle:
    """Texts by the name of the wording, and by answer form; `digest` is the sha256 of the file."""

    wordings: Mapping[str, str]
    answer_forms: Mapping[str, str]
    digest: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is asked of one picture: a whole text for each answer form, and where it comes from."""

    wording: str
    bundle_sha256: str
    texts: Mapping[str, str]


@cache
def bundle() -> Bundle:
    """The bundle of the contract."""
    return read_bundle(FILE.read_bytes())


def read_bundle(data: bytes) -> Bundle:
    """The bundle that the bytes of a file are; raises MalformedInput."""
    stated = as_object(parse(data, INSTANCE_BYTES, INSTANCE_DEPTH), "", (*KEYS, "wordings", "answer_forms"))
    for key, wanted in KEYS.items():
        as_name(stated[key], pointer("", key), (wanted,), key)
    wordings = _texts(stated["wordings"], "/wordings")
    if not wordings:
        refuse("out-of-range", "/wordings", "at least one wording", "none")
    forms = _texts(as_object(stated["answer_forms"], "/answer_forms", ANSWER_FORMS), "/answer_forms")
    return Bundle(wordings, forms, sha256(data).hexdigest())


def _texts(value: Json, at: str) -> dict[str, str]:
    return {name: as_text(text, pointer(at, name)) for name, text in as_map(value, at).items()}


def prompt(instance_seed: str, width: int, height: int) -> Prompt:
    """The prompt of an instance whose picture has so many pixels."""
    asked = bundle()
    wording = pick(draws(instance_seed, f"wording {PROMPT_BUNDLE}"), tuple(asked.wordings))
    texts = {
        form: asked.wordings[wording] + "\n\n" + Template(text).substitute(width=width, height=height)
        for form, text in asked.answer_forms.items()
    }
    return Prompt(wording, asked.digest, texts)
