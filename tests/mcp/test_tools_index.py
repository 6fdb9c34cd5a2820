"""add_folder: what agents may add on the server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from devrag.core.errors import DevragError, InvalidInput, NotFound, PermissionDenied
from devrag.core.principal import Principal
from devrag.jobs.models import Job
from devrag.mcp.tools import index as tools
from devrag.products.models import Product
from devrag.sources.models import Source
from tests.people import People, principal

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    settings.SOURCE_ROOTS = [tmp_path / "roots"]
    made = tmp_path / "roots" / "notes"
    made.mkdir(parents=True)
    (made / "a.md").write_text("# A\n\nGreen tea.\n")
    return made


def add(
    monkeypatch: pytest.MonkeyPatch, who: Principal, path: str, product: str
) -> tools.FolderAdded:
    """Call the tool as somebody whose token has the scope."""
    monkeypatch.setattr(tools, "caller", lambda _, scope: {"index": who}[scope])
    return tools.add_folder(None, path, product)  # type: ignore[arg-type]


def test_a_folder_below_the_roots_of_its_product_is_added(
    monkeypatch: pytest.MonkeyPatch, people: People, folder: Path
) -> None:
    roots = [str(folder.parent.resolve())]
    Product.objects.filter(name="teahouse").update(source_roots=roots)
    alice = principal(people.alice)
    found = add(monkeypatch, alice, str(folder), "teahouse")
    source = Source.objects.get(name=found["source"])
    assert (source.source_type, source.location) == ("local", str(folder.resolve()))
    assert Job.objects.get(pk=found["job_id"]).source_name == "notes"
    # Once more: it is indexed again.
    assert add(monkeypatch, alice, str(folder), "teahouse")["source"] == "notes"
    assert Source.objects.filter(source_type="local").count() == 1


@pytest.mark.parametrize(
    ("path", "product", "error", "said"),
    [
        ("FOLDER", "teahouse", DevragError, "notes"),
        ("/etc", "teahouse", DevragError, "/etc"),
        ("FOLDER/../../..", "teahouse", DevragError, "roots|below|folder"),
        ("https://git.example/x.git", "teahouse", InvalidInput, "is not a folder"),
        ("FOLDER", "elsewhere", NotFound, "no product"),
    ],
)
def test_nothing_else_is_added(
    monkeypatch: pytest.MonkeyPatch,
    people: People,
    folder: Path,
    path: str,
    product: str,
    error: type[DevragError],
    said: str,
) -> None:
    asked = path.replace("FOLDER", str(folder))
    with pytest.raises(error, match=said):
        add(monkeypatch, principal(people.alice), asked, product)
    with pytest.raises((PermissionDenied, InvalidInput, NotFound)):
        add(monkeypatch, principal(people.bob), asked, product)
    assert not Source.objects.filter(source_type="local").exists()
