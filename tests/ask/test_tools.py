"""What a model may look for, over an indexed shop."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from devrag.ask.agent.reach import Reach
from devrag.ask.agent.tool_arguments import read_arguments
from devrag.ask.agent.tools import TOOLS, ToolResult
from devrag.ask.types import AskRequest, Scope
from devrag.core.errors import InvalidInput, NotFound
from devrag.core.principal import ANONYMOUS, SYSTEM
from devrag.products.models import Product
from devrag.sources.models import Source
from tests.conftest import SHOP, Repository

pytestmark = pytest.mark.django_db
ASKED = AskRequest("How does checkout work?", SYSTEM)
_LONG = "class Kettle:\n" + "".join(
    f"    def boil_{n}(self):\n        return {n}\n\n" for n in range(60)
)


@pytest.fixture(scope="module")
def more_files() -> dict[str, str | bytes | None]:
    return {
        "kettle.py": _LONG,
        "tools/shop_cart.py": "class Cart:\n    pass\n",
        "pyproject.toml": '[project]\nname = "shop"\ndependencies = ["requests"]\n',
    }


def call(
    tool_name: str, request: AskRequest = ASKED, /, **arguments: Any
) -> ToolResult:
    tool = TOOLS[tool_name]
    checked = tool.arguments.model_validate(arguments)
    assert tool.step(checked)
    return tool.run(Reach.of(request), checked)


def test_search_finds_passages_with_their_lines(indexed: Repository) -> None:
    found = call("search", query="charge the customer")
    best = found.passages[0]
    assert best.path in {"shop/till.py", "shop/cart.py"}
    shown = SHOP[best.path].split("\n")[best.start_line - 1 : best.end_line]
    assert best.text == "\n".join(shown)


def test_search_keeps_to_a_folder(indexed: Repository) -> None:
    found = call("search", query="cart", path="shop/")
    assert found.passages
    assert {passage.path.split("/")[0] for passage in found.passages} == {"shop"}


def test_a_search_without_results_says_so(indexed: Repository) -> None:
    with pytest.raises(NotFound, match="other words"):
        call("search", query="cart", path="nowhere")


def test_a_definition_is_read_whole(indexed: Repository) -> None:
    found = call("read_symbol", name="Cart.checkout")
    (passage,) = found.passages
    assert found.is_read
    assert passage.title == "Cart.checkout"
    assert "return charge(" in passage.text


def test_several_of_a_name_are_read_and_told_apart_by_their_path(
    indexed: Repository,
) -> None:
    both = call("read_symbol", name="Cart").passages
    assert {passage.path for passage in both} == {"shop/cart.py", "tools/shop_cart.py"}
    (one,) = call("read_symbol", name="Cart", path="tools/shop_cart.py").passages
    assert one.path == "tools/shop_cart.py"


def test_a_long_class_comes_with_its_members(indexed: Repository) -> None:
    found = call("read_symbol", name="Kettle")
    assert found.passages[0].line_count == 120
    assert any("Kettle.boil_39" in line for line in found.lines)


def test_a_name_that_is_not_defined_brings_similar_ones(indexed: Repository) -> None:
    with pytest.raises(NotFound, match=r"Similar: .*checkout"):
        call("read_symbol", name="chekout")
    with pytest.raises(NotFound, match="by meaning"):
        call("read_symbol", name="zzzzqqqq")


def test_lines_are_read_with_the_definition_around_them(indexed: Repository) -> None:
    found = call("read_lines", path="./shop/cart.py", start_line=13, end_line=14)
    (passage,) = found.passages
    assert (passage.start_line, passage.end_line) == (13, 14)
    assert passage.title == "Cart.add"


def test_a_path_may_begin_with_its_source(indexed: Repository) -> None:
    wanted = {"start_line": 1, "end_line": 3}
    (passage,) = call("read_lines", path="shop/shop/cart.py", **wanted).passages
    assert passage.path == "shop/cart.py"


def test_no_more_than_120_lines_are_read(indexed: Repository) -> None:
    found = call("read_lines", path="kettle.py", start_line=1, end_line=9_999)
    assert found.passages[0].end_line == 120


@pytest.mark.parametrize(
    ("path", "first", "last", "said"),
    [
        ("cart.py", 1, 5, "shop/cart.py"),
        ("shop", 1, 5, "folder"),
        ("../../etc/passwd", 1, 5, "does not exist"),
    ],
)
def test_a_wrong_path_is_told_with_the_right_one(
    indexed: Repository, path: str, first: int, last: int, said: str
) -> None:
    with pytest.raises(NotFound, match=said):
        call("read_lines", path=path, start_line=first, end_line=last)


@pytest.mark.parametrize(("first", "last"), [(900, 950), (9, 3)])
def test_lines_that_are_none_are_told(
    indexed: Repository, first: int, last: int
) -> None:
    with pytest.raises(InvalidInput, match="are none"):
        call("read_lines", path="shop/cart.py", start_line=first, end_line=last)


def test_callers_are_listed_with_their_lines(indexed: Repository) -> None:
    found = call("list_callers", name="charge")
    assert found.passages == ()
    assert "uses of charge" in found.lines[0]
    assert any(
        line.startswith("shop/cart.py:18 call in Cart.checkout: return charge(")
        for line in found.lines
    )


def test_callers_of_an_ambiguous_name_are_asked_for_by_path(
    indexed: Repository,
) -> None:
    assert "path" in call("list_callers", name="Cart").lines[0]
    found = call("list_callers", name="Cart", path="shop/cart.py")
    assert any("tests/test_cart.py" in line for line in found.lines)


def test_facts_are_listed_by_kind_and_name(indexed: Repository) -> None:
    (setting,) = call("list_facts", kind="setting").lines
    assert setting.startswith("TAX_RATE shop/till.py:")
    assert call("list_facts", kind="setting", name="tax").lines == (setting,)
    with pytest.raises(NotFound):
        call("list_facts", kind="setting", name="milk")


# -- what may be read ---------------------------------------------------------------

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search", {"query": "checkout"}),
    ("read_symbol", {"name": "Cart.checkout"}),
    ("read_lines", {"path": "shop/cart.py", "start_line": 1, "end_line": 5}),
    ("list_callers", {"name": "charge"}),
    ("list_facts", {"kind": "setting"}),
]
each_tool = pytest.mark.parametrize(("name", "arguments"), CALLS)


@each_tool
def test_who_sees_nothing_reads_nothing(
    indexed: Repository, name: str, arguments: dict[str, Any]
) -> None:
    Product.objects.update(visibility="members")
    with pytest.raises(NotFound):
        call(name, replace(ASKED, principal=ANONYMOUS), **arguments)


@each_tool
def test_a_product_that_allows_no_external_models_is_not_read(
    indexed: Repository, name: str, arguments: dict[str, Any]
) -> None:
    Product.objects.update(is_external_models_allowed=False)
    with pytest.raises(NotFound):
        call(name, **arguments)


@each_tool
def test_a_product_that_allows_none_is_not_read_beside_one_that_does(
    indexed: Repository, name: str, arguments: dict[str, Any]
) -> None:
    Product.objects.update(is_external_models_allowed=False)
    other = Product.objects.create(name="other")
    Source.objects.create(product=other, name="other", source_type="git")
    with pytest.raises(NotFound):
        call(name, **arguments)


@each_tool
@pytest.mark.parametrize(
    "scope", [Scope(products=("other",)), Scope(source="other"), Scope(path="docs/")]
)
def test_nothing_is_read_beyond_the_scope(
    indexed: Repository, name: str, arguments: dict[str, Any], scope: Scope
) -> None:
    try:
        found = call(name, replace(ASKED, scope=scope), **arguments)
    except NotFound:
        return
    assert all(passage.path.startswith("docs/") for passage in found.passages)
    assert not any("shop/cart.py" in line for line in found.lines)


def test_arguments_are_those_that_the_model_was_told_of() -> None:
    for name, arguments in CALLS:
        tool = TOOLS[name]
        assert set(arguments) >= set(tool.spec.schema["required"])
        with pytest.raises(InvalidInput):
            read_arguments("{}", tool.arguments)
