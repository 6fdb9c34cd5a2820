"""Every detector, by name. One that fails costs its facts, never the file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from devrag.parsing.code.engine import CodeAnalysis, Found
from devrag.parsing.facts import code_tests, python_tests
from devrag.parsing.facts.ci import github_workflow, gitlab_ci, run_script
from devrag.parsing.facts.commands import go_commands, js_commands, rust_commands
from devrag.parsing.facts.config_files import (
    appsettings,
    environment,
    spring_properties,
    spring_yaml,
)
from devrag.parsing.facts.containers import compose, dockerfile
from devrag.parsing.facts.ecto import ecto_models
from devrag.parsing.facts.entries import entry_points, front_controller, script
from devrag.parsing.facts.go_cargo_manifests import cargo, go_mod
from devrag.parsing.facts.go_flags import go_flags
from devrag.parsing.facts.gradle import gradle, version_catalog
from devrag.parsing.facts.json_manifests import composer_json, package_json
from devrag.parsing.facts.licence import licence
from devrag.parsing.facts.makefile import makefile
from devrag.parsing.facts.models import models
from devrag.parsing.facts.other_manifests import mix, sbt, swift_package
from devrag.parsing.facts.php_commands import php_commands
from devrag.parsing.facts.processes import crontab, procfile, systemd_unit
from devrag.parsing.facts.python_commands import commands as python_commands
from devrag.parsing.facts.python_entry import entry_points as python_entries
from devrag.parsing.facts.python_manifests import pyproject, requirements, setup_cfg
from devrag.parsing.facts.python_models import models as python_models
from devrag.parsing.facts.python_routes import routes as python_routes
from devrag.parsing.facts.python_settings import settings as python_settings
from devrag.parsing.facts.python_tasks import tasks as python_tasks
from devrag.parsing.facts.routes_axum import axum_routes
from devrag.parsing.facts.routes_called import called_routes
from devrag.parsing.facts.routes_marked import marked_routes
from devrag.parsing.facts.routes_phoenix import phoenix_routes
from devrag.parsing.facts.routes_rails import rails_routes
from devrag.parsing.facts.ruby_manifests import ruby_manifest
from devrag.parsing.facts.settings import settings
from devrag.parsing.facts.shell_settings import shell_settings
from devrag.parsing.facts.states_js import js_states
from devrag.parsing.facts.states_python import python_states
from devrag.parsing.facts.states_ruby import ruby_states
from devrag.parsing.facts.tasks import tasks
from devrag.parsing.facts.xml_manifests import maven, nuget
from devrag.parsing.source import SourceText
from devrag.parsing.types import FactFacts

FileDetector = Callable[[SourceText], Iterable[FactFacts]]
CodeDetector = Callable[[CodeAnalysis], Iterable[FactFacts]]

# A file with more is generated or hostile, and no page would list them.
MOST_OF_A_KIND = 2_000

# name: (pattern that the path must match to its end, detector)
FILE_DETECTORS: dict[str, tuple[str, FileDetector]] = {
    "pyproject": (r"pyproject\.toml", pyproject),
    "setup.cfg": (r"setup\.cfg", setup_cfg),
    "requirements": (
        r"requirements[^/]*\.(txt|in)|requirements/[^/]+\.(txt|in)",
        requirements,
    ),
    "package.json": (r"package\.json", package_json),
    "composer": (r"composer\.json", composer_json),
    "go.mod": (r"go\.mod", go_mod),
    "cargo": (r"Cargo\.toml", cargo),
    "maven": (r"pom\.xml", maven),
    "gradle": (r"[^/]+\.gradle(\.kts)?", gradle),
    "version catalogue": (r"[^/]+\.versions\.toml", version_catalog),
    "nuget": (r"[^/]+\.(cs|fs|vb)proj|Directory\.\w+\.props", nuget),
    "bundler": (r"Gemfile|gems\.rb|[^/]+\.gemspec", ruby_manifest),
    "mix": (r"mix\.exs", mix),
    "swift": (r"Package(@swift-[\d.]+)?\.swift", swift_package),
    "sbt": (r"[^/]+\.sbt", sbt),
    "dockerfile": (r"([\w-]+\.)?(Dockerfile|Containerfile)(\.[\w-]+)?", dockerfile),
    "compose": (r"(docker-)?compose[^/]*\.ya?ml", compose),
    "makefile": (r"Makefile|makefile|GNUmakefile|[^/]+\.mk", makefile),
    "gitlab-ci": (r"\.gitlab-ci\.ya?ml", gitlab_ci),
    "github": (r"\.github/workflows/[^/]+\.ya?ml", github_workflow),
    "ci-run": (r"\.ci/run", run_script),
    "licence": (
        r"(UN)?LICEN[CS]E([.-][\w.-]+)?|COPYING([.-][\w.-]+)?|LICENSES/[\w.-]+\.txt",
        licence,
    ),
    "procfile": (r"Procfile(\.\w+)?", procfile),
    "systemd": (r"[^/]+\.(service|timer)", systemd_unit),
    "crontab": (r"crontab(\.txt)?|[^/]+\.crontab|cron\.d/[\w-]+", crontab),
    "environment": (
        r"\.env(\.(?![jt]s$)[\w.-]+)?|[\w-]+\.env(\.(example|sample|template|dist))?",
        environment,
    ),
    "spring": (r"application(-[\w-]+)?\.properties", spring_properties),
    "spring yaml": (r"application(-[\w-]+)?\.ya?ml", spring_yaml),
    "appsettings": (r"appsettings(\.\w+)?\.json", appsettings),
}

_COMMON: dict[str, CodeDetector] = {
    "entry points": entry_points,
    "scripts": script,
    "settings": settings,
}
_STORED = _COMMON | {"models": models}
_JVM = _STORED | {"routes": marked_routes, "tasks": tasks}
_JS = _COMMON | {
    "routes": called_routes,
    "commands": js_commands,
    "tasks": tasks,
    "states": js_states,
}
# A language without a row has none; those of tests are `code_tests`.
CODE_DETECTORS: dict[str, dict[str, CodeDetector]] = {
    "python": {
        "entry points": python_entries,
        "routes": python_routes,
        "commands": python_commands,
        "tasks": python_tasks,
        "models": python_models,
        "settings": python_settings,
        "states": python_states,
    },
    "bash": {"scripts": script, "settings": shell_settings},
    "c": _COMMON,
    "c++": _COMMON,
    "csharp": _STORED | {"routes": called_routes, "marked routes": marked_routes},
    "elixir": _COMMON
    | {"routes": phoenix_routes, "models": ecto_models, "tasks": tasks},
    "go": _STORED
    | {
        "routes": called_routes,
        "commands": go_commands,
        "flags": go_flags,
        "tasks": tasks,
    },
    "java": _JVM,
    "javascript": _JS,
    "kotlin": _JVM,
    "lua": _COMMON,
    "php": _JVM
    | {
        "called routes": called_routes,
        "commands": php_commands,
        "front controller": front_controller,
    },
    "ruby": _STORED | {"routes": rails_routes, "tasks": tasks, "states": ruby_states},
    "rust": _STORED
    | {
        "marked routes": marked_routes,
        "routes": axum_routes,
        "commands": rust_commands,
        "tests": code_tests.tests_anywhere,
    },
    "scala": _COMMON,
    "swift": _COMMON,
    "tsx": _JS,
    "typescript": _JS | {"marked routes": marked_routes, "models": models},
}

_COMPILED = {
    name: (re.compile(rf"(?:^|/)(?:{pattern})$"), detect)
    for name, (pattern, detect) in FILE_DETECTORS.items()
}


def file_facts(source: SourceText) -> Found:
    """Return the facts that files of any language give away by their name."""
    chosen = {
        name: partial(detect, source)
        for name, (pattern, detect) in _COMPILED.items()
        if pattern.search(source.path)
    }
    return _run(source.path, chosen)


def code_facts(analysis: CodeAnalysis) -> Found:
    """Return the facts of a file of code; of a test file, its tests only."""
    path = analysis.source.path
    tests = python_tests if analysis.language == "python" else code_tests
    detectors = CODE_DETECTORS[analysis.language]
    if tests.is_test_path(analysis):
        detectors = {"tests": tests.tests}
    return _run(path, {n: partial(detect, analysis) for n, detect in detectors.items()})


def limited(path: str, facts: Sequence[FactFacts]) -> Found:
    """Return the first facts of each kind, and a warning for each that has more."""
    seen: Counter[str] = Counter()
    kept = []
    for fact in facts:
        seen[fact.kind] += 1
        if seen[fact.kind] <= MOST_OF_A_KIND:
            kept.append(fact)
    warnings = [
        f"{path}: of its {count:,} {kind} facts the first {MOST_OF_A_KIND:,} are kept"
        for kind, count in seen.items()
        if count > MOST_OF_A_KIND
    ]
    return kept, warnings


def _run(path: str, chosen: Mapping[str, Callable[[], Iterable[FactFacts]]]) -> Found:
    facts: list[FactFacts] = []
    warnings: list[str] = []
    for name, detect in chosen.items():
        try:
            facts.extend(sorted(detect(), key=lambda fact: fact.start_line))
        except MemoryError:  # depends on what else the process holds
            raise
        # The outer edge of a detector: a file keeps its other facts and its chunks.
        except Exception as error:  # noqa: BLE001
            reason = f"{type(error).__name__}: {error}"
            warnings.append(f"{path}: its {name} facts are missing ({reason})")
    return facts, warnings
