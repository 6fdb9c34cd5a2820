"""Which labels a file's vectors are near to."""

from __future__ import annotations

import numpy as np

from devrag.labels.classify import Floors, near_labels

FLOORS = Floors(cosine=0.8, lead=0.1)
LABELS = np.eye(3, dtype=np.float32)


def near(*vector: float) -> list[int]:
    file = np.array([vector], dtype=np.float32)
    found = near_labels(file / np.linalg.norm(file), LABELS, LABELS, FLOORS)
    return [label for label, _ in found[0]]


def test_a_file_gets_the_label_that_it_is_near_to() -> None:
    assert near(1, 0.1, 0.1) == [0]
    assert near(0.1, 0.1, 1) == [2]


def test_near_to_all_is_near_to_none() -> None:
    assert near(1, 1, 1) == []
    assert near(1, 0.9, 0) == []


def test_without_labels_or_files_there_is_nothing() -> None:
    assert near_labels(LABELS, LABELS[:0], LABELS, FLOORS) == [[], [], []]
    assert near_labels(LABELS[:0], LABELS, LABELS, FLOORS) == []
