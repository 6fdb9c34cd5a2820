"""Small sets of questions for search and the repositories that they are asked of."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from tests.conftest import SHOP, Repository

ANSWER = (
    "The till (`shop/till.py`, lines 6-9) takes the money; see lines 3-4 of `cart.py`,"
    " line 999, and `gone.py` (line 1)."
)


def write_git(folder: Path) -> Path:
    """Make repositories as a mirror has them, once; return the folder of them."""
    git = folder / "git"
    if not git.exists():
        shop = Repository(git / "acme+shop" / "repo").commit(dict(SHOP))
        rows = [{"question": "how is money taken", "answer": ANSWER}]
        Repository(git / "acme+bench").commit(
            {
                "repo_commit.txt": f"https://example.org/acme/shop {shop[:7]}\n",
                "Benchmark/shop.jsonl": json.dumps(rows[0]) + "\n",
            }
        )
    return git


def head(git: Path, place: str) -> str:
    """Return the commit of a repository below the folder."""
    listed = (git / place / ".git" / "refs" / "heads" / "main").read_text()
    return listed.strip()


def write_sets(folder: Path) -> Path:
    """Write one question of each set; return the folder of them."""
    git = write_git(folder)
    shop = {"repo": "acme/shop", "commit": head(git, "acme+shop/repo")}
    charge = {"path": "shop/till.py", "name": "charge", "start_line": 6, "end_line": 9}
    bench = {"repo": "acme/bench", "commit": head(git, "acme+bench")}
    part = {**shop, "paths": ["*.md"]}
    notes = {"name": "shop", "language": "en", "parts": [part], "handbook": None}
    note = {"folder": "shop", "path": "README.md"}
    money = {"question": "take money", "kind": "words"}
    sets = folder / "search_sets"
    sets.mkdir()
    _write(sets / "functions.jsonl", [{**shop, **charge, **money}])
    _write(sets / "note_folders.jsonl", [notes])
    _write(sets / "notes.jsonl", [{**note, "question": "what is sold"}])
    absent = {**shop, "question": "refund_all", "language": "python"}
    _write(sets / "absent.jsonl", [absent])
    for name in ("answerable", "unanswerable"):
        _write(sets / f"{name}.jsonl", [{**shop, "question": f"is it {name}"}])
    _write(sets / "swe_qa.jsonl", [{**bench, "develop": ["shop"]}])
    (sets / "nonsense.txt").write_text("zzzqqqxx\n")
    _write_mixed(sets, {**shop, "pages": "docs", "navigation": "mkdocs.yml"}, charge)
    return sets


def _write_mixed(sets: Path, product: dict[str, str], code: dict[str, object]) -> None:
    """Write a question for each kind of gold."""
    date, said = "2026-01-02T09:00:00Z", {"author": "Ken", "text": "Tax was missing."}
    ticket = {
        "id": 7,
        "subject": "Receipt is wrong",
        "description": "Total too small.",
        "tracker": "Bug",
        "status": "Closed",
        "priority": "High",
        "author": "Mio",
        "category": "Till",
        "created": date,
        "changed": date,
        "comments": [{**said, "date": date}],
    }
    gold = {
        "take the money from the customer": {"kind": "code", **code},
        "カートは精算時に何を計算するか": {"kind": "page", "path": "docs/日本語.md"},
        "receipt with a wrong total": {"kind": "ticket", "id": 7},
    }
    rows = [{"question": q, "language": "en", "gold": [g]} for q, g in gold.items()]
    _write(sets / "mixed.jsonl", rows)
    _write(sets / "mixed_product.jsonl", [product])
    _write(sets / "mixed_tickets.jsonl", [ticket])


def write_traces(folder: Path) -> Path:
    """Write a question with a path of calls and one without; return their file."""
    git = write_git(folder)
    shop = {"repo": "acme/shop", "commit": head(git, "acme+shop/repo"), "through": ""}
    path = ["shop/cart.py::Cart.checkout", "shop/till.py::charge"]
    there = {"question": "How does `Cart.checkout` reach `charge`?", "path": path}
    nowhere = {"question": "How does `charge` reach `Cart.add`?", "path": []}
    _write(folder / "traces.jsonl", [{**shop, **there}, {**shop, **nowhere}])
    return folder / "traces.jsonl"


def write_planted(folder: Path) -> Path:
    """Write a page that contradicts the shop; return the file that says so."""
    git = write_git(folder)
    page = {"file": "wiki/till.md", "document": "page", "kind": "default"}
    text = "`TAX_RATE` defaults to `7`. Money is taken in `shop/till.py`.\n"
    plant = {
        "repository": "acme/shop",
        "commit": head(git, "acme+shop/repo"),
        **page,
        "text": text,
        "replacement": "`TAX_RATE`",
    }
    _write(folder / "planted.json", [{"held_out": [], "plants": [plant]}])
    return folder / "planted.json"


def _write(path: Path, rows: Sequence[object]) -> None:
    path.write_text("\n".join(map(json.dumps, rows)))
