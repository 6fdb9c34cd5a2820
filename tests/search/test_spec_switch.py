"""Another embedding model: prepared beside the active one, then used, without a gap."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from devrag.core.errors import Conflict, InvalidInput, NotFound
from devrag.jobs.models import Job
from devrag.llm.errors import EmbeddingModelNotFound, EmbeddingUnavailable
from devrag.operations.consistency_checks import vectors
from devrag.products.models import Product
from devrag.search.consistency import orphan_partitions
from devrag.search.models import Embedding, EmbeddingSpec, VectorCoverage
from devrag.search.semantic.pauses import pause_embedding
from devrag.search.semantic.spec_switch import (
    complete_switch,
    open_spec,
    replace_older_local_model,
    use_spec,
)
from devrag.search.semantic.specs import (
    active_spec,
    ensure_active_spec,
    ensure_spec,
    partition_name,
)
from devrag.search.service import search
from devrag.sources.models import Chunk, Source
from devrag.spending.models import ModelCall
from tests.conftest import Repository, run_job
from tests.indexing.test_index import index
from tests.model_server import ModelServer, Scripted
from tests.search.conftest import LARGE, SMALL
from tests.search.shop import embed_all
from tests.search.test_search import ask

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
LOCAL = "local/multilingual-e5-small-code"


@pytest.fixture
def indexed(
    shop: Repository, models: ModelServer, follow: Callable[[], Any]
) -> Repository:
    """An index with all its vectors under the local model."""
    index(shop)
    follow()
    embed_all()
    return shop


def use(name: str) -> EmbeddingSpec:
    return use_spec(open_spec(name))


def active() -> str:
    spec = active_spec()
    return spec.name if spec else ""


def near() -> list[str]:
    hits = search(ask("charge the customer", mode="semantic", limit=50)).hits
    return [hit.path for hit in hits]


def command(*argv: str) -> str:
    out = StringIO()
    call_command("embeddings", *argv, stdout=out)
    return out.getvalue()


def vectors_of(name: str) -> int:
    model = name.partition("/")[2]
    return Embedding.objects.filter(spec__model=model, is_live=True).count()


@pytest.mark.usefixtures("indexed")
def test_search_goes_on_with_the_old_model_until_the_new_one_is_whole() -> None:
    before = near()
    assert use(SMALL).is_next
    assert active() == LOCAL
    assert near() == before
    (job,) = embed_all()
    assert job.report["model"] == SMALL
    assert active() == SMALL
    assert not EmbeddingSpec.objects.filter(is_next=True).exists()
    assert vectors_of(SMALL) == vectors_of(LOCAL) == Chunk.objects.count()
    assert "shop/till.py" in near()


def test_models_of_other_dimensions_follow_each_other(
    indexed: Repository, models: ModelServer
) -> None:
    for name, size in ((SMALL, 8), (LARGE, 12)):
        use(name)
        embed_all()
        assert active() == name
        assert "shop/till.py" in near()
        assert len(Embedding.objects.filter(spec=active_spec())[0].vector) == size
    assert models.seen[-1].body["model"] == "large"


def test_an_older_local_model_is_replaced_once(
    shop: Repository, follow: Callable[[], Any]
) -> None:
    older = ensure_spec("local", "multilingual-e5-small", 384)
    EmbeddingSpec.objects.filter(pk=older.pk).update(is_active=True)
    index(shop)
    follow()
    embed_all()
    found = replace_older_local_model()
    assert found is not None
    assert (found.name, found.is_next, active()) == (LOCAL, True, older.name)
    embed_all()
    assert active() == LOCAL
    assert "shop/till.py" in near()
    # Who goes back keeps the older one.
    assert use(older.name).is_active
    assert replace_older_local_model() is None
    assert active() == older.name


def test_a_remote_model_is_not_replaced(indexed: Repository) -> None:
    use(SMALL)
    embed_all()
    EmbeddingSpec.objects.filter(provider="local").update(model="multilingual-e5-small")
    assert replace_older_local_model() is None
    assert active() == SMALL


def test_what_changes_meanwhile_gets_vectors_of_both(indexed: Repository) -> None:
    use(SMALL)
    indexed.commit({"zz_new.py": "def newest(): return 1\n"})
    index(indexed)
    assert len(embed_all()) == 2
    new = Embedding.objects.filter(chunk__file__path="zz_new.py", is_live=True)
    assert {row.spec.name for row in new.select_related("spec")} == {LOCAL, SMALL}
    assert active() == SMALL


def test_the_switch_waits_for_every_source(indexed: Repository, tmp_path: Any) -> None:
    other = Repository(tmp_path / "other")
    other.commit({"a.py": "def other(): return 2\n"})
    index(other)
    embed_all()
    use(SMALL)
    jobs = Job.objects.filter(kind="embed", state="pending")
    assert jobs.count() == 2
    first, second = jobs
    run_job(first)
    assert active() == LOCAL
    assert second.source_name in command("status")
    run_job(second)
    assert active() == SMALL


def test_the_way_back_is_instant_and_sends_nothing(
    indexed: Repository, models: ModelServer
) -> None:
    use(SMALL)
    embed_all()
    sent = len(models.seen)
    assert use(LOCAL).is_active
    assert use(SMALL).is_active
    assert len(models.seen) == sent
    assert not Job.objects.filter(kind="embed", state="pending").exists()


def test_a_model_that_missed_changes_catches_up_first(indexed: Repository) -> None:
    use(SMALL)
    embed_all()
    indexed.commit({"zz_new.py": "def newest(): return 1\n"})
    index(indexed)
    embed_all()
    assert not use(LOCAL).is_active
    (job,) = embed_all()
    assert job.report["embedded"] == 1
    assert active() == LOCAL


@pytest.mark.usefixtures("indexed")
def test_using_the_active_model_gives_up_the_other() -> None:
    use(SMALL)
    assert use(LOCAL).is_active
    assert not EmbeddingSpec.objects.filter(is_next=True).exists()
    assert list(Job.objects.filter(kind="embed", state="pending")) == []
    assert Job.objects.filter(state="cancelled").count() == 1


@pytest.mark.usefixtures("indexed")
def test_asking_again_goes_on_where_a_failed_job_ended(models: ModelServer) -> None:
    use(SMALL)
    models.script = [Scripted(401, {"error": {"message": "no"}})] * 9
    (job,) = embed_all()
    assert job.state == "failed"
    assert "EMBEDDING_API_KEY" in job.error
    assert active() == LOCAL
    models.script = []
    use(SMALL)
    embed_all()
    assert active() == SMALL


@pytest.mark.usefixtures("indexed")
def test_a_paused_product_does_not_change_its_model(principal: Any) -> None:
    use(SMALL)
    pause_embedding(principal=principal, product=Product.objects.get())
    embed_all()
    assert active() == LOCAL
    assert vectors_of(SMALL) == 0


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("openai/unknown", EmbeddingModelNotFound, "unknown"),
        ("gemini/some", EmbeddingUnavailable, "Set GEMINI_API_KEY"),
        ("nobody/some", EmbeddingModelNotFound, "Choose one of"),
        ("openai", InvalidInput, "PROVIDER/MODEL"),
    ],
)
def test_a_model_that_does_not_answer_changes_nothing(
    models: ModelServer, name: str, kind: type[Exception], words: str
) -> None:
    ensure_active_spec()
    with pytest.raises(kind, match=words):
        command("use", name, "--yes")
    assert active() == LOCAL
    assert EmbeddingSpec.objects.count() == 1


def test_too_many_dimensions_are_refused(models: ModelServer) -> None:
    models.dimensions["small"] = 5000
    with pytest.raises(InvalidInput, match="--dimensions"):
        command("use", SMALL, "--yes")


@pytest.mark.usefixtures("indexed")
def test_the_command_says_what_it_costs_and_asks(
    models: ModelServer, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EMBEDDING_PRICE = 1000.0
    texts = len(set(Chunk.objects.values_list("embedded_hash")))
    monkeypatch.setattr(sys, "stdin", io.StringIO("no\n"))
    with pytest.raises(Conflict, match="was not changed"):
        command("use", SMALL)
    assert EmbeddingSpec.objects.count() == 1
    said = command("use", SMALL, "--yes")
    assert f"{texts} texts, about" in said
    assert "$" in said
    state = json.loads(command("status", "--json"))
    assert [each["state"] for each in state["models"]] == ["active", "being prepared"]
    (job,) = embed_all()
    assert job.report["tokens"] == 10 * texts
    assert job.report["dollars"] == pytest.approx(texts / 100)
    assert float(sum(call.cost or 0 for call in ModelCall.objects.all())) == (
        pytest.approx(texts / 100)
    )
    assert "active" in command("use", SMALL)


@pytest.mark.usefixtures("indexed")
def test_vectors_of_a_model_are_dropped_when_nobody_needs_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(Conflict, match="is the active model"):
        command("drop", LOCAL, "--yes")
    use(SMALL)
    with pytest.raises(Conflict, match="being prepared"):
        command("drop", SMALL, "--yes")
    embed_all()
    table = partition_name(EmbeddingSpec.objects.get(is_active=False))
    monkeypatch.setattr(sys, "stdin", io.StringIO("no\n"))
    with pytest.raises(Conflict, match="Nothing was deleted"):
        command("drop", LOCAL)
    assert "Dropped" in command("drop", LOCAL, "--yes")
    assert EmbeddingSpec.objects.get().name == SMALL
    assert VectorCoverage.objects.filter(spec__model="small").exists()
    assert table not in orphan_partitions()
    assert "shop/till.py" in near()
    with pytest.raises(NotFound):
        command("drop", LOCAL, "--yes")


def test_the_doctor_knows_the_model_that_is_prepared(indexed: Repository) -> None:
    use(SMALL)
    embed_all()
    use(LARGE)
    Job.objects.filter(state="pending").delete()
    (lack,) = vectors.find_lacking()
    assert str(lack).endswith(f"({LARGE})")
    vectors.embed([lack])
    embed_all()
    assert active() == LARGE
    assert vectors.find_lacking() == []


@pytest.mark.usefixtures("indexed")
def test_a_source_that_goes_is_not_waited_for() -> None:
    use(SMALL)
    Source.objects.get().delete()
    assert active() == LOCAL
    assert complete_switch() == EmbeddingSpec.objects.get(model="small")
    assert active() == SMALL
