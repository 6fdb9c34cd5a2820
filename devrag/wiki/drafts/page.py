"""A page between its writer and its readers, and as readers have it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from devrag.wiki.checking.validators import Finding
from devrag.wiki.drafts.record import Record
from devrag.wiki.evidence.citations import ClaimDraft

# `source/path` → (content hash, decile of its rank)
Inputs = Mapping[str, tuple[str, int]]


@dataclass(frozen=True, slots=True)
class DraftedPage:
    """A checked page, not published yet.

    sections: of documentation, `source/path#Heading`, that its topic has.
    is_unfinished: of a section of it no answer of the model could be used. why: it was
    written although nothing of it changed. record: how a model made it, which was asked
    for some of its sections in this run while others were kept. claims_checked,
    claims_unsupported: how many sentences a model held against their evidence in this
    run, and how many of these it found unsupported.
    """

    path: str
    kind: str
    title: str
    parent: str
    ordinal: int
    files: tuple[str, ...]
    sections: tuple[str, ...]
    summary: str
    markdown: str
    fingerprint: str
    claims: tuple[ClaimDraft, ...]
    findings: tuple[Finding, ...]
    evidence_left_out: int = 0
    evidence_cut: tuple[str, ...] = ()
    inputs: Inputs = field(default_factory=dict)
    is_reused: bool = False
    is_unfinished: bool = False
    why: str = ""
    record: Record | None = None
    sections_asked: int = 0
    sections_kept: int = 0
    claims_checked: int = 0
    claims_unsupported: int = 0

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> DraftedPage:
        """Read what `as_json` wrote."""
        claims = tuple(ClaimDraft(**claim) for claim in data["claims"])
        findings = tuple(Finding(**finding) for finding in data["findings"])
        return cls(
            **{
                **data,
                "files": tuple(data["files"]),
                "sections": tuple(data["sections"]),
                "claims": claims,
                "findings": findings,
                "evidence_cut": tuple(data["evidence_cut"]),
                "record": Record.from_json(data["record"]) if data["record"] else None,
                "inputs": {path: (h, d) for path, (h, d) in data["inputs"].items()},
            }
        )
