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
        words=0.84,
        words_rank=1.16,
        cosine=13.85,
        cosine_spread=0.7,
        meaning_rank=0.54,
        name=1.79,
        name_only=-0.75,
        text=4.22,
        file_name=0.74,
        folders=0.96,
        file=-0.26,
        file_words=0.48,
        is_test=-3.57,
        is_definition=2.63,
        is_further_piece=-0.99,
        is_entry=0.0,
        is_foreign=0.0,
        is_page=0.0,
        is_ticket=0.0,
        lines=4.03,
    ),
    document=Features(
        words=0.84,
        words_rank=0.59,
        cosine=16.5,
        cosine_spread=0.93,
        meaning_rank=2.57,
        name=0.0,
        name_only=0.0,
        text=3.46,
        file_name=-1.86,
        folders=0.11,
        file=0.36,
        file_words=0.05,
        is_test=0.38,
        is_definition=0.0,
        is_further_piece=0.0,
        is_entry=0.24,
        is_foreign=0.0,
        is_page=4.72,
        is_ticket=3.18,
        lines=1.19,
    ),
    document_bias=-2.38,
    coherence=0.5,
    next_of_file=1.0,
)
# Only definitions were asked for: several of one file are as welcome as of several.
DEFINITIONS = Weights(
    code=Features(
        words=-0.73,
        words_rank=2.07,
        cosine=38.77,
        cosine_spread=0.66,
        meaning_rank=-0.67,
        name=6.58,
        name_only=-1.9,
        text=5.23,
        file_name=-0.43,
        folders=0.96,
        file=1.13,
        file_words=0.6,
        is_test=-8.22,
        is_definition=2.63,
        is_further_piece=-2.22,
        is_entry=0.0,
        is_foreign=0.0,
        is_page=0.0,
        is_ticket=0.0,
        lines=5.41,
    ),
    document=Features(
        words=0.84,
        words_rank=0.59,
        cosine=16.5,
        cosine_spread=0.93,
        meaning_rank=2.57,
        name=0.0,
        name_only=0.0,
        text=3.46,
        file_name=-1.86,
        folders=0.11,
        file=0.36,
        file_words=0.05,
        is_test=0.38,
        is_definition=0.0,
        is_further_piece=0.0,
        is_entry=0.24,
        is_foreign=0.0,
        is_page=4.72,
        is_ticket=3.18,
        lines=1.19,
    ),
    document_bias=-2.38,
    coherence=0.0,
    next_of_file=0.3,
)
JAPANESE = Weights(
    code=Features(
        words=1.38,
        words_rank=0.42,
        cosine=11.96,
        cosine_spread=1.22,
        meaning_rank=-0.0,
        name=1.47,
        name_only=-2.91,
        text=5.1,
        file_name=-1.07,
        folders=0.15,
        file=-1.65,
        file_words=1.85,
        is_test=-4.58,
        is_definition=2.97,
        is_further_piece=-1.06,
        is_entry=0.0,
        is_foreign=0.3,
        is_page=0.0,
        is_ticket=0.0,
        lines=3.22,
    ),
    document=Features(
        words=0.63,
        words_rank=2.04,
        cosine=26.14,
        cosine_spread=0.77,
        meaning_rank=4.97,
        name=0.0,
        name_only=0.0,
        text=2.96,
        file_name=-1.94,
        folders=0.23,
        file=-5.3,
        file_words=0.99,
        is_test=0.38,
        is_definition=0.0,
        is_further_piece=0.0,
        is_entry=-0.47,
        is_foreign=0.71,
        is_page=4.93,
        is_ticket=3.08,
        lines=0.26,
    ),
    document_bias=-2.32,
    coherence=0.5,
    next_of_file=1.0,
)
# Values at which one in two and nearly all candidates are what was asked for.
POSSIBLE, CERTAIN = 14.5, 21.5
