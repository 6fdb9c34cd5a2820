"""Read and check a configuration file: JSON or YAML with the same keys.

`${NAME}` in a value stands for an environment variable, in files that a person named.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from devrag.core.config_file import ConfigPath, ignored_config_files
from devrag.core.errors import ConfigurationError
from devrag.core.exit_codes import PREFIX

_MAX_BYTES, _MAX_DEPTH = 65_536, 20
_YAML = (".yaml", ".yml")
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
# Keys of each section; others are ignored, as older files have more.
_KEYS = {"server": ("url", "host", "port", "token"), "project": ("root",)}
_PORTS = range(1, 65_536)
_WAY_OUT = "Fix it, or choose another file with --config."

Lines = Mapping[tuple[str, ...], int]


def read_config(used: ConfigPath | None) -> dict[str, Any]:
    """Return the checked contents; {} without a file.

    A found file that cannot be parsed counts as none, with a warning on stderr; one
    that was named, and a wrong value in either, is a ConfigurationError.
    """
    if used is None:
        return {}
    for path in ignored_config_files(used):
        warn(
            f"{path} is ignored because {used.path} takes precedence. Remove one "
            "of them."
        )
    try:
        config, lines = _parse(used.path)
    except ConfigurationError as error:
        if used.is_named:
            raise
        warn(f"{error.message} Until then it is ignored and the defaults apply.")
        return {}
    return _checked(config, lines, used)


@cache
def warn(text: str) -> None:
    """Print a warning on stderr, once for each text."""
    sys.stderr.write(f"{PREFIX}warning: {text}\n")


def _parse(path: Path) -> tuple[dict[str, Any], Lines]:
    """Return the contents, with the lines of its keys where the format has them."""
    try:
        with path.open("rb") as file:
            content = file.read(_MAX_BYTES + 1)
        text = content.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigurationError(f"Cannot read {path}: {reason}. {_WAY_OUT}") from error
    if len(content) > _MAX_BYTES:
        raise ConfigurationError(
            f"{path} is larger than {_MAX_BYTES:,} bytes. {_WAY_OUT}"
        )
    is_yaml = path.suffix.lower() in _YAML
    config, lines = _parse_yaml(path, text) if is_yaml else _parse_json(path, text)
    if not isinstance(config, dict):
        raise ConfigurationError(
            f"{path} must contain an object with keys such as `server`. {_WAY_OUT}"
        )
    return config, lines


def _parse_json(path: Path, text: str) -> tuple[Any, Lines]:
    try:
        return json.loads(text), {}
    except json.JSONDecodeError as error:
        raise ConfigurationError(
            f"{path}, line {error.lineno}, column {error.colno}: not valid JSON "
            f"({error.msg}). {_WAY_OUT}"
        ) from error
    except ValueError as error:  # an integer of more than 4,300 digits
        raise ConfigurationError(
            f"{path}: not valid JSON (a number is too long). {_WAY_OUT}"
        ) from error
    except RecursionError as error:
        raise ConfigurationError(f"{path} is nested too deeply. {_WAY_OUT}") from error


def _parse_yaml(path: Path, text: str) -> tuple[Any, Lines]:
    import yaml  # noqa: PLC0415 - most configurations are JSON

    try:
        _check_yaml(text)
        config, root = yaml.safe_load(text), yaml.compose(text, yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        problem = error.problem or error.context
        raise ConfigurationError(
            f"{path}{line}: not valid YAML ({problem}). {_WAY_OUT}"
        ) from error
    except (yaml.YAMLError, ValueError) as error:  # ValueError: a date such as 2024-99
        reason = " ".join(str(error).split())
        raise ConfigurationError(
            f"{path}: not valid YAML ({reason}). {_WAY_OUT}"
        ) from error
    lines = {keys: node.start_mark.line + 1 for keys, node in _yaml_keys(root)}
    return {} if config is None else config, lines


def _check_yaml(text: str) -> None:
    """Refuse what no configuration needs, as a file may be hostile.

    Aliases and deep nesting let a small file cost much; yaml fails on values that do
    not fit their tags with errors of all kinds.
    """
    import yaml  # noqa: PLC0415

    depth = 0
    for event in yaml.parse(text, yaml.SafeLoader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        problem = ""
        if isinstance(event, yaml.AliasEvent):
            problem = "aliases are not supported"
        elif getattr(event, "tag", None):
            problem = "tags are not supported"
        elif depth > _MAX_DEPTH:
            problem = "nested too deeply"
        if problem:
            mark: Any = event.start_mark
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=mark)


def _yaml_keys(root: Any, depth: int = 2) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the keys of a document and of its sections, each with its node."""
    pairs = root.value if getattr(root, "id", "") == "mapping" and depth else ()
    for key, value in pairs:
        if isinstance(key.value, str):
            yield (key.value,), key
            for keys, node in _yaml_keys(value, depth - 1):
                yield (key.value, *keys), node


def _checked(config: dict[str, Any], lines: Lines, used: ConfigPath) -> dict[str, Any]:
    """Return the sections that devrag reads, with variables expanded."""
    found: dict[str, Any] = {}
    for name, keys in _KEYS.items():
        values = config.get(name)
        if values in (None, ""):
            continue
        place = _place(used.path, lines, name)
        if not isinstance(values, dict):
            raise ConfigurationError(f"{place} must have keys: {', '.join(keys)}.")
        found[name] = {
            key: _value(values[key], key, _place(used.path, lines, name, key), used)
            for key in keys
            if values.get(key) not in (None, "")
        }
    return found


def _place(path: Path, lines: Lines, *keys: str) -> str:
    line = lines.get(keys)
    return f"{path}{f', line {line}' if line else ''}: `{'.'.join(keys)}`"


def _value(value: Any, key: str, place: str, used: ConfigPath) -> str | int:
    if isinstance(value, str):
        value = _VARIABLE.sub(lambda name: _variable(name[1], place, used), value)
    if key == "port":
        return _port(value, place)
    if not isinstance(value, str):
        raise ConfigurationError(f"{place} must be a string, not {_shown(value)}.")
    return value


def _port(value: Any, place: str) -> int:
    text = str(value) if isinstance(value, str | int) else ""
    is_number = not isinstance(value, bool) and text.isascii() and text.isdecimal()
    if not is_number or int(text[:6]) not in _PORTS:
        raise ConfigurationError(
            f"{place} must be a port from 1 to {_PORTS[-1]}, not {_shown(value)}."
        )
    return int(text)


def _shown(value: Any) -> str:
    is_short = isinstance(value, str | int | float) or value is None
    return json.dumps(value)[:80] if is_short else f"a {type(value).__name__}"


def _variable(name: str, place: str, used: ConfigPath) -> str:
    """Return a variable's value; a file that was only found must not read any."""
    if not used.is_named:
        raise ConfigurationError(
            f"{place} uses ${{{name}}}, but the file was found in a folder, not named "
            "by you, and may belong to someone else's repository. If you trust it, "
            f"use --config {used.path} or set DEVRAG_CONFIG."
        )
    value = os.environ.get(name)
    if value is None:
        raise ConfigurationError(
            f"{place} uses ${{{name}}}, but this variable is not set."
        )
    return value
