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
        words=1.47,
        words_rank=0.96,
        meaning=1.9,
        meaning_rank=0.82,
        name=0.42,
        name_only=0.18,
        signature=0.46,
        beginning=2.07,
        text=3.38,
        file_name=0.91,
        folders=1.7,
        file=-0.98,
        file_words=0.96,
        is_test=-2.75,
        is_aside=-0.69,
        is_type=0.65,
        is_function=1.34,
        is_further_piece=0.12,
        is_private=0.17,
        is_entry=0.0,
        lines=3.96,
    ),
    document=Features(
        words=1.97,
        words_rank=1.13,
        meaning=5.04,
        meaning_rank=3.26,
        name=0.0,
        name_only=0.0,
        signature=-2.41,
        beginning=4.63,
        text=3.56,
        file_name=-1.2,
        folders=-0.11,
        file=-4.96,
        file_words=-0.78,
        is_test=-0.53,
        is_aside=-0.07,
        is_type=0.0,
        is_function=0.0,
        is_further_piece=0.0,
        is_private=0.0,
        is_entry=0.0,
        lines=-2.18,
    ),
    document_bias=-1.47,
    coherence=0.5,
    next_of_file=1.0,
)
# Only definitions, or pieces of another kind, were asked for: several of one file are
# as welcome as of several.
OF_A_KIND = Weights(
    code=Features(
        words=0.55,
        words_rank=1.16,
        meaning=2.74,
        meaning_rank=0.36,
        name=2.42,
        name_only=-0.53,
        signature=1.17,
        beginning=2.44,
        text=4.09,
        file_name=-1.71,
        folders=0.0,
        file=-0.35,
        file_words=1.25,
        is_test=-4.68,
        is_aside=-0.26,
        is_type=-2.77,
        is_function=2.77,
        is_further_piece=-3.15,
        is_private=-0.8,
        is_entry=0.0,
        lines=6.45,
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
        is_type=0.0,
        is_function=0.0,
        is_further_piece=0.0,
        is_private=0.0,
        is_entry=0.0,
        lines=0.0,
    ),
    document_bias=0.0,
    coherence=0.0,
    next_of_file=0.3,
)
JAPANESE = GENERAL
# Values at which one in two and nearly all candidates are what was asked for.
POSSIBLE, CERTAIN = 5.0, 10.0
