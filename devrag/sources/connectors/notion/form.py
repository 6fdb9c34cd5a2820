"""What people are asked to connect a page or database of Notion."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from devrag.sources.connectors.forms import ConnectionForm, Switch

FORM = ConnectionForm(
    title="Notion",
    address_label=gettext_noop("URL of the page or database"),
    address_example="https://www.notion.so/Engineering-0123456789abcdef0123456789abcdef",
    address_hint=gettext_noop(
        "Open it and copy its URL. https://www.notion.so reads everything that is "
        "shared with the integration."
    ),
    username_label="",
    token_label=gettext_noop("Integration secret"),
    token_hint=gettext_noop(
        "The integration needs the capability to read content. In Notion, open the "
        "page's menu, choose Connections and add the integration; subpages are "
        "included."
    ),
    switches=(
        Switch("read_attachments", gettext_noop("Read attachments"), is_on=True),
        Switch("read_comments", gettext_noop("Read comments")),
    ),
)
