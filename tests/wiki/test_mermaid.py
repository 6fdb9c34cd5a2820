"""The real Mermaid parser, in process."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.conf import settings

from devrag.wiki.checking.mermaid import (
    MermaidParser,
    MermaidUnavailable,
    shared_parser,
)


def error_in(diagram: str) -> str | None:
    return shared_parser(settings.MERMAID_PATH).error_in(diagram)


@pytest.mark.parametrize(
    "diagram",
    [
        'flowchart TD\n  n0["日本語ラベル"] --> n1["a #quot;b#quot;"]',
        "sequenceDiagram\n  participant p0 as a.py\n  p0->>p0: run()",
        "classDiagram\n  class Order {\n    placed_at\n  }\n  Line --> Order",
        "erDiagram\n  A ||--o{ B : has",
        "stateDiagram-v2\n  [*] --> open",
        'pie\n  "a": 3',
        "gitGraph\n  commit",
    ],
)
def test_diagrams_of_every_kind_parse(diagram: str) -> None:
    assert error_in(diagram) is None


@pytest.mark.parametrize(
    "diagram", ["", "nonsense", "flowchart TD\n  a -->", 'pie\n  "a" 3']
)
def test_a_broken_diagram_gets_the_parsers_own_words(diagram: str) -> None:
    assert error_in(diagram)


def test_a_broken_diagram_leaves_the_parser_usable() -> None:
    assert error_in("flowchart TD\n  a -->")
    assert error_in("flowchart TD\n  a --> b") is None


def test_threads_share_one_parser() -> None:
    diagrams = [f"flowchart TD\n  a --> b{n}" for n in range(16)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(error_in, diagrams)) == [None] * 16


def test_a_missing_parser_is_no_fault_of_the_diagram(tmp_path: Path) -> None:
    with pytest.raises(MermaidUnavailable, match=r"gone\.js"):
        MermaidParser(tmp_path / "gone.js").error_in("flowchart TD\n  a --> b")


def test_a_script_that_is_no_parser_is_no_fault_of_the_diagram(tmp_path: Path) -> None:
    script = tmp_path / "other.js"
    script.write_text("globalThis.other = 1;")
    parser = MermaidParser(script)
    with pytest.raises(MermaidUnavailable, match=r"The Mermaid parser .* failed"):
        parser.error_in("flowchart TD\n  a --> b")
    parser.close()


def test_a_diagram_that_never_ends_is_stopped(tmp_path: Path) -> None:
    script = tmp_path / "slow.js"
    script.write_text("globalThis.mermaid = { parse() { for (;;) {} } };")
    parser = MermaidParser(script, timeout_seconds=0.2)
    assert "longer than" in str(parser.error_in("flowchart TD\n  a --> b"))
    parser.close()


def test_a_parser_that_was_left_mute_loses_no_further_diagram(tmp_path: Path) -> None:
    script = tmp_path / "mute.js"
    script.write_text(
        "globalThis.mermaid = { parse(text) {"
        "  this.isMute ||= text === 'hang'; while (this.isMute); } };"
    )
    parser = MermaidParser(script, timeout_seconds=0.2)
    assert parser.error_in("hang")
    assert parser.error_in("flowchart TD\n  a --> b") is None
    parser.close()
