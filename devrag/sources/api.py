"""What other packages use of sources beside their models and services."""

from __future__ import annotations

from devrag.sources.blame import BlamedLines, blame_lines
from devrag.sources.change_log import read_history
from devrag.sources.chunking import CHUNK_LIMITS, default_sizes, source_chunking
from devrag.sources.connectors.confluence import space_url
from devrag.sources.connectors.detect import detect_kind
from devrag.sources.connectors.forms import ConnectionForm
from devrag.sources.connectors.github import repository_url
from devrag.sources.connectors.gitlab import project_url as gitlab_project_url
from devrag.sources.connectors.notion import notion_name, notion_url
from devrag.sources.connectors.pages.transport import CheckedTransport
from devrag.sources.connectors.redmine import project_url
from devrag.sources.connectors.registry import (
    check_source_type,
    connection_forms,
    open_connector,
    preview,
    source_types,
)
from devrag.sources.copy import array_literal, copy_rows
from devrag.sources.credentials import (
    store_credentials,
)
from devrag.sources.dirty import clear_dirty, mark_dirty
from devrag.sources.document_selectors import (
    document_column,
    document_of,
    read_column,
)
from devrag.sources.document_terms import (
    author_term,
    kind_term,
    label_term,
    status_term,
)
from devrag.sources.documents import (
    FENCE,
    DocumentFacts,
    read_document,
    text_of_document,
)
from devrag.sources.file_names import FoundFile, find_files
from devrag.sources.file_patch import FileCommit, PatchHunk, PatchLine, read_file_commit
from devrag.sources.file_selectors import (
    TreeEntry,
    clean_path,
    get_current_file,
    list_entries,
)
from devrag.sources.folder_picker import (
    FolderListing,
    allowed_roots,
    list_folders,
)
from devrag.sources.git_read import HistoryUnavailable
from devrag.sources.history import (
    Change,
    file_history,
    last_changes,
    list_changes,
)
from devrag.sources.hook_secrets import PREFIX, load_hook_secret, renew_hook_secret
from devrag.sources.hosts import AddressRules, resolve_host
from devrag.sources.ignore import IgnoreRules, is_ignore_file
from devrag.sources.ignore_limits import IgnoreBudget
from devrag.sources.lfs import lfs_size
from devrag.sources.metadata import checked_settings
from devrag.sources.mirrors import (
    delete_broken_mirror,
    delete_mirror,
    folder_bytes,
    is_broken,
    mirror_of,
    orphan_mirrors,
    present_mirrors,
    remove_leftovers,
    stale_leftovers,
)
from devrag.sources.owners import owners_of
from devrag.sources.page_mirrors import delete_page_mirror, orphan_page_mirrors
from devrag.sources.paths import is_unicode
from devrag.sources.secret_keys import secret_key
from devrag.sources.selection import Selection
from devrag.sources.server_access import (
    MAX_ROOTS,
    ServerAccess,
    access_at,
    access_of,
    access_to_add,
    check_grants,
    may_grant,
    widest_access,
)
from devrag.sources.symbol_names import (
    NON_ASCII,
    find_humps,
    fold_case,
    get_search_order,
    make_search_name,
)
from devrag.sources.uploads.limits import UploadLimits
from devrag.sources.uploads.orphans import (
    adopt_uploads,
    delete_upload,
    orphan_uploads,
)
from devrag.sources.uploads.store import (
    NewUpload,
    idle_to_read,
    new_upload,
    stored_uploads,
    upload_folder,
)
from devrag.sources.uploads.unpack import (
    Unpacked,
    UploadedFile,
    unpack,
    upload_name,
    upload_stem,
)
from devrag.sources.watched_paths import (
    Identity,
    Stamp,
    file_stamps,
    identity,
    ref_stamps,
    wanted_paths,
)
from devrag.sources.webhook import (
    Unconfirmed,
    check_webhook,
    make_webhook_secret,
    post_webhook,
)
from devrag.sources.wildmatch import glob_regex

__all__ = [
    "CHUNK_LIMITS",
    "FENCE",
    "MAX_ROOTS",
    "NON_ASCII",
    "PREFIX",
    "AddressRules",
    "BlamedLines",
    "Change",
    "CheckedTransport",
    "ConnectionForm",
    "DocumentFacts",
    "FileCommit",
    "FolderListing",
    "FoundFile",
    "HistoryUnavailable",
    "Identity",
    "IgnoreBudget",
    "IgnoreRules",
    "NewUpload",
    "PatchHunk",
    "PatchLine",
    "Selection",
    "ServerAccess",
    "Stamp",
    "TreeEntry",
    "Unconfirmed",
    "Unpacked",
    "UploadLimits",
    "UploadedFile",
    "access_at",
    "access_of",
    "access_to_add",
    "adopt_uploads",
    "allowed_roots",
    "array_literal",
    "author_term",
    "blame_lines",
    "check_grants",
    "check_source_type",
    "check_webhook",
    "checked_settings",
    "clean_path",
    "clear_dirty",
    "connection_forms",
    "copy_rows",
    "default_sizes",
    "delete_broken_mirror",
    "delete_mirror",
    "delete_page_mirror",
    "delete_upload",
    "detect_kind",
    "document_column",
    "document_of",
    "file_history",
    "file_stamps",
    "find_files",
    "find_humps",
    "fold_case",
    "folder_bytes",
    "get_current_file",
    "get_search_order",
    "gitlab_project_url",
    "glob_regex",
    "identity",
    "idle_to_read",
    "is_broken",
    "is_ignore_file",
    "is_unicode",
    "kind_term",
    "label_term",
    "last_changes",
    "lfs_size",
    "list_changes",
    "list_entries",
    "list_folders",
    "load_hook_secret",
    "make_search_name",
    "make_webhook_secret",
    "mark_dirty",
    "may_grant",
    "mirror_of",
    "new_upload",
    "notion_name",
    "notion_url",
    "open_connector",
    "orphan_mirrors",
    "orphan_page_mirrors",
    "orphan_uploads",
    "owners_of",
    "post_webhook",
    "present_mirrors",
    "preview",
    "project_url",
    "read_column",
    "read_document",
    "read_file_commit",
    "read_history",
    "ref_stamps",
    "remove_leftovers",
    "renew_hook_secret",
    "repository_url",
    "resolve_host",
    "secret_key",
    "source_chunking",
    "source_types",
    "space_url",
    "stale_leftovers",
    "status_term",
    "store_credentials",
    "stored_uploads",
    "text_of_document",
    "unpack",
    "upload_folder",
    "upload_name",
    "upload_stem",
    "wanted_paths",
    "widest_access",
]
