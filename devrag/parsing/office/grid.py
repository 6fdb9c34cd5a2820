"""The cells of a table, those that span columns and rows included."""

from __future__ import annotations

from devrag.parsing.office.markdown import MAX_COLUMNS, MAX_REPEATED, cell


class Grid:
    """Takes cells row by row. What lies right of the last column joins that one."""

    def __init__(self) -> None:
        self.rows: list[list[str]] = []
        self._spanning: dict[int, tuple[int, str]] = {}

    def begin_row(self) -> None:
        """Begin the next row."""
        self.rows.append([])

    def add(self, text: str, columns: int = 1, rows: int = 1) -> None:
        """Add a cell. columns, rows: how many it spans."""
        self._fill()
        row = self.rows[-1]
        written = cell(text)
        if len(row) >= MAX_COLUMNS:
            row[-1] = f"{row[-1]} {written}".strip()
            return
        for _ in range(min(max(columns, 1), MAX_COLUMNS - len(row))):
            if rows > 1:
                again = written if len(written) <= MAX_REPEATED else ""
                self._spanning[len(row)] = (rows - 1, again)
            row.append(written)
            written = ""

    def end_row(self) -> None:
        """Add the cells that reach down into the end of this row."""
        self._fill()

    def above(self) -> str:
        """Return the text of the cell over the one that comes next."""
        at = len(self.rows[-1])
        over = self.rows[-2] if len(self.rows) > 1 else []
        text = over[at] if at < len(over) else ""
        return text.replace("\\|", "|") if len(text) <= MAX_REPEATED else ""

    def words(self) -> str:
        """Return the table as words, for one that lies in a cell of another."""
        rows = (", ".join(filter(None, row)) for row in self.rows)
        return "; ".join(filter(None, rows)).replace("\\|", "|")

    def _fill(self) -> None:
        row = self.rows[-1]
        while len(row) in self._spanning:
            left, text = self._spanning.pop(len(row))
            if left > 1:
                self._spanning[len(row)] = (left - 1, text)
            row.append(text)
