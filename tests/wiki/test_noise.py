"""Which lines are evidence of nothing."""

from __future__ import annotations

import pytest

from devrag.wiki.evidence.noise import is_import_only, is_statement

NOISE = {
    "lone braces": ("c_sharp", "code", "    }\n  }\n}\n"),
    "lone keywords": ("ruby", "code", "  end\nend\n"),
    "using lines": ("c_sharp", "code", "using System;\nusing Json = A.B<C>;\n"),
    "a namespace": ("c_sharp", "code", "using Xunit;\n\nnamespace Shop.Tests\n{\n"),
    "a package": (
        "java",
        "code",
        "package a.b;\n\nimport static c.D.e;\nimport f.*;\n",
    ),
    "imports of Python": (
        *("python", "code"),
        "from __future__ import annotations\n\nfrom a import (\n    b,\n    c,\n)\n",
    ),
    "imports of Go": ("go", "code", 'package a\n\nimport (\n\t"fmt"\n\tx "b/c"\n)\n'),
    "imports of TypeScript": (
        *("typescript", "code"),
        "import type { A,\n  B } from './a'\nimport c from \"c\";\n",
    ),
    "imports of Rust": ("rust", "code", "use a::{b,\n    c::*};\nmod d;\n"),
    "requires": ("javascript", "code", "'use strict';\nconst a = require('a');\n"),
    "a header guard": ("c", "code", '#ifndef A_H\n#define A_H\n#include "b.h"\n'),
    "a licence in comments": (
        *("go", "code"),
        "// Copyright 2018 A.\n// Licensed under the Apache License.\n\npackage a\n",
    ),
    "a licence": (
        *("text", "doc"),
        "Permission is hereby granted, free of charge, to any person.\n",
    ),
    "art in a comment": ("c", "code", "/* ---+--- */\n/* | --> | */\n/* ---+--- */\n"),
    "links of references": (
        "markdown",
        "doc",
        "[a]: https://a.example\n[b]: c.md 'C'\n",
    ),
    "badges": (
        *("markdown", "doc"),
        "# Tea\n[![build](https://a/b.svg)](https://a)\n![x](y.png)\n",
    ),
    "a navigation bar": (
        "markdown",
        "doc",
        "[Home](a.md) | [Docs](b.md) | [FAQ](c.md)\n",
    ),
    "a table of contents": (
        *("markdown", "doc"),
        "## Contents\n\n- [How to use it](#use)\n  - [More of it](#more)\n",
    ),
    "a toctree": ("rst", "doc", ".. toctree::\n    :maxdepth: 1\n\n    install-it\n"),
    "sponsors": (
        *("markdown", "doc"),
        "## Sponsors\n[Ann and her tea house](https://a) [b](https://b) [c](https://c)\n",
    ),
    "a drawing": (
        *("markdown", "doc"),
        "```\n+------+    +------+\n| Core |--->| Base |\n+------+    +------+\n```\n",
    ),
    "a template's comments": (
        "markdown",
        "doc",
        "## Cons\n\n<!-- say what is bad -->\n",
    ),
    "nothing": ("python", "code", "\n\n"),
    "numbers": ("csv", "data", "1,2\n" * 8),
}


@pytest.mark.parametrize("name", NOISE)
def test_it_states_nothing(name: str) -> None:
    language, kind, text = NOISE[name]
    assert not is_statement(text, language=language, kind=kind)


STATEMENTS = {
    "a call": ("python", "code", "import a\n\na.run()\n"),
    "a comment": ("python", "code", "# Orders are kept for a day.\n"),
    "a statement that begins as an import": ("c_sharp", "code", "using (a) { b(); }\n"),
    "a re-export": ("typescript", "code", "export * from './tea'\n"),
    "a public use": ("rust", "code", "pub use a::Tea;\n"),
    "code below its licence": (
        *("go", "code"),
        "// Copyright 2018 A.\n\npackage a\n\nfunc Brew() int { return 1 }\n",
    ),
    "a definition in a header": ("c", "code", "#define A_LIMIT 12\n"),
    "a sentence": ("markdown", "doc", "# Tea\n\nIt brews tea in a pot.\n"),
    "a sentence with a badge": (
        *("markdown", "doc"),
        "![b](c.svg) It brews tea in a pot.\n",
    ),
    "a sentence with a link": (
        "markdown",
        "doc",
        "See [the pot](pot.md) for its sizes.\n",
    ),
    "entries with a name": ("markdown", "doc", "- `brew`\n- `pour`\n"),
    "code in a document": ("markdown", "doc", "```sh\nbrew --cups 3\n```\n"),
    "a part of such code": ("markdown", "doc", '    "cups": 3,\n  }\n```\n'),
    "a row of a table": ("markdown", "doc", "| `cups` | how many | 3 |\n"),
    "Japanese": ("markdown", "doc", "お茶をポットで淹れます。\n"),
    "a setting": ("yaml", "config", "use: tea\n"),
    "an entry of data": ("json", "data", '{"tea": 3}\n'),
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_it_states_something(name: str) -> None:
    language, kind, text = STATEMENTS[name]
    assert is_statement(text, language=language, kind=kind)


@pytest.mark.parametrize(
    "text", ["import a", "from a import b\n\n# first\n", "#include <a>"]
)
def test_only_imports(text: str) -> None:
    assert is_import_only(text)


@pytest.mark.parametrize("text", ["import a\na.run()", "}", "a = 1", ""])
def test_more_than_imports_or_none(text: str) -> None:
    assert not is_import_only(text)


@pytest.mark.parametrize(
    "text",
    [
        "import Tabs from '@theme/Tabs';\nimport Card from './card'\n\n<Tabs>\n</Tabs>",
        "---\ntitle: How carts hold what people buy\n---\n",
        ".. note::\n\n.. code-block:: python\n",
        ":::tip Good to know\n:::\n",
        '!!! note "Good to know of it"\n',
        "> [!NOTE]\n",
        "{% include header.html with title %}\n",
    ],
)
def test_the_marks_of_documents_state_nothing(text: str) -> None:
    assert not is_statement(text, language="markdown", kind="doc")


@pytest.mark.parametrize(
    "text",
    [
        ".. note::\n\n   A cart holds books.\n",
        ":::tip\nA cart holds books.\n:::\n",
        "> [!NOTE]\n> A cart holds books.\n",
        "---\ntitle: Carts\n---\n\nA cart holds books.\n",
    ],
)
def test_the_text_inside_a_note_is_a_statement(text: str) -> None:
    assert is_statement(text, language="markdown", kind="doc")
