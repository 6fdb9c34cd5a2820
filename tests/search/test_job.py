"""The embedding job on a real index: what it embeds, in which order, what it saves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from devrag.jobs import engine
from devrag.jobs.models import Batch, Job
from devrag.llm.embedder import EmbeddedBatch
from devrag.llm.errors import EmbeddingUnavailable
from devrag.search.consistency import (
    lacking_vectors,
    wrong_counts,
    wrong_live_flags,
)
from devrag.search.models import Embedding, PendingText, VectorCoverage
from devrag.search.semantic import job as embed_job
from devrag.search.semantic import live_vectors as live
from devrag.search.semantic.coverage import vector_share
from devrag.search.semantic.job import _saving
from devrag.search.semantic.live_vectors import recount_vectors
from devrag.search.semantic.missing_vectors import lacks_vectors
from devrag.search.semantic.order import plan_order
from devrag.search.semantic.specs import ensure_active_spec
from devrag.search.service import search
from devrag.sources.models import Chunk, File, Source
from devrag.sources.services import update_source
from tests.conftest import SHOP, Repository, run_job
from tests.indexing.test_index import index
from tests.search.test_search import ask
from tests.tiers import mostly_slow_rows

pytestmark = pytest.mark.django_db(transaction=True)


def embed() -> Job:
    return run_job(Job.objects.filter(kind="embed").latest("created_at"))


def live_chunks() -> set[int]:
    current = Chunk.objects.filter(
        file__manifests__until=None,
        file__manifests__ref__is_current=True,
        file__is_generated=False,
    )
    return set(current.values_list("pk", flat=True))


def live_vectors() -> set[int]:
    rows = Embedding.objects.filter(is_live=True)
    return set(rows.values_list("chunk_id", flat=True))


def assert_counts_are_right() -> None:
    coverage = VectorCoverage.objects.get()
    assert coverage.chunks == len(live_chunks())
    assert coverage.embedded == len(live_vectors())


def planned_paths() -> list[str]:
    """Return the files of the texts in line, in their order."""
    source = Source.objects.get()
    plan_order(ensure_active_spec(), source.pk, after=0)
    ids = PendingText.objects.order_by("rank").values_list("chunk", flat=True)
    paths = dict(Chunk.objects.values_list("pk", "file__path"))
    return [paths[each] for each in ids]


def test_only_changed_texts_are_embedded(repository: Repository) -> None:
    notes = {f"notes/{n}.txt": f"Note {n} about tea.\n" for n in range(635)}
    repository.commit(dict(notes))
    index(repository)
    assert embed().report["embedded"] == 635
    changes: dict[str, Any] = {f"notes/new{n}.txt": f"New {n}\n" for n in range(5)}
    changes |= {"notes/1.txt": "Other\n", "notes/2.txt": "Texts\n", "notes/3.txt": None}
    repository.commit(changes)
    index(repository)
    report = embed().report
    assert (report["embedded"], report["chunks"], report["saved"]) == (7, 639, 632)
    assert report["savedPercent"] == 98.9
    assert len(live_vectors()) == 639
    assert_counts_are_right()


def test_keyword_search_is_there_before_any_vector(
    shop: Repository, follow: Callable[[], Any]
) -> None:
    index(shop)
    follow()
    result = search(ask("charge the customer", mode="keyword"))
    assert not Embedding.objects.exists()
    assert result.hits[0].path in {"shop/till.py", "shop/cart.py"}
    assert 0 < result.hits[0].score < 1
    assert not result.is_lexical_behind


def test_seven_changes_in_640_save_98_9_percent() -> None:
    assert _saving(640, 7) == {"saved": 633, "savedPercent": 98.9}


def test_a_rename_embeds_nothing(shop: Repository) -> None:
    index(shop)
    embed()
    shop.commit({"shop/till.py": None, "shop/money.py": SHOP["shop/till.py"]})
    index(shop)
    report = embed().report
    assert report["embedded"] == 0
    assert report["reused"] > 0
    assert live_vectors() == live_chunks()
    assert_counts_are_right()


@pytest.mark.slow
def test_other_chunk_sizes_embed_only_texts_that_are_new(
    repository: Repository,
) -> None:
    long = "\n\n".join(f"Paragraph {n} is about tea and cups." for n in range(40))
    repository.commit({"long.txt": long, "short.txt": "A short one.\n"})
    index(repository)
    embed()
    update_source(source=Source.objects.get(), settings={"chunk_tokens": 100})
    index(repository)
    report = embed().report
    assert report["reused"] == 1
    assert (
        report["embedded"]
        == Chunk.objects.filter(
            file__path="long.txt", file__manifests__until=None
        ).count()
    )
    assert live_vectors() == live_chunks()


@pytest.mark.slow
def test_a_revert_embeds_and_copies_nothing(shop: Repository) -> None:
    index(shop)
    embed()
    shop.commit({"shop/till.py": "gone = 1\n"})
    index(shop)
    embed()
    shop.commit({"shop/till.py": SHOP["shop/till.py"]})
    index(shop)
    assert live_vectors() == live_chunks()  # at once, by the activation
    report = embed().report
    assert (report["embedded"], report["reused"]) == (0, 0)
    assert_counts_are_right()


@pytest.mark.slow
def test_another_ref_becoming_current_reuses_vectors(shop: Repository) -> None:
    shop.git("checkout", "-q", "-b", "side")
    shop.commit({"side.py": "def aside(): return 1\n"})
    index(shop, ref="side")
    embed()
    shop.git("checkout", "-q", "main")
    index(shop, ref="main")
    job = embed()
    assert job.report["embedded"] == 0
    assert live_vectors() == live_chunks()
    assert_counts_are_right()


@pytest.mark.slow
def test_equal_texts_are_embedded_once(repository: Repository) -> None:
    text = "Steep for three minutes.\n"
    repository.commit({f"{n}.txt": text for n in range(5)})
    index(repository)
    report = embed().report
    assert (report["embedded"], report["spread"]) == (1, 4)
    assert live_vectors() == live_chunks()


@pytest.mark.slow
def test_generated_files_get_no_vector(shop: Repository) -> None:
    shop.commit({"made.py": "# @generated by a tool\n\ndef made():\n    return 1\n"})
    index(shop)
    embed()
    assert File.objects.get(path="made.py").is_generated
    assert not Embedding.objects.filter(chunk__file__path="made.py").exists()
    share = vector_share(Source.objects.get().product)
    assert share.percent == 100


def test_each_batch_is_searchable_at_once(
    shop: Repository, monkeypatch: pytest.MonkeyPatch, follow: Callable[[], Any]
) -> None:
    monkeypatch.setattr(embed_job, "BATCH_TEXTS", 2)
    index(shop)
    follow()
    job = Job.objects.get(kind="embed")
    engine.start_job(job.pk)
    seen = [0]
    while (run := _next(job)) is not None:
        engine.run_batch(run)
        engine.advance_job(job.pk)
        hits = search(ask("money of a customer", mode="semantic", limit=50)).hits
        coverage = VectorCoverage.objects.get()
        assert len(live_vectors()) == coverage.embedded >= seen[-1]
        assert bool(hits) == bool(coverage.embedded)
        seen.append(coverage.embedded)
    assert len(set(seen)) > 3
    assert live_vectors() == live_chunks()


def _next(job: Job) -> Any:
    return engine.claim_batch(job.pk, "parse") or engine.claim_batch(job.pk, "embed")


@pytest.mark.slow
def test_translations_and_pictures_are_found_by_words_alone(
    shop: Repository, follow: Callable[[], Any]
) -> None:
    message = '\nmsgid "Buy"\nmsgstr "Kaufen"\n'
    shop.commit({"de.po": message, "icon.svg": "<svg><title>Teapot</title></svg>\n"})
    index(shop)
    embed()
    follow()
    without = Chunk.objects.filter(file__path__in=["de.po", "icon.svg"])
    assert without.count() == 2
    assert not Embedding.objects.filter(chunk__in=without).exists()
    assert search(ask("Kaufen", mode="keyword")).hits[0].path == "de.po"
    source = Source.objects.get()
    share = vector_share(source.product)
    assert (share.missing, share.chunks) == (0, Chunk.objects.count() - 2)
    assert not lacks_vectors(ensure_active_spec(), source.pk)
    mistakes = (lacking_vectors(), wrong_counts(), wrong_live_flags())
    assert not any(mistakes)
    shop.commit({"de.po": None})
    index(shop)
    assert vector_share(source.product).chunks == share.chunks
    assert not wrong_counts()


def test_readmes_first_then_what_is_used_then_tests_then_data(
    shop: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("devrag.search.semantic.order._COUNTED_FROM", 1)
    shop.commit(
        {
            "a_lonely.py": '"""Alone."""\n\n\ndef lonely() -> int:\n    return 1\n',
            "data.json": '{"a": 1}\n',
        }
    )
    index(shop)
    paths = planned_paths()
    assert paths[0] == "README.md"
    assert paths.index("shop/till.py") < paths.index("a_lonely.py")
    assert paths.index("a_lonely.py") < paths.index("tests/test_cart.py")
    assert paths[-1] == "data.json"


@pytest.mark.slow
def test_recent_changes_come_before_old_ones(shop: Repository) -> None:
    index(shop)
    new_test = "def test_newest(): assert True\n"
    shop.commit({"zz_new.py": "def newest(): return 1\n", "tests/test_z.py": new_test})
    index(shop)
    assert planned_paths()[:2] == ["zz_new.py", "tests/test_z.py"]


@pytest.mark.slow
def test_a_new_file_waits_for_no_backlog_but_new_data_does(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = {f"notes/{n}.txt": f"Note {n} about tea.\n" for n in range(3000)}
    repository.commit(dict(notes))
    job = Job.objects.get(pk=index(repository).report["embedJobID"])
    run_job(job, queues=("parse",))
    data = "".join(f'{{"price": {n}}}\n' for n in range(5000))
    repository.commit({"tests/test_new.py": "new = 1\n", "prices.jsonl": data})
    index(repository)
    run = engine.claim_batch(job.pk, "embed")
    assert run is not None
    monkeypatch.setattr(embed_job, "embedder_of", lambda _spec: Moody(0))
    engine.run_batch(run)
    done = Embedding.objects.values_list("chunk__file__path", flat=True)
    assert len(done) == embed_job.BATCH_TEXTS
    assert "tests/test_new.py" in done
    assert "prices.jsonl" not in done


@pytest.mark.slow
def test_an_activation_puts_its_texts_ahead_of_a_running_job(
    shop: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embed_job, "BATCH_TEXTS", 2)
    first = index(shop)
    job = Job.objects.get(pk=first.report["embedJobID"])
    run_job(job, queues=("parse",))
    shop.commit({"zz_new.py": "def newest(): return 1\n"})
    second = index(shop)
    run = engine.claim_batch(job.pk, "embed")
    assert run is not None
    engine.run_batch(run)
    done = Embedding.objects.values_list("chunk__file__path", flat=True)
    assert "zz_new.py" in done
    run_job(job)
    # What it pushed out of the running job is done by the next one.
    assert lacks_vectors(ensure_active_spec(), Source.objects.get().pk)
    run_job(Job.objects.get(pk=second.report["embedJobID"]))
    assert live_vectors() == live_chunks()
    assert_counts_are_right()
    assert not lacks_vectors(ensure_active_spec(), Source.objects.get().pk)
    assert not PendingText.objects.exists()


def test_a_batch_that_starts_again_goes_on_with_its_texts(
    shop: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    index(shop)
    job = Job.objects.get(kind="embed")
    run_job(job, queues=("parse",))
    run = engine.claim_batch(job.pk, "embed")
    assert run is not None

    def die(*_args: object, **_options: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(embed_job, "store_vectors", die)
        with pytest.raises(KeyboardInterrupt):
            engine.run_batch(run)
    taken = set(PendingText.objects.filter(batch=run.batch.pk))
    assert taken
    Batch.objects.filter(pk=run.batch.pk).update(state="open")
    report = run_job(job).report
    assert report["embedded"] == len(set(Chunk.objects.values_list("embedded_hash")))
    assert live_vectors() == live_chunks()


@pytest.mark.slow
def test_vectors_that_were_lost_are_made_again(shop: Repository) -> None:
    index(shop)
    embed()
    Embedding.objects.filter(chunk__file__path="README.md").delete()
    source = Source.objects.get()
    recount_vectors(spec=ensure_active_spec(), source_id=source.pk)
    assert lacks_vectors(ensure_active_spec(), source.pk)
    index(shop)
    assert embed().report["embedded"] > 0
    assert live_vectors() == live_chunks()
    assert not lacks_vectors(ensure_active_spec(), source.pk)


@pytest.mark.slow
def test_a_full_rebuild_embeds_nothing_again(shop: Repository) -> None:
    index(shop)
    embed()
    index(shop, is_full=True)
    assert live_vectors() == live_chunks()
    assert embed().report["embedded"] == 0
    assert_counts_are_right()


class Moody:
    """An embedder that fails a number of times before it answers."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.calls = 0

    def embed_parts(self, texts: list[str]) -> Iterator[EmbeddedBatch]:
        self.calls += 1
        if self.calls <= self.failures:
            raise EmbeddingUnavailable("The embedding server does not answer.")
        yield EmbeddedBatch(0, np.eye(len(texts), 384, dtype=np.float32))

    def count_calls(self, _texts: list[str]) -> int:
        return 1

    def fit(self, text: str) -> str:
        return text


@pytest.mark.parametrize(
    ("failures", "calls", "state"),
    mostly_slow_rows([(3, 4, "completed"), (9, 4, "failed")]),
)
def test_a_provider_is_asked_four_times(
    shop: Repository,
    monkeypatch: pytest.MonkeyPatch,
    failures: int,
    calls: int,
    state: str,
) -> None:
    moody = Moody(failures)
    monkeypatch.setattr(embed_job, "embedder_of", lambda _spec: moody)
    index(shop)
    job = Job.objects.get(kind="embed")
    for _ in range(5):
        run_job(job)
        Batch.objects.filter(job=job, state="open").update(not_before=None)
    job.refresh_from_db()
    assert (job.state, moody.calls) == (state, calls)
    assert (live_vectors() == live_chunks()) is (state == "completed")


@pytest.fixture
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "_FLIPPED_AT_ONCE", 3)


@pytest.mark.slow
@pytest.mark.usefixtures("small_portions")
def test_a_big_move_is_marked_by_the_job_in_portions(shop: Repository) -> None:
    index(shop)
    embed()
    shop.commit(dict.fromkeys(list(SHOP)[1:4]) | {"new.py": "new = 1\n"})
    index(shop)
    assert not VectorCoverage.objects.get().is_marked
    embed()
    assert VectorCoverage.objects.get().is_marked
    assert live_vectors() == live_chunks()
    assert_counts_are_right()


@pytest.mark.slow
@pytest.mark.usefixtures("small_portions")
def test_a_switch_of_refs_is_marked_by_the_job(shop: Repository) -> None:
    shop.git("checkout", "-q", "-b", "wild")
    shop.commit({"shop/till.py": None, "wild.py": "wild = 1\n"})
    shop.git("checkout", "-q", "main")
    index(shop, ref="wild")
    embed()
    index(shop)
    assert not VectorCoverage.objects.get().is_marked
    embed()
    assert live_vectors() == live_chunks()
    assert_counts_are_right()
