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
        words=0.86,
        words_rank=0.87,
        meaning=2.32,
        meaning_rank=1.4,
        name=1.6,
        name_only=-0.07,
        signature=0.28,
        beginning=1.82,
        text=3.27,
        file_name=2.7,
        folders=2.66,
        file=0.23,
        file_words=0.37,
        is_test=-4.6,
        is_aside=-0.04,
        is_definition=2.74,
        is_further_piece=-0.76,
        is_private=-0.71,
        is_entry=0.0,
        lines=5.26,
    ),
    document=Features(
        words=1.43,
        words_rank=1.2,
        meaning=3.46,
        meaning_rank=2.44,
        name=0.0,
        name_only=0.0,
        signature=-3.12,
        beginning=3.65,
        text=3.65,
        file_name=-2.31,
        folders=-0.0,
        file=-1.31,
        file_words=0.08,
        is_test=-0.24,
        is_aside=-0.0,
        is_definition=0.0,
        is_further_piece=0.0,
        is_private=0.0,
        is_entry=0.0,
        lines=-2.61,
    ),
    document_bias=-2.14,
    coherence=0.5,
    next_of_file=1.0,
)
# Only definitions, or pieces of another kind, were asked for: several of one file are
# as welcome as of several.
OF_A_KIND = Weights(
    code=Features(
        words=0.55,
        words_rank=1.12,
        meaning=2.58,
        meaning_rank=0.5,
        name=2.57,
        name_only=-0.45,
        signature=1.38,
        beginning=2.54,
        text=4.13,
        file_name=-2.04,
        folders=0.0,
        file=-0.46,
        file_words=1.26,
        is_test=-4.53,
        is_aside=-0.32,
        is_definition=2.74,
        is_further_piece=-2.08,
        is_private=-0.79,
        is_entry=0.0,
        lines=6.3,
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
        lines=0.0,
    ),
    document_bias=0.0,
    coherence=0.0,
    next_of_file=0.3,
)
JAPANESE = Weights(
    code=Features(
        words=0.86,
        words_rank=0.87,
        meaning=2.32,
        meaning_rank=1.4,
        name=1.6,
        name_only=-0.07,
        signature=0.28,
        beginning=1.82,
        text=3.27,
        file_name=2.7,
        folders=2.66,
        file=0.23,
        file_words=0.37,
        is_test=-4.6,
        is_aside=-0.04,
        is_definition=2.74,
        is_further_piece=-0.76,
        is_private=-0.71,
        is_entry=0.0,
        lines=5.26,
    ),
    document=Features(
        words=2.56,
        words_rank=0.79,
        meaning=5.5,
        meaning_rank=3.83,
        name=0.0,
        name_only=0.0,
        signature=-2.93,
        beginning=4.07,
        text=1.8,
        file_name=-2.34,
        folders=-0.0,
        file=-5.82,
        file_words=-0.44,
        is_test=-0.24,
        is_aside=-0.0,
        is_definition=0.0,
        is_further_piece=0.0,
        is_private=0.0,
        is_entry=0.0,
        lines=-1.07,
    ),
    document_bias=-2.14,
    coherence=0.5,
    next_of_file=1.0,
)
# Values at which one in two and nearly all candidates are what was asked for.
POSSIBLE, CERTAIN = 16.4, 24.0
