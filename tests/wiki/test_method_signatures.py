"""Methods of Go are compared with those that an interface asks for."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.method_signatures import can_implement
from tests.wiki.shop import analyse


def _can(path: str, method: str) -> bool:
    package = path.partition("/")[0]
    analysis = analyse(
        {
            "tea/filler.go": "package tea\n\ntype Cup struct{}\n\n"
            "type Filler interface {\n\tFill(name string, n int) (*Cup, error)\n}\n",
            path: f"package {package}\n\ntype Pot struct{{}}\n\n{method} {{\n}}\n",
        }
    )
    names = {s.qualified_name: s for s in analysis.survey.symbols}
    own, required = names["Pot.Fill"], names["Filler.Fill"]
    files = analysis.files
    return can_implement(own, files[own.file], required, files[required.file])


@pytest.mark.parametrize(
    ("path", "method"),
    [
        ("tea/pot.go", "func (p *Pot) Fill(s string, n int) (*Cup, error)"),
        ("tea/pot.go", "func (p Pot) Fill(s string, _ int) (c *Cup, err error)"),
        ("pots/pot.go", "func (p *Pot) Fill(s string, n int) (*tea.Cup, error)"),
    ],
)
def test_the_same_results_are_what_is_asked_for(path: str, method: str) -> None:
    assert _can(path, method)


@pytest.mark.parametrize(
    ("path", "method"),
    [
        ("tea/pot.go", "func (p *Pot) Fill(s string) (*Cup, error)"),
        ("tea/pot.go", "func (p *Pot) Fill(s string, n int) *Cup"),
        ("tea/pot.go", "func (p *Pot) Fill(s string, n int) (Cup, error)"),
        ("tea/pot.go", "func (p *Pot) Fill(s string, n int) (*http.Cup, error)"),
        ("pots/pot.go", "func (p *Pot) Fill(s string, n int) (*Cup, error)"),
    ],
)
def test_other_parameters_or_results_are_not(path: str, method: str) -> None:
    assert not _can(path, method)


@pytest.mark.parametrize(
    ("parameters", "is_fit"),
    [("self, n", True), ("self, n, size=1", True), ("self", False)],
)
def test_a_method_of_python_takes_as_many_arguments(
    parameters: str, is_fit: bool
) -> None:
    analysis = analyse(
        {
            "a.py": "class Filler:\n    def fill(self, n): ...\n",
            "b.py": f"class Pot:\n    def fill({parameters}): ...\n",
        }
    )
    names = {s.qualified_name: s for s in analysis.survey.symbols}
    own, required = names["Pot.fill"], names["Filler.fill"]
    files = analysis.files
    found = can_implement(own, files[own.file], required, files[required.file])
    assert found is is_fit
