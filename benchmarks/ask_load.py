"""Measure pages while many questions are answered at once; prints one JSON object.

    python benchmarks/ask_load.py [--at-once 50] [--rounds 4] [--pages 200]
        [--readers 1] [--folder DIR] [--home DIR]

Of a running installation without a language model (DEVRAG_HOME or --home, `devrag
server start`). Makes a product of a folder of code, and deletes it again. Pages of it
are asked for by `readers` one after the other, first alone, then while so many
questions are sent to `POST /api/v1/ask` at once, each round when all of the last one
are answered. As many tokens ask as the limit for each of them takes.

ratio: of the 95th percentiles of pages, beside questions and alone. Set
API_RATE_PER_MINUTE=0 for the server, or it counts this as too much.
Answers that take more than a minute count as status 0. Bar: ratio ≤ 2.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.mixed_load import (
    Answer,
    Target,
    delete_product,
    spread_of,
    summary_of,
)

ROOT = Path(__file__).parent.parent
_QUESTIONS = (
    "Where is the {} read?",
    "How does {} work?",
    "What calls {}?",
    "What happens when {} fails?",
)
# Arguments with which the test suite runs this, so that it keeps working.
SMALLEST = "--at-once 3 --rounds 1 --pages 5 --folder devrag/ask/trace"


@dataclass(frozen=True, slots=True)
class Load:
    """Who asks what of which server. names: of definitions, for questions."""

    targets: Sequence[Target]
    names: Sequence[str]
    seed: int = 7

    @property
    def first(self) -> Target:
        return self.targets[0]

    def questions(self, count: int, number: int) -> list[str]:
        """Return the questions of a round, none of which is in another."""
        pick = random.Random(self.seed + number)
        return [
            f"{pick.choice(_QUESTIONS).format(pick.choice(self.names))} ({number}.{n})"
            for n in range(count)
        ]

    def ask(self, number: int, question: str) -> Answer:
        """Ask with one of the tokens."""
        target = self.targets[number % len(self.targets)]
        asked = {"question": question, "productNames": [target.product]}
        return target.api("/ask", asked)


def main() -> None:
    """Measure, print."""
    options = _options()
    if options.home:
        os.environ["DEVRAG_HOME"] = str(options.home)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "devrag.settings")
    import django

    django.setup()
    with _load(options.folder, options.at_once) as load:
        _read(load, options.pages, options.readers)  # what is made once is made
        alone = _read(load, options.pages, options.readers)
        beside, answers = _ask_beside(load, options)
    print(json.dumps(_describe(alone, beside, answers), indent=2))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--at-once", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--pages", type=int, default=200, help="asked for alone")
    parser.add_argument("--readers", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=ROOT / "devrag" / "search")
    parser.add_argument("--home", type=Path)
    return parser.parse_args()


@contextmanager
def _load(folder: Path, at_once: int) -> Iterator[Load]:
    """Index a folder and make tokens; take all of it away afterwards."""
    from devrag.ask.limits import MAX_RUNNING_PER_OWNER
    from devrag.sources.models import Symbol

    with tempfile.TemporaryDirectory(prefix="devrag-ask-load-") as made:
        product = Path(made).name
        count = -(-at_once // MAX_RUNNING_PER_OWNER)
        with ExitStack() as stack:
            stack.callback(delete_product, product)
            _index(folder.resolve(), product)
            targets = [stack.enter_context(_target(product, n)) for n in range(count)]
            symbols = Symbol.objects.filter(source__product__name=product)
            names = list(symbols.values_list("qualified_name", flat=True)[:500])
            yield Load(targets, names)


def _index(folder: Path, product: str) -> None:
    argv = ["index", str(folder), "--product", product, "--source", f"{product}-code"]
    subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *argv],
        check=True,
        capture_output=True,
    )


@contextmanager
def _target(product: str, number: int) -> Iterator[Target]:
    from django.conf import settings

    from devrag.access.models import ApiToken
    from devrag.access.services import create_token
    from devrag.runtime.layout import Home
    from devrag.runtime.pidfile import running_server

    server = running_server(Home(settings.DEVRAG_HOME))
    assert server, f"no server runs in {settings.DEVRAG_HOME}"
    token, secret = create_token(name=f"benchmark {number}", scopes=["read"])
    try:
        yield Target(server.port, secret, product)
    finally:
        ApiToken.objects.filter(pk=token.pk).delete()


def _read(
    load: Load, count: int, readers: int, ended: threading.Event | None = None
) -> list[Answer]:
    """Ask for pages, so many of each reader, or until something has ended."""
    product = f"/p/{load.first.product}"
    pages = (
        "/",
        f"{product}/",
        f"{product}/?tab=sources",
        f"{product}/ask/",
        f"/search?q={load.names[0]}",
    )

    def read(seed: int) -> list[Answer]:
        pick, answers = random.Random(seed), list[Answer]()
        while len(answers) < count if ended is None else not ended.is_set():
            answers.append(load.first.send(pick.choice(pages)))
        return answers

    with ThreadPoolExecutor(readers) as pool:
        return [answer for each in pool.map(read, range(readers)) for answer in each]


def _ask_beside(
    load: Load, options: argparse.Namespace
) -> tuple[list[Answer], list[Answer]]:
    """Return the answers to pages and to questions, asked for at the same time."""
    ended = threading.Event()
    answers: list[Answer] = []
    with (
        ThreadPoolExecutor(1) as reading,
        ThreadPoolExecutor(options.at_once) as asking,
    ):
        pages = reading.submit(_read, load, 0, options.readers, ended)
        try:
            for number in range(options.rounds):
                questions = load.questions(options.at_once, number)
                answers += asking.map(load.ask, range(options.at_once), questions)
        finally:
            ended.set()
    return pages.result(), answers


def _describe(
    alone: Sequence[Answer], beside: Sequence[Answer], answers: Sequence[Answer]
) -> dict[str, Any]:
    quick = spread_of([each.seconds for each in alone])
    slow = spread_of([each.seconds for each in beside])
    return {
        "load_average": os.getloadavg()[0],
        "pages_alone": summary_of(alone),
        "pages_beside": summary_of(beside),
        "ratio": round(slow["p95"] / quick["p95"], 2) if quick.get("p95") else None,
        "questions": summary_of(answers),
    }


if __name__ == "__main__":
    main()
