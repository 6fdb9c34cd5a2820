"""What other packages use of the wiki: runs, versions, claims, notes and feedback."""

from __future__ import annotations

from devrag.wiki.analysis.conditions import Condition, condition_of
from devrag.wiki.analysis.prose import cited as with_markers
from devrag.wiki.analysis.prose import join_sentences, plain_sentence, plain_text
from devrag.wiki.analysis.selectors import (
    SourceVersion,
    current_versions,
    versions_by_product,
)
from devrag.wiki.analysis.source_kinds import CODE, SOURCE_KINDS, TICKETS
from devrag.wiki.conflicts.by_model import (
    ask_request,
    choose_comparisons,
    keep_same,
    keep_verdicts,
    may_compare,
    passages_to_compare,
)
from devrag.wiki.conflicts.comparing import compare_statements
from devrag.wiki.conflicts.deciding import (
    conflicts_of,
    conflicts_of_file,
    conflicts_of_page,
    decide_conflict,
    find_conflict,
)
from devrag.wiki.conflicts.reading import (
    compared_files,
    finish_search,
    note_wanted_names,
    read_documents,
    search_code,
    unread_files,
)
from devrag.wiki.evidence.blocks import MarkdownBlock, join_blocks, split_blocks
from devrag.wiki.evidence.citations import (
    CITATION,
    ClaimDraft,
    as_footnotes,
    bare_sentence,
    before_punctuation,
    place,
)
from devrag.wiki.evidence.freshness import (
    CHANGED,
    CitedLines,
    ClaimFreshness,
    ClaimState,
    compare_claims,
    compare_lines,
    page_freshness,
    version_freshness,
)
from devrag.wiki.evidence.page_evidence import MARKER
from devrag.wiki.evidence.stale_claims import (
    find_stale_pages,
    known_stale_pages,
    states_at,
    states_of_page,
)
from devrag.wiki.generation.estimate import Estimate, estimate_wiki
from devrag.wiki.generation.job import WORKFLOW as WIKI_WORKFLOW
from devrag.wiki.generation.vectors import WAITS as WAITS_FOR_VECTORS
from devrag.wiki.generation.vectors import seconds_to_wait as seconds_until_vectors
from devrag.wiki.outdated.deciding import (
    check_document,
    find_outdated_document,
    outdated_file,
    outdated_of,
    outdated_on_page,
)
from devrag.wiki.outdated.finding import (
    dated_documents,
    find_outdated,
    forget_documents,
)
from devrag.wiki.planning.page_groups import CODE as CODE_GROUP
from devrag.wiki.planning.page_groups import PAGE_GROUPS, group_of
from devrag.wiki.publishing.addresses import find_page, find_wiki, get_page
from devrag.wiki.publishing.claim_kinds import kinds_of_claims
from devrag.wiki.publishing.deletion import delete_export, export_of, stale_drafts
from devrag.wiki.publishing.difference import PageDifference
from devrag.wiki.publishing.drafts import (
    DraftEntry,
    DraftVersion,
    get_draft_page,
    get_draft_version,
)
from devrag.wiki.publishing.feedback import (
    add_feedback,
    open_feedback,
    paragraph_of,
    resolve_feedback,
)
from devrag.wiki.publishing.formats import (
    agents_list,
    archive_of,
    check_export_size,
    exported_files,
    files_of,
)
from devrag.wiki.publishing.history import (
    check_may_write,
    diff_versions,
    find_version,
    held_version,
    is_held,
    may_write,
    pin_version,
    show_version,
    version_before,
    versions_of,
)
from devrag.wiki.publishing.linked_markdown import claim_url, link_citations
from devrag.wiki.publishing.notes import (
    LONGEST_NOTE,
    add_note,
    delete_note,
    edit_note,
    find_note,
    move_note,
    notes_of_page,
    orphaned_notes,
)
from devrag.wiki.publishing.one_file import one_markdown
from devrag.wiki.publishing.saved_answers import (
    LONGEST_TITLE,
    AnswerPage,
    SavedPage,
    delete_saved_answer,
    find_saved_answer,
    rename_saved_answer,
    save_answer_page,
)
from devrag.wiki.publishing.search_index import (
    index_unindexed_versions,
    label_shown_pages,
    unindexed_versions,
)
from devrag.wiki.publishing.sentence_difference import (
    SentenceChange,
    compare_sentences,
)
from devrag.wiki.publishing.services import export_version
from devrag.wiki.publishing.side_by_side import (
    ChangedPiece,
    Row,
    RowGroup,
    TextPiece,
    compare_words,
    fold,
    pair,
)
from devrag.wiki.publishing.topics import WikiTopic, describe_products, list_topics
from devrag.wiki.publishing.versions import (
    claim_draft,
    claim_row,
    find_readable_wiki,
    is_up_to_date,
    prefix_of,
    readable_wikis,
    shown_wiki,
)
from devrag.wiki.publishing.withdrawal import withdraw_versions
from devrag.wiki.wording import WORDINGS
from devrag.wiki.writing.author import author_of
from devrag.wiki.writing.model.answers import usual_marks
from devrag.wiki.writing.model.brief import wiki_languages
from devrag.wiki.writing.model.language import is_in_language
from devrag.wiki.writing.model.sentence_terms import (
    best_window,
    is_name,
    shown_terms,
    terms_of,
)
from devrag.wiki.writing.model.support import SupportRequest, support_requests
from devrag.wiki.writing.model.validators import leaks, problem_of_diagram
from devrag.wiki.writing.structural.diagrams import Message, sequence_diagram

__all__ = [
    "CHANGED",
    "CITATION",
    "CODE",
    "CODE_GROUP",
    "LONGEST_NOTE",
    "LONGEST_TITLE",
    "MARKER",
    "PAGE_GROUPS",
    "SOURCE_KINDS",
    "TICKETS",
    "WAITS_FOR_VECTORS",
    "WIKI_WORKFLOW",
    "WORDINGS",
    "AnswerPage",
    "ChangedPiece",
    "CitedLines",
    "ClaimDraft",
    "ClaimFreshness",
    "ClaimState",
    "Condition",
    "DraftEntry",
    "DraftVersion",
    "Estimate",
    "MarkdownBlock",
    "Message",
    "PageDifference",
    "Row",
    "RowGroup",
    "SavedPage",
    "SentenceChange",
    "SourceVersion",
    "SupportRequest",
    "TextPiece",
    "WikiTopic",
    "add_feedback",
    "add_note",
    "agents_list",
    "archive_of",
    "as_footnotes",
    "ask_request",
    "author_of",
    "bare_sentence",
    "before_punctuation",
    "best_window",
    "check_document",
    "check_export_size",
    "check_may_write",
    "choose_comparisons",
    "claim_draft",
    "claim_row",
    "claim_url",
    "compare_claims",
    "compare_lines",
    "compare_sentences",
    "compare_statements",
    "compare_words",
    "compared_files",
    "condition_of",
    "conflicts_of",
    "conflicts_of_file",
    "conflicts_of_page",
    "current_versions",
    "dated_documents",
    "decide_conflict",
    "delete_export",
    "delete_note",
    "delete_saved_answer",
    "describe_products",
    "diff_versions",
    "edit_note",
    "estimate_wiki",
    "export_of",
    "export_version",
    "exported_files",
    "files_of",
    "find_conflict",
    "find_note",
    "find_outdated",
    "find_outdated_document",
    "find_page",
    "find_readable_wiki",
    "find_saved_answer",
    "find_stale_pages",
    "find_version",
    "find_wiki",
    "finish_search",
    "fold",
    "forget_documents",
    "get_draft_page",
    "get_draft_version",
    "get_page",
    "group_of",
    "held_version",
    "index_unindexed_versions",
    "is_held",
    "is_in_language",
    "is_name",
    "is_up_to_date",
    "join_blocks",
    "join_sentences",
    "keep_same",
    "keep_verdicts",
    "kinds_of_claims",
    "known_stale_pages",
    "label_shown_pages",
    "leaks",
    "link_citations",
    "list_topics",
    "may_compare",
    "may_write",
    "move_note",
    "note_wanted_names",
    "notes_of_page",
    "one_markdown",
    "open_feedback",
    "orphaned_notes",
    "outdated_file",
    "outdated_of",
    "outdated_on_page",
    "page_freshness",
    "pair",
    "paragraph_of",
    "passages_to_compare",
    "pin_version",
    "place",
    "plain_sentence",
    "plain_text",
    "prefix_of",
    "problem_of_diagram",
    "read_documents",
    "readable_wikis",
    "rename_saved_answer",
    "resolve_feedback",
    "save_answer_page",
    "search_code",
    "seconds_until_vectors",
    "sequence_diagram",
    "show_version",
    "shown_terms",
    "shown_wiki",
    "split_blocks",
    "stale_drafts",
    "states_at",
    "states_of_page",
    "support_requests",
    "terms_of",
    "unindexed_versions",
    "unread_files",
    "usual_marks",
    "version_before",
    "version_freshness",
    "versions_by_product",
    "versions_of",
    "wiki_languages",
    "with_markers",
    "withdraw_versions",
]
