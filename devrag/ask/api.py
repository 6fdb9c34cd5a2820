"""What other packages use of asking beside its models and types."""

from __future__ import annotations

from devrag.ask.answer_pages import answer_page, is_savable, refuse_page, title_for
from devrag.ask.conversations.feedback import (
    DocumentationGap,
    bad_ratings,
    count_unanswered,
    documentation_gaps,
)
from devrag.ask.conversations.owners import Owner, owner_of
from devrag.ask.conversations.reading import (
    ReadableTurn,
    as_markdown,
    citation_url,
    label_of,
    original_url,
    readable_turn,
    readable_turns,
)
from devrag.ask.conversations.recheck import RecheckedCitation, recheck
from devrag.ask.conversations.records import (
    abandoned_turns,
    check_running,
    end_abandoned_turns,
    stop_turn,
)
from devrag.ask.conversations.running import Stopped, run_new_turn, run_turn
from devrag.ask.conversations.selectors import (
    get_conversation,
    get_own_conversation,
    get_turn,
    old_conversations,
    own_conversations,
)
from devrag.ask.conversations.services import (
    add_turn,
    delete_conversation,
    rate_turn,
    rename_conversation,
    resolve_rating,
    share_conversation,
    unshare_conversation,
)
from devrag.ask.evidence.gathering import (
    begin_evidence,
    complete_evidence,
    gather_evidence,
)
from devrag.ask.extractive import split_nearest
from devrag.ask.limits import TooManyRunning
from devrag.ask.requests import check_request, finish_answer
from devrag.ask.service import answer_question, check_question
from devrag.ask.telling_headings import MOST_HEADING_CHARACTERS, telling_headings
from devrag.ask.threads import in_thread
from devrag.ask.trace.ambiguity import has_choices
from devrag.ask.trace.answer import trace_answer
from devrag.ask.trace.choices import Candidate, Choice, choices_of

__all__ = [
    "MOST_HEADING_CHARACTERS",
    "Candidate",
    "Choice",
    "DocumentationGap",
    "Owner",
    "ReadableTurn",
    "RecheckedCitation",
    "Stopped",
    "TooManyRunning",
    "abandoned_turns",
    "add_turn",
    "answer_page",
    "answer_question",
    "as_markdown",
    "bad_ratings",
    "begin_evidence",
    "check_question",
    "check_request",
    "check_running",
    "choices_of",
    "citation_url",
    "complete_evidence",
    "count_unanswered",
    "delete_conversation",
    "documentation_gaps",
    "end_abandoned_turns",
    "finish_answer",
    "gather_evidence",
    "get_conversation",
    "get_own_conversation",
    "get_turn",
    "has_choices",
    "in_thread",
    "is_savable",
    "label_of",
    "old_conversations",
    "original_url",
    "own_conversations",
    "owner_of",
    "rate_turn",
    "readable_turn",
    "readable_turns",
    "recheck",
    "refuse_page",
    "rename_conversation",
    "resolve_rating",
    "run_new_turn",
    "run_turn",
    "share_conversation",
    "split_nearest",
    "stop_turn",
    "telling_headings",
    "title_for",
    "trace_answer",
    "unshare_conversation",
]
