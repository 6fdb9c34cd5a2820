"""A small product with everything a wiki tells: packages, routes, models, tests."""

from __future__ import annotations

from collections.abc import Mapping

from devrag.core.hashing import sha256_hex
from devrag.parsing.api import parse_file
from devrag.parsing.generated import is_generated
from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.survey import (
    Survey,
    SurveyFact,
    SurveyFile,
    SurveyReference,
    SurveySymbol,
)

COMMIT = "a" * 40

SHOP = {
    "README.md": """# Shop

[![build](https://ci.example/badge.svg)](https://ci.example)

Shop sells books over the web. It keeps its stock in PostgreSQL.

## Installation

Install it and make the tables:

```sh
pip install shop
shop migrate
```

## Layout

- `shop/orders/`: takes orders and reserves stock for them.
""",
    "Makefile": "test: ## Run all tests\n\tpytest\n",
    "pyproject.toml": '[project]\nname = "shop"\ndependencies = ["django"]\n'
    '[project.scripts]\nshop = "shop.cli:main"\n',
    "shop/__init__.py": "",
    "shop/settings.py": '"""Settings from the environment."""\n\nimport os\n\n'
    'CURRENCY = os.environ.get("SHOP_CURRENCY", "EUR")\n' + "# filler\n" * 60,
    "shop/cli.py": '"""The shop\'s command line."""\n\n'
    "from shop.orders.service import place_order\n\n\n"
    "def main():\n"
    '    """Read arguments and place an order."""\n'
    "    place_order([])\n\n\n"
    'if __name__ == "__main__":\n    main()\n',
    "shop/orders/__init__.py": '"""Orders: from the basket to the bill."""\n',
    "shop/orders/models.py": '"""What an order is made of."""\n\n'
    "from django.db import models\n\n\n"
    "class Order(models.Model):\n"
    '    """One purchase of one customer."""\n\n'
    "    placed_at = models.DateTimeField()\n\n\n"
    "class Line(models.Model):\n"
    '    """A book in an order."""\n\n'
    "    order = models.ForeignKey(Order, models.CASCADE)\n" + "# filler\n" * 40,
    "shop/orders/service.py": '"""Place orders."""\n\n'
    "from shop.orders.models import Order\n"
    "from shop.stock import reserve\n\n\n"
    "def place_order(books):\n"
    '    """Reserve the books and keep the order. Nothing is kept on failure."""\n'
    "    reserve(books)\n"
    "    return Order()\n",
    "shop/stock/__init__.py": '"""在庫を管理する。本の数を数える。"""\n\n'
    "from shop.stock.counting import reserve\n",
    "shop/stock/counting.py": '"""Count books."""\n\n\n'
    "def reserve(books):\n"
    '    """Take books out of the stock, or none of them."""\n'
    "    return check(books)\n\n\n"
    "def check(books):\n"
    '    """Return whether all books are there."""\n'
    "    return bool(books)\n" + "# filler\n" * 60,
    "tests/test_orders.py": "from shop.orders.service import place_order\n\n\n"
    "def test_place_order():\n    assert place_order([])\n",
    "vendor/jquery.min.js": "!function(){}();\n",
    "docs/guide.md": "# Guide\n\nThis guide walks through a first order.\n",
}

GUIDE = "docs/guide.md"
# The same with another sentence.
CHANGED = {**SHOP, GUIDE: SHOP[GUIDE].replace("first order", "second order")}


class DictTexts:
    """Texts held in memory."""

    def __init__(self) -> None:
        self.texts: dict[int, str] = {}

    def text(self, file_id: int) -> str:
        return self.texts.get(file_id, "")


def survey_of(*sources: Mapping[str, str]) -> tuple[Survey, DictTexts]:
    """Parse sources (path → text) with the real parser; the first is named `shop`."""
    texts = DictTexts()
    files: list[SurveyFile] = []
    symbols: list[SurveySymbol] = []
    references: list[SurveyReference] = []
    facts: list[SurveyFact] = []
    for number, source in enumerate(sources):
        name = "shop" if number == 0 else f"shop-{number}"
        for path, text in source.items():
            found = parse_file(path, text)
            file = len(files) + 1
            texts.texts[file] = text
            files.append(
                SurveyFile(
                    id=file,
                    source=name,
                    path=path,
                    language=found.language,
                    kind=found.kind,
                    lines=found.lines,
                    title=found.title,
                    module=found.module,
                    content_hash=sha256_hex(text),
                    version_identifier=COMMIT,
                    is_generated=is_generated(path, text),
                )
            )
            base = len(symbols) + 1
            symbols += [
                SurveySymbol(
                    id=base + s.ordinal,
                    file=file,
                    kind=s.kind,
                    name=s.name,
                    qualified_name=s.qualified_name,
                    start_line=s.start_line,
                    end_line=s.end_line,
                    signature=s.signature,
                    docstring=s.docstring,
                    parent=None if s.parent is None else base + s.parent,
                )
                for s in found.symbols
            ]
            references += [
                SurveyReference(
                    file=file,
                    kind=r.kind,
                    name=r.name,
                    line=r.line,
                    symbol=None if r.symbol is None else base + r.symbol,
                    target=r.target,
                    via=r.via,
                )
                for r in found.references
            ]
            facts += [
                SurveyFact(file, f.kind, f.name, f.start_line, f.end_line, dict(f.data))
                for f in found.facts
            ]
    survey = Survey(
        "shop", "Shop", tuple(files), tuple(symbols), tuple(references), tuple(facts)
    )
    return survey, texts


def analyse(*sources: Mapping[str, str]) -> Analysis:
    """Survey sources and wrap them for plan and writers."""
    return Analysis(*survey_of(*sources))


def file_named(analysis: Analysis, path: str) -> SurveyFile:
    """Return the file of the analysis with this path."""
    return next(f for f in analysis.survey.files if f.path == path)
