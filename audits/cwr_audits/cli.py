"""The command line `cwr`: its grammar. What a command does is named in `cwr_audits.late` and loaded when it is called.

Every error that a person can cause is one line on standard error; exit codes are listed in `cwr_audits.out`.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import Any, NoReturn

import click

from cwr_audits.attempts import Failed, attempt
from cwr_audits.late import COMMANDS, SCENES, resolve
from cwr_audits.out import HUNG_UP, INTERRUPTED, MALFORMED, TERMINATED, UNREAD, give_up, say_error
from cwr_audits.scenes.parts import Export

EXIT_CODES = """\b
Exit codes: 0 accepted or verified, 1 rejected or illegal, 2 wrong usage or
malformed input, 3 undecided, 4 routes disagree, 70 internal error."""

CONFORM_CODES = """\b
Exit codes: 0 all cases agree, 1 some differ, 2 wrong usage, 3 undecided
(no answer, or a broken protocol)."""

ATTACK_CODES = """\b
Exit codes: 0 no holes, 1 holes, 2 wrong usage, 3 undecided: no hole was
found, but something is open."""

ALTERNATIVES_CODES = """\b
Exit codes: 0 all that matches is known (some of it shown), 1 proved that
nothing matches, 2 wrong usage or malformed input, 3 not all is known: a
limit came first, 4 routes disagree, 70 internal error."""

SCORE_CODES = """\b
Exit codes: 0 scored, 2 wrong usage, or a run or pack that is refused, 3 scored,
but undecided, as too little is there for the planned test."""

FREEZE_CODES = """\b
Exit codes: 0 frozen or verified, 1 refused (an audit failed, a certificate is
not true, a byte is not what it was), 2 wrong usage or no pack, 3 undecided: a
limit came first, 4 routes disagree, 70 internal error."""

AUDIT_PACK_CODES = """\b
Exit codes: 0 all audits passed, 1 some failed, 2 wrong usage or no pack, 3
undecided: a limit came first, 70 internal error."""

DIFF_CODES = """\b
Exit codes: 0 results can be compared, by item or by base, 1 some cannot, 2
wrong usage or no frozen pack, 70 internal error."""

WHY_NOT_CODES = """\b
Exit codes: 0 nothing stands against it (accepted, or there is a solution of
the request), 1 rejected or illegal, or no solution is like that, 2 wrong usage
or malformed input, 3 undecided, or there is none but no explanation by rules,
4 routes disagree, 70 internal error."""

STORE = "Folder of stored spaces  [default: CWR_STORE, or the user's cache folder]"
CERTIFICATES = "Folder of the certificates  [default: certificates/issued in the checkout of cwr]"
CERTIFIED = "Folder of the certificates  [default: certificates/issued in the checkout of cwr; for showcases only]"
NEAREST = "The nearest first: to the witness, or to this submission, which need not be accepted."
AUDIT_CODES = """\b
Exit codes: 0 all labels are decided and all routes that were asked agree,
1 a certificate is refused, 2 wrong usage or malformed input, 3 a label or a
route is undecided, 4 routes disagree, 70 internal error. Whether a label
survives a larger bound may be undecided without that."""

AUDIT_SCENE_CODES = """\b
Exit codes: 0 nothing is wrong, 1 something is refused or nothing was examined,
2 wrong usage, 3 a route, a picture or the balance of an axis is undecided,
4 routes disagree, 70 internal error."""

LINES = """With --jsonl each line is answered by one line of JSON, in order. A line is a submission, or an envelope:

\b
  {"submission": {...}}            the submission as JSON, or
  {"text": "..."}                  the text as the solver wrote it
  "id": a string or an integer     optional, repeated in the answer
  "prose": a string                optional; is not read and moves no verdict

\b
A submission is judged as the text that stands there, as if it came in a file
of its own; when it is malformed, the answer still has the id.
What is no envelope is judged as a submission (a broken line is a malformed
one); a broken envelope, or a line over 1 MiB, is answered with "verdict": null
and an "error"; the next line is read either way. The exit code is 0 when every
line is accepted, 2 when a line or a submission is malformed or there is no
line, else 1.

Of a folder of items, a line is an envelope whose id names the item. One without an id, or that is no JSON, names
none: it has "verdict": null and an "error" that says which it is, and counts as malformed."""

as_json = click.option("--json", "json_out", is_flag=True, help="One line of JSON instead of text for people.")
code_argument = click.argument("code", metavar="CODE|INSTANCE-FILE")
file_argument = click.argument("file", metavar="FILE|-")


@click.group(epilog=EXIT_CODES, no_args_is_help=False, context_settings={"help_option_names": ["-h", "--help"]})
def cli() -> None:
    """Verify small synthetic worlds so that nobody has to be believed."""


@cli.command("list", epilog=EXIT_CODES)
@as_json
def list_command(json_out: bool) -> int:
    """List the worlds."""
    return _do("list", json_out)


@cli.command("show", epilog=EXIT_CODES)
@code_argument
@click.option("--svg", metavar="FILE", help="Write the picture of the witness (or of --submission) here.")
@click.option("--submission", metavar="FILE|-", help="The submission to draw instead of the witness.")
@click.option("--step", type=click.IntRange(min=0), help="Draw up to this step only.")
@click.option("--item", metavar="ID", help="Of a folder of items (cwr generate): show this one.")
@click.option("--seed", metavar="TEXT", help="Of a scene: show the item that this seed gives.")
@click.option("--index", type=click.IntRange(min=0), default=0, show_default=True, help="Which item of the seed.")
@as_json
def show_command(
    code: str, svg: str | None, submission: str | None, step: int | None, json_out: bool, **scene: Any
) -> int:
    """Show a world: instance, rules, motifs, where its formats stand, a witness to write submissions by; draw it.

    Show a scene's items: of a folder that cwr generate made, or of a seed (docs/cyclic-order.md).
    """
    if os.path.isdir(code) or code in SCENES:
        return _do("show-scene", code, scene["item"], scene["seed"], scene["index"], svg, json_out)
    return _do("show", code, svg, submission, step, json_out)


@cli.command("generate", epilog=EXIT_CODES)
@click.argument("scene", metavar="SCENE")
@click.option("--seed", required=True, metavar="TEXT", help="What every draw and every id follows from; keep it.")
@click.option("-n", "number", type=click.IntRange(1, 1_000_000), required=True, metavar="N", help="How many items.")
@click.option("--out", required=True, metavar="DIR", help="A new folder; an interrupted run goes on.")
@click.option("--config", metavar="FILE|-", help="The values of each axis, as JSON (docs/cyclic-order.md).")
@click.option("--tokens", metavar="LOW-HIGH|N,N,...", help="How many tokens a loop has.")
@click.option("--no-png", "png", is_flag=True, default=True, flag_value=False, help="Everything but the images.")
@click.option("--size", "width", type=click.IntRange(256, 4096), metavar="PIXELS", help="Width of the images.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes that draw.")
@click.option("--certify", is_flag=True, help="Add checked certificates that one option repairs, and what else would.")
@as_json
def generate_command(scene: str, seed: str, number: int, out: str, json_out: bool, **rest: Any) -> int:
    """Make items of a scene: images and prompts for models, records for evaluators; the same seed, the same bytes."""
    export = Export(rest["width"], rest["png"], rest["certify"])
    return _do("generate", scene, seed, number, out, rest["config"], rest["tokens"], export, rest["workers"], json_out)


@cli.command("grade", epilog=f"{LINES}\n\n{EXIT_CODES}")
@code_argument
@file_argument
@click.option("--jsonl", is_flag=True, help="Grade a stream of submissions, one JSON object a line.")
@click.option("--explain", is_flag=True, help="Tell what was found and what was needed, and of what rule and step.")
@click.option("--item", metavar="ID", help="Of a folder of items (cwr generate): the item that is answered.")
@click.option("--annotated", is_flag=True, help="Of a folder of items: the annotation must be there.")
@as_json
def grade_command(
    code: str, file: str, jsonl: bool, explain: bool, item: str | None, annotated: bool, json_out: bool
) -> int:
    """Grade one submission (JSON as in the witness of `cwr show CODE`), or a stream of them.

    Where CODE is a folder that cwr generate made, grade answers to its items: one to --item, or with --jsonl a stream
    whose ids name items (docs/cyclic-order.md).
    """
    if os.path.isdir(code):
        if jsonl:
            return _do("grade-scene-lines", code, file, annotated, explain)
        return _do("grade-scene", code, file, item, annotated, explain, json_out)
    return _do("grade-lines", code, file) if jsonl else _do("grade", code, file, explain, json_out)


@cli.command("trace", epilog=EXIT_CODES)
@code_argument
@file_argument
@as_json
def trace_command(code: str, file: str, json_out: bool) -> int:
    """Replay a submission; print first illegal step, final state, and whether the goal is met: an E answer."""
    return _do("trace", code, file, json_out)


@cli.command("step", epilog=EXIT_CODES)
@code_argument
@click.option("--state", required=True, metavar="FILE|-", help="The state, as JSON; final_state of `cwr trace` is one.")
@click.option("--move", required=True, metavar="FILE|-", help="The move, as JSON: one item of a submission.")
@click.option("--explain", is_flag=True, help="Name the rules that are broken.")
@as_json
def step_command(code: str, state: str, move: str, explain: bool, json_out: bool) -> int:
    """Make one move in one state, and print whether it is legal, and the next state: a P answer."""
    return _do("step", code, state, move, explain, json_out)


@cli.command("certify", epilog=EXIT_CODES)
@click.argument("codes", nargs=-1, metavar="[CODE|INSTANCE-FILE]...")
@click.option("--out", metavar="DIR", help=CERTIFIED)
@click.option(
    "--time-limit",
    type=float,
    default=60.0,
    show_default=True,
    help="Seconds that each route may take for a world.",
)
@as_json
def certify_command(codes: tuple[str, ...], out: str | None, time_limit: float, json_out: bool) -> int:
    """Solve worlds by every route, compare, and issue checked certificates (all showcases when none is named)."""
    return _do("certify", codes, out, time_limit, json_out)


@cli.command("check", epilog=EXIT_CODES)
@click.argument("certificates", nargs=-1, required=True, metavar="CERTIFICATE...")
@click.option("--instance", metavar="FILE", help="Demand that the certificate is of this instance.")
@click.option("--time-limit", type=float, default=600.0, show_default=True, help="Seconds for each certificate.")
@as_json
def check_command(certificates: tuple[str, ...], instance: str | None, time_limit: float, json_out: bool) -> int:
    """Check certificates, each a folder or its document; as `python certificates`, which needs nothing installed."""
    return _do("check", certificates, instance, time_limit, json_out)


@cli.command("conform", epilog=CONFORM_CODES)
@click.option("--command", metavar="CMD", help="The grader to examine; split into words, run without a shell.")
@click.option("--serve", is_flag=True, help="Be a grader: answer the requests on standard input.")
@click.option("--world", "families", multiple=True, metavar="FAMILY", help="Cases of this family only (repeatable).")
@click.option("--corpus", metavar="FOLDER", help="The cases  [default: tests/corpus]")
@click.option("--no-codes", is_flag=True, help="Compare verdict and step, not the reason codes.")
@click.option("--time-limit", type=float, default=120.0, show_default=True, help="Seconds for all cases.")
@click.option("--case-limit", type=float, default=10.0, show_default=True, help="Seconds until the next answer.")
@as_json
def conform_command(command: str | None, serve: bool, no_codes: bool, json_out: bool, **rest: Any) -> int:
    """Hold a grader to the conformance corpus; docs/conformance.md has the protocol."""
    if serve:
        return _do("conform-serve")
    patience = (rest["time_limit"], rest["case_limit"])
    return _do("conform", command, rest["families"], rest["corpus"], patience, not no_codes, json_out)


@cli.command("attack", epilog=ATTACK_CODES)
@click.argument("codes", nargs=-1, metavar="[CODE|INSTANCE-FILE]...")
@click.option("--corpus", metavar="FOLDER", help="The cases  [default: tests/corpus]")
@click.option("--time-limit", type=float, default=120.0, show_default=True, help="Seconds for each route and world.")
@click.option("--keep", is_flag=True, help="Keep the counts in audits/issued, for the report.")
@as_json
def attack_command(codes: tuple[str, ...], corpus: str | None, time_limit: float, keep: bool, json_out: bool) -> int:
    """Attack worlds: neighbours of answers, mutants of graders and encodings, rules that bite alone."""
    return _do("attack", codes, corpus, time_limit, keep, json_out)


@cli.command("alternatives", epilog=ALTERNATIVES_CODES)
@code_argument
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Show at most so many.")
@click.option("--classes", is_flag=True, help="Show classes instead of words.")
@click.option("--where", multiple=True, metavar="SQL", help="A condition on the table of classes (repeatable).")
@click.option(
    "--with",
    "having",
    multiple=True,
    metavar="MOTIF",
    help="The motif holds (repeatable); cwr show names them.",
)
@click.option("--without", "lacking", multiple=True, metavar="MOTIF", help="The motif does not hold (repeatable).")
@click.option("--require", "required", multiple=True, metavar="STEP", help="The step occurs: JSON, or a plain name.")
@click.option("--forbid", "forbidden", multiple=True, metavar="STEP", help="The step does not occur (repeatable).")
@click.option("--at-cost", "cost", type=click.IntRange(min=0), help="The cost is exactly this.")
@click.option("--nearest", is_flag=False, flag_value="the witness", metavar="[FILE|-]", help=NEAREST)
@click.option("--farthest", is_flag=False, flag_value="the witness", metavar="[FILE|-]", help="The farthest first.")
@click.option("--diverse", type=click.IntRange(min=1), metavar="K", help="So many, each far from those before it.")
@click.option("--format", "form", type=click.Choice(["table", "json", "csv", "parquet", "svg"]), default="table")
@click.option("--out", metavar="FILE", help="Write here instead of to standard output.")
@click.option("--store", "place", metavar="DIR", help=STORE)
@click.option("--time-limit", "seconds", type=float, default=60.0, show_default=True, help="Seconds for each part.")
@as_json
def alternatives_command(code: str, json_out: bool, **asked: Any) -> int:
    """Show other solutions: by motif, step, cost or condition; the nearest, the farthest, or some that differ."""
    return _do("alternatives", code, {**asked, "form": "json" if json_out else asked["form"]})


@cli.command("why-not", epilog=WHY_NOT_CODES)
@code_argument
@click.argument("file", required=False, metavar="[FILE|-]")
@click.option("--with", "having", multiple=True, metavar="MOTIF", help="A solution in which the motif holds.")
@click.option("--without", "lacking", multiple=True, metavar="MOTIF", help="A solution in which it does not hold.")
@click.option(
    "--require", "required", multiple=True, metavar="STEP", help="A solution with the step (JSON, or a name)."
)
@click.option("--forbid", "forbidden", multiple=True, metavar="STEP", help="A solution without the step.")
@click.option("--at-cost", "cost", type=click.IntRange(min=0), help="A solution of exactly this cost.")
@click.option("--limit", type=click.IntRange(min=1), default=3, show_default=True, help="Nearest solutions to show.")
@click.option("--out", metavar="DIR", help="A new folder for the certificate of the conflict.")
@click.option("--store", "place", metavar="DIR", help=STORE)
@click.option("--time-limit", "seconds", type=float, default=60.0, show_default=True, help="Seconds for each part.")
@as_json
def why_not_command(code: str, file: str | None, json_out: bool, **asked: Any) -> int:
    """Say why a submission is not accepted, or why no solution is as asked: the smallest set of rules in conflict.

    Without FILE and without a request: why there is no solution at all.
    """
    return _do("why-not", code, file, {**asked, "json_out": json_out})


@cli.group("audit", epilog=AUDIT_CODES, no_args_is_help=False)
def audit_group() -> None:
    """Audit what the solutions of worlds have in common, packs, and scenes."""


@audit_group.command("pack", epilog=AUDIT_PACK_CODES)
@click.argument("folder", metavar="FOLDER")
@click.option("--time-limit", type=float, default=600.0, show_default=True, help="Seconds for each audit.")
@click.option("--json", "json_out", is_flag=True, help="One line of JSON for each audit, with its evidence.")
def audit_pack_command(folder: str, time_limit: float, json_out: bool) -> int:
    """Say what every audit says of a built or frozen pack (docs/audits.md)."""
    return _do("audit-pack", folder, time_limit, json_out)


@audit_group.command("motifs", epilog=AUDIT_CODES)
@click.argument("codes", nargs=-1, metavar="[CODE|INSTANCE-FILE]...")
@click.option("--time-limit", type=float, default=60.0, show_default=True, help="Seconds for each question to a route.")
@click.option("--random", type=int, default=40, show_default=True, help="Random instances for each base rate.")
@click.option("--keep", is_flag=True, help="Keep the results beside the audits, for the report.")
@click.option("--json", "json_out", is_flag=True, help="One line of JSON for each world and reading.")
def audit_motifs_command(codes: tuple[str, ...], time_limit: float, random: int, keep: bool, json_out: bool) -> int:
    """Label every reading of every motif, and say who agrees, whether it survives a larger bound, how common it is."""
    return _do("audit-motifs", codes, time_limit, random, keep, json_out)


@audit_group.command("scene", epilog=AUDIT_SCENE_CODES)
@click.argument("scene", metavar="SCENE")
@click.option("--seed", default="public", show_default=True, metavar="TEXT", help="As of cwr generate.")
@click.option("-n", "number", type=click.IntRange(1, 1_000_000), default=2000, show_default=True, help="Puzzles.")
@click.option("--seen", type=click.IntRange(min=0), default=400, show_default=True, help="Pictures of them to look at.")
@click.option("--again", type=click.IntRange(min=0), default=40, show_default=True, help="Items to make thrice.")
@click.option("--workers", "lanes", type=click.IntRange(1, 64), default=2, show_default=True, help="Of every kind.")
@click.option(
    "--time-limit",
    "seconds",
    type=float,
    default=300.0,
    show_default=True,
    help="Seconds for twenty puzzles and a route.",
)
@click.option("--chunks", metavar="DIR", help="Keep what is finished here; the same command goes on from it.")
@click.option("--keep", is_flag=True, help="Keep the outcome in audits/issued, for the report.")
@as_json
def audit_scene_command(scene: str, chunks: str | None, keep: bool, json_out: bool, **asked: Any) -> int:
    """Judge all puzzles of a seed by every route, look at their pictures, and test whether the axes are even."""
    return _do("audit-scene", scene, asked, chunks, keep, json_out)


@cli.command("report", epilog=EXIT_CODES)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 when VERIFICATION.md is not what it should be.")
@as_json
def report_command(check: bool, json_out: bool) -> int:
    """Write VERIFICATION.md from the fixtures, the certificates and the audits' results."""
    return _do("report", check, json_out)


@cli.command("pack", epilog=EXIT_CODES)
@click.argument("codes", nargs=-1, metavar="[CODE]...")
@click.option("--out", required=True, metavar="DIR", help="A new folder for the pack.")
@click.option("--seed", required=True, metavar="TEXT", help="What every draw and every id follows from; keep it.")
@click.option("--time-limit", type=float, default=60.0, show_default=True, help="Seconds for each route and world.")
@as_json
def pack_command(codes: tuple[str, ...], out: str, seed: str, time_limit: float, json_out: bool) -> int:
    """Build the pack of showcases: items for models, keys for evaluators (docs/packs.md)."""
    return _do("pack", codes, out, seed, time_limit, json_out)


@cli.command("score", epilog=SCORE_CODES)
@click.argument("runs", nargs=-1, required=True, metavar="RUN.jsonl|-...")
@click.option("--pack", "folder", required=True, metavar="DIR", help="The pack that the run is of.")
@click.option("--preregistration", metavar="FILE", help="The plan, as cwr power wrote it; what departs is refused.")
@click.option("--families", type=click.Choice(["fixed", "random"]), help="What families are  [default: fixed]")
@click.option("--test", type=click.Choice(["sign-flip", "t"]), help="The test that decides  [default: sign-flip]")
@click.option("--alpha", metavar="DECIMAL", help="Level of the test; intervals have 1 - alpha  [default: 0.05]")
@click.option("--missing", type=click.Choice(["drop", "bounds"]), help="Policy for missing items  [default: drop]")
@click.option("--seal", "sealed", metavar="FILE", help="The seal.json whose root the rows cite.")
@click.option("--reveal", "revealed", metavar="FILE", help="Openings that show that the root binds this pack.")
@click.option("--unfrozen", is_flag=True, help="Score a trial over a pack without manifest.")
@click.option("--out", metavar="FILE", help="Write the whole report here, as JSON.")
@as_json
def score_command(
    runs: tuple[str, ...], folder: str, unfrozen: bool, out: str | None, json_out: bool, **rest: Any
) -> int:
    """Score runs (trials) of a pack: outcomes, differences of the arms, interval, exact test, bounds."""
    asked = {name: rest[name] for name in ("alpha", "families", "missing", "test")}
    seal = (rest["sealed"], rest["revealed"])
    return _do("score", runs, folder, seal, unfrozen, rest["preregistration"], asked, out, json_out)


@cli.command("freeze", epilog=FREEZE_CODES)
@click.argument("folder", metavar="DIR")
@click.option("--out", required=True, metavar="FROZEN", help="A new folder for the frozen pack.")
@click.option("--waivers", metavar="FILE", help='Audits to be waived: {"waivers":[{"audit","reason"}]}.')
@click.option(
    "--time-limit", type=float, default=600.0, show_default=True, help="Seconds for each certificate and audit."
)
@click.option("--keep", is_flag=True, help="Keep the outcome in audits/issued, for the report.")
@as_json
def freeze_command(folder: str, out: str, waivers: str | None, time_limit: float, keep: bool, json_out: bool) -> int:
    """Check and audit a built pack; freeze it, or say every reason against it (docs/freezing.md)."""
    return _do("freeze", folder, out, waivers, time_limit, keep, json_out)


@cli.command("verify", epilog=FREEZE_CODES)
@click.argument("folder", metavar="FROZEN")
@click.option("--digest", metavar="SHA256", help="Demand that the manifest has this digest.")
@click.option(
    "--time-limit", type=float, default=600.0, show_default=True, help="Seconds for each certificate and audit."
)
@as_json
def verify_command(folder: str, digest: str | None, time_limit: float, json_out: bool) -> int:
    """Verify a frozen pack from its bytes: digests, certificates, audits, waivers."""
    return _do("verify", folder, digest, time_limit, json_out)


@cli.command("diff", epilog=DIFF_CODES)
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@as_json
def diff_command(old: str, new: str, json_out: bool) -> int:
    """Say what differs between two frozen packs, and whether results on them can be compared."""
    return _do("diff", old, new, json_out)


@cli.command("power", epilog=EXIT_CODES)
@click.argument("config", metavar="[CONFIG.json|-]", required=False)
@click.option("--effect", metavar="DECIMAL", help="Of F over C, on the scale.")
@click.option("--scale", metavar="SCALE", help="probability or logit.")
@click.option("--baseline", metavar="DECIMAL", help="The C rate of a base without deviation.")
@click.option("--baseline-spread", metavar="BASE,FAMILY", help="Standard deviations of the baseline.")
@click.option("--effect-spread", metavar="BASE,FAMILY", help="Standard deviations of the effect.")
@click.option("--replica-correlation", metavar="DECIMAL", help="Of two replicas of one base and arm.")
@click.option("--trial-correlation", metavar="DECIMAL", help="Of two trials of one replica; no less.")
@click.option("--undecided", metavar="F,C", help="Shares of undecided rows.")
@click.option("--attrition", metavar="F,C", help="Shares of missing rows.")
@click.option("--bases", metavar="N", help="Bases in all.")
@click.option("--families", metavar="N", help="Families that the bases are spread over.")
@click.option("--families-are", metavar="WORD", help="fixed or random.")
@click.option("--replicas", metavar="N", help="Replicas of each base in each arm.")
@click.option("--trials", metavar="N", help="Trials of each replica.")
@click.option("--test", metavar="TEST", help="sign-flip or t.")
@click.option("--alpha", metavar="DECIMAL", help="Level of the test.")
@click.option("--missing", metavar="POLICY", help="drop or bounds.")
@click.option("--target", metavar="DECIMAL", help="Power to find a number of bases for.")
@click.option("--most-bases", metavar="N", help="Search no further than this.")
@click.option("--replica-ladder", metavar="N,N,...", help="Numbers of replicas to tell power at.")
@click.option("--tolerance", metavar="DECIMAL", help="A gain in power of less is a plateau.")
@click.option("--simulations", metavar="N", help="Simulated experiments at each point.")
@click.option("--seed", metavar="TEXT", help="What every draw follows from.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes that simulate.")
@click.option("--out", metavar="DIR", help="Folder for preregistration.json and power.svg; an interrupted run goes on.")
@as_json
def power_command(config: str | None, workers: int, out: str | None, json_out: bool, **words: str | None) -> int:
    """Simulate experiments on new bases, analysed as cwr score does: power, errors, bases that are needed."""
    return _do("power", config, words, workers, out, json_out)


@cli.command("seal", epilog=EXIT_CODES)
@click.argument("plan", metavar="PLAN|-")
@click.option("--out", required=True, metavar="DIR", help="A new folder for seal.json and opening.secret.json.")
@click.option("--anchor", metavar="TEXT", help="Where the time of sealing is attested (it is repeated, not checked).")
@as_json
def seal_command(plan: str, out: str, anchor: str | None, json_out: bool) -> int:
    """Commit to seeds, tiers, rules, exclusions, an analysis plan and packs; docs/sealing.md has the formats."""
    return _do("seal", plan, out, anchor, json_out)


@cli.command("reveal", epilog=EXIT_CODES)
@click.argument("file", metavar="OPENING|REVEAL|-")
@click.option("--seal", "sealed", required=True, metavar="FILE", help="The seal.json that was published.")
@click.option("--item", "items", multiple=True, metavar="KIND/NAME", help="Open this item only (repeatable).")
@click.option("--out", metavar="FILE", help="Write the openings here.")
@click.option("--beacon", metavar="TEXT", help="Derive the seed from the opened secret and this public text.")
@as_json
def reveal_command(
    file: str, sealed: str, items: tuple[str, ...], out: str | None, beacon: str | None, json_out: bool
) -> int:
    """Open what was sealed, or check what somebody opened."""
    return _do("reveal", file, sealed, items, out, beacon, json_out)


@cli.group("ledger", epilog=EXIT_CODES)
def ledger_group() -> None:
    """The hash-chained ledger of rejected candidates and disagreements."""


ledger_argument = click.argument("ledger", metavar="LEDGER")


@ledger_group.command("add", epilog=EXIT_CODES)
@ledger_argument
@click.argument("file", metavar="ENTRY|-")
@click.option(
    "--kind", type=click.Choice(["disagreement", "rejected", "note"]), required=True, help="What the entry is."
)
@as_json
def ledger_add_command(ledger: str, file: str, kind: str, json_out: bool) -> int:
    """Append an entry (JSON) and print the new head."""
    return _do("ledger-add", ledger, file, kind, json_out)


@ledger_group.command("show", epilog=EXIT_CODES)
@ledger_argument
@as_json
def ledger_show_command(ledger: str, json_out: bool) -> int:
    """Print the entries of a ledger whose chain holds."""
    return _do("ledger-show", ledger, json_out)


@ledger_group.command("verify", epilog=EXIT_CODES)
@ledger_argument
@click.option("--head", metavar="SHA256", help="Demand that the ledger begins with what had this head.")
@as_json
def ledger_verify_command(ledger: str, head: str | None, json_out: bool) -> int:
    """Verify the chain; exit code 1 when it is broken or does not go on from --head."""
    return _do("ledger-verify", ledger, head, json_out)


@cli.command("explore", epilog=EXIT_CODES)
@click.argument("codes", nargs=-1, metavar="[CODE|INSTANCE-FILE]...")
@click.option("--out", default="explorer", show_default=True, metavar="DIR", help="Folder that becomes the explorer.")
@click.option("--certificates", metavar="DIR", help=CERTIFICATES)
@click.option(
    "--limit", type=click.IntRange(min=1), default=1000, show_default=True, help="Most classes that a page shows."
)
@click.option("--time-limit", type=float, default=60.0, show_default=True, help="Seconds for the classes of a world.")
@as_json
def explore_command(codes: tuple[str, ...], out: str, json_out: bool, **rest: Any) -> int:
    """Write the explorer: solutions, motifs and certificates as pages that open without a server."""
    return _do("explore", codes, out, rest["certificates"], rest["limit"], rest["time_limit"], json_out)


class Ended(KeyboardInterrupt):
    """A signal asks the process to end: as an interrupt it cleans up, and `code` is what it ends with."""

    def __init__(self, code: int) -> None:
        super().__init__()
        self.code = code


# a closed terminal and a polite kill end a command as Ctrl-C does: workers are ended, temporary folders removed
ENDS = {signal.SIGTERM: TERMINATED, signal.SIGHUP: HUNG_UP}


def _do(command: str, *arguments: Any) -> int:
    """Run a command's body."""
    code: int = resolve(COMMANDS[command])(*arguments)
    return code


def run(arguments: Sequence[str] | None = None) -> int:
    """The exit code of a command line (None: that of this process). Every failure becomes one line and a code."""
    try:
        ended = attempt(lambda: _called(sys.argv[1:] if arguments is None else list(arguments)))
    except Ended as error:
        return error.code
    except KeyboardInterrupt:
        return INTERRUPTED
    if not isinstance(ended, Failed):
        return ended.value
    if isinstance(ended.error, click.ClickException):
        say_error(_usage(ended.error))
        return MALFORMED
    give_up_unwritten()
    if ended.code != UNREAD:
        say_error(ended.text)
    return ended.code


def _usage(error: click.ClickException) -> str:
    """What click says of a wrong call, and which help says what would be right."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    said = error.format_message().rstrip(".")
    return said if context is None else f"{said}; see {context.command_path} --help"


def _called(arguments: list[str]) -> int:
    """As click's own `main`, which would turn a reader that went away into exit code 1."""
    try:
        with cli.make_context("cwr", arguments) as context:
            code: int = cli.invoke(context)
    except click.exceptions.Exit as asked:  # help was asked for, and printed
        code = asked.exit_code
    sys.stdout.flush()
    return code


def give_up_unwritten() -> None:
    """Write out what was said before a failure; where that cannot be, it must not fail again at exit."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        give_up(sys.stdout)


def main() -> None:
    """The console script. Where standard output or error is closed, the exit code still tells."""
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for number in ENDS:
        if signal.getsignal(number) is signal.SIG_DFL:  # who ignores hang-ups (nohup) means it
            signal.signal(number, _end)
    sys.exit(run())


def _end(number: int, _frame: FrameType | None) -> NoReturn:
    for one in ENDS:  # a second signal must not interrupt the cleaning up
        signal.signal(one, signal.SIG_IGN)
    raise Ended(ENDS[signal.Signals(number)])


if __name__ == "__main__":
    main()
