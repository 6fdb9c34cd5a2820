"""Small generators of files that parsers cannot bear: too deep, too long, too many."""

from __future__ import annotations

from collections.abc import Callable

Text = Callable[[], str]

# Error recovery of the Python grammar: 17 GB where nothing limits it.
MEMORY: tuple[str, Text] = ("a.py", lambda: "..a::\n" * 316_666)
# The same, for tests that need no more than seconds of it.
SLOW: tuple[str, Text] = ("a.py", lambda: "..a::\n" * 60_000)
# A query looks for the next named sibling of each token: 46 s and more.
SIBLINGS: tuple[str, Text] = ("a.css", lambda: "|" * 200_000)


def yaml_bomb() -> str:
    """Return aliases that stand for 10⁹ values."""
    levels = (f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9))
    return "\n".join([f"a0: &a0 [{', '.join('x' * 10)}]", *levels])


def xml_bomb() -> str:
    """Return entities that stand for 10⁹ words."""
    levels = (f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    entities = "".join(['<!ENTITY e0 "word">', *levels])
    return f"<?xml version='1.0'?><!DOCTYPE a [{entities}]><a>&e9;</a>"


# Those that the quick suite tries.
FEW = {"CSS of one token", "YAML of aliases", "JSON of arrays", "Markdown of links"}
CASES: dict[str, tuple[str, Text]] = {
    "Python that recovers from errors without end": MEMORY,
    "CSS of one token": SIBLINGS,
    "JavaScript of holes": ("a.js", lambda: "a = [" + "," * 300_000 + "]"),
    "TypeScript of nested types": ("a.ts", lambda: "type A = " + "B<" * 100_000),
    "C of macros": ("a.c", lambda: "#define a(b) \\\n" * 60_000),
    "C++ of templates": ("a.cpp", lambda: "a<" * 150_000),
    "Java of generics": ("A.java", lambda: "class A<" * 40_000),
    "C# of comments that do not end": ("a.cs", lambda: "/*" * 150_000),
    "Go of channels": ("a.go", lambda: "package a\nvar a " + "<-chan " * 40_000),
    "Rust of lifetimes": ("a.rs", lambda: "fn a<'a>(" * 30_000),
    "Ruby of heredocs": ("a.rb", lambda: "<<A\n" * 70_000),
    "PHP of strings": ("a.php", lambda: '<?php "$a[' * 30_000),
    "Perl of a comment": ("a.pl", lambda: "#" * 300_000),
    "Haskell of layouts": ("a.hs", lambda: "let a = " * 40_000),
    "shell of substitutions": ("a.sh", lambda: "$(" * 150_000),
    "SQL of nested selects": ("a.sql", lambda: "select (" * 40_000),
    "JSON of arrays": ("a.json", lambda: "[" * 300_000),
    "JSON lines of nothing": ("a.jsonl", lambda: "{\n" * 100_000),
    "TOML of dotted keys": ("a.toml", lambda: "a." * 100_000 + "b = 1\n"),
    "YAML of aliases": ("a.yaml", yaml_bomb),
    "YAML of flows": ("a.yaml", lambda: "[{" * 100_000),
    "XML of entities": ("a.xml", xml_bomb),
    "XML of elements": ("pom.xml", lambda: "<a>" * 100_000),
    "HTML of elements": ("a.html", lambda: "<b>" * 100_000),
    "Markdown of links": ("a.md", lambda: "[a](" * 70_000),
    "Markdown of emphasis": ("a.md", lambda: "**a" * 100_000),
    "Markdown of a table": ("a.md", lambda: "|a" * 50_000 + "\n" + "|-" * 50_000),
    "Markdown of quotes": ("a.md", lambda: ">" * 200_000),
    "RST of tables": ("a.rst", lambda: "+-" * 100_000 + "\n" + "| " * 100_000),
    "org of tables": ("a.org", lambda: "|-" * 150_000 + "\n" + "* " * 50_000),
    "AsciiDoc of blocks": ("a.adoc", lambda: "====\n" * 60_000),
    "LaTeX of groups": ("a.tex", lambda: "\\a{" * 100_000),
    "a notebook of cells": ("a.ipynb", lambda: '{"cells": [' * 30_000),
    "GraphQL of selections": ("a.graphql", lambda: "type A { a(" * 30_000),
    "protobuf of messages": ("a.proto", lambda: "message A { " * 30_000),
    "a Dockerfile of one line": ("Dockerfile", lambda: "RUN a \\\n" * 40_000),
    "text of one line": ("a.txt", lambda: "a" * 2_000_000),
}
