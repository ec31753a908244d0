"""Building a pack: drafts of every condition, keys confirmed, ids given.

The salt of the ids follows from the seed, which stays with the evaluator (evaluator/pack.json): who has neither cannot
tell from an id what it names. Certificates of targets are those that are issued; those of sources come from `certify`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256

from cwr_audits.packs.compound import s_drafts
from cwr_audits.packs.confirm import confirm
from cwr_audits.packs.diagnostics import e_drafts, p_drafts, r_drafts
from cwr_audits.packs.drafts import Draft, Target
from cwr_audits.packs.model import ARMS, CANARY, CONDITIONS, SALT_DIGITS, EvaluatorRow, ModelRow, Pack, opaque
from cwr_audits.packs.sources import Source
from cwr_audits.subject import Subject
from cwr_solvers.errors import Disagreement
from cwr_solvers.jsontext import Json


def build(
    targets: Sequence[Subject],
    sources: Sequence[Source],
    certificates: Mapping[str, bytes],
    seed: str,
    tell: Callable[[str], None],
) -> Pack:
    """The pack of these targets. Raises Disagreement where a key is not confirmed or two items have one prompt, and
    Undecided where an item of some kind was not found."""
    salt = sha256(f"salt {seed}".encode()).hexdigest()[:SALT_DIGITS]
    drafts: list[tuple[str, Draft]] = []
    for about in targets:
        tell(f"{about.code}: making items")
        drafts += [(about.code, draft) for draft in _drafts(Target(about, seed), sources)]
    _refuse_doubles([draft.prompt for _, draft in drafts])
    rows = [_rows(salt, code, number, draft) for number, (code, draft) in enumerate(drafts)]
    ours = [one for one in sources if one.target in {about.code for about in targets}]
    sourced = {one.target for one in ours}
    return Pack(
        seed,
        salt,
        tuple(about.code for about in targets),
        tuple(about.code for about in targets if about.code not in sourced),
        tuple(model for model, _ in rows),
        tuple(evaluator for _, evaluator in rows),
        {f"{one.code}.json": _source_json(one) for one in ours},
        certificates,
    )


def _drafts(target: Target, sources: Sequence[Source]) -> Iterator[Draft]:
    made = [*p_drafts(target), *r_drafts(target), *e_drafts(target)]
    own = {one.arm: one for one in sources if one.target == target.about.code}
    if set(own) == set(ARMS):
        made += s_drafts(target, own)
    for draft in made:
        confirm(draft.world, draft.instance, list(draft.rests_on))
        yield draft


def _refuse_doubles(prompts: Sequence[str]) -> None:
    doubled = {prompt for prompt in prompts if prompts.count(prompt) > 1}
    if doubled:
        raise Disagreement("the prompts of a pack", {"pack": f"{len(doubled)} come twice", "contract": "each once"})


def _rows(salt: str, code: str, number: int, draft: Draft) -> tuple[ModelRow, EvaluatorRow]:
    """The two rows of an item; each item is a session of its own."""
    words = (code, draft.condition, str(number))
    item, session = opaque(salt, "item", *words), opaque(salt, "session", *words)
    condition = next(one for one in CONDITIONS if one == draft.condition)
    known = EvaluatorRow(
        item=item,
        session=session,
        world=code,
        family=draft.replica.family,
        condition=condition,
        base=draft.replica.base,
        replica=draft.kind,
        wording=draft.wording,
        instance=draft.replica.source,
        key=draft.key,
        made=draft.made,
    )
    return ModelRow(item, session, draft.prompt), known


def _source_json(one: Source) -> Json:
    return {
        "arm": one.arm,
        "canary": CANARY,
        "code": one.target,
        "design": one.design,
        "instance": one.source,
        "shown": one.shown,
    }
