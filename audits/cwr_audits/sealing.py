"""Commit and reveal: a Merkle root over salted commitments, published before any model output; openings afterwards.

plan        what is to be committed: of every kind in KINDS a list of items, each a name and a JSON value (a kind for
            which there is nothing says so by an item whose value says it: an empty list is refused)
salt        128 random bits an item, secret until the item is opened
commitment  sha256(canonical JSON of {"kind","name","salt","value"})
root        the Merkle tree hash of RFC 9162, section 2.1.1, over the commitments in the order of kind and name: leaf
            sha256(0x00 commitment), node sha256(0x01 left right)
opening     an item with its salt and the path of RFC 9162, section 2.1.3, from its leaf to the root
seed        derived after sealing from a committed secret and a public text that nobody could know (a beacon):
            HMAC-SHA-256(secret, beacon). Who committed the secret cannot choose the seed any more, and who makes the
            beacon cannot guess it.

What is sealed binds its author to the items; when it was sealed no hash can say. Without an outside anchor of time the
order of seal and model output is unattested, and every text made here says so.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from cwr_solvers.errors import MalformedInput, UsageError
from cwr_solvers.jsontext import LARGEST, Json, canonical
from cwr_solvers.reading import as_int, as_items, as_list, as_name, as_object, as_text, distinct, refuse

SEAL = "cwr-seal/1"
OPENING = "cwr-opening/1"
REVEAL = "cwr-reveal/1"
KINDS = ("seed", "tier", "selection-rule", "exclusion", "analysis-plan", "pack")
SALT_BYTES = 16
LEAF, NODE = b"\x00", b"\x01"
UNATTESTED = "ordering unattested"
SECRET = "secret"  # the name of the seed item from which seeds are derived


@dataclass(frozen=True, slots=True)
class Item:
    """One thing committed to; `salt` is lower-case hex."""

    kind: str
    name: str
    salt: str
    value: Json

    @property
    def commitment(self) -> bytes:
        return sha256(canonical(write_item(self))).digest()


@dataclass(frozen=True, slots=True)
class Seal:
    """What is published: the root, how many items stand under it, and what is said about the time (None: nothing)."""

    root: str
    items: int
    anchor: str | None


@dataclass(frozen=True, slots=True)
class Opened:
    """An item with its place in the tree and the hashes that lead from it to the root, lower-case hex."""

    item: Item
    place: int
    path: tuple[str, ...]


# --- the tree


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The Merkle tree hash of at least one leaf's input."""
    if len(leaves) == 1:
        return sha256(LEAF + leaves[0]).digest()
    cut = _cut(len(leaves))
    return sha256(NODE + root_of(leaves[:cut]) + root_of(leaves[cut:])).digest()


def path_of(leaves: Sequence[bytes], place: int) -> list[bytes]:
    """The inclusion path of the leaf at `place`, from the leaf upwards."""
    if len(leaves) == 1:
        return []
    cut = _cut(len(leaves))
    if place < cut:
        return [*path_of(leaves[:cut], place), root_of(leaves[cut:])]
    return [*path_of(leaves[cut:], place - cut), root_of(leaves[:cut])]


def root_by(leaf: bytes, place: int, number: int, path: Sequence[bytes]) -> bytes | None:
    """The root to which a path leads from a leaf's input at `place` of `number`; None where its length is wrong."""
    if number == 1:
        return sha256(LEAF + leaf).digest() if not path else None
    if not path:
        return None
    cut, (*below, beside) = _cut(number), path
    if place < cut:
        under = root_by(leaf, place, cut, below)
        return None if under is None else sha256(NODE + under + beside).digest()
    under = root_by(leaf, place - cut, number - cut, below)
    return None if under is None else sha256(NODE + beside + under).digest()


def _cut(number: int) -> int:
    """The largest power of two below `number`."""
    return 1 << (number - 1).bit_length() - 1


# --- sealing, opening, verifying


def items_of(plan: Mapping[str, Sequence[tuple[str, Json]]], salts: Callable[[int], bytes]) -> tuple[Item, ...]:
    """The items of a plan {kind: (name, value)…}, salted, in order. Raises UsageError where a kind has none, or a name
    comes twice in a kind."""
    for kind in KINDS:
        names = [name for name, _ in plan.get(kind, ())]
        if not names:
            raise UsageError(f"the plan commits to no {kind}; where there is none, say so as the value of an item")
        if len(set(names)) < len(names):
            raise UsageError(f"the plan names a {kind} twice")
    found = [Item(kind, name, salts(SALT_BYTES).hex(), value) for kind in KINDS for name, value in plan[kind]]
    return tuple(sorted(found, key=_order))


def _order(item: Item) -> tuple[str, str]:
    return item.kind, item.name


def seal(items: Sequence[Item], anchor: str | None) -> Seal:
    """The seal of items."""
    return Seal(root_of([item.commitment for item in items]).hex(), len(items), anchor)


def opened(items: Sequence[Item], wanted: Callable[[Item], bool]) -> tuple[Opened, ...]:
    """Those items that are wanted, each with its path; the others stay hidden."""
    leaves = [item.commitment for item in items]
    return tuple(
        Opened(item, place, tuple(one.hex() for one in path_of(leaves, place)))
        for place, item in enumerate(items)
        if wanted(item)
    )


def faults(sealed: Seal, shown: Sequence[Opened]) -> list[str]:
    """Why openings are not of a seal, one line each; nothing shown is a fault. An empty list: all are."""
    if not shown:
        return ["nothing was opened"]
    found = [f"{one.item.kind} {one.item.name}: does not lead to the root" for one in shown if not _leads(sealed, one)]
    places = [one.place for one in shown]
    return [*found, *(["one place is opened twice"] if len(set(places)) < len(places) else [])]


def _leads(sealed: Seal, one: Opened) -> bool:
    path = [bytes.fromhex(step) for step in one.path]
    reached = root_by(one.item.commitment, one.place, sealed.items, path) if one.place < sealed.items else None
    return reached is not None and reached.hex() == sealed.root


def derived_seed(secret: str, beacon: str) -> str:
    """The seed that a committed secret and a later public text make, as 64 hex digits."""
    return hmac.new(secret.encode("utf-8"), beacon.encode("utf-8"), sha256).hexdigest()


def ordering(anchor: str | None) -> str:
    """What can be said about the order of seal and model output."""
    return UNATTESTED if anchor is None else f"{UNATTESTED} here; its author names the anchor {anchor!r}: look there"


# --- JSON


def write_item(item: Item) -> dict[str, Json]:
    """The JSON of an item, which is what its commitment is made of."""
    return {"kind": item.kind, "name": item.name, "salt": item.salt, "value": item.value}


def write_seal(sealed: Seal) -> Json:
    """The JSON that is published."""
    return {"anchor": sealed.anchor, "items": sealed.items, "root": sealed.root, "schema": SEAL}


def read_seal(value: Json) -> Seal:
    """A published seal; raises MalformedInput."""
    fields = as_object(value, "", ("anchor", "items", "root", "schema"))
    _schema(fields["schema"], SEAL)
    anchor = None if fields["anchor"] is None else as_text(fields["anchor"], "/anchor")
    return Seal(_hex(fields["root"], "/root", 32), as_int(fields["items"], "/items", 1, LARGEST), anchor)


def write_opening(items: Sequence[Item]) -> Json:
    """The JSON that the author keeps: every item with its salt."""
    return {"items": [write_item(item) for item in items], "schema": OPENING}


def read_opening(value: Json) -> tuple[Item, ...]:
    """What the author kept; raises MalformedInput, also where the items are out of order or one comes twice."""
    fields = as_object(value, "", ("items", "schema"))
    _schema(fields["schema"], OPENING)
    items = as_items(fields["items"], "/items", _item)
    distinct((f"{item.kind} {item.name}" for item in items), "/items", "item")
    if list(items) != sorted(items, key=_order) or not items:
        refuse("contradiction", "/items", "items in the order of kind and name, at least one", "others")
    return items


def write_reveal(shown: Sequence[Opened]) -> Json:
    """The JSON of openings."""
    return {
        "opened": [{"item": write_item(one.item), "path": list(one.path), "place": one.place} for one in shown],
        "schema": REVEAL,
    }


def read_reveal(value: Json) -> tuple[Opened, ...]:
    """Openings as somebody published them; raises MalformedInput."""
    fields = as_object(value, "", ("opened", "schema"))
    _schema(fields["schema"], REVEAL)
    return as_items(fields["opened"], "/opened", _opened)


def read_plan(value: Json) -> dict[str, list[tuple[str, Json]]]:
    """A plan {kind: [{"name","value"}]}; raises MalformedInput."""
    fields = as_object(value, "", KINDS)
    plan: dict[str, list[tuple[str, Json]]] = {}
    for kind in KINDS:
        plan[kind] = []
        for number, one in enumerate(as_list(fields[kind], f"/{kind}")):
            at = f"/{kind}/{number}"
            parts = as_object(one, at, ("name", "value"))
            plan[kind].append((as_text(parts["name"], f"{at}/name"), parts["value"]))
    return plan


def _opened(value: Json, at: str) -> Opened:
    fields = as_object(value, at, ("item", "path", "place"))
    path = as_items(fields["path"], f"{at}/path", lambda one, where: _hex(one, where, 32))
    return Opened(_item(fields["item"], f"{at}/item"), as_int(fields["place"], f"{at}/place", 0, LARGEST), path)


def _item(value: Json, at: str) -> Item:
    fields = as_object(value, at, ("kind", "name", "salt", "value"))
    kind = as_name(fields["kind"], f"{at}/kind", KINDS, "kind")
    name, salt = as_text(fields["name"], f"{at}/name"), _hex(fields["salt"], f"{at}/salt", SALT_BYTES)
    return Item(kind, name, salt, fields["value"])


def _hex(value: Json, at: str, size: int) -> str:
    text = as_text(value, at)
    if len(text) != 2 * size or not set(text) <= set("0123456789abcdef"):
        raise MalformedInput("domain", at, f"{2 * size} lower-case hex digits", repr(text[:80]))
    return text


def _schema(value: Json, wanted: str) -> None:
    if value != wanted:
        refuse("domain", "/schema", wanted, repr(value)[:80])
