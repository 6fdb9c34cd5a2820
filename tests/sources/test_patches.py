"""What a commit changed, read from `git log -p -U0`."""

from __future__ import annotations

import pytest

from devrag.sources.patches import (
    FilePatch,
    Hunk,
    count_code,
    count_prose,
    name_of,
    read_patches,
)

LOG = """\
\x1eaaaa 1767268800

diff --git a/shop/cart.py b/shop/basket.py
similarity index 90%
rename from shop/cart.py
rename to shop/basket.py
index 1..2 100644
--- a/shop/cart.py
+++ b/shop/basket.py
@@ -3 +3,2 @@ def add(item):
--- a/not/a/path
+++ b/neither
+@@ -1 +1 @@ nor a hunk
\\ No newline at end of file
diff --git a/logo.png b/logo.png
Binary files a/logo.png and b/logo.png differ
\x1ebbbb 1767182400

diff --git a/a b.md b/a b.md
new file mode 100644
--- /dev/null
+++ b/a b.md\t
@@ -0,0 +1,2 @@
+# Title
+
diff --git a/gone.py b/gone.py
deleted file mode 100644
--- a/gone.py
+++ /dev/null
@@ -1 +0,0 @@
-x = 1
"""


def test_commits_files_and_lines_are_told_apart() -> None:
    first, second = read_patches(LOG.split("\n"))
    assert (first.commit, first.committed_at.isoformat()[:10]) == ("aaaa", "2026-01-01")
    renamed, binary = first.files
    assert (renamed.path, renamed.old_path) == ("shop/basket.py", "shop/cart.py")
    (hunk,) = renamed.hunks
    assert hunk.removed == ("-- a/not/a/path",)
    assert hunk.added == ("++ b/neither", "@@ -1 +1 @@ nor a hunk")
    assert binary.hunks == []
    new, gone = second.files
    assert (new.path, new.is_new, count_prose(new)) == ("a b.md", True, 1)
    assert gone.is_deleted


def patch(around: str, removed: str, added: str) -> FilePatch:
    hunk = Hunk(around, tuple(removed.splitlines()), tuple(added.splitlines()))
    return FilePatch(hunks=[hunk])


@pytest.mark.parametrize(
    ("removed", "added"),
    [
        ("    f(a, b)", "    f(\n        a,\n        b,\n    )"),
        ("    x = 'a'", '    x = "a"'),
        ("    # old words", "    # new words"),
        ("", "import os\nfrom a import b"),
        ("    a()\n    b()", "    a()\n\n    b()"),
        ("  // one", "  /* two */"),
    ],
)
def test_what_changes_no_behaviour_does_not_count(removed: str, added: str) -> None:
    assert count_code(patch("def run():", removed, added)) == {}


def test_lines_count_for_the_definition_that_they_are_in() -> None:
    added = "    return 2\n\ndef other():\n    return 3\nLIMIT = 4\n"
    found = count_code(patch("def run(a):", "    return 1", added))
    assert found == {"run": 2, "other": 2, "LIMIT": 1}


def test_a_move_within_a_file_is_formatting() -> None:
    one = patch("def run():", "    x = 1", "").hunks
    two = patch("def run():", "", "    x = 1").hunks
    assert count_code(FilePatch(hunks=[*one, *two])) == {}


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("    async def pay(self):", "pay"),
        ("func (s *Server) Close() error {", "Close"),
        ("pub fn parse(text: &str) -> Result {", "parse"),
        ("  public static void main(String[] args) {", "main"),
        ("static int uv__run(uv_loop_t* loop) {", "uv__run"),
        ("export const total = (rows) => {", "total"),
        ("class Cart(Base):", "Cart"),
        ("  def self.open(path)", "open"),
        ("", ""),
    ],
)
def test_the_name_in_a_header(header: str, name: str) -> None:
    assert name_of(header) == name
