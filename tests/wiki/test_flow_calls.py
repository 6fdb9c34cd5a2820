"""Flows are made of the calls that the code makes, each of the overload it means."""

from __future__ import annotations

from devrag.wiki.analysis.flow_calls import calls_of
from tests.wiki.shop import analyse

JOB = """public partial class Job
{
    public void Start() { Run(1, 2); }

    void Run(int a) { Finish(a, 1, 2); }

    void Finish(int a) { }
}
"""
MORE = "public partial class Job\n{\n    void Run(int a, int b) { }\n}\n"


def called(files: dict[str, str]) -> dict[str, list[tuple[str, str]]]:
    """Return caller → path and signature of what it calls."""
    analysis = analyse(files)
    symbols, paths = analysis.symbols, analysis.files
    return {
        symbols[caller].name: [
            (paths[symbols[call.callee].file].path, symbols[call.callee].signature)
            for call in calls
        ]
        for caller, calls in calls_of(analysis).items()
    }


def test_an_overload_may_stand_in_another_part_of_the_class() -> None:
    found = called({"src/Job.cs": JOB, "src/Job.More.cs": MORE})
    assert found["Start"] == [("src/Job.More.cs", "void Run(int a, int b)")]


def test_another_class_of_the_name_has_no_overload() -> None:
    whole = {"a/Job.cs": JOB, "b/Job.cs": MORE}
    found = called({k: v.replace("partial ", "") for k, v in whole.items()})
    assert found["Start"] == [("a/Job.cs", "void Run(int a)")]


def test_a_call_that_no_overload_takes_is_no_less_a_call() -> None:
    assert called({"src/Job.cs": JOB})["Run"] == [("src/Job.cs", "void Finish(int a)")]
