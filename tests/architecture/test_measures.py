"""Size limits for modules and functions, and patterns that are not allowed."""

from __future__ import annotations

import ast

from tests.architecture.modules import (
    ROOT,
    Function,
    functions,
    line_count,
    modules,
    nodes,
    relative,
)


def _length(function: Function) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


def test_no_file_is_longer_than_500_lines() -> None:
    assert [relative(path) for path in modules() if line_count(path) > 500] == []


def test_no_function_is_longer_than_50_lines() -> None:
    long = [
        f"{relative(path)}:{node.name}"
        for path, node in functions()
        if _length(node) > 50
    ]
    assert long == []


def test_no_script_or_style_sheet_is_longer_than_500_lines() -> None:
    assets = [*(ROOT / "static").rglob("*.js"), *(ROOT / "static").rglob("*.css")]
    own = [path for path in assets if "vendor" not in path.parts]
    assert own
    assert [relative(path) for path in own if line_count(path) > 500] == []


def test_no_line_of_a_template_is_longer_than_140_characters() -> None:
    templates = list((ROOT / "templates").rglob("*.html"))
    assert templates
    long = [
        f"{relative(path)}:{number}"
        for path in templates
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > 140
    ]
    assert long == []


def test_every_module_says_its_role() -> None:
    silent = [
        relative(p) for p, tree in modules().items() if not ast.get_docstring(tree)
    ]
    assert silent == []


def test_every_module_with_code_postpones_annotations() -> None:
    without = [
        relative(path)
        for path, tree in modules().items()
        if len(tree.body) > 1  # a docstring alone needs no import
        and not any(
            isinstance(node, ast.ImportFrom) and node.module == "__future__"
            for node in tree.body
        )
    ]
    assert without == []


def test_no_module_is_a_drawer_for_everything() -> None:
    drawers = {"utils", "helpers", "manager", "util", "helper", "misc", "common"}
    assert [relative(path) for path in modules() if path.stem in drawers] == []


# Accounts are changed by commands, forms and an administration of Django's own, which
# call none of our services; signals are the one place where the audit log sees all.
_OF_DJANGO = {"devrag/access/account_events.py"}


def test_nothing_happens_behind_the_back_by_signals() -> None:
    users = [
        relative(path)
        for path, node in nodes(ast.ImportFrom)
        if node.module in {"django.db.models.signals", "django.dispatch"}
    ]
    assert set(users) - _OF_DJANGO == set()


def test_no_model_hides_logic_in_save() -> None:
    assert [relative(path) for path, node in functions() if node.name == "save"] == []
