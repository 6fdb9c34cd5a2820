"""A small product in one directory has a topic for each of its larger files."""

from __future__ import annotations

from dataclasses import replace

import pytest

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.topics.finding import find_topics
from devrag.wiki.analysis.topics.modules import module_groups
from devrag.wiki.analysis.topics.outline import Outline, outline_of
from devrag.wiki.analysis.topics.ties import Material
from tests.wiki.shop import survey_of
from tests.wiki.topic_inputs import code_file, topic_input, uses

SIZES = {
    "lib/express.py": 80,
    "lib/application.py": 600,
    "lib/request.py": 500,
    "lib/response.py": 900,
    "lib/view.py": 200,
    "lib/_view_cache.py": 90,
    "lib/utils.py": 270,
    "lib/compat.py": 20,
}
PAIRS = [
    ("lib/express.py", "lib/application.py"),
    ("lib/express.py", "lib/request.py"),
    ("lib/express.py", "lib/response.py"),
    ("lib/application.py", "lib/view.py"),
    ("lib/application.py", "lib/utils.py"),
    ("lib/response.py", "lib/utils.py"),
    ("lib/application.py", "lib/compat.py"),
    ("lib/request.py", "lib/compat.py"),
    ("lib/response.py", "lib/compat.py"),
]


NO_WORDS: frozenset[str] = frozenset()


def groups_of(
    sizes: dict[str, int], pairs: list[tuple[str, str]], name: str = "express"
) -> set[frozenset[str]]:
    files = [code_file(n, path, size) for n, (path, size) in enumerate(sizes.items())]
    paths = {file.id: file.path for file in files}
    found = module_groups(Material(files, uses(files, pairs)), frozenset({name}))
    return {
        frozenset(
            paths[file].rpartition("/")[2].removesuffix(".py") for file in g.files
        )
        for g in found
    }


def test_each_larger_file_is_a_subject() -> None:
    assert groups_of(SIZES, PAIRS) == {
        frozenset({"application", "express"}),
        frozenset({"request"}),
        frozenset({"response"}),
        frozenset({"view", "_view_cache"}),
        frozenset({"utils", "compat"}),
    }


def test_files_of_one_family_are_together_and_the_bare_name_is_apart() -> None:
    shells = {f"{name}_completions.py": 400 for name in ("bash", "zsh", "fish")}
    sizes = {"command.py": 1500, "completions.py": 900, "args.py": 140, **shells}
    assert groups_of(sizes, []) == {
        frozenset({"command"}),
        frozenset({"completions"}),
        frozenset({"args"}),
        frozenset({"bash_completions", "zsh_completions", "fish_completions"}),
    }


def test_a_directory_beside_the_main_one_is_a_subject() -> None:
    sizes = {"command.py": 900, "args.py": 500, "doc/man.py": 300, "doc/yaml.py": 200}
    assert frozenset({"man", "yaml"}) in groups_of(sizes, [])


def test_a_small_file_with_a_document_of_its_name_is_a_subject() -> None:
    sizes = {"command.py": 3000, "args.py": 500, "flags.py": 400, "active_help.py": 60}
    files = [code_file(n, path, size) for n, (path, size) in enumerate(sizes.items())]
    uses_of = uses(files, [("active_help.py", "args.py")])
    alone = [each.files for each in module_groups(Material(files, uses_of), NO_WORDS)]
    assert (3,) not in alone
    documented = frozenset({"active_help"})
    found = module_groups(Material(files, uses_of), NO_WORDS, documented)
    assert (3,) in [each.files for each in found]


@pytest.mark.parametrize(
    "sizes",
    [
        {f"lib/{n}.py": 20 for n in "abcdef"},  # too little
        {f"lib/{n}/{m}.py": 100 for n in "abcd" for m in "xyzuv"},  # no flat directory
        {f"lib/m{n}.py": 100 for n in range(60)},  # too many
        {"lib/one.py": 2000, "lib/two.py": 900},  # too few
    ],
)
def test_other_products_are_not_divided_by_files(sizes: dict[str, int]) -> None:
    assert groups_of(sizes, []) == set()


BODY = "\n".join(f"    x{n} = {n}" for n in range(600)) + "\n"


def titles(tree: dict[str, str]) -> list[str]:
    return [topic.title for topic in find_topics(topic_input(tree))]


def module(*types: str) -> str:
    return "\n\n".join(f"class {name}:\n    def run(self):\n{BODY}" for name in types)


def test_topics_are_called_after_their_files() -> None:
    tree = {
        f"lib/{name}.py": module(name.title().replace("_", ""))
        for name in ("request", "response", "shell_completion", "utils")
    }
    assert sorted(titles(tree)) == [
        "Request",
        "Response",
        "Shell completion",
        "Utilities",
    ]


def test_a_file_whose_name_tells_nothing_is_called_after_its_main_types() -> None:
    said = "A `Command` has options. Commands run; a command may hold a `Context`. " * 9
    tree = {
        "lib/core.py": module("Command", "Context", "Other"),
        "lib/parser.py": module("Parser"),
        "lib/formatting.py": module("Formatter"),
        "docs/commands.md": f"# Commands\n\n{said}\n",
    }
    assert "Commands and contexts" in titles(tree)


def test_a_heading_names_a_file_whose_name_is_general() -> None:
    said = "A `ParamType` of `lib/types.py` converts a value; `ParamType` fails. " * 40
    tree = {
        "lib/types.py": module("ParamType"),
        "lib/parser.py": module("Parser"),
        "lib/formatting.py": module("Formatter"),
        "docs/parameter-types.md": f"# Parameter Types\n\n{said}\n",
    }
    assert "Parameter types" in titles(tree)


def test_a_family_is_called_by_its_kinds() -> None:
    shells = {
        f"{name}_completions.py": module(f"{name.title()}Writer")
        for name in ("bash", "zsh", "fish")
    }
    big = {name: module(name[:-3].title()) * 4 for name in ("command.py", "args.py")}
    found = titles({**shells, **big})
    assert "Bash, fish and zsh completions" in found


def test_topics_found_anew_keep_the_addresses_of_pages_about_the_same_files() -> None:
    tree = {f"lib/{n}.py": module(n.title()) for n in ("request", "response", "view")}
    before = Analysis(*survey_of(tree))
    data = outline_of(before.topics, before.files, before.steering_digest).as_json()
    for number, topic in enumerate(data["topics"]):
        topic["title"], topic["page"] = f"Old {number}", f"features/old-{number}.md"
    outline = replace(Outline.from_json(data), is_outdated=True)
    topics = Analysis(*survey_of(tree), outline).topics
    assert {topic.title for topic in topics} == {"Request", "Response", "View"}
    assert {topic.page for topic in topics} == {t["page"] for t in data["topics"]}


def test_a_family_is_called_by_the_document_on_most_of_it() -> None:
    kinds = ("bash", "zsh", "fish", "shell")
    tree = {f"lib/{kind}_completions.py": module(kind.title()) for kind in kinds}
    tree |= {f"lib/{name}.py": module(name.title()) * 2 for name in ("page", "till")}
    sections = "".join(
        f"## {kind} completions\n\nIn `lib/{kind}_completions.py`. {'Words. ' * 40}\n\n"
        for kind in kinds[:3]
    )
    tree["docs/bash.md"] = (
        "# Bash completions\n\n" + "In `lib/bash_completions.py`. " * 9
    )
    tree["docs/shells.md"] = f"# Making shell completions\n\nAll of them.\n\n{sections}"
    assert "Shell completions" in titles(tree)
