"""`index`: read a repository or folder into a product's index."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from devrag.core.commands import DevragCommand
from devrag.core.principal import SYSTEM
from devrag.flows.add_repository import add_repository
from devrag.flows.follow import Follower
from devrag.jobs.models import Job

_ASIDE = " Search and wiki stay with the default ref; '{}' is indexed beside it."


class Command(DevragCommand):
    """Index a source now and print what changed."""

    help = (
        "Index a git URL, a repository on disk or a folder. "
        "Example: devrag index https://host/group/app.git --product shop --ref main"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("location", help="Git URL or path.")
        parser.add_argument("--product", required=True)
        parser.add_argument(
            "--source", help="Name; default: last part of the location."
        )
        parser.add_argument("--ref", help="Branch, tag or commit.")
        parser.add_argument(
            "--full", action="store_true", help="Read everything again."
        )
        parser.add_argument("--wiki", action="store_true", help="Then write the wiki.")
        parser.add_argument("--no-wait", action="store_true", help="Print the job id.")
        parser.add_argument("--wait-vectors", action="store_true")

    def handle(self, *_args: Any, **options: Any) -> None:
        job = add_repository(
            principal=SYSTEM,
            location=options["location"],
            product_name=options["product"],
            source_name=options["source"],
            ref=options["ref"],
            is_full=options["full"],
            is_wiki_wanted=options["wiki"],
            is_local_user=True,
        )
        if options["no_wait"]:
            self._answer(options, {"jobID": str(job.pk)}, str(job.pk))
            return
        done = Follower().wait(job)
        wanted = {"embedJobID": options["wait_vectors"], "wikiJobID": options["wiki"]}
        for key, is_wanted in wanted.items():
            if is_wanted and key in done.report:
                Follower().wait(Job.objects.get(pk=done.report[key]))
        self._answer(options, {"jobID": str(done.pk), **done.report}, _sentence(done))

    def _answer(self, options: dict[str, Any], data: dict[str, Any], text: str) -> None:
        if options["json"]:
            self.write_json(data)
        else:
            self.stdout.write(text)


def _sentence(job: Job) -> str:
    report = job.report
    aside = "" if report["isCurrent"] else _ASIDE.format(report["ref"])
    if "skipped" in report:
        return f"{job.source_name}: nothing to do, {report['skipped']}.{aside}"
    counts = ", ".join(
        f"{report[key]} {key}" for key in ("added", "modified", "removed", "unchanged")
    )
    left_out = sum(report["leftOut"].values())
    reasons = ", ".join(f"{n} {reason}" for reason, n in report["leftOut"].items())
    tail = f" Left out {left_out}: {reasons}." if left_out else ""
    for reason, count in report["asWindows"].items():
        tail += f" {count} as plain windows: {reason}."
    return (
        f"{job.source_name} at {report['commit'][:12]} ({report['ref']}): {counts}; "
        f"{report['chunks']} chunks from {report['lines']} lines in "
        f"{sum(report['seconds'].values()):.1f} s.{tail}{aside}"
    )
