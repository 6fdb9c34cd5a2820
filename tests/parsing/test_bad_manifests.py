"""Manifests that are broken, huge, hostile or none."""

from __future__ import annotations

import pytest

from devrag.parsing.api import parse_file


@pytest.mark.parametrize(
    ("path", "text", "reason"),
    [
        ("pyproject.toml", "[project\n", "line 1"),
        ("Cargo.toml", "[dependencies]\nserde =\n", "line 2"),
        ("package.json", '{"dependencies": {\n', "line 2"),
        ("package.json", "{'name': 1}", "line 1"),
        ("pom.xml", "<project>\n<dependencies>\n</project>", "line 3"),
        ("pom.xml", '<!DOCTYPE a [<!ENTITY b "c">]><project/>', "the entity b"),
        ("pom.xml", "<a>" * 500, "too deeply"),
        ("docker-compose.yml", "services:\n  web: [\n", "from line"),
        (".github/workflows/ci.yml", "jobs:\n  a: {\n", "from line"),
    ],
)
def test_a_broken_manifest_costs_its_facts_with_the_reason(
    path: str, text: str, reason: str
) -> None:
    found = parse_file(path, text)
    assert found.facts == ()
    [warning] = [w for w in found.warnings if w.startswith(f"{path}: its ")]
    assert reason in warning
    assert found.chunks


@pytest.mark.parametrize(
    ("path", "entry"),
    [
        ("package.json", '{{"dependencies": {{\n{}\n}}}}'),
        ("Gemfile", "{}"),
    ],
)
def test_thousands_of_entries_take_their_own_lines(path: str, entry: str) -> None:
    written = {
        "package.json": (f'"p{n}": "1"' for n in range(2000)),
        "Gemfile": (f'gem "p{n}"' for n in range(2000)),
    }[path]
    joined = ",\n" if path == "package.json" else "\n"
    found = parse_file(path, entry.format(joined.join(written)), timeout_seconds=20)
    first = found.facts[0].start_line
    assert [f.start_line - first for f in found.facts] == list(range(2000))


@pytest.mark.parametrize(
    "path", ["package-lock.json", "Cargo.lock", "my-package.json", "go.sum"]
)
def test_a_lock_file_is_no_manifest(path: str) -> None:
    assert parse_file(path, '{"dependencies": {"a": "1"}}').facts == ()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("requirements.txt", f"a{' ' * 50_000}x"),
        ("Package.swift", '.package(url: "a", ' * 5_000),
        ("build.gradle", "dependencies {" * 5_000 + "'" * 5_000),
        ("build.sbt", '"a" %% ' * 5_000),
    ],
)
def test_a_hostile_line_is_read_once(path: str, text: str) -> None:
    facts = parse_file(path, text, timeout_seconds=20).facts
    assert [fact for fact in facts if fact.kind == "dependency"] == []
