"""Measure how long definitions take to be found by name; prints one JSON object.

    python benchmarks/symbol_search.py [--symbols 300000] [--sources 5] [--home DIR]

Symbols of real code (search_data.py) in an installation of their own, without vectors
or a keyword index, and what one types to find some of them: a first letter, two, four,
the whole name, initials, a part from the middle, a misspelling, a member after its
class, a Japanese name, and what is not there. Each is asked for in rounds and its
fastest counts, so that a busy machine disturbs less: `find_ms` of the search alone,
`palette_ms` of the palette's whole answer. Bar: p95 ≤ 30 ms of the palette.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.search_data import Layout, installation

_JAPANESE = ("注文", "サービス", "注文サービス")
# As many definitions as the palette shows.
_SHOWN = 6
_NOWHERE = ("zzzqqqxx", "qx", "nothing_like_this_here")
# Arguments with which the test suite runs this, so that it keeps working.
SMALLEST = "--symbols 200 --each 3 --rounds 1 --corpus {corpus}"


def main() -> None:
    """Measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--symbols", type=int, default=300_000)
    parser.add_argument("--sources", type=int, default=5)
    parser.add_argument("--home", type=Path, help="folder to build or reuse")
    parser.add_argument("--corpus", type=Path, help="folder to build or reuse")
    parser.add_argument("--each", type=int, default=40, help="texts of a kind")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    layout = Layout(options.symbols, options.sources, options.corpus, has_vectors=False)
    load = os.getloadavg()[0]
    with installation(layout, options.home):
        figures = dict(_measure(options.each, options.rounds))
    print(json.dumps({"load_average_before": load, **figures}, indent=2))


def _measure(each: int, rounds: int) -> Iterator[tuple[str, Any]]:
    from devrag.navigation.symbol_search import find_symbols
    from devrag.sources.models import Source, Symbol

    sources = list(Source.objects.values_list("pk", flat=True))
    find = partial(find_symbols, sources, limit=_SHOWN, is_typing=True)
    palette = _palette()
    yield "symbols", Symbol.objects.count()
    for kind, texts in _texts(each).items():
        yield (
            kind,
            {
                "find_ms": _percentiles([_best(find, t, rounds) for t in texts]),
                "palette_ms": _percentiles([_best(palette, t, rounds) for t in texts]),
            },
        )


def _palette() -> Callable[[str], Any]:
    """Return what asks for the palette as an administrator."""
    from django.conf import settings
    from django.contrib.auth.models import User
    from django.test import Client

    settings.ALLOWED_HOSTS = ["testserver"]
    settings.STORAGES["staticfiles"]["BACKEND"] = (
        "django.contrib.staticfiles.storage.StaticFilesStorage"
    )
    client = Client(HTTP_ACCEPT="text/html")
    root, _ = User.objects.get_or_create(username="root", is_superuser=True)
    client.force_login(root)
    return lambda text: client.get("/palette", {"q": text})


def _texts(each: int) -> dict[str, list[str]]:
    """Return what is typed, by kind."""
    from devrag.sources.api import find_humps
    from devrag.sources.models import Symbol

    chosen = random.Random(7)
    rows = Symbol.objects.order_by("pk").values_list("name", "qualified_name")
    found = [row for row in rows[::17] if len(row[0]) >= 6 and row[0].isascii()]
    some = chosen.sample(found, min(each, len(found)))
    names = [name for name, _ in some]
    return {
        "one letter": sorted({name.strip("_")[:1] for name in names} - {""}),
        "two letters": sorted({name.strip("_")[:2] for name in names}),
        "four letters": [name[:4] for name in names],
        "whole name": names,
        "initials": [
            "".join(word[:1] for _, word in find_humps(name)) for name in names
        ],
        "words": ["".join(word[:2] for _, word in find_humps(name)) for name in names],
        "part": [name[2:6] for name in names],
        "misspelling": [name[:3] + name[4:] for name in names],
        "member": [
            ".".join(whole.split(".")[-2:]) for _, whole in some if "." in whole
        ],
        "Japanese": list(_JAPANESE),
        "nowhere": list(_NOWHERE),
    }


def _best(ask: Callable[[str], Any], text: str, rounds: int) -> float:
    """Return the fewest milliseconds that an answer took."""
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        ask(text)
        times.append(1000 * (time.perf_counter() - began))
    return min(times)


def _percentiles(times: list[float]) -> dict[str, float]:
    if not times:
        return {}
    p50, p95 = np.percentile(times, [50, 95])
    return {"p50": round(float(p50), 1), "p95": round(float(p95), 1)}


if __name__ == "__main__":
    main()
