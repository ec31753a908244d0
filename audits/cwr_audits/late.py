"""Names resolved late: the only place where a "module:name" string becomes an object.

Late, because a command must not pay for (or be broken by) what it does not use: `cwr grade` loads no solver.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from cwr_audits.scenes.parts import Judge, Maker
from cwr_solvers.world import World

# command -> the function that does its work; the options are declared in cwr_audits.cli
COMMANDS: Mapping[str, str] = {
    "generate": "cwr_audits.commands.generate:generate",
    "show-scene": "cwr_audits.commands.scene:show",
    "grade-scene": "cwr_audits.commands.scene:grade_one",
    "grade-scene-lines": "cwr_audits.commands.scene:grade_lines",
    "list": "cwr_audits.commands.look:list_worlds",
    "show": "cwr_audits.commands.look:show_world",
    "grade": "cwr_audits.commands.judge:grade_one",
    "grade-lines": "cwr_audits.commands.judge:grade_lines",
    "trace": "cwr_audits.commands.judge:trace",
    "step": "cwr_audits.commands.judge:step",
    "certify": "cwr_audits.commands.certify:certify_all",
    "check": "cwr_audits.commands.checks:check_all",
    "conform": "cwr_audits.commands.conform:conform",
    "conform-serve": "cwr_audits.commands.conform:serve",
    "attack": "cwr_audits.commands.attack:attack",
    "alternatives": "cwr_audits.commands.alternatives:alternatives",
    "why-not": "cwr_audits.commands.why_not:why_not",
    "audit-motifs": "cwr_audits.commands.audit:motifs",
    "audit-scene": "cwr_audits.commands.audit_scene:audit_scene",
    "report": "cwr_audits.commands.report:report",
    "explore": "cwr_audits.commands.explore:explore",
    "audit-pack": "cwr_audits.commands.auditing:audit_pack",
    "pack": "cwr_audits.commands.pack:pack",
    "score": "cwr_audits.commands.score:score",
    "freeze": "cwr_audits.commands.freezing:freeze",
    "verify": "cwr_audits.commands.freezing:verify",
    "diff": "cwr_audits.commands.differing:diff",
    "power": "cwr_audits.commands.power:power",
    "seal": "cwr_audits.commands.sealing:seal_plan",
    "reveal": "cwr_audits.commands.sealing:reveal",
    "ledger-add": "cwr_audits.commands.ledger:add",
    "ledger-show": "cwr_audits.commands.ledger:show",
    "ledger-verify": "cwr_audits.commands.ledger:verify",
}

# route -> the function that answers in a worker of its own: (task) -> reply, see cwr_audits.wire
ROUTES: Mapping[str, str] = {
    "interpreter": "cwr_audits.engines.interpreter:answer",
    "cpsat": "cwr_audits.engines.cpsat:answer",
    "smt": "cwr_audits.engines.smt:answer",
    "cnf": "cwr_audits.engines.cnf:answer",
}

# route -> the function that attacks its encoding: (task) -> reply, see cwr_audits.attacks.asked
ATTACKS: Mapping[str, str] = {
    "interpreter": "cwr_audits.attacks.by_interpreter:answer",
    "cpsat": "cwr_audits.attacks.by_cpsat:answer",
    "smt": "cwr_audits.attacks.by_smt:answer",
    "cnf": "cwr_audits.attacks.by_cnf:answer",
}

# what `cwr alternatives` needs where nothing is stored yet, and what it asks in workers: the whole space; some words of
# a claim; whether there is none; the motifs of words
LISTED = "cwr_audits.asking:listed"
SOLVED = "cwr_audits.asking:solved"
SPACE = "cwr_audits.engines.space:answer"
SOME = "cwr_audits.engines.some:answer"
NONE = "cwr_audits.engines.none:answer"
VERDICTS = "cwr_audits.engines.verdicts:answer"

# what `cwr why-not` asks in a worker, and how; and {word: {motif: whether it holds}} by the graph predicates
CONFLICT = "cwr_audits.engines.conflict:answer"
ASKED = "cwr_audits.asking:ask"
HOLDS = "cwr_audits.asking:holds_of"

# what simulates experiments in a worker: (task) -> results
SIMULATED = "cwr_audits.scoring.experiments:answer"

# family -> its world; cwr_solvers.catalogue has all of them loaded
WORLDS: Mapping[str, str] = {
    "TW": "cwr_solvers.worlds.tw.world:WORLD",
    "TP": "cwr_solvers.worlds.tp.world:WORLD",
    "BC": "cwr_solvers.worlds.bc.world:WORLD",
    "KL": "cwr_solvers.worlds.kl.world:WORLD",
    "RS": "cwr_solvers.worlds.rs.world:WORLD",
    "PS": "cwr_solvers.worlds.ps.world:WORLD",
    "PA": "cwr_solvers.worlds.pa.world:WORLD",
    "FT": "cwr_solvers.worlds.ft.world:WORLD",
    "CO": "cwr_solvers.worlds.co.world:WORLD",
}

PROVER = "cwr_audits.engines.cnf:prove"

# what answers in the workers that audit packs
AUDITOR = "cwr_audits.packs.auditing:answer"

# worker -> the function that answers in it when motifs are audited: (task) -> reply, see cwr_audits.readings
READERS: Mapping[str, str] = {
    "graph": "cwr_audits.readings.by_graph:answer",
    "rates": "cwr_audits.readings.by_graph:answer",
    "clauses": "cwr_audits.readings.by_clauses:answer",
    "cpsat": "cwr_audits.readings.by_cpsat:answer",
    "smt": "cwr_audits.readings.by_smt:answer",
    "prover": PROVER,
}

# family -> the function that draws a submission's first steps; three of them load a library for layout
DRAW: Mapping[str, str] = {
    "TW": "cwr_audits.pictures.tw:draw",
    "TP": "cwr_audits.pictures.tp:draw",
    "BC": "cwr_audits.pictures.bc:draw",
    "KL": "cwr_audits.pictures.kl:draw",
    "RS": "cwr_audits.pictures.rs:draw",
    "PS": "cwr_audits.pictures.ps:draw",
    "PA": "cwr_audits.pictures.pa:draw",
    "FT": "cwr_audits.pictures.ft:draw",
    "CO": "cwr_audits.pictures.co:draw",
}

# scene -> what makes its items, which loads what drawing needs; what grades and tells of them, which loads none of it
SCENES: Mapping[str, str] = {
    "cyclic_order": "cwr_audits.scenes.cyclic_order.making:MAKER",
}
SCENE_JUDGES: Mapping[str, str] = {
    "cyclic_order": "cwr_audits.scenes.cyclic_order.evaluating:JUDGE",
}

# scene -> what makes its items in a worker, which has all loaded before it forks: (task) -> items
SCENE_WORKERS: Mapping[str, str] = {
    "cyclic_order": "cwr_audits.scenes.cyclic_order.making:answer",
}

# scene -> what audits its items in workers: (task) -> a reply for each item
SCENE_AUDITORS: Mapping[str, Mapping[str, str]] = {
    "cyclic_order": {
        "interpreter": "cwr_audits.scenes.cyclic_order.auditing.by_interpreter:answer",
        "cpsat": "cwr_audits.scenes.cyclic_order.auditing.by_cpsat:answer",
        "smt": "cwr_audits.scenes.cyclic_order.auditing.by_smt:answer",
        "certificate": "cwr_audits.scenes.cyclic_order.auditing.by_certificate:answer",
        "pictures": "cwr_audits.scenes.cyclic_order.auditing.by_pictures:answer",
    },
}

# what only people at a terminal need: tables on standard output, progress on standard error
TABLE = "cwr_audits.tables:table"
PROGRESS = "cwr_audits.progress:shown"


def resolve(name: str) -> Callable[..., Any]:
    """The function that "module:function" names. Raises ImportError or AttributeError when there is none."""
    found: Callable[..., Any] = _named(name)
    return found


def world(family: str) -> World:
    """The world of a family of WORLDS."""
    found: World = _named(WORLDS[family])
    return found


def scene_maker(scene: str) -> Maker:
    """What makes the items of a scene of SCENES."""
    found: Maker = _named(SCENES[scene])
    return found


def scene_judge(scene: str) -> Judge:
    """What grades answers to the items of a scene of SCENES."""
    found: Judge = _named(SCENE_JUDGES[scene])
    return found


def _named(name: str) -> Any:
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)
