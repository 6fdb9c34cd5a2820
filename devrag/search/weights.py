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
        words=0.78,
        words_rank=1.23,
        cosine=13.19,
        cosine_spread=0.67,
        meaning_rank=0.7,
        name=1.7,
        name_only=-0.59,
        text=4.2,
        file_name=1.11,
        folders=1.69,
        file=-0.27,
        file_words=0.43,
        is_test=-3.43,
        is_definition=2.54,
        is_further_piece=-0.93,
        is_entry=0.0,
        is_foreign=0.0,
        lines=3.62,
    ),
    document=Features(
        words=0.98,
        words_rank=0.61,
        cosine=16.85,
        cosine_spread=0.95,
        meaning_rank=2.7,
        name=0.0,
        name_only=0.0,
        text=3.32,
        file_name=-2.56,
        folders=0.17,
        file=-0.13,
        file_words=0.1,
        is_test=0.87,
        is_definition=0.0,
        is_further_piece=0.0,
        is_entry=-0.46,
        is_foreign=0.0,
        lines=-0.55,
    ),
    document_bias=-2.43,
    coherence=0.5,
    next_of_file=1.0,
)
# Only definitions were asked for: several of one file are as welcome as of several.
DEFINITIONS = Weights(
    code=Features(
        words=-0.73,
        words_rank=2.07,
        cosine=37.74,
        cosine_spread=0.69,
        meaning_rank=-0.67,
        name=6.56,
        name_only=-1.89,
        text=5.23,
        file_name=-0.35,
        folders=1.69,
        file=1.12,
        file_words=0.6,
        is_test=-8.17,
        is_definition=2.54,
        is_further_piece=-2.21,
        is_entry=0.0,
        is_foreign=0.0,
        lines=5.39,
    ),
    document=Features(
        words=0.98,
        words_rank=0.61,
        cosine=16.85,
        cosine_spread=0.95,
        meaning_rank=2.7,
        name=0.0,
        name_only=0.0,
        text=3.32,
        file_name=-2.56,
        folders=0.17,
        file=-0.13,
        file_words=0.1,
        is_test=0.87,
        is_definition=0.0,
        is_further_piece=0.0,
        is_entry=-0.46,
        is_foreign=0.0,
        lines=-0.55,
    ),
    document_bias=-2.43,
    coherence=0.0,
    next_of_file=0.3,
)
JAPANESE = Weights(
    code=Features(
        words=0.78,
        words_rank=1.23,
        cosine=13.19,
        cosine_spread=0.67,
        meaning_rank=0.7,
        name=1.7,
        name_only=-0.59,
        text=4.2,
        file_name=1.11,
        folders=1.69,
        file=-0.27,
        file_words=0.43,
        is_test=-3.43,
        is_definition=2.54,
        is_further_piece=-0.93,
        is_entry=0.0,
        is_foreign=0.0,
        lines=3.62,
    ),
    document=Features(
        words=0.69,
        words_rank=2.6,
        cosine=26.52,
        cosine_spread=0.86,
        meaning_rank=5.43,
        name=0.0,
        name_only=0.0,
        text=2.89,
        file_name=-2.61,
        folders=0.13,
        file=-6.34,
        file_words=0.69,
        is_test=0.87,
        is_definition=0.0,
        is_further_piece=0.0,
        is_entry=0.07,
        is_foreign=1.87,
        lines=-2.39,
    ),
    document_bias=-2.43,
    coherence=0.5,
    next_of_file=1.0,
)
# Values at which one in two and nearly all candidates are what was asked for.
POSSIBLE, CERTAIN = 14.8, 22.6
