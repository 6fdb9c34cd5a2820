"""Reading the next portion while the one before is stored."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import cast

import pytest

from devrag.core.errors import SourceError
from devrag.indexing.read_ahead import read_portions
from devrag.indexing.store import Portion
from devrag.sources.connectors.types import Connector, Entry, Revision

VERSION = Revision("1" * 40, "main", "branch")
SECONDS = 20.0


def portion(*names: str) -> Portion:
    entries = [Entry(name, name, 1, 0) for name in names]
    return Portion(entries, entries, facts_version=1)


class Memory:
    """Reads files as their names; notes which it was asked for."""

    def __init__(self) -> None:
        self.read_names: list[str] = []
        self.has_read = threading.Event()

    def read(
        self, _version: Revision, entries: Iterable[Entry]
    ) -> Iterator[tuple[Entry, bytes]]:
        for entry in entries:
            if entry.path == "broken":
                raise SourceError("The repository is gone.")
            self.read_names.append(entry.path)
            if entry.path == "next":
                self.has_read.set()
            yield entry, entry.path.encode()


def start(
    memory: Memory,
    portions: Iterable[Portion],
    on_read: Callable[[str], None] = lambda _path: None,
) -> Generator[Portion]:
    return read_portions(cast("Connector", memory), VERSION, portions, on_read)


def test_the_next_portion_is_read_while_one_is_stored() -> None:
    memory = Memory()
    portions = [portion("a", "b"), portion("next")]
    reading = start(memory, portions)
    first = next(reading)
    assert [file.entry.path for file in first.files] == ["a", "b"]
    # The caller is at the first one, and asks for nothing.
    assert memory.has_read.wait(SECONDS)
    assert [file.entry.path for file in next(reading).files] == ["next"]
    assert list(reading) == []


def test_an_error_of_reading_comes_where_its_portion_would() -> None:
    portions = [portion("a"), portion("broken"), portion("never")]
    memory = Memory()
    reading = start(memory, portions)
    assert len(next(reading).files) == 1
    with pytest.raises(SourceError, match="gone"):
        next(reading)


def test_reading_ends_with_its_caller() -> None:
    memory = Memory()
    portions = (portion(f"{n}", f"{n} too") for n in range(1000))
    reading = start(memory, portions)
    next(reading)
    reading.close()
    assert len(memory.read_names) < 10
    names = [thread.name for thread in threading.enumerate()]
    assert not any(name.startswith("read-ahead") for name in names)


def test_what_the_caller_raises_while_it_waits_comes_through() -> None:
    """A lost lease, told by the report of progress."""

    def lose(_path: str) -> None:
        raise SourceError("lost")

    portions = [portion("a"), portion("b"), portion("c")]
    memory = Memory()
    reading = start(memory, portions, lose)
    with pytest.raises(SourceError, match="lost"):
        list(reading)
