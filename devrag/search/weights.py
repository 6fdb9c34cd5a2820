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
        words=1.05,
        words_rank=1.13,
        meaning=2.06,
        meaning_rank=1.18,
        name=1.33,
        name_only=-0.36,
        signature=1.32,
        beginning=2.1,
        text=3.5,
        file_name=0.92,
        folders=1.58,
        file=-0.57,
        file_words=0.73,
        is_test=-3.74,
        is_aside=-0.3,
        is_definition=2.39,
        is_further_piece=-0.62,
        is_private=-0.09,
        is_entry=0.0,
        lines=4.24,
    ),
    document=Features(
        words=1.49,
        words_rank=1.25,
        meaning=3.53,
        meaning_rank=2.55,
        name=0.0,
        name_only=0.0,
        signature=-2.9,
        beginning=3.56,
        text=3.59,
        file_name=-2.17,
        folders=-0.01,
        file=-1.99,
        file_words=0.1,
        is_test=-0.48,
        is_aside=-0.01,
        is_definition=0.0,
        is_further_piece=0.0,
        is_private=0.0,
        is_entry=0.0,
        lines=-2.03,
    ),
    document_bias=-1.76,
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
        name=2.3,
        name_only=-0.74,
        signature=2.21,
        beginning=2.59,
        text=3.92,
        file_name=-2.75,
        folders=0.0,
        file=-0.59,
        file_words=1.21,
        is_test=-4.56,
        is_aside=-0.37,
        is_definition=-0.0,
        is_further_piece=-1.99,
        is_private=-0.24,
        is_entry=0.0,
        lines=5.16,
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
        words=1.05,
        words_rank=1.13,
        meaning=2.06,
        meaning_rank=1.18,
        name=1.33,
        name_only=-0.36,
        signature=1.32,
        beginning=2.1,
        text=3.5,
        file_name=0.92,
        folders=1.58,
        file=-0.57,
        file_words=0.73,
        is_test=-3.74,
        is_aside=-0.3,
        is_definition=2.39,
        is_further_piece=-0.62,
        is_private=-0.09,
        is_entry=0.0,
        lines=4.24,
    ),
    document=Features(
        words=2.58,
        words_rank=0.84,
        meaning=5.53,
        meaning_rank=3.95,
        name=0.0,
        name_only=0.0,
        signature=-2.71,
        beginning=4.07,
        text=1.77,
        file_name=-2.2,
        folders=-0.01,
        file=-6.1,
        file_words=-0.42,
        is_test=-0.48,
        is_aside=-0.01,
        is_definition=0.0,
        is_further_piece=0.0,
        is_private=0.0,
        is_entry=0.0,
        lines=-0.78,
    ),
    document_bias=-1.76,
    coherence=0.5,
    next_of_file=1.0,
)
# Values at which one in two and nearly all candidates are what was asked for.
POSSIBLE, CERTAIN = 14.3, 21.4
