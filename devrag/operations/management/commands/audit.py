"""`audit`: print the audit log of this machine."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import datetime, time
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime

from devrag.audit.api import (
    EventFilter,
    csv_header,
    filter_events,
    read_in_pages,
    to_csv,
    to_json_lines,
)
from devrag.audit.models import AuditEvent
from devrag.core.commands import DevragCommand
from devrag.core.errors import InvalidInput


class Command(DevragCommand):
    """Print events, the newest first."""

    help = (
        "Print the audit log: who did what to what, from where and when. Examples: "
        "devrag audit --action member --product shop; "
        "devrag audit --since 2026-11-01 --format csv > audit.csv"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--person", default="", help="Name of a user or token.")
        parser.add_argument(
            "--action", default="", help="As member.added, or member for all of it."
        )
        parser.add_argument("--product", default="", help="Name of a product.")
        parser.add_argument("--since", default="", help="First day or moment.")
        parser.add_argument(
            "--until", default="", help="First day or moment that is left out."
        )
        parser.add_argument(
            "--limit", type=int, default=50, help="How many; 0: all. Default: 50."
        )
        parser.add_argument(
            "--format",
            choices=["text", "csv", "jsonl"],
            default="text",
            help="csv and jsonl have all fields; default: text.",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        kind = "jsonl" if options["json"] else options["format"]
        if kind == "csv":
            self.stdout.write(csv_header(), ending="")
        left = options["limit"] or None
        for page in read_in_pages(_find(options)):
            shown = page if left is None else page[:left]
            self.stdout.write(_write(shown, kind), ending="")
            if left is not None:
                left -= len(shown)
                if left <= 0:
                    return


def _find(options: dict[str, Any]) -> Any:
    wanted = EventFilter(
        person=options["person"],
        action=options["action"],
        product=options["product"],
        since=_moment(options["since"], "--since"),
        until=_moment(options["until"], "--until"),
    )
    return filter_events(AuditEvent.objects.all(), wanted)


def _write(events: list[AuditEvent], kind: str) -> str:
    if kind == "csv":
        return to_csv(events)
    if kind == "jsonl":
        return to_json_lines(events)
    return "".join(f"{_line(event)}\n" for event in events)


def _line(event: AuditEvent) -> str:
    at = timezone.localtime(event.at).strftime("%Y-%m-%d %H:%M:%S")
    place = f" from {event.address}" if event.address else ""
    about = f"  {event.target}" if event.target else ""
    product = f" ({event.product_name})" if event.product_name else ""
    who = event.actor or "not signed in"
    return f"{at}  {event.action}{about}{product}  by {who}, {event.entry}{place}"


def _moment(text: str, option: str) -> datetime | None:
    """Return a day's beginning or a moment; without a zone it is the server's."""
    if not text:
        return None
    try:
        found = parse_datetime(text)
        day = None if found else parse_date(text)
    except ValueError:
        found = day = None
    if found is None and day is not None:
        found = datetime.combine(day, time.min)
    if found is None:
        raise InvalidInput(
            f"{option} {text} is no day or moment. Write 2026-11-27 or "
            "2026-11-27T16:30."
        )
    return found if timezone.is_aware(found) else timezone.make_aware(found)
