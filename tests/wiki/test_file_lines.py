"""A file is split into lines once for what is asked in a row."""

from __future__ import annotations

from devrag.wiki.analysis.file_lines import FileLines


class CountedTexts:
    """Texts that count how often they are read."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def text(self, file_id: int) -> str:
        self.asked.append(file_id)
        return f"first of {file_id}\nsecond"


def test_a_file_is_split_once_in_a_row() -> None:
    texts = CountedTexts()
    lines = FileLines(texts)
    assert [lines.of(file)[0] for file in (1, 1, 2, 1)] == [
        "first of 1",
        "first of 1",
        "first of 2",
        "first of 1",
    ]
    assert texts.asked == [1, 2]


def test_files_of_long_ago_are_let_go() -> None:
    texts = CountedTexts()
    lines = FileLines(texts)
    for file in [*range(20), 0]:
        lines.of(file)
    assert texts.asked == [*range(20), 0]
