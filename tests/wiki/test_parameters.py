"""Descriptions of parameters are read in the styles that languages have."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.parameters import is_code, parameter_names, parameters_of


@pytest.mark.parametrize(
    "docstring",
    [
        "Open it.\n\n@param path where it\n  is kept\n@return the box",
        "Open it.\n\n:param str path: where it is kept\n:returns: the box",
        "Open.\n\nArgs:\n    path (str): where it\n        is kept\n\nReturns: a box",
        "Open.\n\nParameters\n----------\npath : str\n    where it is kept\n\nReturns",
        "Open it.\n\n**Parameters:**\n\n* **path** - *(optional)* where it is kept",
        "Open it.\npath: where it is kept",
    ],
    ids=["javadoc", "rest", "google", "numpy", "markdown", "plain"],
)
def test_a_parameter_has_its_description(docstring: str) -> None:
    assert parameters_of(docstring, ["path"]) == {"path": "where it is kept"}


def test_words_that_are_no_parameters_describe_none() -> None:
    assert parameters_of("Note: it is slow.\npath - kept", ["other"]) == {}


def test_names_of_a_signature_leave_defaults_out() -> None:
    assert parameter_names("def get(url, *, wait=LONG)") == ["url", "wait"]
    assert parameter_names("class Box") == []


@pytest.mark.parametrize(
    ("docstring", "code"),
    [
        ('url = URL("x")\n', True),
        (">>> get()", True),
        ("get(url)\n", True),
        ("Opens a box.", False),
        ("get(url) opens it.", False),
    ],
)
def test_a_docstring_may_begin_with_code(docstring: str, code: bool) -> None:
    assert is_code(docstring) is code
