"""Which fixture stands for which path, and what holds of any text."""

from __future__ import annotations

from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from devrag.core.text import normalise_newlines
from devrag.parsing.api import decode, parse_file
from devrag.parsing.types import FactFacts, FileFacts, SymbolFacts

FIXTURES = Path(__file__).parent / "fixtures"

# fixture: the path it is parsed as
PATHS = {
    "handlers.py": "src/auth/handlers.py",
    "broken.py": "pkg/broken.py",
    "guide.md": "docs/guide.md",
    "urls.py": "shop/urls.py",
    "api.py": "shop/api.py",
    "settings.py": "shop/settings.py",
    "models.py": "shop/models.py",
    "tasks.py": "shop/tasks.py",
    "index.py": "shop/management/commands/index.py",
    "cli.py": "shop/cli.py",
    "test_orders.py": "tests/test_orders.py",
    "store.go": "internal/orders/store.go",
    "go.mod": "go.mod",
    "cache.rs": "crates/shop-core/src/cache.rs",
    "ring.c": "lib/ring.c",
    "ring.h": "lib/ring.h",
    "cart.cpp": "src/cart.cpp",
    "cart.hpp": "src/cart.hpp",
    "pyproject.toml": "pyproject.toml",
    "requirements.txt": "requirements.txt",
    "package.json": "package.json",
    "Dockerfile": "Dockerfile",
    "docker-compose.yml": "docker-compose.yml",
    "Makefile": "Makefile",
    ".gitlab-ci.yml": ".gitlab-ci.yml",
    "ci.yml": ".github/workflows/ci.yml",
    "run": ".ci/run",
    "LICENSE": "LICENSE",
    "manual.rst": "docs/manual.rst",
    "manual.adoc": "docs/manual.adoc",
    "notes.org": "docs/notes.org",
    "notes.jsonl": "notes/notes.jsonl",
    "tea.proto": "tea/v1/tea.proto",
    "tea.graphql": "tea/schema.graphql",
    "tea.sql": "db/tea.sql",
    "tea.ipynb": "notebooks/tea.ipynb",
    "tea.html": "docs/tea.html",
    "openapi.yaml": "api/openapi.yaml",
    "tea.schema.json": "api/tea.schema.json",
    "OrderService.cs": "src/Shop/OrderService.cs",
    "OrderService.kt": "src/main/kotlin/com/acme/shop/OrderService.kt",
    "OrderService.swift": "Sources/Shop/OrderService.swift",
    "OrderService.scala": "src/main/scala/com/acme/shop/OrderService.scala",
    "OrderService.java": "src/main/java/com/acme/shop/OrderService.java",
    "orders.ts": "src/orders/index.ts",
    "Cart.tsx": "src/ui/Cart.tsx",
    "app.js": "shop/app.js",
    "Order.php": "app/Models/Order.php",
    "deploy.sh": "scripts/deploy.sh",
    "order.ex": "lib/shop/order.ex",
    "order.lua": "lua/shop/order.lua",
    "order.rb": "app/models/order.rb",
}


def fixture_text(name: str) -> str:
    """Return a fixture's text."""
    return (FIXTURES / f"{name}.txt").read_text(encoding="utf-8")


def parse_fixture(name: str) -> FileFacts:
    """Return the facts of a fixture under the path it stands for."""
    return parse_file(PATHS[name], fixture_text(name))


def as_json(facts: FileFacts) -> dict[str, Any]:
    """Return what a fixture's facts say, without what is empty or long."""
    return {
        "language": facts.language,
        "title": facts.title,
        "module": facts.module,
        "symbols": [_filled(symbol) for symbol in facts.symbols],
        "references": [
            f"{r.line} {r.kind} {r.name} {'-' if r.symbol is None else r.symbol}"
            + (f" {r.via} {r.target}" if r.via else "")
            for r in facts.references
        ],
        "facts": [asdict(fact) for fact in facts.facts],
        "chunks": [
            f"{c.kind} {c.start_line}-{c.end_line} {c.header} | {c.heading}"
            for c in facts.chunks
        ],
        "warnings": list(facts.warnings),
    }


def _filled(item: Any) -> dict[str, Any]:
    found = asdict(item)
    defaults = {field.name: field.default for field in fields(item)}
    if "value_types" in found:
        found["value_types"] = dict(found["value_types"])
        defaults["value_types"] = {}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in found.items()
        if value != defaults[name] or name == "ordinal"
    }


def facts_of(kind: str, path: str, text: str, said: str = "") -> dict[str, Any]:
    """Return the facts of a kind by name, each with one thing of its data."""
    found = parse_file(path, text).facts
    return {fact.name: fact.data.get(said, "") for fact in found if fact.kind == kind}


def short(fact: FactFacts) -> str:
    """Return `line kind name` and what the kind is about."""
    about = {
        "dependency": ("manager", "spec", "group"),
        "entry_point": ("type", "target"),
        "command": ("framework", "run"),
        "licence": (),
    }[fact.kind]
    words = [str(fact.data[key]) for key in about if fact.data[key]]
    return " ".join([str(fact.start_line), fact.kind, fact.name, *words])


SLICES = st.lists(
    st.tuples(st.integers(0, 2000), st.integers(0, 60), st.text(max_size=12)),
    max_size=6,
)
# The same edits in each run: some grammar may end its process on one that is new.
relaxed = settings(
    max_examples=settings.default.max_examples * 3 // 2,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)


def mutated(text: str, edits: list[tuple[int, int, str]]) -> str:
    for start, length, inserted in edits:
        at = start % (len(text) + 1)
        text = text[:at] + inserted + text[at + length :]
    return text


def check_lines(facts: FileFacts, text: str) -> None:
    """Each line with text stands in a chunk whose lines include it."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            around = [c for c in facts.chunks if c.start_line <= number <= c.end_line]
            assert any(line in chunk.text for chunk in around), (number, line)


def check_covered(facts: FileFacts, text: str) -> None:
    """Each line with text is one of a chunk's lines; a PDF's and notebook's need not.

    The one has no lines, the other's are mostly not of its cells.
    """
    covered = {
        number
        for chunk in facts.chunks
        for number in range(chunk.start_line, chunk.end_line + 1)
    }
    lines = normalise_newlines(text).split("\n")
    filled = {number for number, line in enumerate(lines, start=1) if line.strip()}
    if facts.language not in {"pdf", "notebook"}:
        assert filled <= covered, sorted(filled - covered)


def check_shape(facts: FileFacts) -> None:
    assert [c.ordinal for c in facts.chunks] == list(range(len(facts.chunks)))
    assert [s.ordinal for s in facts.symbols] == list(range(len(facts.symbols)))
    for item in (*facts.chunks, *facts.symbols):
        assert 1 <= item.start_line <= item.end_line <= max(facts.lines, 1)
        assert item.parent is None or item.parent < item.ordinal
    for reference in facts.references:
        assert reference.symbol is None or reference.symbol < len(facts.symbols)


def check_mutated(path: str, text: str, edits: list[tuple[int, int, str]]) -> None:
    """Check that edited code gives facts of the right shape, and keeps its lines."""
    changed = decode(mutated(text, edits).encode("utf-8", "replace"))
    if changed is not None:
        facts = parse_file(path, changed.text)
        check_shape(facts)
        check_covered(facts, changed.text)
        if facts.kind != "doc":
            check_lines(facts, changed.text)
        # What a language's own rules raise would be hidden by the windows.
        assert not any("parser failed" in warning for warning in facts.warnings)


def symbol_named(path: str, text: str, name: str) -> SymbolFacts:
    """Return the only symbol of that name."""
    (found,) = [s for s in parse_file(path, text).symbols if s.name == name]
    return found


def bound_references(path: str, text: str, kind: str) -> list[str]:
    """Return the references of a kind as `name via target`."""
    return [
        f"{r.name} {r.via} {r.target}".strip()
        for r in parse_file(path, text).references
        if r.kind == kind
    ]
