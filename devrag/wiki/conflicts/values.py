"""Compare values as documents and code write them."""

from __future__ import annotations

import ast
import re

_WORDS = {
    **dict.fromkeys(("true", "yes", "on", "enabled"), "true"),
    **dict.fromkeys(("false", "no", "off", "disabled"), "false"),
    **dict.fromkeys(("none", "null", "nil", "undefined"), "none"),
}
_NUMBER = re.compile(r"-?\d[\d_,]*(\.\d+)?([eE]-?\d+)?")
_PRODUCT = re.compile(r"[\d_.]+(\s*[*+]\s*[\d_.]+)+")
LITERAL = (
    r"(?:-?\d[\d_]*(?:\.\d+)?(?:\s*\*\s*\d[\d_]*)*|'[^'\\\n]*'|\"[^\"\\\n]*\""
    r"|[Tt]rue|[Ff]alse|TRUE|FALSE|None|null|nil)"
)
_LITERAL = re.compile(LITERAL)
_TICKED = re.compile(r"`+([^`\n]+)`+")


def is_literal(text: str) -> bool:
    """Return whether a text is a number, a string in quotes, or a constant word."""
    return _LITERAL.fullmatch(text.strip()) is not None


def literals_in(text: str) -> set[str]:
    """Return the literals that a text has in backticks, comparable."""
    return {normalised(each) for each in _TICKED.findall(text) if is_literal(each)}


def normalised(value: str) -> str:
    """Return a value as comparable text: `'5'` and `5.0` are `5`."""
    text = value.strip().strip("`").strip()
    if _PRODUCT.fullmatch(text):
        text = str(_computed(text))
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    lowered = text.lower()
    if lowered in _WORDS:
        return _WORDS[lowered]
    if _NUMBER.fullmatch(text):
        number = float(text.replace("_", "").replace(",", ""))
        return str(int(number)) if number.is_integer() else str(number)
    return text


def _computed(text: str) -> float:
    total = 0.0
    for term in text.split("+"):
        product = 1.0
        for factor in term.split("*"):
            product *= float(ast.literal_eval(factor.strip().lstrip("0_") or "0"))
        total += product
    return total
