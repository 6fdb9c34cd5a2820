"""A wiki brought here from another devrag, and what a hostile one sends instead."""

from __future__ import annotations

import io
import re
import struct
import zipfile
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.cli.remote import connection, export
from devrag.cli.remote.export import unpack
from devrag.core.errors import InvalidInput, NotFound, ServiceError
from devrag.wiki.models import Page, Version, Wiki
from devrag.wiki.publishing.folder import LISTING
from tests.people import People

from .here import Ask, here

EXPORT = ("wiki", "export", "--product", "teahouse")
THERE = "https://devrag.example"
with_database = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ask(ask: Ask, wiki: Wiki, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Export from elsewhere, into a folder of the test's own."""
    monkeypatch.chdir(tmp_path)
    return partial(ask, *EXPORT)


@pytest.fixture
def wiki(people: People) -> Wiki:
    made = Wiki.objects.create(product=people.teahouse)
    for number in (1, 2):
        version = Version.objects.create(wiki=made, number=number, writer="structural")
        for ordinal, path in enumerate(("index.md", "features/brew.md")):
            Page.objects.create(
                version=version,
                path=path,
                ordinal=ordinal,
                kind="feature",
                title="茶",
                markdown=f"# 茶\n\nIt brews {number} cups.\n",
                fingerprint=str(number),
            )
    made.current = version
    made.save()
    return made


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@with_database
@pytest.mark.parametrize("kind", ["md", "html"])
@pytest.mark.parametrize("more", [(), ("--version", "1"), ("--json",)])
def test_the_same_files_come_from_elsewhere(
    ask: Ask, kind: str, more: tuple[str, ...]
) -> None:
    asked = ("--format", kind, "--output", "out", *more)
    told = ask(*asked)
    found = files_in(Path("out"))
    assert {f"features/brew.{kind}", "llms.txt", LISTING} <= set(found)
    for path in Path("out").rglob("*.*"):
        path.unlink()
    assert told == here(*EXPORT, *asked)
    assert found == files_in(Path("out"))


@with_database
@pytest.mark.parametrize("output", ["", "mine.zip"])
def test_the_same_archive_comes_from_elsewhere(ask: Ask, output: str) -> None:
    asked = ("--format", "zip", *(("--output", output) if output else ()))
    target = Path(output or "teahouse-wiki-2.zip")
    told = ask(*asked)
    found = target.read_bytes()
    assert told == here(*EXPORT, *asked) == f"Exported version 2 to {target}.\n"
    assert found == target.read_bytes()


@with_database
def test_markdown_has_a_place_of_its_own(ask: Ask) -> None:
    assert ask() == "Exported version 2 to teahouse-wiki.\n"
    assert "2 cups" in Path("teahouse-wiki/index.md").read_text()
    with pytest.raises(InvalidInput, match="--output FOLDER"):
        ask("--format", "html")


@with_database
def test_a_version_that_is_not_kept_is_said(ask: Ask) -> None:
    with pytest.raises(NotFound, match=r"no version 9\. Stored versions: 2, 1"):
        ask("--version", "9")
    Wiki.objects.update(current=None)
    with pytest.raises(NotFound, match="no wiki yet"):
        ask()


@with_database
def test_a_version_that_is_no_number_names_no_file(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = connection.Connection.get_all

    def hostile(server: connection.Connection, path: str) -> list[Any]:
        rows = list(real(server, path))
        return (
            [{**row, "version": "/../../x"} for row in rows] if "/v" in path else rows
        )

    monkeypatch.setattr(connection.Connection, "get_all", hostile)
    with pytest.raises(ServiceError, match="an invalid version number"):
        ask("--format", "zip")


@with_database
def test_what_others_put_into_the_folder_stays(ask: Ask) -> None:
    Path("out").mkdir()
    Path("out/mine.md").write_text("mine")
    ask("--output", "out")
    assert Path("out/mine.md").read_text() == "mine"


# -- a hostile server --------------------------------------------------------------


def packed(*names: str, text: str = "x", kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", kind) as archive:
        for name in names:
            archive.writestr(name, text)
    return buffer.getvalue()


def test_what_a_wiki_consists_of_is_unpacked() -> None:
    names = ("index.md", "features/node.js.md", "a/b/索引.html", "llms.txt")
    found = unpack(packed(*(f"shop/{name}" for name in names)), THERE)
    assert found == dict.fromkeys(names, "x")


@pytest.mark.parametrize(
    "name",
    [
        *("shop/../out.md", "shop/a/../../out.md", "shop//etc/out.md"),
        *("shop/..\\out.md", "shop/C:out.md", "shop/a\nb.md", "shop/"),
        *("shop/.git/config", "shop/.git/x.md", "shop/.bashrc", "shop/.md"),
        *("shop/Makefile", "shop/run.sh", "shop/conftest.py", "shop/a/llms.txt"),
        *(f"shop/{LISTING}", "index.md"),
    ],
)
def test_what_is_no_page_is_refused(name: str) -> None:
    with pytest.raises(ServiceError, match=r"not part of a wiki.*Nothing was written"):
        unpack(packed("shop/index.md", name), THERE)


def test_more_than_a_wiki_has_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = packed("shop/a.md", "shop/b.md", text="x" * 100)
    monkeypatch.setattr(export, "_MOST_BYTES", 199)
    with pytest.raises(ServiceError, match="2 files with 200 bytes"):
        unpack(data, THERE)
    monkeypatch.setattr(export, "_MOST_BYTES", 200)
    monkeypatch.setattr(export, "_MOST_FILES", 1)
    with pytest.raises(ServiceError, match="2 files with 200 bytes"):
        unpack(data, THERE)


def test_no_more_is_unpacked_than_is_stated() -> None:
    text = "x" * 1_000_000
    data = bytearray(packed("shop/a.md", text=text))
    stated = struct.pack("<L", len(text))
    assert data.count(stated) == 2
    lying = bytes(data).replace(stated, struct.pack("<L", 10))
    with pytest.raises(ServiceError, match="an archive that cannot be read"):
        unpack(lying, THERE)


def test_what_cannot_be_read_is_said() -> None:
    for data in (b"", b"<html>", packed("shop/a.md")[:-9]):
        with pytest.raises(ServiceError, match=f"{THERE} sent an archive"):
            unpack(data, THERE)
    with pytest.raises(ServiceError, match="not part of a wiki"):
        unpack(packed("shop/a.md", kind=zipfile.ZIP_LZMA), THERE)


@given(st.data())
def test_a_damaged_archive_is_read_or_refused(data: st.DataObject) -> None:
    whole = packed("shop/index.md", "shop/features/a.md", text="# A\n")
    at = data.draw(st.integers(0, len(whole) - 1))
    other = data.draw(st.binary(min_size=1, max_size=4))
    changed = whole[:at] + other + whole[at + 1 :]
    found: dict[str, str] = {}
    with suppress(ServiceError):
        found = unpack(changed, THERE)
    assert all(re.fullmatch(export._NAME, path) for path in found)
    assert all("# A\n".startswith(text) for text in found.values())


@with_database
def test_an_answer_without_end_is_refused(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "_MOST_BYTES", 100)
    with pytest.raises(ServiceError, match="more than 100 bytes"):
        ask("--json")
    assert not list(Path.cwd().iterdir())
