"""Which sections of documents the page of a topic tells."""

from __future__ import annotations

from tests.wiki.shop import SHOP
from tests.wiki.written import write

README = (
    "# Shop\n\nA shop that sells books to its customers by mail.\n\n"
    "## Quick Start\n\nInstall the generator, which calls `place_order()`:\n\n"
    "```bash\nnpm install -g shop-generator\n```\n"
)


def test_the_way_to_start_is_told_of_no_single_topic() -> None:
    pages = write({**SHOP, "README.md": README})
    topics = [p for path, p in pages.items() if path.startswith("features/")]
    assert len(topics) > 2
    assert not [p.path for p in topics if "shop-generator" in p.markdown]
