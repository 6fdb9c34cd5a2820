"""What people are asked to connect a space of Confluence."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from devrag.sources.connectors.forms import ConnectionForm, Switch

FORM = ConnectionForm(
    title="Confluence",
    address_label=gettext_noop("Address of the space"),
    address_example="https://example.atlassian.net/wiki/spaces/ENG",
    address_hint=gettext_noop("Open the space, or one of its pages, and copy it."),
    username_label=gettext_noop("E-mail address of the account"),
    username_hint=gettext_noop(
        "For Confluence Cloud. Leave it empty for a personal access token of Data"
        " Center."
    ),
    token_label=gettext_noop("API token"),
    token_hint=gettext_noop(
        "What its account may view is what is read. It needs to view the space, no"
        " more."
    ),
    switches=(
        Switch("read_attachments", gettext_noop("Read attachments"), is_on=True),
        Switch("read_comments", gettext_noop("Read comments")),
        Switch(
            "read_restricted",
            gettext_noop("Also read pages that only some people may view"),
        ),
    ),
)
