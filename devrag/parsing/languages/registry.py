"""Which parser takes which language; everything else becomes windows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from devrag.parsing.code.engine import parse_code
from devrag.parsing.code.outline import parse_outlined
from devrag.parsing.documents.asciidoc import parse_asciidoc
from devrag.parsing.documents.data_file import parse_data
from devrag.parsing.documents.graphql import parse_graphql
from devrag.parsing.documents.html import parse_html
from devrag.parsing.documents.jsonl import parse_jsonl
from devrag.parsing.documents.latex import parse_latex
from devrag.parsing.documents.markdown import parse_markdown
from devrag.parsing.documents.notebook import parse_notebook
from devrag.parsing.documents.office import parse_office_parts, parse_office_text
from devrag.parsing.documents.org import parse_org
from devrag.parsing.documents.pdf import parse_pdf
from devrag.parsing.documents.proto import parse_proto
from devrag.parsing.documents.rst import parse_rst
from devrag.parsing.documents.sql import parse_sql
from devrag.parsing.documents.text import parse_text
from devrag.parsing.documents.typst import parse_typst
from devrag.parsing.facts.registry import code_facts
from devrag.parsing.languages.bash import BASH
from devrag.parsing.languages.c import C
from devrag.parsing.languages.c_dialects import CUDA, GLSL, HLSL
from devrag.parsing.languages.cobol import parse_cobol
from devrag.parsing.languages.components import parse_component
from devrag.parsing.languages.cpp import CPP
from devrag.parsing.languages.csharp import CSHARP
from devrag.parsing.languages.ecmascript import JAVASCRIPT, TSX, TYPESCRIPT
from devrag.parsing.languages.elixir import ELIXIR
from devrag.parsing.languages.go import GO
from devrag.parsing.languages.gomod import parse_gomod
from devrag.parsing.languages.java import JAVA
from devrag.parsing.languages.kotlin import KOTLIN
from devrag.parsing.languages.lua import LUA, LUAU
from devrag.parsing.languages.outlines import OUTLINES
from devrag.parsing.languages.php import PHP
from devrag.parsing.languages.python import PYTHON
from devrag.parsing.languages.ruby import RUBY
from devrag.parsing.languages.rust import RUST
from devrag.parsing.languages.scala import SCALA
from devrag.parsing.languages.swift import SWIFT
from devrag.parsing.source import Parsed, SourceText

_code = partial(parse_code, detect=code_facts)

PARSERS: dict[str, Callable[[SourceText], Parsed]] = {
    "arduino": partial(_code, CPP),
    "asciidoc": parse_asciidoc,
    "astro": parse_component,
    "bash": partial(_code, BASH),
    "c": partial(_code, C),
    "cobol": parse_cobol,
    "cpp": partial(_code, CPP),
    "csharp": partial(_code, CSHARP),
    "cuda": partial(parse_code, CUDA),
    "docx": parse_office_text,
    "elixir": partial(_code, ELIXIR),
    "glsl": partial(parse_code, GLSL),
    "go": partial(_code, GO),
    "gomod": parse_gomod,
    "graphql": parse_graphql,
    "hlsl": partial(parse_code, HLSL),
    "html": parse_html,
    "java": partial(_code, JAVA),
    "javascript": partial(_code, JAVASCRIPT),
    "json": partial(parse_data, "json"),
    "jsonl": parse_jsonl,
    "kotlin": partial(_code, KOTLIN),
    "latex": parse_latex,
    "lua": partial(_code, LUA),
    "luau": partial(parse_code, LUAU),
    "markdown": parse_markdown,
    "notebook": parse_notebook,
    "odp": parse_office_parts,
    "ods": parse_office_parts,
    "odt": parse_office_text,
    "org": parse_org,
    "pdf": parse_pdf,
    "php": partial(_code, PHP),
    "pptx": parse_office_parts,
    "protobuf": parse_proto,
    "python": partial(_code, PYTHON),
    "rst": parse_rst,
    "ruby": partial(_code, RUBY),
    "rust": partial(_code, RUST),
    "scala": partial(_code, SCALA),
    "sql": parse_sql,
    "svelte": parse_component,
    "swift": partial(_code, SWIFT),
    "text": parse_text,
    "toml": partial(parse_data, "toml"),
    "tsx": partial(_code, TSX),
    "typescript": partial(_code, TYPESCRIPT),
    "typst": parse_typst,
    "vue": parse_component,
    "xlsx": parse_office_parts,
    "yaml": partial(parse_data, "yaml"),
    **{name: partial(parse_outlined, spec) for name, spec in OUTLINES.items()},
}
