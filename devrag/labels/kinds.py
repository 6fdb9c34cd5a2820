"""The built-in labels: their names, titles, and what they are about.

A description is embedded as it stands and compared with files: it says in the words of
code and documentation what files of the kind do. All of them together are what a label
has to stand out from.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext_noop


@dataclass(frozen=True, slots=True)
class Kind:
    """A built-in label. title: for people, translated when shown.

    description: what texts are compared with, in English; translated when shown.
    is_by_rules: meaning does not tell it, such as what a file is, not what it is about.
    """

    key: str
    title: str
    description: str
    is_by_rules: bool = False


KINDS = {
    kind.key: kind
    for kind in (
        Kind(
            "auth",
            gettext_noop("Authentication"),
            gettext_noop(
                "authentication and authorization: users log in with a password or "
                "token, permissions and roles are checked"
            ),
        ),
        Kind(
            "security",
            gettext_noop("Security"),
            gettext_noop(
                "encryption, TLS and SSL certificates, signatures, secrets, protection "
                "from attacks such as CSRF"
            ),
        ),
        Kind(
            "storage",
            gettext_noop("Storage"),
            gettext_noop(
                "database, SQL queries, tables and migrations, reading and writing "
                "records in a store, persistent cache"
            ),
        ),
        Kind(
            "api",
            gettext_noop("API"),
            gettext_noop(
                "HTTP API endpoints, routes and their request handlers, REST, GraphQL "
                "and RPC services"
            ),
            is_by_rules=True,  # clients mean the same as servers
        ),
        Kind(
            "ui",
            gettext_noop("User interface"),
            gettext_noop(
                "user interface: HTML templates, style sheets, components, forms and "
                "pages in the browser"
            ),
        ),
        Kind(
            "cli",
            gettext_noop("Command line"),
            gettext_noop(
                "command line interface: commands, arguments and flags, shell "
                "completion, help and usage text"
            ),
        ),
        Kind(
            "config",
            gettext_noop("Configuration"),
            gettext_noop(
                "configuration: settings are read from files and environment variables"
            ),
        ),
        Kind(
            "logging",
            gettext_noop("Logging and monitoring"),
            gettext_noop(
                "logging: log messages, loggers, levels and formatters, metrics and "
                "traces"
            ),
        ),
        Kind(
            "test",
            gettext_noop("Tests"),
            gettext_noop("tests: assertions, test cases, fixtures and mocks"),
            is_by_rules=True,
        ),
        Kind(
            "build",
            gettext_noop("Build and release"),
            gettext_noop(
                "build, packaging and continuous integration: dependencies, compile, "
                "release and deploy"
            ),
            is_by_rules=True,
        ),
        Kind(
            "docs",
            gettext_noop("Documentation"),
            gettext_noop("documentation for people: guides, references and tutorials"),
            is_by_rules=True,
        ),
        Kind(
            "examples",
            gettext_noop("Examples"),
            gettext_noop(
                "example programs and sample code that show how a library is used"
            ),
            is_by_rules=True,
        ),
    )
}
