"""Dependencies, commands and licences, each on its own line; broken manifests."""

from __future__ import annotations

import pytest

from devrag.parsing.api import parse_file

from .cases import short
from .manifests import (
    CARGO,
    CATALOGUE,
    COMPOSER,
    CSPROJ,
    GEMFILE,
    GEMSPEC,
    GO_MOD,
    GRADLE,
    MIX,
    PACKAGE,
    POM,
    PYPROJECT,
    REQUIREMENTS,
    SBT,
    SETUP_CFG,
    SWIFT,
)


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "go.mod",
            GO_MOD,
            [
                "3 dependency go 1.22 platform",
                "5 dependency example.org/single go v1.0.0",
                "7 dependency github.com/gin-gonic/gin go v1.9.1",
                "8 dependency golang.org/x/sys go v0.1.0 indirect",
            ],
        ),
        (
            "Cargo.toml",
            CARGO,
            [
                "3 licence MIT OR Apache-2.0",
                "4 entry_point shopd console_script src/daemon.rs",
                "8 dependency serde cargo 1",
                "9 dependency rand cargo 0.8",
                "10 dependency serde_json cargo 1 optional",
                "11 dependency local cargo",
                "13 dependency rand cargo 0.9 dev",
                "14 dependency tokio cargo 1",
                "18 dependency libc cargo 0.2",
                "20 dependency cc cargo 1 build",
            ],
        ),
        (
            "pom.xml",
            POM,
            [
                "3 dependency org.acme:base maven 7 parent",
                "7 dependency org.acme:core maven 7",
                "12 dependency org.junit:junit maven 5.1 test",
            ],
        ),
        (
            "app/build.gradle",
            GRADLE,
            [
                "1 dependency a.b:plugin gradle 1 build",
                "4 dependency g:a gradle 1.0",
                "5 dependency g:b gradle",
                "6 dependency g:c gradle 2 test",
                "7 dependency g:d gradle 3",
                "8 dependency g:bom gradle 4",
                "11 dependency g:e gradle $version runtime",
                "13 dependency g:f gradle 5",
            ],
        ),
        (
            "gradle/libs.versions.toml",
            CATALOGUE,
            [
                "4 dependency com.squareup:okio gradle 3.1 catalogue",
                "5 dependency junit:junit gradle 4.13 catalogue",
                "6 dependency io.ktor:ktor gradle 2 catalogue",
            ],
        ),
        (
            "Gemfile",
            GEMFILE,
            [
                "2 dependency rails bundler ~> 7.0, >= 7.0.1",
                "5 dependency rspec bundler dev, test",
                "7 dependency debug bundler dev, test",
                "10 dependency puma bundler production",
            ],
        ),
        (
            "shop.gemspec",
            GEMSPEC,
            [
                "3 licence MIT",
                "4 entry_point shop console_script",
                "4 entry_point shopd console_script",
                "5 dependency rack bundler >= 2",
                "6 dependency minitest bundler dev",
            ],
        ),
        (
            "composer.json",
            COMPOSER,
            [
                "2 licence MIT",
                "3 dependency php >=8 platform",
                "3 dependency ext-json * platform",
                "3 dependency monolog/monolog composer ^3",
                "5 dependency phpunit/phpunit composer ^10 dev",
                "7 entry_point shop console_script bin/shop",
                "8 command test composer @lint && phpunit",
            ],
        ),
        (
            "package.json",
            PACKAGE,
            [
                "4 entry_point shop console_script ./cli.js",
                "5 dependency node >=20 platform",
                "5 entry_point lib/index.js library lib/index.js",
                "7 dependency react npm >=17 peer",
                "10 dependency react npm 18 dev",
            ],
        ),
        (
            "pyproject.toml",
            PYPROJECT,
            [
                "2 licence MIT",
                "3 dependency a pip >=1",
                "3 dependency b pip @ https://host/b.zip",
                "5 dependency c pip ~=2 dev",
                "7 dependency d pip dev",
                "10 dependency e pip ^1",
                "11 dependency f pip 2 optional",
                "13 dependency g pip docs",
                "15 entry_point shop console_script shop.cli:main",
            ],
        ),
        (
            "requirements.txt",
            REQUIREMENTS,
            [
                "7 dependency a pip ==1 requirements",
                "9 dependency b pip >= 2 requirements",
                "10 dependency c pip @ git+https://host/c.git requirements",
            ],
        ),
        (
            "setup.cfg",
            SETUP_CFG,
            [
                "2 licence BSD-3-Clause",
                "5 dependency a pip >=1",
                "7 dependency c pip",
                "9 dependency sphinx pip docs",
                "12 entry_point shop console_script shop.cli:main",
            ],
        ),
        (
            "src/Shop.csproj",
            CSPROJ,
            [
                "2 licence MIT",
                "5 dependency Dapper nuget 2.1",
                "6 dependency Analyzer nuget 1 dev",
            ],
        ),
        (
            "mix.exs",
            MIX,
            [
                "6 dependency plug hex ~> 1.14",
                "8 dependency ex_doc hex ~> 0.2 dev, test",
                "9 dependency local hex",
            ],
        ),
        (
            "Package.swift",
            SWIFT,
            ['3 dependency swift-nio swift from: "2.0.0"'],
        ),
        (
            "build.sbt",
            SBT,
            [
                "1 dependency org.typelevel:cats-core sbt 2.9",
                "3 dependency org.scalatest:scalatest sbt 3 test",
                "4 dependency org.x:sbt-x sbt 1 build",
            ],
        ),
        (
            "pyproject.toml",
            '[project]\nrequires-python = ">=3.11"\n',
            ["2 dependency python >=3.11 platform"],
        ),
        (
            "Cargo.toml",
            '[package]\nrust-version = "1.80"\n',
            ["2 dependency rust 1.80 platform"],
        ),
    ],
)
def test_a_manifest_gives_what_it_asks_for(
    path: str, text: str, expected: list[str]
) -> None:
    found = parse_file(path, text)
    assert [short(fact) for fact in found.facts] == expected
    assert found.warnings == ()


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
