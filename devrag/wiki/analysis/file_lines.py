"""The lines of files, split once for all that is asked about a file in a row."""

from __future__ import annotations

from collections import OrderedDict

from devrag.wiki.analysis.survey import Texts

_KEPT = 16


class FileLines:
    """Lines by file; those of the files that were asked for last are kept."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._lines: OrderedDict[int, list[str]] = OrderedDict()

    def of(self, file: int) -> list[str]:
        """Return the lines of a file."""
        if file not in self._lines:
            self._lines[file] = self._texts.text(file).split("\n")
            if len(self._lines) > _KEPT:
                self._lines.popitem(last=False)
        self._lines.move_to_end(file)
        return self._lines[file]
