"""What people are asked to connect a repository that is not open to everybody."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from devrag.sources.connectors.forms import ConnectionForm

FORM = ConnectionForm(
    title=gettext_noop("Git repository"),
    address_label=gettext_noop("Git URL"),
    address_example="https://git.example.com/group/repository.git",
    username_hint=gettext_noop(
        "Only if the host requires one in addition to the token."
    ),
    token_hint=gettext_noop("A token with read access to the repository is enough."),
)
