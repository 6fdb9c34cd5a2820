"""search() over a real index: modes, filters, visibility, bad input."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import tantivy
from django.core.management import call_command

from devrag.core.errors import Conflict, InvalidInput, NotFound
from devrag.core.principal import SYSTEM, Principal, Role
from devrag.jobs.models import Job
from devrag.products.models import Product, Visibility
from devrag.search.fetch import with_context
from devrag.search.lexical.store import LexicalDocument, LexicalWriter, open_index
from devrag.search.models import Embedding
from devrag.search.retrievers import reader_at
from devrag.search.service import search
from devrag.search.types import SearchQuery
from devrag.sources.models import Chunk, GitRef, RefFile, Source, Symbol
from tests.conftest import Repository, run_job
from tests.indexing.test_index import index

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def has_vectors() -> bool:
    return True


def ask(text: str, **options: Any) -> SearchQuery:
    return SearchQuery(text=text, principal=SYSTEM, **options)


def test_a_definition_comes_first(indexed: Repository) -> None:
    hit = search(ask("charge")).hits[0]
    assert (hit.path, hit.symbol_name) == ("shop/till.py", "charge")
    assert hit.start_line == 6
    assert "matches the definition" in hit.why


def test_meaning_finds_japanese_for_english(indexed: Repository) -> None:
    result = search(ask("how is tax computed at checkout", mode="semantic"))
    assert "docs/日本語.md" in [hit.path for hit in result.hits]


def test_every_chunk_gets_a_vector_and_nothing_is_embedded_twice(
    indexed: Repository, follow: Callable[[], Any]
) -> None:
    assert Embedding.objects.filter(is_live=True).count() == Chunk.objects.count()
    indexed.commit({"shop/till.py": None, "shop/money.py": None or _till(indexed)})
    index(indexed)
    job = run_job(Job.objects.filter(kind="embed").latest("created_at"))
    assert job.report["embedded"] == 0  # a rename reuses vectors by text hash
    assert job.report["reused"] > 0


def _till(_repository: Repository) -> str:
    from tests.conftest import SHOP

    return SHOP["shop/till.py"]


@pytest.mark.parametrize(
    ("options", "paths"),
    [
        ({"path_prefix": "tests/"}, {"tests/test_cart.py"}),
        ({"kind": "doc"}, {"README.md", "docs/日本語.md"}),
        ({"mime": "text/markdown"}, {"README.md", "docs/日本語.md"}),
        ({"language": "markdown"}, {"README.md", "docs/日本語.md"}),
        ({"kind": "section"}, {"README.md", "docs/日本語.md"}),
        ({"kind": "class"}, {"shop/cart.py"}),
        ({"kind": "method"}, {"shop/cart.py"}),
        ({"kind": "function"}, {"shop/till.py", "tests/test_cart.py"}),
        ({"text": "cart checkout lang:md"}, {"README.md", "docs/日本語.md"}),
        ({"text": "cart checkout path:test"}, {"tests/test_cart.py"}),
        ({"text": 'checkout kind:method "charge customer"'}, set()),
        ({"text": 'checkout kind:method "charge the customer"'}, {"shop/cart.py"}),
        (
            {"text": "cart checkout kind:code -path:shop/t -path:__"},
            {"shop/cart.py", "tests/test_cart.py"},
        ),
    ],
)
def test_a_filter_never_makes_matching_rows_disappear(
    indexed: Repository, options: dict[str, Any], paths: set[str]
) -> None:
    result = search(ask(**{"text": "cart checkout", "limit": 50} | options))
    assert {hit.path for hit in result.hits} == paths


def test_removed_files_are_gone_from_every_mode(
    indexed: Repository, follow: Callable[[], Any]
) -> None:
    indexed.commit({"shop/till.py": None})
    index(indexed)
    for mode in ("keyword", "semantic", "hybrid"):
        hits = search(ask("charge amount", mode=mode, limit=50)).hits
        assert "shop/till.py" not in {hit.path for hit in hits}
    behind = search(ask("charge"))
    assert behind.is_lexical_behind
    assert behind.notes == (
        "The keyword index does not include the latest changes yet.",
    )
    follow()
    assert not search(ask("charge")).is_lexical_behind


def test_a_hit_whose_chunk_was_deleted_meanwhile_has_no_context(
    indexed: Repository,
) -> None:
    hits = list(search(ask("charge", context=0)).hits)
    Chunk.objects.filter(pk=hits[0].chunk_id).delete()
    shown = with_context(hits, 1)
    assert shown[0] == hits[0]
    assert len(shown) == len(hits)


def test_context_brings_the_neighbours(indexed: Repository) -> None:
    hit = search(ask("charge", context=1)).hits[0]
    ordinals = Chunk.objects.get(pk=hit.chunk_id).ordinal
    assert len(hit.context_before) == min(1, ordinals)


def test_sections_within_one_another_collapse_to_the_deepest(
    indexed: Repository,
) -> None:
    indexed.commit({"guide.md": "# Guide\n\nTea.\n\n" + "## Steeping\n\nTea.\n" * 80})
    index(indexed)
    run_job(Job.objects.filter(kind="embed").latest("created_at"))
    hits = search(ask("steeping tea", limit=50, kind="doc")).hits
    spans = [(h.path, h.start_line, h.end_line) for h in hits]
    assert len(spans) > 1
    for path, start, end in spans:
        inside = [s for s in spans if s[0] == path and start <= s[1] and s[2] <= end]
        assert inside == [(path, start, end)]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"text": "   "}, "empty"),
        ({"text": "x" * 8001}, "8001"),
        ({"limit": 0}, "limit is 0"),
        ({"limit": 51}, "limit is 51"),
        ({"context": 4}, "context is 4"),
        ({"mode": "magic"}, "magic"),
        ({"kind": "clas"}, "Use one of: code, doc, .*, method, class"),
        ({"min_complexity": -1}, "min_complexity is -1"),
        (
            {"text": "tea lang:pythn"},
            "Unknown language 'pythn'. .* such as: python",
        ),
        ({"text": "tea kind:clas"}, "Unknown kind 'clas'. Use one of: code, doc"),
    ],
)
def test_bad_input_is_named(change: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        search(replace(ask("tea"), **change))


@pytest.mark.parametrize(("folds_copies", "has_more"), [(True, False), (False, True)])
def test_copies_of_a_hit_are_no_further_hits(
    indexed: Repository,
    follow: Callable[[], Any],
    folds_copies: bool,
    has_more: bool,
) -> None:
    text = "# Zymurgy\n\nZymurgy is the science of yeast, of wort and of patience.\n"
    indexed.commit({f"docs/edition{number}.md": text for number in range(3)})
    index(indexed)
    follow()
    options = {"mode": "keyword", "limit": 1, "folds_copies": folds_copies}
    result = search(ask("zymurgy", **options))
    assert (len(result.hits), result.has_more) == (1, has_more)


@pytest.mark.parametrize(
    ("text", "filters"),
    [
        ("tea ext:.py file:till.py", ["lang:py", "path:till.py"]),
        ("tea ext:nonsense since:yesterday", []),
        ("tea lang:go ext:py", []),
        ("symbol:getTea", []),
    ],
)
def test_only_filters_that_can_be_asked_are_suggested(
    indexed: Repository, text: str, filters: list[str]
) -> None:
    query = ask(text, mode="keyword")
    notes = [note for note in search(query).notes if "no filter" in note]
    assert [note.partition("Use “")[2] for note in notes] == [f"{f}”." for f in filters]
    silent = search(replace(query, notes_filters=False)).notes
    assert not any("no filter" in note for note in silent)


def test_bm25_is_another_name_of_keyword(indexed: Repository) -> None:
    named, usual = (search(ask("tea", mode=mode)) for mode in ("bm25", "keyword"))
    assert named.query.mode == "keyword"
    assert [hit.chunk_id for hit in named.hits] == [hit.chunk_id for hit in usual.hits]


@pytest.mark.parametrize(
    "text", ['"unbalanced tea', "tea:* AND (", "tea'; --", '"tea"']
)
@pytest.mark.parametrize("mode", ["hybrid", "keyword", "semantic"])
def test_syntax_of_others_is_text(indexed: Repository, text: str, mode: str) -> None:
    assert search(ask(text, mode=mode)).hits


@pytest.mark.parametrize(
    ("text", "note"),
    [
        *(
            ("!!!", "no searchable word"),
            ("🙂", "no searchable word"),
            ("です", "no searchable word"),
        ),
        ("_ __", "no searchable word"),
        *(("lang:go", "no searchable word"), ("how is the", "use quotes")),
    ],
)
def test_questions_without_a_word_find_nothing_and_say_why(
    indexed: Repository, text: str, note: str
) -> None:
    result = search(ask(text))
    assert result.hits == ()
    assert note in result.notes[0]


def test_an_unknown_source_in_the_text_is_not_found(indexed: Repository) -> None:
    with pytest.raises(NotFound, match="no source 'nowhere'"):
        search(ask("tea source:nowhere"))


def test_products_one_may_not_see_do_not_exist(indexed: Repository) -> None:
    Product.objects.update(visibility=Visibility.MEMBERS)
    stranger = Principal(name="Charlie", role=Role.VIEWER, user_id=None)
    with pytest.raises(NotFound):
        search(SearchQuery(text="tea", principal=stranger, product="tea"))
    assert search(SearchQuery(text="tea", principal=stranger)).hits == ()


def _lose(folder: Path) -> None:
    shutil.rmtree(folder)


def _make_old(folder: Path) -> None:
    generation = folder / "generation.json"
    data = json.loads(generation.read_text("utf-8"))
    generation.write_text(json.dumps(data | {"schema_version": 1}), "utf-8")
    shutil.rmtree(folder / "old", ignore_errors=True)
    for path in [*folder.iterdir()]:
        if path != generation:
            path.unlink()
    schema = tantivy.SchemaBuilder().add_text_field("body").build()
    tantivy.Index(schema, path=str(folder))


def _cut_head(folder: Path) -> None:
    (folder / "meta.json").write_text("{")


def _drop(suffix: str) -> Callable[[Path], None]:
    return lambda folder: next(folder.glob(f"*{suffix}")).unlink()


def _blank(suffix: str) -> Callable[[Path], None]:
    def blank(folder: Path) -> None:
        path = next(folder.glob(f"*{suffix}"))
        data = path.read_bytes()
        half = len(data) // 2
        path.write_bytes(bytes(half) + data[half:])

    return blank


@pytest.mark.parametrize(
    "harm", [_lose, _make_old, _cut_head, _drop(".idx"), _drop(".pos"), _blank(".term")]
)
def test_a_broken_index_answers_by_meaning_says_so_and_is_rebuilt(
    indexed: Repository,
    follow: Callable[[], Any],
    settings: Any,
    harm: Callable[[Path], None],
) -> None:
    harm(settings.LEXICAL_DIR)
    reader_at.cache_clear()
    for text in ("charge the customer", 'charge the "customer"'):
        result = search(ask(text))
        assert result.is_lexical_behind
        assert result.hits
    with contextlib.suppress(ValueError):  # the follower tries again
        follow()
    follow()
    result = search(ask("charge the customer", mode="keyword"))
    assert result.hits
    assert not result.is_lexical_behind


def test_a_fresh_process_knows_that_its_index_is_up_to_date(
    indexed: Repository,
) -> None:
    reader_at.cache_clear()
    assert not search(ask("charge", mode="semantic")).is_lexical_behind


def test_an_index_that_errs_shows_nothing_of_other_sources(
    indexed: Repository, settings: Any
) -> None:
    """An index on disk may be older than the database, or another database's."""
    hidden = Product.objects.get()
    Product.objects.update(visibility=Visibility.MEMBERS)
    shown = Product.objects.create(name="open")
    source = Source.objects.create(product=shown, name="open", source_type="git")
    chunk = Chunk.objects.filter(file__source__product=hidden)[0]
    with contextlib.closing(LexicalWriter(settings.LEXICAL_DIR)) as writer:
        writer.add(
            LexicalDocument(
                chunk_id=chunk.pk,
                file_id=chunk.file_id,
                source_id=source.pk,
                body="zebra",
                path="",
                symbols="",
                headings="",
                header="",
            )
        )
        writer.commit()
    reader_at.cache_clear()
    stranger = Principal(name="Charlie", role=Role.VIEWER, user_id=None)
    query = SearchQuery(text="zebra", principal=stranger, mode="keyword")
    assert search(query).hits == ()


def test_words_of_sources_that_one_may_not_see_do_not_count(
    indexed: Repository, settings: Any
) -> None:
    hidden = Product.objects.create(name="hidden", visibility=Visibility.MEMBERS)
    source = Source.objects.create(product=hidden, name="hidden", source_type="git")
    GitRef.objects.create(
        source=source, name="main", kind="branch", sequence=1, is_current=True
    )
    names: dict[str, Any] = dict.fromkeys(("path", "symbols", "headings", "header"), "")
    with contextlib.closing(LexicalWriter(settings.LEXICAL_DIR)) as writer:
        writer.add(
            LexicalDocument(
                chunk_id=0, file_id=0, source_id=source.pk, body="zebra", **names
            )
        )
        writer.commit()
    reader_at.cache_clear()
    stranger = Principal(name="Charlie", role=Role.VIEWER, user_id=None)
    assert search(ask("zebra")).confidence == "high"
    result = search(SearchQuery(text="zebra", principal=stranger))
    assert result.confidence != "high"


@pytest.mark.parametrize("is_full", [False, True])
def test_what_leaves_the_manifest_leaves_the_index(
    indexed: Repository, follow: Callable[[], Any], settings: Any, is_full: bool
) -> None:
    indexed.commit({"shop/till.py": "platypus = 1\n", "README.md": None})
    index(indexed, is_full=is_full)
    follow()
    current = Chunk.objects.filter(file__manifests__until=None).count()
    assert open_index(settings.LEXICAL_DIR).searcher().num_docs == current


def test_a_second_follower_leaves_the_index_alone(
    indexed: Repository, follow: Callable[[], Any], settings: Any
) -> None:
    indexed.commit({"new.py": "platypus = 1\n"})
    index(indexed)
    with contextlib.closing(LexicalWriter(settings.LEXICAL_DIR)):
        with pytest.raises(Conflict, match="one per host"):
            follow()
        assert (settings.LEXICAL_DIR / "meta.json").exists()
    follow()
    assert search(ask("platypus", mode="keyword")).hits


def test_a_database_restored_from_an_older_copy_is_followed(
    indexed: Repository, follow: Callable[[], Any]
) -> None:
    indexed.commit({"shop/till.py": "platypus = 1\n"})
    index(indexed)
    follow()
    GitRef.objects.update(sequence=1)
    RefFile.objects.filter(since=2).delete()
    RefFile.objects.filter(until=2).update(until=None)
    follow()
    hits = search(ask("charge", mode="keyword", path_prefix="shop/till.py")).hits
    assert [hit.symbol_name for hit in hits] == ["charge"]


def test_an_index_of_another_database_is_built_again(
    indexed: Repository, follow: Callable[[], Any], settings: Any
) -> None:
    generation = settings.LEXICAL_DIR / "generation.json"
    foreign = json.loads(generation.read_text("utf-8")) | {"database": "another"}
    generation.write_text(json.dumps(foreign), "utf-8")
    assert follow().sources == 1
    assert search(ask("charge", mode="keyword")).hits


def test_a_method_does_not_take_the_place_of_its_class(indexed: Repository) -> None:
    names = [hit.symbol_name for hit in search(ask("Cart")).hits]
    assert names[0] == "Cart"
    assert "Cart.add" in names


def test_the_command_filters_by_definition(
    indexed: Repository,
    follow: Callable[[], Any],
    settings: Any,
    capsys: pytest.CaptureFixture[str],
) -> None:
    Symbol.objects.filter(qualified_name="Cart.checkout").update(complexity=12)
    (settings.LEXICAL_DIR / "generation.json").unlink()
    follow()
    words = ("search", "cart charge", "--mode", "keyword", "--json")
    call_command(*words, "--kind", "method", "--min-complexity", "12")
    (hit,) = json.loads(capsys.readouterr().out)["hits"]
    assert (hit["symbol"], hit["complexity"]) == ("Cart.checkout", 12)
    call_command(*words, "--language", "rust")
    assert json.loads(capsys.readouterr().out)["hits"] == []


def test_a_name_that_is_nowhere_gets_only_what_is_nearest(indexed: Repository) -> None:
    result = search(ask("charge_backwards"))
    assert result.hits
    assert (result.confidence, result.total) == ("low", 0)


@pytest.mark.parametrize("text", ["zzzqqqxx", "ぬめぽがゑづ"])
def test_nonsense_is_said_to_be_nothing(indexed: Repository, text: str) -> None:
    assert search(ask(text)).confidence != "high"
    result = search(ask(text, mode="keyword"))
    assert (result.hits, result.confidence) == ((), "none")


@pytest.mark.parametrize(
    "text", ["charge", "how is tax computed at checkout", "税金の計算"]
)
def test_what_is_there_is_not_doubted(indexed: Repository, text: str) -> None:
    result = search(ask(text))
    assert result.confidence == "high"
    assert result.total >= 1


def test_a_name_is_not_doubted_while_it_is_typed(indexed: Repository) -> None:
    assert search(ask("checko", is_typing=True)).confidence == "high"
    assert search(ask("checko")).confidence != "high"
