"""Files and chunks in the administration: to look at, without counting millions."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

import devrag.sources.admin as sources_admin
from devrag.core.admin import EstimatingPaginator
from devrag.products.models import Product
from devrag.sources.models import Chunk, File, GitRef, RefFile, Source

pytestmark = pytest.mark.django_db

FILES = reverse("admin:sources_file_changelist")
CHUNKS = reverse("admin:sources_chunk_changelist")


def add_files(source: Source, folder: str, count: int) -> list[File]:
    """Store files of two chunks each, in the source's current manifest."""
    ref = GitRef.objects.get(source=source)
    files = File.objects.bulk_create(
        File(
            source=source,
            path=f"{folder}/{number}.py",
            digest=f"{number}",
            content_hash=f"{number}",
            facts_version=1,
            size=9,
            language="python",
            text="a text that lists leave out",
        )
        for number in range(count)
    )
    RefFile.objects.bulk_create(RefFile(ref=ref, file=f, since=0) for f in files)
    Chunk.objects.bulk_create(
        Chunk(
            file=file,
            ordinal=ordinal,
            kind="window",
            start_line=1,
            end_line=2,
            text=f"text {ordinal}",
            content_hash="c",
            embedded_hash="e",
            tokens=3,
        )
        for file in files
        for ordinal in range(2)
    )
    return files


@pytest.fixture
def source(db: None) -> Source:
    product = Product.objects.create(name="tea")
    source = Source.objects.create(product=product, name="tea", source_type="git")
    GitRef.objects.create(source=source, name="main", is_current=True)
    add_files(source, "src", 3)
    return source


@pytest.fixture
def root(source: Source) -> Client:
    client = Client(HTTP_HOST="localhost")
    client.force_login(User.objects.create_superuser("root"))
    return client


def page(client: Client, url: str, **query: Any) -> str:
    answer = client.get(url, query)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize(("url", "queries"), [(FILES, 5), (CHUNKS, 4)])
def test_a_list_takes_as_many_queries_for_many_rows(
    root: Client,
    source: Source,
    url: str,
    queries: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    page(root, url)
    with django_assert_num_queries(queries):
        page(root, url)
    add_files(source, "more", 60)
    with django_assert_num_queries(queries):
        page(root, url)


@pytest.mark.parametrize("url", [FILES, CHUNKS])
def test_a_list_neither_counts_all_rows_nor_reads_texts(root: Client, url: str) -> None:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        page(root, url)
    of_table = [q["sql"] for q in queries if '"sources_' in q["sql"]]
    counting = [sql for sql in of_table if "COUNT(" in sql]
    assert counting
    assert all(re.search(r"LIMIT 10001\b", sql) for sql in counting)
    assert not any('"sources_file"."text"' in sql for sql in of_table)


def test_files_are_found_by_the_beginning_of_a_path(
    root: Client, source: Source
) -> None:
    add_files(source, "lib", 2)
    found = page(root, FILES, q="lib/")
    assert "lib/0.py" in found
    assert "src/0.py" not in found
    assert "lib/0.py" not in page(root, FILES, q="ib/")


def test_files_are_filtered_by_source_and_then_by_language(
    root: Client, source: Source
) -> None:
    assert "language=python" not in page(root, FILES)
    chosen = {"source__id__exact": source.pk}
    assert "language=python" in page(root, FILES, **chosen)
    assert "src/0.py" in page(root, FILES, **chosen, language="python", kind="code")
    assert "src/0.py" not in page(root, FILES, **chosen, language="go")


def test_chunks_of_all_files_are_listed(
    root: Client, source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources_admin, "_FILES_SEARCHED", 1)
    listed = page(root, CHUNKS)
    assert all(f"src/{number}.py::chunk_1" in listed for number in range(3))


@pytest.mark.parametrize("query", ["src/1.py::chunk_1", "src/1.py"])
def test_chunks_are_found_by_path_and_key(root: Client, query: str) -> None:
    found = page(root, CHUNKS, q=query)
    assert "src/1.py::chunk_1" in found
    assert "src/0.py::chunk" not in found


def test_a_file_shows_its_chunks_and_a_chunk_its_text(
    root: Client, source: Source, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    file = File.objects.get(path="src/1.py")
    url = reverse("admin:sources_file_change", args=[file.pk])
    page(root, url)
    with django_assert_num_queries(8):
        shown = page(root, url)
    chunk = Chunk.objects.get(file=file, ordinal=1)
    chunk_url = reverse("admin:sources_chunk_change", args=[chunk.pk])
    assert chunk_url in shown
    assert "/p/tea/s/tea/-/current/src/1.py" in shown
    assert f"?file__id__exact={file.pk}" in shown
    assert "a text that lists leave out" not in shown
    of_file = page(root, CHUNKS, file__id__exact=file.pk)
    assert of_file.count("::chunk_") == 2
    assert "text 1" in page(root, chunk_url)


@pytest.mark.parametrize("model", [File, Chunk])
def test_nothing_is_added_changed_or_deleted(root: Client, model: Any) -> None:
    row = model.objects.first()
    name = f"admin:sources_{model._meta.model_name}"
    assert root.get(reverse(f"{name}_add")).status_code == 403
    assert root.post(reverse(f"{name}_delete", args=[row.pk])).status_code == 403
    changed = root.post(reverse(f"{name}_change", args=[row.pk]), {"kind": "x"})
    assert changed.status_code == 403
    gone = {"action": "delete_selected", "_selected_action": row.pk}
    root.post(reverse(f"{name}_changelist"), gone)
    assert model.objects.filter(pk=row.pk).exists()


@pytest.mark.parametrize("url", [FILES, CHUNKS])
def test_only_administrators_see_them(source: Source, url: str) -> None:
    client = Client(HTTP_HOST="localhost")
    assert client.get(url).status_code == 302
    client.force_login(User.objects.create_user("helper", is_staff=True))
    assert client.get(url).status_code == 403
    User.objects.get().user_permissions.set(Permission.objects.all())
    assert client.get(url).status_code == 403


def test_a_few_rows_are_counted_and_many_are_estimated(
    source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_files(source, "lib", 40)
    rows = File.objects.order_by("-pk")
    assert EstimatingPaginator(rows, 10).count == 43
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE sources_file")
    monkeypatch.setattr(EstimatingPaginator, "COUNTED", 20)
    paginator = EstimatingPaginator(rows, 10)
    assert paginator.count == 43
    assert len(paginator.page(5)) == 3
