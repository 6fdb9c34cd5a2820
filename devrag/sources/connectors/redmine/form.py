"""What people are asked to connect a project of Redmine."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from devrag.sources.connectors.forms import ConnectionForm, Switch

FORM = ConnectionForm(
    title="Redmine",
    address_label=gettext_noop("URL of the project"),
    address_example="https://redmine.example.com/projects/shop",
    address_hint=gettext_noop(
        "Open the project, its issues or its wiki, and copy the URL."
    ),
    username_label="",
    token_label=gettext_noop("API access key"),
    token_hint=gettext_noop(
        "In Redmine, open My account and show the API access key. devrag reads what "
        "its user can view."
    ),
    switches=(
        Switch("read_comments", gettext_noop("Read notes of issues"), is_on=True),
        Switch("read_attachments", gettext_noop("Read attachments"), is_on=True),
        Switch("read_news", gettext_noop("Read news")),
        Switch(
            "read_restricted",
            gettext_noop("Include private issues and private notes"),
        ),
    ),
)
