"""How much an answer may say: texts share a budget of tokens, the best first."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from devrag.parsing.tokens import estimate_tokens

# Less says nothing about a piece of code.
LEAST = 40
_CHARACTERS = 3  # of a token, of code at least
CUT = "…"


class Budget:
    """Shares tokens out over texts; what one leaves over is for the next."""

    def __init__(self, tokens: int, texts: int) -> None:
        self._tokens = tokens
        self._texts = texts
        self.is_cut = False

    def add(self, tokens: int, texts: int) -> None:
        """Let more texts share what is left, and these tokens."""
        self._tokens += tokens
        self._texts += texts

    def take(self, text: str, terms: Collection[str] = ()) -> tuple[str, bool]:
        """Return what of the text fits into its share, and whether that is not all."""
        share = max(LEAST, self._tokens // max(1, self._texts))
        self._texts -= 1
        shown = fit_text(text, share, terms)
        self._tokens -= estimate_tokens(shown)
        self.is_cut |= shown != text
        return shown, shown != text


def fit_text(text: str, tokens: int, terms: Collection[str] = ()) -> str:
    """Return the text, or its first line and the lines around most of the terms."""
    if estimate_tokens(text) <= tokens:
        return text
    lines = text.split("\n")
    wanted = [term.lower() for term in terms]
    start = _densest(lines, wanted)
    if start <= 1:
        return "\n".join([*fit_lines(lines, tokens), CUT])
    first = fit_lines(lines[:1], tokens)
    left = tokens - estimate_tokens(first[0])
    return "\n".join([*first, CUT, *fit_lines(lines[start:], left), CUT])


def fit_lines(lines: Sequence[str], tokens: int) -> list[str]:
    """Return the first lines that fit; of a long first one at least its beginning."""
    left = tokens
    for number, line in enumerate(lines):
        left -= estimate_tokens(line) + 1
        if left < 0:
            return list(lines[:number]) or [_beginning(line, tokens)]
    return list(lines)


def _beginning(line: str, tokens: int) -> str:
    most = _CHARACTERS * max(LEAST, tokens)
    return line if len(line) <= most else f"{line[:most]}{CUT}"


def _densest(lines: Sequence[str], terms: Sequence[str], window: int = 12) -> int:
    """Return where the lines with the most of the terms begin, 0 without terms."""
    found = [{t for t in terms if t in line.lower()} for line in lines]
    best, start = 0, 0
    for number, here in enumerate(found):
        if here:
            count = len(set().union(*found[number : number + window]))
            if count > best:
                best, start = count, number
    return start
