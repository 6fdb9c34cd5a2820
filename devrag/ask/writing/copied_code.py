"""Where code that an answer quotes stands in a passage: pure."""

from __future__ import annotations


def lines_of_code(code: str, text: str) -> tuple[int, int] | None:
    """Return first and last line (from 0) of a text that code is copied from.

    None where its lines do not stand there in this order. A line of dots stands for
    those left out; indentation does not count. Of several places the first that ends,
    without what only its first lines have, such as a decorator further up.
    """
    wanted = [bare for line in code.split("\n") if (bare := _bare_line(line))]
    found: list[int] = []
    lines = [line.strip() for line in text.split("\n")]
    at = 0
    for line in wanted:
        try:
            at = lines.index(line, at) + 1
        except ValueError:
            return None
        found.append(at - 1)
    if not found:
        return None
    start = found[-1] + 1
    for line in reversed(wanted):
        start = max(at for at in range(start) if lines[at] == line)
    return start, found[-1]


def _bare_line(line: str) -> str:
    bare = line.strip().removeprefix("$ ")
    return "" if bare.strip("#/-* ") in {"...", "…"} else bare
