"""Manifests of Elixir, Swift and Scala: what stands literally in their code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from devrag.parsing.code.text import node_text
from devrag.parsing.code.tree import innermost, parse_tree, run_query
from devrag.parsing.facts.manifests import dependency
from devrag.parsing.source import SourceText
from devrag.parsing.types import FactFacts

_MIX = """
(call target: (identifier) @word
  (arguments [(identifier) @name (call target: (identifier) @name)])
  (do_block) (#any-of? @word "def" "defp") (#eq? @name "deps")) @deps
(tuple . (atom) @package) @tuple
"""
_ONLY = re.compile(r"\bonly:\s*(?P<groups>\[[^\]]*\]|:\w+)")
_COMMENTED = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_SWIFT = re.compile(
    r"\.package\(\s*(?:name:\s*\"[^\"]*\"\s*,\s*)?url:\s*\"(?P<url>[^\"]+)\""
    r"\s*(?:,\s*(?P<spec>[^\n]{0,200}?)\s{0,80})?\)\s*[,\])]?[ \t]*$",
    re.MULTILINE,
)
_SBT = re.compile(
    r"(?P<plugin>addSbtPlugin\(\s*)?\"(?P<group>[\w.-]+)\"\s*%{1,3}\s*"
    r"\"(?P<name>[\w.-]+)\"\s*%\s*(?:\"(?P<version>[^\"]+)\"|[\w.]+)"
    r"(?:\s*%\s*\"?(?P<scope>\w+))?"
)


def mix(source: SourceText) -> Iterator[FactFacts]:
    """Yield the packages in the `deps` of mix.exs."""
    captures = run_query(source, parse_tree(source, "elixir"), "elixir", _MIX)
    tuples, blocks = (captures.get(name, []) for name in ("tuple", "deps"))
    for node, block in innermost(tuples, blocks):
        if block is not None:
            yield from _package(source, node)


def _package(source: SourceText, node: Node) -> Iterator[FactFacts]:
    name, *rest = node.named_children
    version = rest[0] if rest and rest[0].type == "string" else None
    spec = node_text(source, version).strip('"') if version is not None else ""
    only = _ONLY.search(node_text(source, node))
    group = ", ".join(re.findall(r":(\w+)", only["groups"])) if only else ""
    line = node.start_point.row + 1
    yield dependency(node_text(source, name)[1:], line, "hex", spec, group)


def swift_package(source: SourceText) -> Iterator[FactFacts]:
    """Yield the packages that Package.swift takes from an address."""
    for line, found in _numbered(source, _SWIFT):
        name = found["url"].rpartition("/")[2].removesuffix(".git")
        yield dependency(name, line, "swift", found["spec"] or "")


def sbt(source: SourceText) -> Iterator[FactFacts]:
    """Yield the modules and plugins of a build.sbt."""
    for line, found in _numbered(source, _SBT):
        scope = "build" if found["plugin"] else (found["scope"] or "").lower()
        group = "" if scope == "compile" else scope
        name = f"{found['group']}:{found['name']}"
        yield dependency(name, line, "sbt", found["version"] or "", group)


def _numbered(
    source: SourceText, pattern: re.Pattern[str]
) -> Iterator[tuple[int, re.Match[str]]]:
    """Yield each match outside comments with its line."""
    text = _COMMENTED.sub(lambda m: m[1] or re.sub(r"[^\n]", " ", m[0]), source.text)
    line, counted = 1, 0
    for found in pattern.finditer(text):
        line += text.count("\n", counted, found.start())
        counted = found.start()
        yield line, found
