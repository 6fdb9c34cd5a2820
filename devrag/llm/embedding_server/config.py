"""`embedding-server.yaml`: what is served where; a mistake is named with its line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any

from devrag.core.errors import ConfigurationError
from devrag.llm.local_model import DIMENSIONS, MODEL
from devrag.parsing.data import Placed, SourceText, require_yaml

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
# Our own client cuts texts before that, whatever they are made of.
MAX_LENGTH = 32_768


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """A model. max_length: tokens; longer texts are refused.

    trust_remote_code: known of old; nothing is fetched, so it changes nothing.
    """

    name: str
    dimension: int
    max_length: int = MAX_LENGTH
    trust_remote_code: bool = False
    preload: bool = False


LOCAL = ModelConfig(MODEL, DIMENSIONS, preload=True)


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """All of the file. logging_file: empty for standard error alone."""

    host: str = "127.0.0.1"
    port: int = 50051
    max_workers: int = 10
    default_model: str = LOCAL.name
    models: tuple[ModelConfig, ...] = (LOCAL,)
    device: str = "auto"
    logging_level: str = "INFO"
    logging_file: str = ""


def read_server_config(path: Path) -> ServerConfig:
    """Return what a file says, with defaults for the rest; ConfigurationError."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigurationError(
            f"{path} cannot be read ({reason}). Give another file."
        ) from error
    return parse_server_config(text, str(path))


def parse_server_config(text: str, name: str) -> ServerConfig:
    """Return what a text says. name: the file's, for messages."""
    try:
        root = require_yaml(SourceText(name, text))
        values = _read(root, "", _ROOT)
        server = values.pop("server", {})
        return _checked(ServerConfig(**server, **values), root)
    except _Mistake as error:
        raise ConfigurationError(f"{name}, line {error.line}: {error}") from None
    except ValueError as error:
        raise ConfigurationError(f"{name} is {error}. Correct it there.") from error


class _Mistake(Exception):
    def __init__(self, place: Placed, said: str) -> None:
        super().__init__(said)
        self.line = place.start_line


_Reader = Callable[[Placed, str], Any]


def _read(place: Placed, where: str, readers: Mapping[str, _Reader]) -> dict[str, Any]:
    """Return the values of a mapping. where: what its keys stand under."""
    if not (isinstance(place.value, dict) or (place.value == "" and not where)):
        what = f"`{where.rstrip('.')}`" if where else "The file"
        raise _Mistake(place, f"{what} takes `key: value` lines.")
    found = {}
    for key, value in place.items():
        if key not in readers:
            known = ", ".join(readers)
            raise _Mistake(
                value, f"`{where}{key}` is no key. Remove it, or use one of: {known}."
            )
        found[key] = readers[key](value, where + key)
    return found


def _text(place: Placed, where: str) -> str:
    if not isinstance(place.value, str):
        raise _Mistake(place, f"`{where}` takes one value. Write {where}: VALUE.")
    return place.value


def _name(place: Placed, where: str) -> str:
    if not _text(place, where):
        raise _Mistake(place, f"`{where}` is empty. Give it a value, or remove it.")
    return place.text()


def _whole(low: int, high: int) -> _Reader:
    def read(place: Placed, where: str) -> int:
        text = _text(place, where)
        if not text.isdecimal() or not low <= int(text) <= high:
            raise _Mistake(
                place,
                f"`{where}` is “{text}”, which is no whole number from {low} to {high}."
                " Correct it.",
            )
        return int(text)

    return read


def _one_of(*choices: str) -> _Reader:
    def read(place: Placed, where: str) -> str:
        text = _text(place, where)
        if text not in choices:
            raise _Mistake(
                place, f"`{where}` is “{text}”. Use one of: {', '.join(choices)}."
            )
        return text

    return read


def _flag(place: Placed, where: str) -> bool:
    return bool(_one_of("false", "true")(place, where) == "true")


def _section(readers: Mapping[str, _Reader]) -> _Reader:
    return lambda place, where: _read(place, f"{where}.", readers)


def _models(place: Placed, where: str) -> tuple[ModelConfig, ...]:
    if not place.listed():
        raise _Mistake(place, f"`{where}` takes a list with at least one `- name: …`.")
    return tuple(_model(item, f"{where}[{n}]") for n, item in enumerate(place.listed()))


def _model(place: Placed, where: str) -> ModelConfig:
    values = _read(place, f"{where}.", _MODEL)
    for field in fields(ModelConfig):
        if field.default is MISSING and field.name not in values:
            raise _Mistake(place, f"`{where}.{field.name}` is missing. Add it.")
    return ModelConfig(**values)


def _checked(config: ServerConfig, root: Placed) -> ServerConfig:
    names = [model.name for model in config.models]
    double = next((name for name in names if names.count(name) > 1), None)
    if double:
        raise _Mistake(
            root.at("models"), f"`models` has “{double}” twice. Remove one of the two."
        )
    if config.default_model not in names:
        raise _Mistake(
            root.at("default_model"),
            f"`default_model` is “{config.default_model}”, which is not among `models`."
            f" Use one of: {', '.join(names)}.",
        )
    return config


_MODEL: dict[str, _Reader] = {
    "name": _name,
    "dimension": _whole(1, 16_000),
    "max_length": _whole(1, 1_000_000),
    "trust_remote_code": _flag,
    "preload": _flag,
}
_ROOT: dict[str, _Reader] = {
    "server": _section(
        {
            "host": _name,
            "port": _whole(0, 65_535),
            "max_workers": _whole(1, 1000),
        }
    ),
    "default_model": _name,
    "models": _models,
    "device": _name,
    "logging_level": _one_of(*LEVELS),
    "logging_file": _text,
}
