"""What each feature is worth; fitted by `benchmarks/search_weights.py`, not by hand.

A candidate's value is the sum of its features, each times its weight; a difference of
1 makes it e times as likely to be what was asked for, as far as the sets tell that it
was fitted to. How it was chosen: docs/decisions/0012.
"""

from __future__ import annotations

from dataclasses import dataclass

from devrag.search.features import Features


@dataclass(frozen=True, slots=True)
class Weights:
    """document: of what is no code. document_bias: what it has beside its features.

    coherence: what the best of a file gains by others of it, next_of_file: what each of
    these loses.
    """

    code: Features
    document: Features
    document_bias: float
    coherence: float
    next_of_file: float


_NONE = Features(*[0.0] * len(Features._fields))
GENERAL = Weights(
    code=Features(
        words=1.15,
        words_rank=1.28,
        meaning=2.3,
        meaning_rank=1.28,
        name=2.27,
        name_only=-0.4,
        text=4.62,
        file_name=0.87,
        folders=1.62,
        file=-0.59,
        file_words=0.73,
        is_test=-3.73,
        is_definition=2.89,
        is_further_piece=-0.8,
        is_entry=0.0,
        is_foreign=0.0,
        lines=4.13,
    ),
    document=Features(
        words=1.5,
        words_rank=1.21,
        meaning=4.02,
        meaning_rank=3.38,
        name=0.0,
        name_only=0.0,
        text=4.55,
        file_name=-3.95,
        folders=-0.03,
        file=-1.14,
        file_words=0.48,
        is_test=-0.63,
        is_definition=0.0,
        is_further_piece=0.0,
        is_entry=-0.53,
        is_foreign=0.0,
        lines=-1.09,
    ),
    document_bias=-2.41,
    coherence=0.5,
    next_of_file=1.0,
)
# Only definitions, or pieces of another kind, were asked for: several of one file are
# as welcome as of several.
OF_A_KIND = Weights(
    code=Features(
        words=0.93,
        words_rank=1.3,
        meaning=2.96,
        meaning_rank=0.5,
        name=3.6,
        name_only=-0.74,
        text=5.11,
        file_name=-2.93,
        folders=0.0,
        file=-0.81,
        file_words=1.21,
        is_test=-4.44,
        is_definition=-0.0,
        is_further_piece=-2.15,
        is_entry=0.0,
        is_foreign=0.0,
        lines=4.85,
    ),
    document=Features(
        words=0.0,
        words_rank=0.0,
        meaning=0.0,
        meaning_rank=0.0,
        name=0.0,
        name_only=0.0,
        text=0.0,
        file_name=0.0,
        folders=0.0,
        file=0.0,
        file_words=0.0,
        is_test=0.0,
        is_definition=0.0,
        is_further_piece=0.0,
        is_entry=0.0,
        is_foreign=0.0,
        lines=0.0,
    ),
    document_bias=0.0,
    coherence=0.0,
    next_of_file=0.3,
)
JAPANESE = Weights(
    code=Features(
        words=1.15,
        words_rank=1.28,
        meaning=2.3,
        meaning_rank=1.28,
        name=2.27,
        name_only=-0.4,
        text=4.62,
        file_name=0.87,
        folders=1.62,
        file=-0.59,
        file_words=0.73,
        is_test=-3.73,
        is_definition=2.89,
        is_further_piece=-0.8,
        is_entry=0.0,
        is_foreign=0.0,
        lines=4.13,
    ),
    document=Features(
        words=1.83,
        words_rank=2.16,
        meaning=5.72,
        meaning_rank=3.66,
        name=0.0,
        name_only=0.0,
        text=3.6,
        file_name=-4.08,
        folders=-0.4,
        file=-5.21,
        file_words=0.03,
        is_test=-0.63,
        is_definition=0.0,
        is_further_piece=0.0,
        is_entry=0.61,
        is_foreign=3.39,
        lines=-0.32,
    ),
    document_bias=-2.41,
    coherence=0.5,
    next_of_file=1.0,
)
# Values at which one in two and nearly all candidates are what was asked for.
POSSIBLE, CERTAIN = 14.2, 20.8
