"""What mentions a file, page or ticket, and what it mentions itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from devrag.core.principal import SYSTEM, Principal
from devrag.mentions.api import Mentioned, Mentions, find_mentions
from devrag.products.models import Membership, Product, SourceLimit
from devrag.sources.documents import DocumentFacts
from devrag.sources.models import File, Source
from devrag.sources.server_access import ServerAccess
from devrag.sources.services import register_source
from devrag.use_cases.index import request_index
from tests.conftest import run_job
from tests.documents import DONE, PAY, index_documents
from tests.people import principal

GUIDE = DocumentFacts(
    title="Token guide",
    kind="page",
    url="https://tickets.example.com/projects/shop/wiki/Token_guide?version=2",
)
CODE = {
    "auth/token_check.py": (
        "# Fixes #7: tokens of two shops.\n"
        "def verify_token(secret):\n    return secret == 'x'\n"
    ),
    "auth/colours.css": ".a { color: #3 }\n",
    "shop/cart.py": (
        "# https://tickets.example.com/projects/shop/wiki/Token_guide#why\n"
        "class CartTotal:\n    def run(self):\n        return 1\n"
    ),
    "shop/api.py": "def list_shops():\n    return []\n",
    "auth/api.py": "def sign_in():\n    return 1\n",
    "docs/api.md": "Each package has its `api.py`, shops in `shop/api.py`.\n",
    "README.md": "Tokens: `verify_token()`, see `auth/token_check.py` and #3.\n",
}
PAGES = {
    "issues/7.md": (PAY, "It is `CartTotal.run` that adds twice.\n"),
    "issues/3.md": (DONE, "Same as #7, see run.\n"),
    "wiki/Token_guide.md": (GUIDE, "A token is read by `token_check.py`.\n"),
}


@pytest.fixture
def shop(db: None, tmp_path: Path) -> Product:
    product = Product.objects.create(name="shop")
    index_code(tmp_path / "code", product, CODE)
    index_documents(tmp_path / "tracker", "shop", PAGES)
    return product


def mentions(product: Product, path: str, reader: Principal = SYSTEM) -> Mentions:
    file = File.objects.get(
        path=path, source__product=product, source__name__in=("code", "tracker")
    )
    return find_mentions(reader, product, file)


def index_code(folder: Path, product: Product, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    source = register_source(
        product=product,
        name="code",
        source_type="local",
        location=str(folder),
        access=ServerAccess(is_local_user=True),
    )
    job = run_job(request_index(principal=SYSTEM, source=source))
    assert job.state == "completed", job.error


def rows(found: Iterable[Mentioned]) -> list[tuple[str, str, bool]]:
    return sorted((each.file.path, each.written, each.is_by) for each in found)


def test_code_leads_to_the_tickets_and_documents_about_it(shop: Product) -> None:
    found = mentions(shop, "auth/token_check.py")
    assert rows(found.tickets) == [("issues/7.md", "#7", False)]
    assert rows(found.pages) == [
        ("README.md", "verify_token()", True),
        ("wiki/Token_guide.md", "token_check.py", True),
    ]
    assert found.code == ()


def test_the_line_is_where_the_mention_stands(shop: Product) -> None:
    found = mentions(shop, "auth/token_check.py")
    assert [each.line for each in found.tickets] == [1]
    text = File.objects.get(path="wiki/Token_guide.md").text.split("\n")
    page = next(each for each in found.pages if each.document)
    assert "token_check.py" in text[page.line - 1]


def test_an_address_with_a_version_or_an_anchor_means_the_page(shop: Product) -> None:
    found = mentions(shop, "shop/cart.py")
    assert [each.file.path for each in found.pages] == ["wiki/Token_guide.md"]
    assert rows(found.tickets) == [("issues/7.md", "CartTotal.run", True)]


def test_a_ticket_leads_to_the_code_and_the_tickets_that_mention_it(
    shop: Product,
) -> None:
    found = mentions(shop, "issues/7.md")
    assert rows(found.code) == [
        ("auth/token_check.py", "#7", True),
        ("shop/cart.py", "CartTotal.run", False),
    ]
    assert rows(found.tickets) == [("issues/3.md", "#7", True)]


def test_open_tickets_come_first(shop: Product) -> None:
    found = mentions(shop, "README.md")
    assert rows(found.tickets) == [("issues/3.md", "#3", False)]
    assert rows(found.code) == [("auth/token_check.py", "auth/token_check.py", False)]


def test_a_file_name_that_several_have_needs_its_folder(shop: Product) -> None:
    assert rows(mentions(shop, "shop/api.py").pages) == [
        ("docs/api.md", "shop/api.py", True)
    ]
    assert not mentions(shop, "auth/api.py").pages
    assert rows(mentions(shop, "docs/api.md").code) == [
        ("shop/api.py", "shop/api.py", False)
    ]


def test_words_of_prose_and_colours_lead_nowhere(shop: Product) -> None:
    assert not mentions(shop, "auth/colours.css")
    assert "shop/cart.py" not in {
        each.file.path for each in mentions(shop, "issues/3.md").code
    }


def test_numbers_say_nothing_where_a_product_has_two_trackers(
    shop: Product, tmp_path: Path
) -> None:
    other = {"issues/7.md": (PAY, "Another one.\n")}
    index_documents(tmp_path / "other", "shop", other, name="other")
    assert not mentions(shop, "auth/token_check.py").tickets


def test_a_source_that_is_limited_to_others_is_left_out(shop: Product) -> None:
    rita, mia = (User.objects.create_user(name) for name in ("rita", "mia"))
    for user in (rita, mia):
        Membership.objects.create(product=shop, user=user, role="viewer")
    assert mentions(shop, "auth/token_check.py", principal(rita)).tickets
    tracker = Source.objects.get(name="tracker")
    limit = SourceLimit.objects.create(product=shop, source_id=tracker.pk)
    limit.members.add(mia)
    found = mentions(shop, "auth/token_check.py", principal(rita))
    assert not found.tickets
    assert [each.file.path for each in found.pages] == ["README.md"]
    assert mentions(shop, "auth/token_check.py", principal(mia)).tickets
