"""What the tests of pages share: the pages' names, what is seen beside them, and reading the table of classes."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

BC = "worlds/BC-001/index.html"
RS = "worlds/RS-001/index.html"
MANY = "worlds/RS-MANY/index.html"
NONE = "worlds/TW-NONE/index.html"
ROWS = "#classes tbody tr"


@dataclass
class Seen:
    """What a page did beside what it shows: messages of the console, errors, and every address that it asked for."""

    console: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        page.on("console", lambda message: self.console.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))


Open = Callable[..., Page]


def hostile_page(site: Path) -> str:
    (folder,) = site.glob("worlds/world-*")
    return f"worlds/{folder.name}/index.html"


def numbers(page: Page) -> list[int]:
    """The classes in the table, from top to bottom."""
    return [int(text) for text in page.locator(f"{ROWS} th a").all_inner_texts()]


def column(page: Page, key: str) -> list[str]:
    place = page.locator("#classes thead th").evaluate_all(
        "(heads, key) => heads.findIndex(h => h.dataset.key === key)", key
    )
    return page.locator(f"{ROWS} > :nth-child({place + 1})").all_inner_texts()


def shown_step(page: Page) -> tuple[str | None, str]:
    return page.locator("#picture").get_attribute("src"), page.locator("#step-label").inner_text()


def classes(site: Path, code: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((site / "worlds" / code / "classes.json").read_text("utf-8"))["classes"]
    return found
