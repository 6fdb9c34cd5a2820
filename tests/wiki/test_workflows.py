"""A workflow is told by its commands, in one row."""

from __future__ import annotations

from tests.wiki.shop import SHOP
from tests.wiki.written import write

FLOW = """name: Checks
on:
  push:
jobs:
  one:
    steps:
      - uses: actions/checkout@v4
      - run: |
          pip install x
          pytest -q
  two:
    steps:
      - run: ruff check
  three:
    steps:
      - uses: actions/stale@v4
"""


def test_jobs_of_a_workflow_share_a_row_and_ready_made_actions_have_none() -> None:
    files = {**SHOP, ".github/workflows/checks.yml": FLOW}
    pages = write(files)
    build = pages["build-and-run.md"].markdown
    row = "| Checks (`.github/workflows/checks.yml`) | `pytest -q`, `ruff check`"
    assert row in build
    assert "stale" not in build
    assert "`pytest -q`" in pages["testing.md"].markdown
    assert "ruff check" not in pages["testing.md"].markdown


def test_a_command_far_down_a_long_job_is_cited_at_its_line() -> None:
    steps = "".join(f"      - uses: actions/step{n}@v4\n" for n in range(60))
    flow = FLOW.replace("      - uses: actions/checkout@v4\n", steps)
    pages = write({**SHOP, ".github/workflows/checks.yml": flow})
    claims = pages["build-and-run.md"].claims
    cited = [c.excerpt for c in claims if c.path.endswith("checks.yml")]
    assert any("pytest -q" in excerpt for excerpt in cited)
    assert any("ruff check" in excerpt for excerpt in cited)


LONG = """name: Test
on:
  push:
jobs:
  headers:
    steps:
      - run: >-
          docker run
          -v $(pwd):/wrk -w /wrk
          registry.example/addlicense
          -check
          .
  test:
    steps:
      - run: COLOR=1 PATH=$HOME/go/bin/:$PATH make richtest
      - run: |
          export BIN=$HOME/bin
          uv run --locked --group dev tox run
"""


def test_every_command_is_listed_whole_and_without_its_variables() -> None:
    build = write({**SHOP, ".github/workflows/t.yml": LONG})["build-and-run.md"]
    assert build.findings == ()
    row = next(line for line in build.markdown.split("\n") if "workflows/t.yml" in line)
    assert (
        "`docker run -v $(pwd):/wrk -w /wrk registry.example/addlicense -check .`"
        in (row)
    )
    assert "`make richtest`" in row
    assert "`uv run --locked --group dev tox run`" in row
    assert "export" not in row


def test_the_command_that_runs_all_tests_comes_first() -> None:
    tree = {k: v for k, v in SHOP.items() if k != "Makefile"}
    testing = write({**tree, ".github/workflows/t.yml": LONG})["testing.md"]
    assert testing.findings == ()
    after = testing.markdown.partition("## How to run them\n\n")[2]
    assert after.startswith("Run the tests with `tox run`")
