"""What people are asked to connect the tickets of a repository of GitHub."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from devrag.sources.connectors.forms import ConnectionForm, Switch

FORM = ConnectionForm(
    title=gettext_noop("GitHub issues and pull requests"),
    address_label=gettext_noop("URL of the repository"),
    address_example="https://github.com/owner/repository/issues",
    address_hint=gettext_noop(
        "Open the repository, its issues or one of them, and copy the URL."
    ),
    username_label="",
    token_label=gettext_noop("Personal access token"),
    token_hint=gettext_noop(
        "Fine-grained token with read access to Issues and Pull requests of this "
        "repository, or classic token with the scope repo. For public repositories "
        "any token works."
    ),
    switches=(Switch("read_comments", gettext_noop("Read comments"), is_on=True),),
)
