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


GENERAL = Weights(
    code=Features(
        words=1.17,
        words_rank=1.24,
        meaning=2.31,
        meaning_rank=1.26,
        name=2.25,
        name_only=-0.45,
        text=4.58,
        file_name=0.87,
        folders=1.66,
        file=-0.62,
        file_words=0.74,
        is_test=-3.7,
        is_definition=2.87,
        is_further_piece=-0.79,
        is_entry=0.0,
        is_foreign=0.0,
        lines=4.11,
    ),
    document=Features(
        words=1.53,
        words_rank=1.24,
        meaning=4.03,
        meaning_rank=3.35,
        name=0.0,
        name_only=0.0,
        text=4.55,
        file_name=-3.98,
        folders=-0.03,
        file=-1.13,
        file_words=0.46,
        is_test=-0.62,
        is_definition=0.0,
        is_further_piece=0.0,
        is_entry=-0.56,
        is_foreign=0.0,
        lines=-1.09,
    ),
    document_bias=-2.44,
    coherence=0.5,
    next_of_file=1.0,
)
# Only definitions were asked for: several of one file are as welcome as of several.
DEFINITIONS = Weights(
    code=Features(
        words=0.19,
        words_rank=1.34,
        meaning=3.85,
        meaning_rank=-0.42,
        name=6.65,
        name_only=-1.32,
        text=6.12,
        file_name=-2.09,
        folders=1.66,
        file=-0.98,
        file_words=1.67,
        is_test=-8.35,
        is_definition=2.87,
        is_further_piece=-2.23,
        is_entry=0.0,
        is_foreign=0.0,
        lines=4.81,
    ),
    document=Features(
        words=1.53,
        words_rank=1.24,
        meaning=4.03,
        meaning_rank=3.35,
        name=0.0,
        name_only=0.0,
        text=4.55,
        file_name=-3.98,
        folders=-0.03,
        file=-1.13,
        file_words=0.46,
        is_test=-0.62,
        is_definition=0.0,
        is_further_piece=0.0,
        is_entry=-0.56,
        is_foreign=0.0,
        lines=-1.09,
    ),
    document_bias=-2.44,
    coherence=0.0,
    next_of_file=0.3,
)
JAPANESE = Weights(
    code=Features(
        words=1.17,
        words_rank=1.24,
        meaning=2.31,
        meaning_rank=1.26,
        name=2.25,
        name_only=-0.45,
        text=4.58,
        file_name=0.87,
        folders=1.66,
        file=-0.62,
        file_words=0.74,
        is_test=-3.7,
        is_definition=2.87,
        is_further_piece=-0.79,
        is_entry=0.0,
        is_foreign=0.0,
        lines=4.11,
    ),
    document=Features(
        words=1.92,
        words_rank=2.15,
        meaning=5.74,
        meaning_rank=3.61,
        name=0.0,
        name_only=0.0,
        text=3.54,
        file_name=-4.11,
        folders=-0.38,
        file=-5.15,
        file_words=-0.05,
        is_test=-0.62,
        is_definition=0.0,
        is_further_piece=0.0,
        is_entry=0.63,
        is_foreign=3.41,
        lines=-0.28,
    ),
    document_bias=-2.44,
    coherence=0.5,
    next_of_file=1.0,
)
# Values at which one in two and nearly all candidates are what was asked for.
POSSIBLE, CERTAIN = 14.2, 20.8
