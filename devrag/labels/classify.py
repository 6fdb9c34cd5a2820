"""Which labels a file's vectors are near to. Pure.

Cosines to one label are near for whole repositories, so a file has to stand out twice:
near enough to the label in itself, and nearer than to built-in labels on average.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

CLASSIFIER_VERSION = 1
Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Floors:
    """Least cosine to a label, and least lead over the mean of the built-in ones."""

    cosine: float
    lead: float


# By embedding model; of one that is not here no label is given by meaning. Chosen on
# real repositories, see docs/decisions/0024-labels.md.
FLOORS: Mapping[str, Floors] = {
    "multilingual-e5-small-code": Floors(cosine=0.80, lead=0.06),
    "multilingual-e5-small": Floors(cosine=0.845, lead=0.035),
}


def near_labels(
    files: Vectors, labels: Vectors, background: Vectors, floors: Floors
) -> list[list[tuple[int, float]]]:
    """Return for each file the labels it is near to, each with its lead, best first.

    files: (n, d), labels: (m, d), background: (k, d), of the built-in labels, the same
    whatever the vocabulary; all L2-normed. A label is given by its row.
    """
    if not len(files) or not len(labels):
        return [[] for _ in files]
    cosines = files @ labels.T
    leads = cosines - (files @ background.T).mean(axis=1, keepdims=True)
    is_near = (cosines >= floors.cosine) & (leads >= floors.lead)
    return [
        sorted(
            ((int(k), float(leads[row, k])) for k in np.flatnonzero(is_near[row])),
            key=lambda each: -each[1],
        )
        for row in range(len(files))
    ]
