"""The page on the architecture tells circles so that a reader learns from them."""

from __future__ import annotations

import pytest

from tests.wiki.written import write

BODY = "    return 1\n" + "# filler\n" * 120


def circle(*names: str) -> dict[str, str]:
    """Return packages of which each uses the next, the last one the first."""
    steering = "".join(
        f"  - title: {name.title()}\n    paths: [{name}/]\n" for name in names
    )
    return {".devrag/wiki.yaml": f"pages:\n{steering}"} | {
        f"{one}/{one}.py": f'"""Keeps what is {one} in good order."""\n\n'
        f"from {other}.{other} import {other}_of\n\n\n"
        f"def {one}_of(value):\n    {other}_of(value)\n{BODY}"
        for one, other in zip(names, (*names[1:], names[0]), strict=True)
    }


def circles_of(files: dict[str, str], language: str = "en") -> str:
    text = write(files, language=language)["architecture.md"].markdown
    title = "## 循環依存" if language == "ja" else "## Circular dependencies"
    return text.partition(f"{title}\n\n")[2].partition("\n\n")[0]


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "All 4 components depend on each other"), ("ja", "4 個のコンポーネント")],
)
def test_a_circle_of_all_is_one_sentence(language: str, told: str) -> None:
    text = circles_of(circle("harbour", "garden", "kitchen", "library"), language)
    assert text.startswith(told)
    assert "](" not in text


def test_a_small_circle_is_told_by_its_members() -> None:
    told = circles_of(circle("harbour", "garden"))
    assert "[Garden](features/garden.md)" in told
    assert "[Harbour](features/harbour.md)" in told
    assert "use each other" in told


def test_a_member_of_a_required_package_is_an_import_of_it() -> None:
    manifest = """{
  "name": "shop",
  "dependencies": {
    "cookie-signature": "1",
    "socket.io": "4"
  }
}
"""
    code = (
        "var sign = require('cookie-signature').sign;\n"
        "var io = require('socket.io');\n\n"
        "exports.start = function start() {\n  return sign(io);\n};\n"
    )
    page = write({"package.json": manifest, "lib/shop.js": code})["architecture.md"]
    assert page.findings == ()
    assert "**`cookie-signature`**, imported by `lib/shop.js`" in page.markdown
    assert "**`socket.io`**, imported by `lib/shop.js`" in page.markdown
    assert "also names" not in page.markdown


def test_components_of_a_circle_are_told_as_such() -> None:
    files = circle("harbour", "garden", "kitchen")
    files[".devrag/wiki.yaml"] += "  - title: Library\n    paths: [library/]\n"
    files["library/library.py"] = (
        '"""Keeps what is read in good order."""\n\n'
        "from garden.garden import garden_of\n\n\n"
        f"def library_of(value):\n    garden_of(value)\n{BODY}"
    )
    page = write(files)["architecture.md"]
    assert page.findings == ()
    assert "These 3 depend on each other, directly or through others" in page.markdown
    assert "Each component uses only" not in page.markdown
    assert "All others use only components in lower layers." in page.markdown
