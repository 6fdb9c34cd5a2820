"""`index`: read a repository or folder into a product's index."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from devrag.core.commands import DevragCommand
from devrag.core.principal import SYSTEM
from devrag.core.text import one_line
from devrag.jobs.models import Job
from devrag.use_cases.add_repository import add_repository
from devrag.use_cases.arguments import INDEX_HELP, add_index_options
from devrag.use_cases.follow import Follower
from devrag.use_cases.sentences import index_sentence
from devrag.use_cases.timed_job import describe_timings


class Command(DevragCommand):
    """Index a source now and print what changed."""

    help = INDEX_HELP
    is_remote = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        add_index_options(parser)

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
        if options["verbose"]:
            for line in describe_timings(done):
                self.stderr.write(one_line(line))
        self._answer(
            options,
            {"jobID": str(done.pk), **done.report},
            index_sentence(done.source_name, done.report),
        )

    def _answer(self, options: dict[str, Any], data: dict[str, Any], text: str) -> None:
        if options["json"]:
            self.write_json(data)
        else:
            self.stdout.write(text)
