"""Code of a model's own in an answer."""

from __future__ import annotations

import pytest

from tests.ask.test_checked_text import TRUE, check, shown

MARK = "# Sketch, not in the sources"
CODE = "def charge(amount: int) -> int:\n    return amount + tax_of(amount)"


SKETCHED = f"{MARK}\n{CODE}"


def fenced(code: str, language: str = "python") -> str:
    return f"```{language}\n{code}\n```"


def test_a_marked_sketch_of_known_names_stands() -> None:
    text = f"{TRUE}\n\n{fenced(SKETCHED)}"
    assert shown(text) == text


def test_its_mark_is_always_the_same() -> None:
    for said in ("# sketch", "# Sketch: for the shop's own sources"):
        code = fenced(f"{said}\n{CODE}")
        assert MARK in shown(f"{TRUE}\n\n{code}")
    code = fenced(f"/* sketch */\n{CODE}", "c")
    assert "/* Sketch, not in the sources */" in shown(f"{TRUE}\n\n{code}")


def test_an_answer_has_one_sketch() -> None:
    found = check(f"{TRUE}\n\n{fenced(SKETCHED)}\n\n{fenced(SKETCHED)}")
    assert [block.kind for block in found.blocks] == ["paragraph", "fence"]
    assert "one sketch" in found.removed[0].reason


@pytest.mark.parametrize(
    ("code", "language", "reason"),
    [
        (CODE, "python", "stand in no passage"),
        (f"{MARK}\n", "python", "empty"),
        (f"{MARK}\ncharge amount", "bash", "no command"),
        (f"{MARK}\ncharge(amount)  # https://evil.example/x", "python", "must not be"),
        (f"{MARK}\nimport_key(steal(all_secrets))", "python", "in no passage"),
        (MARK + "\ncharge(amount)" * 50, "python", "lines at most"),
    ],
)
def test_other_code_goes(code: str, language: str, reason: str) -> None:
    found = check(f"{TRUE}\n\n{fenced(code, language)}")
    assert [block.kind for block in found.blocks] == ["paragraph"]
    assert reason in found.removed[0].reason
