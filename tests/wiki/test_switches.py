"""Exported variables of a Go package are settings; options are no variables."""

from __future__ import annotations

from devrag.wiki.analysis.settings import (
    DOCUMENTED,
    ENVIRONMENT,
    SWITCH,
    settings_of,
)
from tests.wiki.shop import analyse

GO = """package shop

import "os"

const (
	defaultSorting = true
	suffix         = "ACTIVE_HELP"
)

// EnableSorting controls whether books are sorted.
var EnableSorting = defaultSorting

// EnableHooks runs the hooks of all parents.
var EnableHooks = false

var Silent = true

// These two are the same.
var DefaultMessage = "unknown"

// Names is computed.
var Names = os.Args

// Open opens it.
func Open() {}

// Close closes it.
func Close() {}

// Read reads it.
func Read() {}
"""
GUIDE = """# Help

The variable is named `<PROGRAM>_ACTIVE_HELP` where the program is yours.

## Options of the tool

- `other_tool`: What another tool takes from here.
- `defaultSorting`: Whether books are sorted by default.

## Output

```
Usage:
      --author string   author name for copyright attribution
```
"""


def settings() -> dict[str, dict[str, str]]:
    analysis = analyse(
        {"shop.go": GO, "docs/guide.md": GUIDE, "go.mod": "module shop\n"}
    )
    found: dict[str, dict[str, str]] = {}
    for group in settings_of(analysis):
        held = found.setdefault(group.kind, {})
        held |= {setting.name: setting.default for setting in group.settings}
    return found


def test_documented_variables_of_a_package_have_their_values() -> None:
    assert settings()[SWITCH] == {"EnableSorting": "true", "EnableHooks": "false"}


def test_a_variable_with_a_placeholder_is_one_whose_ending_code_has() -> None:
    assert settings()[ENVIRONMENT] == {"<PROGRAM>_ACTIVE_HELP": ""}


def test_settings_of_other_tools_and_sample_output_are_none() -> None:
    assert set(settings().get(DOCUMENTED, {})) == {"defaultSorting"}
