"""Libraries, applications and what is both are told apart."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.product_form import (
    ProductForm,
    form_of,
    is_aside,
    mentions_in_code,
    started,
)
from tests.wiki.shop import analyse

LIBRARY = {
    "lib/__init__.py": "from lib.api import get, post, put\n",
    "lib/api.py": "def get(): ...\n\n\ndef post(): ...\n\n\ndef put(): ...\n",
}
SCRIPT = {"pyproject.toml": '[project.scripts]\nlib = "lib.api:get"\n'}
EXAMPLES = {
    "README.md": "# Lib\n\n```python\n"
    "import lib\nlib.get()\nlib.post()\nlib.put()\n```\n"
}
USAGE = {"README.md": "# Lib\n\n```\n$ lib get\n$ lib post\n$ lib put\n```\n"}


@pytest.mark.parametrize(
    ("files", "form"),
    [
        (LIBRARY, ProductForm(is_library=True, is_application=False)),
        ({**LIBRARY, **SCRIPT}, ProductForm(is_library=False, is_application=True)),
        (
            {**LIBRARY, **SCRIPT, **USAGE},
            ProductForm(is_library=False, is_application=True),
        ),
        (
            {**LIBRARY, **SCRIPT, **EXAMPLES},
            ProductForm(is_library=True, is_application=True),
        ),
        (
            {"main.go": "package main\n\nfunc main() {}\n"},
            ProductForm(is_library=False, is_application=True),
        ),
    ],
    ids=["library", "script", "usage", "both", "main"],
)
def test_form(files: dict[str, str], form: ProductForm) -> None:
    assert form_of(analyse(files)) == form


def test_only_used_and_imported_names_of_examples_count() -> None:
    found = mentions_in_code(analyse({**LIBRARY, **EXAMPLES}))
    assert (found["get"], found["README"]) == (1, 0)


def test_scripts_for_development_are_not_started_by_users() -> None:
    files = {
        "shop/run.py": 'if __name__ == "__main__":\n    print()\n',
        "scripts/run.py": 'if __name__ == "__main__":\n    print()\n',
    }
    analysis = analyse(files)
    assert [analysis.files[f.file].path for f in started(analysis)] == ["shop/run.py"]


@pytest.mark.parametrize(
    ("path", "aside"),
    [
        ("tools/make.py", True),
        ("docs-src/Lib.Docs/Program.cs", True),
        ("src/Lib.Website/Program.cs", True),
        ("install.sh", True),
        ("src/tools/make.py", False),
        ("shop/document.py", False),
    ],
)
def test_aside(path: str, aside: bool) -> None:
    assert is_aside(path) is aside
