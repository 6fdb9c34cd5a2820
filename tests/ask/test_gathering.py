"""From a question to its passages, over an indexed shop."""

from __future__ import annotations

from dataclasses import replace

import pytest

from devrag.ask.evidence.gathering import (
    begin_evidence,
    complete_evidence,
    gather_evidence,
)
from devrag.ask.types import AskRequest, Passage, Scope
from devrag.core.errors import NotFound
from devrag.core.hashing import sha256_hex
from devrag.core.principal import ANONYMOUS, SYSTEM
from devrag.products.models import Product
from tests.conftest import SHOP, Repository

pytestmark = pytest.mark.django_db
ASKED = AskRequest("How does Cart.checkout charge the customer?", SYSTEM)


def titles(passages: tuple[Passage, ...]) -> dict[str, Passage]:
    return {passage.title: passage for passage in passages}


def test_a_named_definition_comes_with_what_it_uses(indexed: Repository) -> None:
    found = titles(gather_evidence(ASKED).passages)
    assert found["Cart.checkout"].kind == "definition"
    assert "return charge(" in found["Cart.checkout"].text
    charge = found["charge"]
    assert charge.path == "shop/till.py"
    assert "def charge" in charge.text


def test_passages_are_lines_of_the_file_as_it_is_indexed(indexed: Repository) -> None:
    for passage in gather_evidence(ASKED).passages:
        lines = SHOP[passage.path].split("\n")
        shown = lines[passage.start_line - 1 : passage.end_line]
        assert passage.text == "\n".join(shown)
        assert passage.content_hash == sha256_hex(SHOP[passage.path])
        assert passage.version_identifier == indexed.git("rev-parse", "HEAD").strip()


def test_what_was_shown_first_keeps_its_numbers(indexed: Repository) -> None:
    start = begin_evidence(ASKED)
    evidence = complete_evidence(ASKED, start)
    assert start.passages
    assert evidence.passages[: len(start.passages)] == start.passages
    ids = [passage.id for passage in evidence.passages]
    assert ids == [f"E{number}" for number in range(1, len(ids) + 1)]


def test_a_setting_that_is_named_is_evidence(indexed: Repository) -> None:
    question = replace(ASKED, question="What does the tax rate setting change?")
    facts = [p for p in gather_evidence(question).passages if p.kind == "fact"]
    named = {fact.title: fact for fact in facts}
    # Lines that another passage has are shown there.
    text = "\n".join(p.text for p in gather_evidence(question).passages)
    assert "TAX_RATE" in named or "TAX_RATE" in text


def test_the_lines_asked_about_come_first(indexed: Repository) -> None:
    scope = Scope(source="shop", path="shop/till.py", lines=(6, 9))
    question = AskRequest("What happens here?", SYSTEM, scope)
    first = gather_evidence(question).passages[0]
    assert (first.path, first.start_line, first.end_line) == ("shop/till.py", 6, 9)


def test_limits_hold(indexed: Repository) -> None:
    evidence = gather_evidence(ASKED, max_files=1, max_lines=5)
    assert len({passage.path for passage in evidence.passages}) == 1
    assert sum(passage.line_count for passage in evidence.passages) <= 5


def test_others_do_not_see_a_private_product(indexed: Repository) -> None:
    Product.objects.update(visibility="members")
    evidence = gather_evidence(replace(ASKED, principal=ANONYMOUS))
    assert evidence.passages == ()
    assert not evidence.is_found
    with pytest.raises(NotFound, match="shop"):
        gather_evidence(replace(ASKED, principal=ANONYMOUS, scope=Scope(("shop",))))


def test_nonsense_is_not_found(indexed: Repository) -> None:
    assert not gather_evidence(replace(ASKED, question="zzzqqqxx wwvv")).is_found


@pytest.fixture(scope="module")
def more_files() -> dict[str, str | bytes | None]:
    """One definition that is cut into pieces, one of them about ribbons."""
    remark = "what one pays for a tin of tea that stands on this shelf of the shop"
    lines = [f"    price_{n} = {n}  # {remark}" for n in range(50)]
    lines.insert(45, "    ribbon = wrap_in_paper('the parcel', 'with a golden ribbon')")
    body = "\n".join(lines)
    return {"shop/shelves.py": f"def list_shelves():\n{body}\n    return ribbon\n"}


def test_a_piece_of_a_definition_brings_all_of_it(indexed: Repository) -> None:
    question = replace(ASKED, question="wrap the parcel in paper with a golden ribbon")
    found = titles(gather_evidence(question).passages)
    assert found["list_shelves"].start_line == 1
    assert "return ribbon" in found["list_shelves"].text


@pytest.mark.parametrize(
    "question",
    ["What does Cart.checkout do?", "Cart.checkout はどこで定義されていますか？"],
)
def test_the_definition_that_is_asked_about_comes_first(
    indexed: Repository, question: str
) -> None:
    request = AskRequest(question, SYSTEM)
    evidence = gather_evidence(request)
    assert evidence.passages[0].title == "Cart.checkout"
    assert evidence.named == ("E1",)
    assert evidence.is_found
