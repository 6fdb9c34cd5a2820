"""What people are asked to connect a space of Confluence."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from devrag.sources.connectors.forms import ConnectionForm, Switch

FORM = ConnectionForm(
    title="Confluence",
    address_label=gettext_noop("URL of the space"),
    address_example="https://example.atlassian.net/wiki/spaces/ENG",
    address_hint=gettext_noop("Open the space or one of its pages and copy the URL."),
    username_label=gettext_noop("Email address of the account"),
    username_hint=gettext_noop(
        "For Confluence Cloud. Leave it empty for a personal access token of Data"
        " Center."
    ),
    token_label=gettext_noop("API token"),
    token_hint=gettext_noop(
        "devrag reads what this account can view. It only needs view permission for "
        "the space."
    ),
    switches=(
        Switch("read_attachments", gettext_noop("Read attachments"), is_on=True),
        Switch("read_comments", gettext_noop("Read comments")),
        Switch(
            "read_restricted",
            gettext_noop("Include pages with view restrictions"),
        ),
    ),
)
