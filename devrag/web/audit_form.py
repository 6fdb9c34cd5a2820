"""Which events of the audit log are shown, as it stands in the address."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from django import forms
from django.utils import timezone

from devrag.audit.api import EventFilter


class AuditForm(forms.Form):
    """since, until: days in the reader's time zone, both included."""

    person = forms.CharField(required=False, max_length=200)
    action = forms.CharField(required=False, max_length=40)
    product = forms.CharField(required=False, max_length=64)
    since = forms.DateField(required=False)
    until = forms.DateField(required=False)
    before = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)

    def wanted(self, product: str = "") -> EventFilter:
        """Return the filter without wrong values. product: in place of the form's."""
        self.is_valid()
        given = self.cleaned_data
        since, until = given.get("since"), given.get("until")
        return EventFilter(
            person=given.get("person", "").strip(),
            action=given.get("action", ""),
            product=product or given.get("product", ""),
            since=_midnight(since) if since else None,
            until=_midnight(until + timedelta(days=1)) if until else None,
        )


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
