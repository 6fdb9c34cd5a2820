"""Functions in the fields of a type are steps where a method calls them."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.hooks import hooks_of
from devrag.wiki.analysis.steps import OUTSIDE, steps_of
from tests.wiki.shop import analyse

GO = """package shop

// Command is what a user runs.
type Command struct {
	// Run does the work.
	Run func(cmd *Command, args []string)
	Name string
	// RunE does it and may fail.
	RunE func(cmd *Command, args []string) error
}

// Execute runs the command.
func (c *Command) Execute(args []string) error {
	if c.RunE != nil {
		if err := c.RunE(c, args); err != nil {
			return err
		}
	} else {
		c.Run(c, args)
	}
	return nil
}
"""
PYTHON = '''class Command:
    """A command."""

    callback: Callable[[], None] | None

    def invoke(self):
        """Run it."""
        return self.callback()
'''


@pytest.mark.parametrize(
    ("path", "code", "method", "hooks"),
    [
        ("shop/command.go", GO, "Execute", {"Run", "RunE"}),
        ("shop/command.py", PYTHON, "invoke", {"callback"}),
    ],
)
def test_the_hooks_of_a_type_are_found(
    path: str, code: str, method: str, hooks: set[str]
) -> None:
    analysis = analyse({path: code})
    symbol = next(s for s in analysis.survey.symbols if s.name == method)
    assert hooks_of(analysis, symbol.id) == hooks


def test_a_hook_is_a_step_with_its_condition() -> None:
    analysis = analyse({"shop/command.go": GO})
    symbol = next(s for s in analysis.survey.symbols if s.name == "Execute")
    steps = [s for s in steps_of(analysis, symbol.id) if s.kind == OUTSIDE]
    assert [s.text for s in steps] == ["c.RunE", "c.Run"]
    assert steps[0].condition is not None
    assert steps[0].condition.text == "c.RunE != nil"
