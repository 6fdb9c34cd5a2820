"""What is pruned, what stays, and that a follower behind the pruning misses nothing."""

from __future__ import annotations

import os
import threading
import time
import uuid
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone

from devrag.ask.conversations import selectors
from devrag.ask.models import Conversation
from devrag.core.principal import SYSTEM
from devrag.jobs.services import cancel_job
from devrag.operations.housekeeping import count_chores, run_housekeeping
from devrag.operations.tasks import housekeeping
from devrag.products.models import Product
from devrag.runtime.state_files import open_log
from devrag.search.lexical.store import open_index
from devrag.search.models import QueryRewrite, SearchLog
from devrag.search.service import search
from devrag.search.types import SearchQuery
from devrag.sources.mirrors import mirror_of
from devrag.sources.models import (
    Chunk,
    File,
    GitRef,
    RefFile,
    Snapshot,
    Source,
    StagedChange,
)
from devrag.use_cases.deletion.request import delete_source
from devrag.use_cases.deletion.unused_rows import (
    KEPT,
    KEPT_SEQUENCES,
    advance_kept_sequences,
    delete_unused_files,
)
from devrag.use_cases.index import request_index
from devrag.wiki.models import Claim, Page, PageDraft, Version, Wiki
from tests.conftest import Repository
from tests.indexing.test_index import index

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
LONG_AGO = timezone.now() - 2 * KEPT


def age() -> None:
    """Let a fortnight pass over everything that is stored."""
    for model in (File, Snapshot):
        model._default_manager.update(created_at=LONG_AGO)
    Snapshot.objects.update(indexed_at=LONG_AGO)
    GitRef.objects.exclude(marked_at=None).update(marked_at=LONG_AGO)


@pytest.fixture
def changed(shop: Repository) -> Source:
    """A source whose till was replaced, long ago and many activations ago."""
    index(shop)
    advance_kept_sequences(timezone.now())
    shop.commit({"shop/till.py": '"""Another till."""\n'})
    index(shop)
    GitRef.objects.update(marked_sequence=2)
    age()
    return Source.objects.get()


def many_activations() -> None:
    GitRef.objects.update(sequence=2 + KEPT_SEQUENCES)


def keyword_paths(text: str) -> list[str]:
    query = SearchQuery(text=text, principal=SYSTEM, mode="keyword")
    return [hit.path for hit in search(query).hits]


def test_nothing_goes_from_a_fresh_index(shop: Repository) -> None:
    index(shop)
    before = (File.objects.count(), RefFile.objects.count(), Chunk.objects.count())
    assert run_housekeeping() == {}
    assert (File.objects.count(), RefFile.objects.count(), Chunk.objects.count()) == (
        before
    )


def test_a_superseded_version_goes_after_a_week_and_twenty_activations(
    changed: Source,
) -> None:
    many_activations()
    assert File.objects.filter(path="shop/till.py").count() == 2
    went = run_housekeeping()
    assert (went["ended intervals"], went["file versions"]) == (1, 1)
    assert File.objects.get(path="shop/till.py").text == '"""Another till."""\n'
    assert not RefFile.objects.exclude(until=None).exists()
    assert not Chunk.objects.exclude(file__manifests__until=None).exists()
    assert run_housekeeping() == {}


def test_twenty_activations_stay_however_old_they_are(changed: Source) -> None:
    assert run_housekeeping().get("file versions") is None
    assert File.objects.filter(path="shop/till.py").count() == 2


def test_a_week_stays_however_many_activations_there_were(changed: Source) -> None:
    many_activations()
    GitRef.objects.update(marked_at=timezone.now() - KEPT + timedelta(hours=1))
    assert run_housekeeping().get("file versions") is None


def test_a_version_that_a_wiki_cites_stays(changed: Source) -> None:
    many_activations()
    old = File.objects.filter(path="shop/till.py").order_by("pk")[0]
    wiki = Wiki.objects.create(product=changed.product)
    version = Version.objects.create(wiki=wiki, number=1, writer="w")
    page = Page.objects.create(
        version=version, path="index.md", ordinal=0, kind="index", title="T"
    )
    Claim.objects.create(
        page=page,
        ordinal=1,
        source_name=changed.name,
        path=old.path,
        content_hash=old.content_hash,
        start_line=1,
        end_line=1,
    )
    run_housekeeping()
    assert File.objects.filter(pk=old.pk).exists()


def test_a_source_being_indexed_is_left_alone(changed: Source) -> None:
    many_activations()
    request_index(principal=SYSTEM, source=changed)
    assert run_housekeeping().get("file versions") is None


def test_a_version_that_a_run_takes_back_meanwhile_stays(changed: Source) -> None:
    many_activations()
    old = File.objects.filter(path="shop/till.py").order_by("pk")[0]
    RefFile.objects.filter(file=old).delete()
    is_attached = threading.Event()

    def attach() -> None:
        """Commit only when the pruning has read its rows and waits for their locks."""
        deadline = time.monotonic() + 30
        with closing(connection), transaction.atomic():
            RefFile.objects.create(ref=GitRef.objects.get(), file=old, since=9)
            with connection.cursor() as cursor:
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # as the commit does
                is_attached.set()
                while time.monotonic() < deadline:
                    cursor.execute("SELECT 1 FROM pg_locks WHERE NOT granted")
                    if cursor.fetchone():
                        return

    thread = threading.Thread(target=attach)
    thread.start()
    assert is_attached.wait(30)
    list(delete_unused_files())
    thread.join()
    assert Chunk.objects.filter(file=old).exists()


def test_a_revert_after_pruning_is_read_again(
    changed: Source, shop: Repository
) -> None:
    many_activations()
    run_housekeeping()
    shop.git("revert", "--no-edit", "HEAD")
    assert index(shop).report["modified"] == 1
    assert Chunk.objects.filter(
        file__path="shop/till.py", file__manifests__until=None, text__contains="charge"
    ).exists()


def test_a_follower_behind_the_pruning_reads_the_source_anew(
    shop: Repository, follow: Callable[[], Any]
) -> None:
    index(shop)
    follow()
    advance_kept_sequences(timezone.now())
    shop.commit({"shop/till.py": None})
    index(shop)
    GitRef.objects.update(marked_sequence=2)
    age()
    many_activations()
    run_housekeeping()
    follow()
    assert "shop/till.py" not in keyword_paths("charge")
    assert "shop/cart.py" in keyword_paths("charge")
    live = Chunk.objects.filter(file__manifests__until=None).count()
    assert open_index(settings.LEXICAL_DIR).searcher().num_docs == live


def test_staged_rows_and_drafts_of_ended_runs_go(shop: Repository) -> None:
    index(shop)
    job = request_index(principal=SYSTEM, source=Source.objects.get())
    for run in (job.pk, uuid.uuid4()):
        StagedChange.objects.create(run=run, kind="leave", path="a")
        PageDraft.objects.create(run=run, path="index.md", content={})
    assert count_chores() == {"staged changes": 1, "wiki drafts": 1}
    run_housekeeping()
    assert StagedChange.objects.get().run == job.pk
    assert PageDraft.objects.get().run == job.pk
    cancel_job(job=job)
    assert run_housekeeping()["staged changes"] == 1


def test_snapshots_go_when_no_ref_points_to_them(changed: Source) -> None:
    assert Snapshot.objects.count() == 2
    assert run_housekeeping()["snapshots"] == 1
    assert Snapshot.objects.get() == GitRef.objects.get().snapshot


def test_old_searches_go(db: None) -> None:
    for days in (29, 31):
        row = SearchLog.objects.create(
            query=str(days), mode="hybrid", hit_count=0, latency_ms=1
        )
        SearchLog.objects.filter(pk=row.pk).update(
            at=timezone.now() - timedelta(days=days)
        )
    assert run_housekeeping() == {"searches": 1}
    assert SearchLog.objects.get().query == "29"


def test_old_rewritten_queries_go(db: None) -> None:
    for days in (29, 31):
        row = QueryRewrite.objects.create(model="m", query_hash=str(days), query="q")
        made = timezone.now() - timedelta(days=days)
        QueryRewrite.objects.filter(pk=row.pk).update(created_at=made)
    assert run_housekeeping() == {"rewritten queries": 1}
    assert QueryRewrite.objects.get().query_hash == "29"


def test_old_conversations_of_no_user_go(db: None) -> None:
    user = User.objects.create(username="alice")
    for days, owner in ((89, None), (91, None), (91, user)):
        row = Conversation.objects.create(owner=owner, title=str(days))
        asked = timezone.now() - timedelta(days=days)
        Conversation.objects.filter(pk=row.pk).update(updated_at=asked)
    assert run_housekeeping() == {"conversations": 1}
    left = Conversation.objects.order_by("pk").values_list("title", "owner")
    assert list(left) == [("89", None), ("91", user.pk)]


def test_so_many_conversations_of_no_user_are_kept(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selectors, "MOST_WITHOUT_USER", 2)
    user = User.objects.create(username="alice")
    for number, owner in enumerate((user, None, None, None, user)):
        Conversation.objects.create(owner=owner, title=str(number))
    assert run_housekeeping() == {"conversations": 1}
    left = Conversation.objects.order_by("pk").values_list("title", flat=True)
    assert list(left) == ["0", "2", "3", "4"]


def test_only_mirrors_of_nobody_go(changed: Source) -> None:
    repos = settings.GIT_CLONE_DIR
    own = mirror_of(changed, repos)
    orphan = repos / f"gone-{'0' * 16}.git"
    other = repos / "backup.git"
    for folder in (orphan, other):
        folder.mkdir()
        (folder / "HEAD").write_text("ref: refs/heads/main\n")
    assert run_housekeeping()["mirrors"] == 1
    assert own is not None
    assert [own.is_dir(), other.is_dir(), orphan.exists()] == [True, True, False]


def test_leftovers_of_killed_exports_go_after_a_day(db: None) -> None:
    Product.objects.create(name="tea")
    root = settings.WIKI_OUTPUT_DIR
    for name in (".tea.abcd1234", ".tea.efgh5678", ".config", ".other.abcd1234"):
        (root / name).mkdir(parents=True)
        os.utime(root / name, (0, 0))
    os.utime(root / ".tea.efgh5678")
    assert run_housekeeping() == {"export drafts": 1}
    assert not (root / ".tea.abcd1234").exists()


def test_a_log_that_grew_is_rotated_under_its_writer(
    settings: Any, tmp_path: Path
) -> None:
    settings.DEVRAG_HOME = tmp_path / "home"
    folder = tmp_path / "home" / "log"
    folder.mkdir(parents=True)
    with open_log(folder / "worker.log") as log:
        log.write(b"x" * 11_000_000)
        log.flush()
        assert run_housekeeping() == {"logs": 1}
        log.write(b"after\n")
    assert (folder / "worker.log").read_bytes() == b"after\n"
    assert (folder / "worker.log.1").stat().st_size == 11_000_000


def test_a_lost_deletion_is_taken_up(changed: Source) -> None:
    cancel_job(job=delete_source(principal=SYSTEM, source=changed))
    assert count_chores()["deletions to resume"] == 1
    assert run_housekeeping()["deletions to resume"] == 1


def test_two_passes_at_once_are_harmless(changed: Source) -> None:
    many_activations()
    housekeeping()
    housekeeping()
    assert count_chores() == {}
    assert File.objects.filter(path="shop/till.py").count() == 1


def test_a_pass_stops_when_its_time_is_over(changed: Source) -> None:
    many_activations()
    went = run_housekeeping(seconds=0)
    assert set(went) <= {"ended intervals", "file versions", "snapshots"}
    run_housekeeping()
    assert count_chores() == {}
