"""What scripts of CI, make and documents run: whole commands, and which run tests."""

from __future__ import annotations

import re
from collections.abc import Iterator

_TESTS = re.compile(
    r"\b(pytest|tox|nox|unittest|manage\.py test|phpunit|pest|jest|vitest|mocha|rspec"
    r"|minitest|ctest|bats|busted|nextest|playwright test|cypress run"
    r"|(go|cargo|mix|dotnet|swift|zig|deno|bun|npm|pnpm|yarn|flutter|rake|sbt|bazel"
    r"|make|composer|mvn|mvnw|gradle|gradlew)( run)?( -\S+)* :?(test|check)[\w:.-]*)\b"
)
# What a shell does with commands: assignments, branches, redirected ends.
_SYNTAX = re.compile(
    r"^(#|[A-Za-z_]\w*\+?=|;;|esac\b|fi\b|done\b|[{}()|&;\"'$]|-|[^\s()]+\)\s*$"
    r"|(if|then|elif|else|for|while|until|case|do|function)\b)"
)
_CONTINUED = re.compile(r"\\\n\s*")
_LEADING = re.compile(r"^[@-]+\s*")  # how make keeps quiet, or goes on


def commands_in(script: str) -> Iterator[str]:
    """Yield the commands of a script, those broken over lines as one."""
    for line in _CONTINUED.sub(" ", script).split("\n"):
        text = " ".join(line.split())
        if text and not _SYNTAX.match(text):
            yield text


def runs_tests(command: str) -> bool:
    """Return whether a command runs tests."""
    return bool(_TESTS.search(command.partition(" #")[0]))


def of_recipe(lines: list[str]) -> list[str]:
    """Return the commands of a make target, without make's own marks."""
    return list(commands_in("\n".join(_LEADING.sub("", line) for line in lines)))
