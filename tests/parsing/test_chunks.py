"""The language of a chunk of code is that of its comments and docstrings."""

from __future__ import annotations

import pytest

from devrag.parsing.api import parse_file

PROSE = "注文の合計を税込みで計算します。"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", f'def total(x):\n    """{PROSE}"""\n    return x\n'),
        ("a.py", f"def total(x):\n    # {PROSE}\n    return x\n"),
        ("a.py", f'"""{PROSE}"""\n\nLIMIT = 3\n'),
        ("a.go", f"package a\n\n// {PROSE}\nfunc total() {{\n}}\n"),
        ("a.pl", f"# {PROSE}\nsub total {{\n}}\n"),
        ("A.java", f"/** {PROSE} */\nclass A {{\n}}\n"),
    ],
)
def test_code_explained_in_japanese_is_japanese(path: str, text: str) -> None:
    assert parse_file(path, text).chunks[-1].language == "ja"


@pytest.mark.parametrize(
    "text",
    [
        f'def total(x):\n    return "{PROSE}"\n',
        f"def total(x):\n    # {'Adds the tax. ' * 30}（税）\n    return x\n",
        "def total(x):\n    # Café, naïve\n    return x\n",
        "def total(x):\n    # 合計\n    return x\n",
        "def total(x):\n    return x\n",
    ],
)
def test_other_code_is_code(text: str) -> None:
    assert parse_file("a.py", text).chunks[-1].language == "code"


def test_a_class_is_not_in_the_language_of_its_methods() -> None:
    text = (
        'class A:\n    """Adds taxes."""\n\n'
        f"    def total(self):\n        # {PROSE}\n        return 1\n"
    )
    chunks = parse_file("a.py", text).chunks
    assert [chunk.language for chunk in chunks] == ["code", "ja"]
