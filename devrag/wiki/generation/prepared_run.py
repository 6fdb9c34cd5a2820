"""What the first phase of a run decides for all later ones, kept with its batch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from devrag.jobs.models import Batch, Job
from devrag.wiki.analysis.selectors import SourceVersion
from devrag.wiki.analysis.topics.outline import Outline
from devrag.wiki.writing.author import WRITER, Author
from devrag.wiki.writing.outline.types import WikiDesign


@dataclass(frozen=True, slots=True)
class PreparedRun:
    """Who writes which pages, from which versions of the sources.

    levels: paths of pages in the order in which they are written. previous: the version
    that readers see, None before the first. coverage: by language. steering: what files
    of the sources ask for. settings: digest of those of the product. outline: the
    topics to keep, None as found. design: of a model's pages, None without a model.
    topics: what the version keeps of them.
    """

    author: Author
    levels: tuple[tuple[str, ...], ...]
    versions: tuple[SourceVersion, ...]
    pages: tuple[str, ...]
    coverage: Mapping[str, Any]
    warnings: tuple[str, ...]
    steering: Any
    settings: str
    previous: int | None
    outline: Outline | None
    design: WikiDesign | None
    topics: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_by_model(self) -> bool:
        return self.author.name != WRITER

    @property
    def language(self) -> str:
        """The main language, which is written first."""
        return self.author.language

    def as_json(self) -> dict[str, Any]:
        """Return what a batch's result holds."""
        return {
            "author": asdict(self.author),
            "waves": [list(paths) for paths in self.levels],
            "versions": [asdict(version) for version in self.versions],
            "pages": list(self.pages),
            "coverage": dict(self.coverage),
            "warnings": list(self.warnings),
            "steering": self.steering,
            "settings": self.settings,
            "previous": self.previous,
            "outline": self.outline.as_json() if self.outline else None,
            "design": self.design.as_json() if self.design else None,
            "topics": dict(self.topics),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PreparedRun:
        """Read what `as_json` wrote, also of a run that an older version began."""
        outline, design = data.get("outline"), data.get("design")
        return cls(
            author=Author(**data["author"]),
            levels=tuple(map(tuple, data["waves"])),
            versions=tuple(SourceVersion(**each) for each in data["versions"]),
            pages=tuple(data["pages"]),
            coverage=data["coverage"],
            warnings=tuple(data["warnings"]),
            steering=data["steering"],
            settings=data.get("settings", ""),
            previous=data["previous"],
            outline=Outline.from_json(outline) if outline else None,
            design=WikiDesign.from_json(design) if design else None,
            topics=data.get("topics", {}),
        )


def prepared_run(job: Job) -> PreparedRun:
    """Return what the job's first phase decided. Queries: 1."""
    return PreparedRun.from_json(Batch.objects.get(job=job, phase=0).result)
