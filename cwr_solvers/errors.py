"""Everything that can go wrong, one class a kind of fault; whose fault it is follows from the class.

MalformedInput   the text is not what it claims to be (the author of the text)
Undecided        a limit, a crash or a kill came before an answer (nobody; it is never a "no")
Disagreement     two routes gave different answers (us, or a solver)
UsageError       the command was called wrongly (the caller)
"""

from __future__ import annotations


class CwrError(Exception):
    """Base of all errors that cwr raises on purpose; each prints as one line."""


class MalformedInput(CwrError):
    """A text that is not of its grammar: where (JSON pointer), what was expected, what was found.

    `code` is stable and one of the words listed in `cwr_solvers.jsontext` and `cwr_solvers.reading`.
    """

    def __init__(self, code: str, pointer: str, expected: str, found: str) -> None:
        super().__init__(code, pointer, expected, found)
        self.code = code
        self.pointer = pointer
        self.expected = expected
        self.found = found

    def __str__(self) -> str:
        where = self.pointer or "the document"
        return f"malformed ({self.code}) at {where}: expected {self.expected}, found {self.found}"


class Undecided(CwrError):
    """No answer: `reason` is one of time, memory, storage, states, words, size, bound, killed, crashed,
    unsupported, unknown; `detail` says more."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail

    def __str__(self) -> str:
        return f"undecided ({self.reason}): {self.detail}"


class Disagreement(CwrError):
    """Two routes differ: `subject` is what they differ in, `sides` maps each route to what it said."""

    def __init__(self, subject: str, sides: dict[str, str]) -> None:
        super().__init__(subject, sides)
        self.subject = subject
        self.sides = sides

    def __str__(self) -> str:
        said = "; ".join(f"{route} says {word}" for route, word in sorted(self.sides.items()))
        return f"routes disagree on {self.subject}: {said}"


class UsageError(CwrError):
    """The command or function was called in a way that cannot be served."""
