"""A small rubric, and an exported wiki that cites a repository."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.conftest import SHOP, Repository

# A third of the whole is the till's; of the rest three quarters are the orders'.
RUBRIC: dict[str, Any] = {
    "rubrics": [
        {"requirements": "charging a customer", "weight": 1},
        {
            "requirements": "The warehouse",
            "weight": 2,
            "sub_tasks": [
                {"requirements": "keeping orders", "weight": 3},
                {"requirements": "counting stock", "weight": 1},
            ],
        },
    ]
}
_INDEX = """\
# Shop

The shop is about charging a customer.[^1] It is[^2] small, and keeping orders.

> Tea is served.[^3] So is cake.

- **Till**: `charge()` takes the money.[^1] [^2]

| Name | Meaning |
| --- | --- |
| `charge` | Takes [money](till.md).[^1] |
| `refund` | Nothing yet. |

```mermaid
flowchart LR
  a["five words in a picture"]
```

[^1]: shop `shop/till.py:1-2` at {commit}
[^2]: shop `README.md:1` at {commit}
[^3]: shop `README.md:1-1` at {commit}
"""
_TILL = "# Till\n\nMoney goes in here.\n"


def write_rubric(path: Path) -> Path:
    path.write_text(json.dumps(RUBRIC))
    return path


def write_repository(path: Path) -> Repository:
    made = Repository(path)
    made.commit(dict(SHOP))
    return made


def write_wiki(folder: Path, repository: Repository) -> Path:
    """Write two pages as an export has them."""
    (folder / "features").mkdir(parents=True)
    commit = repository.git("rev-parse", "HEAD")[:12]
    (folder / "index.md").write_text(_INDEX.format(commit=commit))
    (folder / "features" / "till.md").write_text(_TILL)
    (folder / "llms.txt").write_text("# Shop\n")
    return folder
