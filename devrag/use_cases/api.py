"""What entry points use: add, index, write a wiki, follow a push."""

from __future__ import annotations

from devrag.use_cases.add_repository import add_repository, move_source
from devrag.use_cases.audit_log import AUDIT_FILES, export_events, list_events
from devrag.use_cases.conflicts import describe_conflict, request_conflicts
from devrag.use_cases.connection import Connection, check_connection, check_source
from devrag.use_cases.demo import holds_demo_only, is_demo
from devrag.use_cases.digest.contents import Digest
from devrag.use_cases.digest.options import (
    DigestOptions,
    change_digest,
    describe_digest,
    get_digest_options,
    preview_digest,
    send_again,
    send_test_digest,
)
from devrag.use_cases.digest.rendering import subject_of
from devrag.use_cases.file_versions import brief, find_file, find_ref, stays_same
from devrag.use_cases.index import request_index
from devrag.use_cases.job_feed import wait_for_job
from devrag.use_cases.label_proposals import ProposedLabel, propose_labels
from devrag.use_cases.labels import (
    add_label,
    change_label,
    correct_label,
    correct_labels,
    remove_label,
    withdraw_corrections,
)
from devrag.use_cases.model_settings import (
    ModelChoice,
    ModelState,
    change_model,
    choice_of,
    get_model_state,
    try_model,
)
from devrag.use_cases.outdated import describe_outdated
from devrag.use_cases.product_settings import change_product
from devrag.use_cases.push_events import HOSTS, Ignored, read_event
from devrag.use_cases.push_hooks import find_signed_source, follow_push
from devrag.use_cases.saved_answers import delete_answer, rename_answer, save_answer
from devrag.use_cases.secrets import (
    SECRET_STATES,
    SecretFilter,
    count_secrets,
    describe_secrets,
    dismiss_secret,
    dismissals_of,
    list_secrets,
    reopen_secret,
    unlisted_sources,
)
from devrag.use_cases.source_limits import limit_source
from devrag.use_cases.source_token import (
    check_token,
    has_token,
    remove_token,
    replace_token,
    takes_token,
)
from devrag.use_cases.timed_job import describe_timings
from devrag.use_cases.uploads import (
    Upload,
    add_upload,
    check_uploads_allowed,
    replace_upload,
)
from devrag.use_cases.wiki import is_wiki_possible, request_wiki, roll_back
from devrag.use_cases.wiki_serializers import (
    details_of,
    difference_of,
    estimate_of,
    facts_of,
    sources_of,
    status_of,
)

__all__ = [
    "AUDIT_FILES",
    "HOSTS",
    "SECRET_STATES",
    "Connection",
    "Digest",
    "DigestOptions",
    "Ignored",
    "ModelChoice",
    "ModelState",
    "ProposedLabel",
    "SecretFilter",
    "Upload",
    "add_label",
    "add_repository",
    "add_upload",
    "brief",
    "change_digest",
    "change_label",
    "change_model",
    "change_product",
    "check_connection",
    "check_source",
    "check_token",
    "check_uploads_allowed",
    "choice_of",
    "correct_label",
    "correct_labels",
    "count_secrets",
    "delete_answer",
    "describe_conflict",
    "describe_digest",
    "describe_outdated",
    "describe_secrets",
    "describe_timings",
    "details_of",
    "difference_of",
    "dismiss_secret",
    "dismissals_of",
    "estimate_of",
    "export_events",
    "facts_of",
    "find_file",
    "find_ref",
    "find_signed_source",
    "follow_push",
    "get_digest_options",
    "get_model_state",
    "has_token",
    "holds_demo_only",
    "is_demo",
    "is_wiki_possible",
    "limit_source",
    "list_events",
    "list_secrets",
    "move_source",
    "preview_digest",
    "propose_labels",
    "read_event",
    "remove_label",
    "remove_token",
    "rename_answer",
    "reopen_secret",
    "replace_token",
    "replace_upload",
    "request_conflicts",
    "request_index",
    "request_wiki",
    "roll_back",
    "save_answer",
    "send_again",
    "send_test_digest",
    "sources_of",
    "status_of",
    "stays_same",
    "subject_of",
    "takes_token",
    "try_model",
    "unlisted_sources",
    "wait_for_job",
    "withdraw_corrections",
]
