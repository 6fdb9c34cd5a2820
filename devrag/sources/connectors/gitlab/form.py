"""What people are asked to connect the tickets of a project of GitLab."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from devrag.sources.connectors.forms import ConnectionForm, Switch

FORM = ConnectionForm(
    title=gettext_noop("GitLab issues and merge requests"),
    address_label=gettext_noop("URL of the project"),
    address_example="https://gitlab.com/group/project/-/issues",
    address_hint=gettext_noop(
        "Open the project, its issues or one of them, and copy the URL."
    ),
    username_label="",
    token_label=gettext_noop("Access token"),
    token_hint=gettext_noop(
        "Token of a user, group or project with the scope read_api and the role "
        "Reporter. devrag reads what it can view."
    ),
    switches=(
        Switch("read_comments", gettext_noop("Read comments"), is_on=True),
        Switch(
            "read_restricted",
            gettext_noop("Include confidential issues and internal notes"),
        ),
    ),
)
