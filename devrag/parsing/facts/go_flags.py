"""Settings of Go programs: flags, and what viper reads of the environment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.facts.calls import Call, read_call
from devrag.parsing.types import FactFacts

# flag, pflag and cobra name their functions after the type, `Var` when it is stored
# in a variable given first, `P` with a shorthand behind the name.
_TYPES = (
    *("Bool", "Int", "Int64", "Uint", "String", "Float64", "Duration"),
    *("Int32", "Uint32", "Uint16", "StringSlice", "StringArray", "IntSlice"),
)
_SETS = re.compile(
    r"(?:[\w.]+\.)?(?:Flags|PersistentFlags)\(\)|flag|github\.com\.spf13\.pflag"
)
_PLAIN = re.compile(r"[a-z][\w.-]*")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*")
_NONE = {'""', "nil", "``"}


def go_flags(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield a setting per flag with its words, and per variable that viper reads."""
    text = analysis.source.text
    has_flags = "Flags()" in text or "flag." in text
    flags = list(_flags(analysis)) if has_flags else []
    yield from flags
    if "viper.AutomaticEnv()" in text:
        yield from _variables(analysis, {fact.name[2:]: fact for fact in flags})


def _flags(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    for kind in _TYPES:
        for ending, at in (("", 0), ("P", 0), ("Var", 1), ("VarP", 1)):
            for use in analysis.uses.ending("call", kind + ending):
                call = read_call(analysis.source, use)
                name = call.text(at)
                value = at + 1 + ending.endswith("P")
                is_flag = (
                    name and _PLAIN.fullmatch(name) and _is_set(analysis, use.name)
                )
                if is_flag and len(call.positional) == value + 2:
                    yield _setting(
                        f"--{name}",
                        call,
                        kind,
                        call.value(value),
                        call.text(value + 1) or "",
                    )


def _is_set(analysis: CodeAnalysis, name: str) -> bool:
    return bool(_SETS.fullmatch(analysis.uses.resolve(name).rpartition(".")[0]))


def _setting(name: str, call: Call, kind: str, default: str, said: str) -> FactFacts:
    data = {
        "type": kind.lower(),
        "default": "" if default in _NONE else default,
        "help": said,
    }
    return FactFacts("setting", name, call.start_line, call.end_line, data)


def _variables(
    analysis: CodeAnalysis, flags: dict[str, FactFacts]
) -> Iterator[FactFacts]:
    """Yield the variables behind viper's keys, where what they begin with is written.

    Dashes of a key stand in a variable as what the program replaces them by.
    """
    prefix = _first_text(analysis, "SetEnvPrefix")
    is_replaced = 'NewReplacer("-", "_")' in analysis.source.text
    seen: set[str] = set()
    for use in analysis.uses.uses:
        root, _, last = use.name.rpartition(".")
        if use.kind != "call" or root != "viper" or not last.startswith("Get"):
            continue
        call = read_call(analysis.source, use)
        key = call.text(0) or ""
        name = f"{prefix}_{key}" if prefix else key
        name = (name.replace("-", "_") if is_replaced else name).upper()
        if not _VARIABLE.fullmatch(name) or key in seen:
            continue
        seen.add(key)
        flag = flags.get(key)
        if flag is not None:
            yield replace(flag, name=name)
        else:
            yield _setting(name, call, last[3:] or "str", "", "")


def _first_text(analysis: CodeAnalysis, method: str) -> str:
    for use in analysis.uses.ending("call", method):
        if text := read_call(analysis.source, use).text(0):
            return text
    return ""
