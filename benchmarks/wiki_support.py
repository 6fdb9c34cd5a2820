"""Plant subtle falsehoods in claims about real code and see which of them are found.

    python benchmarks/wiki_support.py [--per-kind 20] [--model URL] FOLDER …

FOLDER: checkouts of repositories. recall: of the falsehoods, how many are found
unsupported; precision: of what is found unsupported, how much is false; unknown: of all
claims, on how many there is no verdict. `words`: by words alone; `model`: as asked at
URL, an OpenAI-compatible API (key and name from LLM_API_KEY, LLM_MODEL). Bars with a
model: at least 200 falsehoods, recall ≥ .8, precision ≥ .9.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from wiki_support_claims import Planted, planted_claims

from devrag.llm.providers import Endpoint, build_chat
from devrag.wiki.checking.support import SupportClaim, Verdict, judge_claim
from devrag.wiki.writing.model.support import check_support

_CLAIMS_AT_ONCE = 32
# Arguments with which the test suite runs this, so that it keeps working.
SMALLEST = "--per-kind 5 {package}"


def main() -> None:
    """Plant, judge, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--per-kind", type=int, default=20)
    parser.add_argument("--model", metavar="URL")
    options = parser.parse_args()
    planted = planted_claims(options.folders, options.per_kind)
    claims = [
        SupportClaim(number, each.sentence, (each.excerpt,))
        for number, each in enumerate(planted, 1)
    ]
    figures = {
        "falsehoods": sum(not each.is_true for each in planted),
        "truths": sum(each.is_true for each in planted),
        "words": _figures(planted, [judge_claim(claim) for claim in claims]),
    }
    if options.model:
        figures["model"] = _figures(planted, _asked(options.model, claims))
    print(json.dumps(figures, indent=2))


def _asked(url: str, claims: Sequence[SupportClaim]) -> list[Verdict]:
    endpoint = Endpoint(
        url, os.environ.get("LLM_API_KEY", "x"), "LLM_API_KEY", "--model"
    )
    model = os.environ.get("LLM_MODEL", "relay")
    chat = build_chat("openai", model, endpoint=endpoint, timeout_seconds=600)
    starts = range(0, len(claims), _CLAIMS_AT_ONCE)
    return [
        verdict
        for start in starts
        for verdict in check_support(chat, claims[start : start + _CLAIMS_AT_ONCE])
    ]


def _figures(planted: Sequence[Planted], verdicts: Iterable[Verdict]) -> dict[str, Any]:
    judged = list(zip(planted, verdicts, strict=True))
    refused = [each.is_true for each, v in judged if v.support == "unsupported"]
    kinds = sorted({each.kind for each in planted})
    return {
        "recall": _share(
            v.support == "unsupported" for p, v in judged if not p.is_true
        ),
        "precision": _share(not is_true for is_true in refused),
        "truths_refused": _share(
            v.support == "unsupported" for p, v in judged if p.is_true
        ),
        "unknown": _share(v.support == "unknown" for _, v in judged),
        "recall_by_kind": {
            kind: _share(
                v.support == "unsupported"
                for p, v in judged
                if not p.is_true and p.kind == kind
            )
            for kind in kinds
        },
    }


def _share(seen: Iterable[bool]) -> float:
    values = list(seen)
    return round(sum(values) / len(values), 4) if values else 0.0


if __name__ == "__main__":
    main()
