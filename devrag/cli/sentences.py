"""What commands answer in sentences, from the documents that REST returns too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from devrag.core.text import dollars
from devrag.jobs.reports import reason_words
from devrag.products.wiki_settings import LANGUAGES

_ASIDE = " Search and wiki still use the default ref; '{}' is indexed in addition."
# So much code of a document is listed.
_MOST_CODE = 5
_GOES = "is deleted when newer ones replace it"


def index_sentence(name: str, report: Mapping[str, Any]) -> str:
    """Return what an index run found."""
    aside = "" if report["isCurrent"] else _ASIDE.format(report["ref"])
    if "skipped" in report:
        return f"{name}: nothing to do, {report['skipped']}.{aside}"
    counts = ", ".join(
        f"{report[key]} {key}" for key in ("added", "modified", "removed", "unchanged")
    )
    left_out = sum(report["leftOut"].values())
    reasons = ", ".join(f"{n} {reason}" for reason, n in report["leftOut"].items())
    tail = f" Skipped {left_out}: {reasons}." if left_out else ""
    for reason, count in report["asWindows"].items():
        tail += f" {count} indexed as plain text: {reason_words(reason)}."
    return (
        f"{name} at {report['commit'][:12]} ({report['ref']}): {counts}; "
        f"{report['chunks']} chunks from {report['lines']} lines in "
        f"{sum(report['seconds'].values()):.1f} s.{tail}{aside}"
    )


def wiki_sentence(report: Mapping[str, Any]) -> str:
    """Return what a run of the wiki wrote."""
    if not report.get("isNew", True):
        return f"Nothing changed since version {report['version']}; no new version."
    cut = len(report["cut"])
    written = len(report["added"]) + len(report["rewritten"])
    tail = f" Checks removed {cut} passages; see the job's log." if cut else ""
    if not report["isCurrent"]:
        tail += " The published version is still the one that was rolled back to."
    return (
        f"Version {report['version']}: {report['pages']} pages, {written} written, "
        f"{len(report['reused'])} reused, {len(report['removed'])} removed; "
        f"{report['claims']} claims with evidence, {report['diagrams']} diagrams.{tail}"
    )


def version_sentence(facts: Mapping[str, Any]) -> str:
    """Return which version it is."""
    when = facts["generatedAt"][:16].replace("T", " ")
    return f"version {facts['version']} of {when} UTC by {facts['writer']}."


def status_lines(status: Mapping[str, Any]) -> list[str]:
    """Return how a wiki stands."""
    claims = ", ".join(f"{count} {state}" for state, count in status["claims"].items())
    kept = (f"{v['version']}{'*' * v['isPinned']}" for v in status["versions"])
    lines = [
        f"{len(status['pages'])} pages: {version_sentence(status)}",
        "Up to date with the index."
        if status["isUpToDate"]
        else "The sources, the writer or the settings have changed since.",
        f"Claims: {claims}.",
    ]
    if status["unfinished"]:
        pages = ", ".join(status["unfinished"])
        lines.append(
            "The model failed on these pages; `wiki generate` tries them again: "
            f"{pages}."
        )
    if status["isRolledBack"]:
        lines.append("The wiki was rolled back, so index runs do not update it.")
    return [*lines, f"Stored versions (* pinned): {', '.join(kept)}."]


def shown_sentence(facts: Mapping[str, Any], newest: int) -> str:
    """Return what readers see now, and how to let it follow the sources again."""
    text = f"Published: {version_sentence(facts)}"
    if newest > facts["version"]:
        text += (
            " Index runs do not update it. To follow the sources again, run `wiki "
            f"generate` or `wiki show` with version {newest}."
        )
    return text


def pinned_sentence(facts: Mapping[str, Any]) -> str:
    """Return what becomes of a version."""
    fate = "is kept permanently" if facts["isPinned"] else _GOES
    return f"Version {facts['version']} {fate}."


def exported_sentence(found: Mapping[str, Any]) -> str:
    """Return which version was exported, and where it is."""
    return f"Exported version {found['version']} to {found['output']}."


def difference_lines(pages: Iterable[Mapping[str, Any]], *, is_full: bool) -> list[str]:
    """Return the pages that differ, with their lines if wanted."""
    lines = [
        f"{page['kind']} {page['path']} (+{page['linesAdded']} -{page['linesRemoved']})"
        + (f"\n{page['diff']}" if is_full else "")
        for page in pages
    ]
    return lines or ["No pages differ."]


def conflict_lines(found: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return a line for each place that contradicts the code, and what the code has."""
    lines = []
    for each in found:
        document, code = each["document"], each["code"]
        said = (
            f"{each['subject']} = {each['value']}" if each["value"] else each["subject"]
        )
        has = each["actual"] or "no such name"
        at = f" ({code['path']}:{code['startLine']})" if code else ""
        lines.append(
            f"{each['conflictID']} {each['kind']} {document['path']}:"
            f"{document['startLine']} says {said}, the code has {has}{at}"
        )
    return lines or ["No conflicts."]


def outdated_lines(found: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return a line for each document that may be outdated, then its changed code."""
    lines = []
    for each in found:
        before = "before " if each["isOlder"] else ""
        lines.append(
            f"{each['documentID']} {each['path']}: written {before}"
            f"{_day(each['writtenAt'])}, code changed {_day(each['changedAt'])}, "
            f"{each['lines']} lines"
        )
        lines += [
            f"    {code['path']} {code['symbol']}".rstrip()
            + f": {code['lines']} lines, "
            f"{code['commit'][:8]} {_day(code['changedAt'])}"
            for code in each["code"][:_MOST_CODE]
        ]
    return lines or ["No documents are known to be outdated."]


def _day(moment: Any) -> str:
    """Return the day of a moment, which is a text where it came over the network."""
    return str(moment)[:10]


def estimate_sentence(found: Mapping[str, Any]) -> str:
    """Return what a run would take."""
    pages = f"{found['pages']} pages by {found['writer']}, {found['written']} to write"
    if not found["calls"]:
        return f"{pages}: no tokens, no cost."
    price = "price unknown"
    if found["price"] is not None:
        price = f"about {dollars(Decimal(found['price']))}"
    return (
        f"{pages}: {found['calls']} calls, {found['inputTokens']:,} tokens in, "
        f"{found['outputTokens']:,} out, {price}. Sections that fail their checks are "
        "requested again, up to twice."
    )


def refused_language_sentence(
    product: str, language: str, wanted: Sequence[str]
) -> str:
    """Return why a wiki is not written in a language, and how to have it written."""
    return (
        f"The wiki of '{product}' is not in {LANGUAGES[language]} but in "
        f"{' and '.join(LANGUAGES[each] for each in wanted)}. To have both, run: "
        f"devrag product update {product} --wiki "
        f"language={','.join((*wanted, language))}"
    )
