"""What scripts of CI, make and documents run: whole commands, and which run tests."""

from __future__ import annotations

import re
from collections.abc import Iterator

_TESTS = re.compile(
    r"\b(pytest|tox|nox|unittest|manage\.py test|phpunit|pest|jest|vitest|mocha|rspec"
    r"|minitest|ctest|bats|busted|nextest|playwright test|cypress run"
    r"|(go|cargo|mix|dotnet|swift|zig|deno|bun|npm|pnpm|yarn|flutter|rake|sbt|bazel"
    r"|make|composer|mvn|mvnw|gradle|gradlew)( run)?( -\S+)*"
    r" :?(test|check|(?!latest)[a-z]+test)[\w:.-]*)\b"
)
# What a shell does with commands: assignments, branches, redirected ends.
_SYNTAX = re.compile(
    r"^(#|;;|esac\b|fi\b|done\b|[{}()|&;\"'$]|-|[^\s()]+\)\s*$"
    r"|(if|then|elif|else|for|while|until|case|do|function)\b)"
)
# An assignment alone; in front of a command it belongs to that.
_ASSIGNS = re.compile(
    r"^(?:export )?[A-Za-z_]\w*\+?="
    r"(?:\$\([^)]*\)|\"[^\"]*\"|'[^']*'|[^\s\"'$]|\$(?!\())*+\s*$"
)
# How a command begins that builds, checks, tests, documents or publishes.
_PREFIX = (
    r"^(?:sudo |time |[A-Z_]+=\S+ |npx |bundle exec |uvx |poetry run "
    r"|hatch run |pdm run |coverage run |xvfb-run "
    r"|uv run (?:--?[\w-]+(?:=\S+)? (?:(?:dev|tests?|ci) )?)*)*"
)
_TELLING = re.compile(
    _PREFIX
    + r"(pytest|tox|nox|make|cmake|ctest|ninja|meson|cargo (?!install)|go (build|test"
    r"|vet|run|generate)|golangci-lint|dotnet|mvn|\./mvnw|gradle|\./gradlew|sbt|bazel|rake"
    r"|npm (run|test|publish)|pnpm (?!install|i\b)|yarn (?!install)|bun (run|test)|deno"
    r"|python3? (-m )?[\w./-]*(pytest|unittest|build|mypy|manage\.py|setup\.py|twine"
    r"|scripts?/|tools?/)|ruff|mypy|pyright|black|flake8|isort|eslint|prettier|tsc|vitest"
    r"|jest|playwright|twine|gh release|docker (build|buildx|push|compose|run)|helm"
    r"|kubectl|terraform|pre-commit|mkdocs|sphinx-build|\./?scripts?/|scripts?/"
    r"|\./configure|autoreconf|poetry (build|publish)|hatch|uv (build|publish)|phpunit"
    r"|composer (test|run)|rspec|swift (build|test)|mix |zig |flutter |goreleaser"
    r"|pyinstaller|cibuildwheel|semantic-release|shellcheck|codespell|typos"
    r"|(bash|sh) [\w./-]+\.(ba)?sh|\./[\w/-]+\.sh)",
)
_PUBLISHES = re.compile(
    r"\b(twine upload|npm publish|pnpm publish|yarn publish|(cargo|uv|poetry|hatch)"
    r" publish|gh release|docker push|buildx build .*--push|helm (push|upgrade)"
    r"|kubectl (apply|rollout)|terraform apply|goreleaser|semantic-release|nuget push"
    r"|mvn .*deploy|gradlew? .*publish|mkdocs gh-deploy|git push|gem push|deploy)\b"
)
_LONGEST_COMMAND = 90
LONGEST_SCRIPT = 160  # characters of a command that has a line of its own
_CONTINUED = re.compile(r"\\\n\s*")
_FOR_IT = re.compile(r"^(?:[A-Z_]\w*=[^\s\"'$(]\S* |PATH=\S+ )+")
_OPTIONS = re.compile(r"\n\s*(?=-)")  # the lines of a folded command
_LEADING = re.compile(r"^[@-]+\s*")  # how make keeps quiet, or goes on


def commands_in(script: str) -> Iterator[str]:
    """Yield the commands of a script, those broken over lines as one."""
    joined = _OPTIONS.sub(" ", _CONTINUED.sub(" ", script))
    for line in joined.split("\n"):
        text = " ".join(line.split())
        if text and not _SYNTAX.match(text) and not _ASSIGNS.match(text):
            yield text


def runs_tests(command: str) -> bool:
    """Return whether a command runs tests."""
    return bool(_TESTS.search(command.partition(" #")[0]))


def of_recipe(lines: list[str]) -> list[str]:
    """Return the commands of a make target, without make's own marks."""
    return list(commands_in("\n".join(_LEADING.sub("", line) for line in lines)))


def is_telling(command: str) -> bool:
    """Return whether a command builds, checks, tests or publishes something."""
    return bool(_TELLING.match(command))


def publishes(command: str) -> bool:
    """Return whether a command brings something out."""
    return bool(_PUBLISHES.search(command)) and not command.startswith(("echo", "#"))


def plain(command: str) -> str:
    """Return a command without the runners and assignments in front of it."""
    return command[m.end() :] if (m := re.match(_PREFIX, command)) else command


def without_assignments(command: str) -> str:
    """Return a command without the variables that are set for it alone."""
    return _FOR_IT.sub("", command)


def abbreviated(command: str, longest: int = _LONGEST_COMMAND) -> str:
    """Return a command as code, of a long one the words up to what is left out."""
    if short := shortened(command, longest):
        return short
    words = " ".join(command.split())[:longest].split(" ")[:-1]
    text = " ".join(words).rstrip("\\ ")
    return f"`{text}` …" if text and "`" not in text else ""


def shortened(command: str, longest: int = _LONGEST_COMMAND) -> str:
    """Return a command as code, '' when it is too long or broken over lines."""
    text = " ".join(command.split())
    is_whole = text and len(text) <= longest and not text.endswith("\\")
    return f"`{text}`" if is_whole and "`" not in text else ""
