"""How many planted contradictions are found, and how many boxes are wrong.

    python benchmarks/wiki_conflicts.py --git DIR [--data FILE] [--only owner/name]
        [--model URL [--name MODEL] [--others 12]]

The repositories lie below --git (see pinned.py). `data/wiki_conflicts.json` has
what is planted: a replacement in a file, or a page or ticket that is added. A box
counts as right if it is on a planted line and of its kind; boxes that the untouched
repository has as well are counted apart (`untouched`), for people to read. Prints JSON.
With --model, the address of a server that speaks OpenAI's API, a model is asked about
what the detectors missed, contradictions of `behaviour` too, which they cannot find;
and about --others passages by chance. Its boxes count as right on a planted line.
The detectors were not changed after the repositories named `held_out` were measured.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.conflicts_by_model import measure_model
from benchmarks.pinned import find_repository, read_git
from devrag.llm.chat import ChatModel
from devrag.llm.providers import Endpoint, build_chat
from devrag.parsing.api import decode, parse_file
from devrag.wiki.conflicts.inputs import is_document
from devrag.wiki.conflicts.memory import MemoryFile, find_contradictions
from devrag.wiki.conflicts.types import Contradiction

DATA = Path(__file__).parent / "data" / "wiki_conflicts.json"
# Arguments with which the test suite runs this, so that it keeps working.
SMALLEST = "--data {planted} --git {git}"
_MOST_BYTES = 400_000


@dataclass
class Figures:
    """What was planted, found, and found beside it, by kind."""

    planted: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)

    def as_json(self) -> dict[str, Any]:
        """Return recall and precision of each kind and of all."""
        kinds = sorted(self.planted | self.wrong)
        rows = {kind: self._row([kind]) for kind in kinds}
        return {**self._row(kinds), "kinds": rows}

    def _row(self, kinds: Iterable[str]) -> dict[str, Any]:
        names = list(kinds)
        planted, found, wrong = (
            sum(counts[name] for name in names)
            for counts in (self.planted, self.found, self.wrong)
        )
        return {
            "planted": planted,
            "found": found,
            "wrong": wrong,
            "recall": round(found / planted, 3) if planted else None,
            "precision": round(found / (found + wrong), 3) if found + wrong else None,
        }


def read_repository(folder: Path, name: str, commit: str) -> dict[str, MemoryFile]:
    """Return the parsed text files of a repository at a commit."""
    repository = find_repository(folder, name)
    data = read_git(repository, "archive", "--format=tar", commit)
    files = {}
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive:
            read = archive.extractfile(member) if member.isfile() else None
            decoded = (
                decode(read.read()) if read and member.size < _MOST_BYTES else None
            )
            if decoded is not None:
                files[member.name] = _parsed(member.name, decoded.text)
    return files


def _parsed(path: str, text: str, kind: str = "") -> MemoryFile:
    return MemoryFile(text, parse_file(path, text), kind)


def plant(
    files: Mapping[str, MemoryFile], plants: Iterable[Mapping[str, str]]
) -> dict[str, MemoryFile]:
    """Return the files with contradictions in them. Raises ValueError if one fails."""
    texts: dict[str, str] = {}
    kinds: dict[str, str] = {}
    for each in plants:
        path = each["file"]
        if "document" in each:
            texts[path] = texts.get(path, "") + each["text"]
            kinds[path] = each["document"]
            continue
        text = texts.get(path) or files[path].text
        if each["text"] not in text:
            raise ValueError(f"{path} does not have {each['text']!r}")
        texts[path] = text.replace(each["text"], each["replacement"], 1)
    changed = {p: _parsed(p, text, kinds.get(p, "")) for p, text in texts.items()}
    return {**files, **changed}


def score(
    boxes: Iterable[Contradiction],
    plants: Iterable[Mapping[str, str]],
) -> tuple[Figures, list[Mapping[str, str]], list[Contradiction]]:
    """Return the figures, the plants that were missed and the boxes that are wrong."""
    figures, missed = Figures(), []
    rest = list(boxes)
    for each in plants:
        figures.planted[each["kind"]] += 1
        on = [box for box in rest if _is_on(box, each)]
        hit = next((b for b in on if b.statement.subject in _told(each)), None)
        hit = hit or next(iter(on), None)
        if hit is None:
            missed.append(each)
            continue
        figures.found[each["kind"]] += 1
        rest.remove(hit)
    figures.wrong.update(box.statement.kind for box in rest)
    return figures, missed, rest


def _told(each: Mapping[str, str]) -> str:
    return each["replacement"].strip().strip("`")


def _is_on(box: Contradiction, each: Mapping[str, str]) -> bool:
    said = box.statement
    if box.path != each["file"] or said.kind != each["kind"]:
        return False
    told = _told(each)
    if "document" in each:
        return told.split()[-1].strip("`/") in f"{said.subject} {said.value}"
    words = f"{said.subject} {said.value}".split()
    return all(word in told for word in words) or words[-1] in told.split("\n")[-1]


def ask_model(
    chat: ChatModel, folder: Path, data: Mapping[str, Any], only: str, others: int
) -> dict[str, Any]:
    """Return what a model finds of what the detectors miss, for each repository."""
    report: dict[str, Any] = {}
    for name, plants in _by_repository(data["plants"], only).items():
        more = [p for p in data.get("behaviour", ()) if p["repository"] == name]
        files = read_repository(folder, name, plants[0]["commit"])
        changed = plant(files, plants)
        known = {box.key for box in find_contradictions(files)}
        boxes = [b for b in find_contradictions(changed) if b.key not in known]
        missed = [*score(boxes, plants)[1], *more]
        found = [each for each in plants if each not in missed]
        changed = plant(files, [*plants, *more])
        report[name] = measure_model(chat, changed, missed, found, others).as_json()
    sums = ("missed_by_detectors", "found", "wrong", "untouched_passages", "requests")
    totals = {key: sum(row[key] for row in report.values()) for key in sums}
    return {**totals, "repositories": report}


def _by_repository(
    plants: Iterable[Mapping[str, str]], only: str
) -> dict[str, list[Mapping[str, str]]]:
    found: dict[str, list[Mapping[str, str]]] = defaultdict(list)
    for each in plants:
        if only in {"", each["repository"]}:
            found[each["repository"]].append(each)
    return found


def measure(folder: Path, data: Mapping[str, Any], only: str = "") -> dict[str, Any]:
    """Return the figures of each repository, and of those looked at and held out."""
    totals = {"tuned": Figures(), "held_out": Figures()}
    report: dict[str, Any] = {}
    for name, plants in _by_repository(data["plants"], only).items():
        files = read_repository(folder, name, plants[0]["commit"])
        untouched = find_contradictions(files)
        known = {box.key for box in untouched}
        changed = plant(files, plants)
        boxes = [b for b in find_contradictions(changed) if b.key not in known]
        figures, missed, wrong = score(boxes, plants)
        total = totals["held_out" if name in data["held_out"] else "tuned"]
        for key in ("planted", "found", "wrong"):
            getattr(total, key).update(getattr(figures, key))
        documents = sum(is_document(path, f.facts.kind) for path, f in files.items())
        report[name] = {
            **figures.as_json(),
            "documents": documents,
            "untouched": [_shown(box) for box in untouched],
            "missed": [
                f"{m['kind']} {m['file']}: {m['replacement'][-80:]}" for m in missed
            ],
            "wrong_boxes": [_shown(box) for box in wrong],
        }
    return {**{key: f.as_json() for key, f in totals.items()}, "repositories": report}


def _shown(box: Contradiction) -> dict[str, Any]:
    said = box.statement
    place = asdict(box.place) if box.place else None
    return {
        "kind": said.kind,
        "at": f"{box.path}:{said.start_line}",
        "says": f"{said.subject} {said.value}".strip(),
        "code": box.actual,
        "place": place,
        "text": said.text[:160],
    }


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--git", type=Path, required=True)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--only", default="", help="one repository, as owner/name")
    parser.add_argument("--model", default="", help="address of a server of models")
    parser.add_argument("--name", default="relay", help="the model's name there")
    parser.add_argument("--others", type=int, default=12, help="passages by chance")
    arguments = parser.parse_args()
    data = json.loads(arguments.data.read_text("utf-8"))
    if arguments.model:
        endpoint = Endpoint(base_url=arguments.model, key="none")
        chat = build_chat(
            "openai", arguments.name, endpoint=endpoint, timeout_seconds=600
        )
        found = ask_model(chat, arguments.git, data, arguments.only, arguments.others)
        print(json.dumps(found, indent=1))
        return
    print(json.dumps(measure(arguments.git, data, arguments.only), indent=1))


if __name__ == "__main__":
    main()
