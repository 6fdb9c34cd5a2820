"""A wiki that is updated from the same sources stays as it is, in any language."""

from __future__ import annotations

import pytest

from devrag.products.models import Product
from devrag.wiki.models import Version
from tests.wiki.rows import index_source
from tests.wiki.runs import generate

pytestmark = pytest.mark.django_db

_STEPS = "".join(f"\n\nfunc step{n}() int {{\n\treturn {n}\n}}\n" for n in range(30))
# Titles of topics that the Japanese table translates, documents that belong to none.
TREE = {
    "README.md": "# Ship\n\nShip is a library for programs with many commands.\n",
    "go.mod": "module example.org/ship\n",
    "command.go": "// Package ship runs programs.\npackage ship\n\n"
    "// Command is just that, a command for your application.\n"
    "type Command struct {\n\tName string\n}\n\n"
    "// Execute runs the command and those below it.\n"
    "func (c *Command) Execute() error {\n\treturn nil\n}\n" + _STEPS,
    "args.go": "package ship\n\n// PositionalArgs checks the arguments of a command.\n"
    "type PositionalArgs func(cmd *Command, args []string) error\n" + _STEPS,
    "completions.go": "package ship\n\n// Completion is a suggestion for a shell.\n"
    "type Completion struct {\n\tcommand *Command\n}\n" + _STEPS,
    "site/usage.md": "# Usage\n\n## Commands\n\n"
    + "A command does one thing, and `Execute` runs it with its arguments. " * 12
    + "\n\n## Community\n\nWe meet on Fridays and talk about what comes next.\n",
}


@pytest.mark.parametrize("language", ["en", "ja"])
def test_an_update_from_the_same_sources_publishes_nothing(
    product: Product, language: str
) -> None:
    product.wiki_settings = {"language": language}
    product.save()
    index_source(product, "ship", TREE, "a" * 40)
    generate(product, isAsked=True)
    before = dict(Version.objects.get().pages.values_list("path", "markdown"))
    report = generate(product, isAsked=True)
    assert (report["isNew"], report["rewritten"]) == (False, [])
    again = generate(product, isAsked=True, isRedesigned=True)
    assert (again["isNew"], Version.objects.count()) == (False, 1)
    titles = Version.objects.get().report["topics"]["titles"]
    assert all(title.isascii() for title in titles.values())
    assert before
