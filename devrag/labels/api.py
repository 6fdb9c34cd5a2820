"""What other packages use of labels beside their models and types."""

from __future__ import annotations

from devrag.labels.assignment import (
    assign_by_rules,
    assign_by_vectors,
    files_to_compare,
    files_to_label,
    labels_of_files,
)
from devrag.labels.changes import change_numbers, changed_files
from devrag.labels.classify import FLOORS, near_labels
from devrag.labels.corrections import correct_label, withdraw_correction
from devrag.labels.kinds import KINDS
from devrag.labels.pages import label_pages
from devrag.labels.renames import follow_files
from devrag.labels.selectors import (
    CountedLabel,
    corrections_of,
    find_label_ids,
    known_names,
    labels_by_file,
    labels_of_file,
    labels_of_page,
    list_labels,
)
from devrag.labels.vocabulary import (
    MAX_NAME,
    MAX_PATHS,
    add_label,
    change_label,
    describe_label,
    ensure_vocabulary,
    find_label,
    remove_label,
    vectors_mark,
    vocabulary_mark,
)

__all__ = [
    "FLOORS",
    "KINDS",
    "MAX_NAME",
    "MAX_PATHS",
    "CountedLabel",
    "add_label",
    "assign_by_rules",
    "assign_by_vectors",
    "change_label",
    "change_numbers",
    "changed_files",
    "correct_label",
    "corrections_of",
    "describe_label",
    "ensure_vocabulary",
    "files_to_compare",
    "files_to_label",
    "find_label",
    "find_label_ids",
    "follow_files",
    "known_names",
    "label_pages",
    "labels_by_file",
    "labels_of_file",
    "labels_of_files",
    "labels_of_page",
    "list_labels",
    "near_labels",
    "remove_label",
    "vectors_mark",
    "vocabulary_mark",
    "withdraw_correction",
]
