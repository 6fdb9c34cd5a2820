"""What other packages use of search: questions, hits, and the upkeep of indexes."""

from __future__ import annotations

from devrag.search.consistency import (
    drop_partition,
    lacking_vectors,
    orphan_partitions,
    wrong_counts,
    wrong_live_flags,
)
from devrag.search.deletion import delete_file_versions
from devrag.search.facets import FacetValue, count_facets
from devrag.search.fields import result_fields
from devrag.search.foreign import is_foreign
from devrag.search.lexical.analyser import as_written
from devrag.search.lexical.follower import (
    announce_activation,
    catch_up,
    database_identity,
    wanted_sequences,
)
from devrag.search.lexical.integrity import (
    broken_files,
    count_documents,
    forget_sources,
)
from devrag.search.lexical.store import Generation, read_generation, write_generation
from devrag.search.lexical.terms import counterparts, spelt_out
from devrag.search.memos import Memo, count_tags, read_memos, recent_memos
from devrag.search.query_intent import is_japanese, read_question
from devrag.search.query_log import KEPT as SEARCHES_KEPT
from devrag.search.query_log import (
    log_search,
    may_see_searches,
    most_asked,
    note_opened,
    searches_for,
    without_results,
)
from devrag.search.query_model import summarize_result
from devrag.search.query_parser import without_filters, written_filters
from devrag.search.ranges import parse_depths
from devrag.search.ranking import DEFINES, FILE_NAME, NAMED, TITLED, USES
from devrag.search.reasons import explain, terms_said
from devrag.search.related.answer import CLOSE, find_related
from devrag.search.reranking.endpoint import active_reranker, check_reranker
from devrag.search.retrievers import is_behind
from devrag.search.semantic.coverage import (
    VectorCount,
    VectorShare,
    count_by_source,
    vector_share,
)
from devrag.search.semantic.embedded_text import embedded_hash
from devrag.search.semantic.file_vectors import has_all_vectors, mean_vectors
from devrag.search.semantic.graphs import plan_graphs, request_graphs, run_graphs
from devrag.search.semantic.job import (
    finish_embed,
    plan_embed,
    plan_mark,
    plan_reuse,
    run_embed,
    run_mark,
    run_reuse,
)
from devrag.search.semantic.live_vectors import apply_live, recount_vectors, switch_live
from devrag.search.semantic.missing_vectors import lacks_vectors
from devrag.search.semantic.pauses import (
    is_paused,
    pause_embedding,
    resume_embedding,
    seconds_to_wait,
)
from devrag.search.semantic.providers import (
    ask_embedding_provider,
    list_embedding_providers,
)
from devrag.search.semantic.request import (
    lacking_specs,
    request_lacking,
    request_vectors,
    spec_of,
)
from devrag.search.semantic.retriever import forget_answers, query_vector
from devrag.search.semantic.spec_switch import (
    complete_switch,
    open_spec,
    ready_specs,
    replace_older_local_model,
    unready_sources,
)
from devrag.search.semantic.specs import (
    active_spec,
    asking_spec,
    ensure_active_spec,
    ensure_spec,
    has_remote_spec,
    remote_endpoints,
    search_spec,
    specs_in_use,
    wanted_specs,
)
from devrag.search.service import (
    count_words,
    has_japanese_documents,
    missing_words,
    search,
    warm_up,
)
from devrag.search.similar_texts import suggest_queries
from devrag.search.snippets import MAX_CHARACTERS, STRATEGIES, Strategy, extract
from devrag.search.summary import summarize
from devrag.search.trace import add_to_trace, start_trace, trace_search
from devrag.search.wiki_sections.store import (
    SectionText,
    WikiEdition,
    forget_wiki_sections,
    indexed_editions,
    replace_wiki_sections,
)

__all__ = [
    "CLOSE",
    "DEFINES",
    "FILE_NAME",
    "MAX_CHARACTERS",
    "NAMED",
    "SEARCHES_KEPT",
    "STRATEGIES",
    "TITLED",
    "USES",
    "FacetValue",
    "Generation",
    "Memo",
    "SectionText",
    "Strategy",
    "VectorCount",
    "VectorShare",
    "WikiEdition",
    "active_reranker",
    "active_spec",
    "add_to_trace",
    "announce_activation",
    "apply_live",
    "as_written",
    "ask_embedding_provider",
    "asking_spec",
    "broken_files",
    "catch_up",
    "check_reranker",
    "complete_switch",
    "count_by_source",
    "count_documents",
    "count_facets",
    "count_tags",
    "count_words",
    "counterparts",
    "database_identity",
    "delete_file_versions",
    "drop_partition",
    "embedded_hash",
    "ensure_active_spec",
    "ensure_spec",
    "explain",
    "extract",
    "find_related",
    "finish_embed",
    "forget_answers",
    "forget_sources",
    "forget_wiki_sections",
    "has_all_vectors",
    "has_japanese_documents",
    "has_remote_spec",
    "indexed_editions",
    "is_behind",
    "is_foreign",
    "is_japanese",
    "is_paused",
    "lacking_specs",
    "lacking_vectors",
    "lacks_vectors",
    "list_embedding_providers",
    "log_search",
    "may_see_searches",
    "mean_vectors",
    "missing_words",
    "most_asked",
    "note_opened",
    "open_spec",
    "orphan_partitions",
    "parse_depths",
    "pause_embedding",
    "plan_embed",
    "plan_graphs",
    "plan_mark",
    "plan_reuse",
    "query_vector",
    "read_generation",
    "read_memos",
    "read_question",
    "ready_specs",
    "recent_memos",
    "recount_vectors",
    "remote_endpoints",
    "replace_older_local_model",
    "replace_wiki_sections",
    "request_graphs",
    "request_lacking",
    "request_vectors",
    "result_fields",
    "resume_embedding",
    "run_embed",
    "run_graphs",
    "run_mark",
    "run_reuse",
    "search",
    "search_spec",
    "searches_for",
    "seconds_to_wait",
    "spec_of",
    "specs_in_use",
    "spelt_out",
    "start_trace",
    "suggest_queries",
    "summarize",
    "summarize_result",
    "switch_live",
    "terms_said",
    "trace_search",
    "unready_sources",
    "vector_share",
    "wanted_sequences",
    "wanted_specs",
    "warm_up",
    "without_filters",
    "without_results",
    "write_generation",
    "written_filters",
    "wrong_counts",
    "wrong_live_flags",
]
