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
        words=1.03,
        words_rank=1.19,
        meaning=2.03,
        meaning_rank=1.23,
        name=1.33,
        name_only=-0.37,
        signature=1.33,
        beginning=2.12,
        text=3.5,
        file_name=0.91,
        folders=1.56,
        file=-0.52,
        file_words=0.76,
        is_test=-3.76,
        is_aside=-0.29,
        is_definition=2.72,
        is_further_piece=-0.63,
        is_private=-0.09,
        is_entry=0.0,
        is_foreign=0.0,
        lines=4.32,
    ),
    document=Features(
        words=1.33,
        words_rank=1.02,
        meaning=3.85,
        meaning_rank=3.39,
        name=0.0,
        name_only=0.0,
        signature=-3.93,
        beginning=3.08,
        text=3.52,
        file_name=-2.08,
        folders=-0.02,
        file=-1.51,
        file_words=0.25,
        is_test=-0.58,
        is_aside=-0.03,
        is_definition=0.0,
        is_further_piece=0.0,
        is_private=0.0,
        is_entry=-0.86,
        is_foreign=0.0,
        lines=-0.92,
    ),
    document_bias=-2.31,
    coherence=0.5,
    next_of_file=1.0,
)
# Only definitions, or pieces of another kind, were asked for: several of one file are
# as welcome as of several.
OF_A_KIND = Weights(
    code=Features(
        words=0.67,
        words_rank=1.17,
        meaning=2.6,
        meaning_rank=0.54,
        name=2.31,
        name_only=-0.74,
        signature=2.21,
        beginning=2.58,
        text=3.92,
        file_name=-2.74,
        folders=0.0,
        file=-0.59,
        file_words=1.22,
        is_test=-4.56,
        is_aside=-0.36,
        is_definition=-0.0,
        is_further_piece=-1.99,
        is_private=-0.24,
        is_entry=0.0,
        is_foreign=0.0,
        lines=5.15,
    ),
    document=Features(
        words=0.0,
        words_rank=0.0,
        meaning=0.0,
        meaning_rank=0.0,
        name=0.0,
        name_only=0.0,
        signature=0.0,
        beginning=0.0,
        text=0.0,
        file_name=0.0,
        folders=0.0,
        file=0.0,
        file_words=0.0,
        is_test=0.0,
        is_aside=0.0,
        is_definition=0.0,
        is_further_piece=0.0,
        is_private=0.0,
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
        words=1.03,
        words_rank=1.19,
        meaning=2.03,
        meaning_rank=1.23,
        name=1.33,
        name_only=-0.37,
        signature=1.33,
        beginning=2.12,
        text=3.5,
        file_name=0.91,
        folders=1.56,
        file=-0.52,
        file_words=0.76,
        is_test=-3.76,
        is_aside=-0.29,
        is_definition=2.72,
        is_further_piece=-0.63,
        is_private=-0.09,
        is_entry=0.0,
        is_foreign=0.0,
        lines=4.32,
    ),
    document=Features(
        words=1.45,
        words_rank=2.15,
        meaning=5.59,
        meaning_rank=3.82,
        name=0.0,
        name_only=0.0,
        signature=-1.74,
        beginning=3.01,
        text=1.12,
        file_name=-2.25,
        folders=-0.33,
        file=-5.32,
        file_words=0.34,
        is_test=-0.58,
        is_aside=-0.03,
        is_definition=0.0,
        is_further_piece=0.0,
        is_private=0.0,
        is_entry=0.64,
        is_foreign=3.32,
        lines=0.03,
    ),
    document_bias=-2.31,
    coherence=0.5,
    next_of_file=1.0,
)
# Values at which one in two and nearly all candidates are what was asked for.
POSSIBLE, CERTAIN = 14.6, 21.5
