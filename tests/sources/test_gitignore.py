"""Ignore patterns, compared with what git itself says."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from devrag.sources.ignore import IGNORE_FILES, IgnoreRules

SEGMENTS = ["a", "ab", "b", "c.log", "x.py", "a-b", "日", "B", "[a]", "a b"]
GLOB_PARTS = ["a", "b", "*", "**", "?", "/", "/", ".log", "x.py", "[ab]", "[!a]"]
GLOB_PARTS += ["[b-]", "[[:upper:]]", "[z-a]", "[", "]", "\\", "日", "!", "#", "-", " "]
paths = st.lists(st.sampled_from(SEGMENTS), min_size=1, max_size=4).map("/".join)
globs = st.lists(
    st.sampled_from(GLOB_PARTS),
    max_size=6,
).map("".join)
lines = st.tuples(st.sampled_from(["", "", "!", "/"]), globs).map("".join)
ignore_texts = st.lists(lines, min_size=1, max_size=5).map("\n".join)


@pytest.fixture(scope="module")
def work_tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tree = tmp_path_factory.mktemp("ignore")
    subprocess.run(["git", "init", "-q", tree], check=True)
    return tree


def ignored_by_git(tree: Path, files: dict[str, str], asked: list[str]) -> set[str]:
    for path, text in files.items():
        target = tree / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    command = ["git", "-C", str(tree), "check-ignore", "-z", "--stdin", "--no-index"]
    asked_bytes = b"\0".join(os.fsencode(path) for path in asked)
    clean = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull}
    done = subprocess.run(
        command, input=asked_bytes, capture_output=True, check=False, env=clean
    )
    assert done.returncode in (0, 1), done.stderr
    for path in files:
        (tree / path).unlink()
    return {os.fsdecode(path) for path in done.stdout.split(b"\0") if path}


@settings(
    max_examples=settings.default.max_examples * 3 // 2,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(root=ignore_texts, below=ignore_texts, asked=st.lists(paths, min_size=1))
def test_agrees_with_git(
    work_tree: Path, root: str, below: str, asked: list[str]
) -> None:
    files = {".gitignore": root, "sub/.gitignore": below}
    asked = sorted({*asked, *(f"sub/{path}" for path in asked)})
    rules = IgnoreRules.from_files(files)
    ours = {path for path in asked if rules.reason(path, 0)}
    assert ours == ignored_by_git(work_tree, files, asked)


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    texts=st.lists(ignore_texts, min_size=6, max_size=6),
    asked=st.lists(paths, min_size=1),
)
def test_three_kinds_of_ignore_files_add_up_at_every_level(
    work_tree: Path, texts: list[str], asked: list[str]
) -> None:
    asked = sorted({*asked, *(f"sub/{path}" for path in asked)})
    levels = zip(texts[::2], texts[1::2], strict=True)
    pairs = dict(zip(IGNORE_FILES, levels, strict=True))
    expected: dict[str, str] = {}
    for kind, (root, below) in pairs.items():
        alone = {".gitignore": root, "sub/.gitignore": below}
        for path in ignored_by_git(work_tree, alone, asked):
            expected.setdefault(path, f"ignored by {kind}")
    files = {kind: root for kind, (root, _) in pairs.items()}
    files |= {f"sub/{kind}": below for kind, (_, below) in pairs.items()}
    rules = IgnoreRules.from_files(files)
    reasons = {path: rules.reason(path, 0) for path in asked}
    assert {path for path, reason in reasons.items() if reason} == expected.keys()
    for path, reason in reasons.items():
        # A directory ignored by a later kind is seen before its content's first one.
        assert reason in {None, *(f"ignored by {kind}" for kind in IGNORE_FILES)}
        assert reason is None or "/" in path or reason == expected[path]


@pytest.mark.parametrize(
    ("pattern", "ignored", "kept"),
    [
        ("build/", "build/x", "build"),
        ("/top", "top", "sub/top"),
        ("doc/*.txt", "doc/a.txt", "doc/sub/a.txt"),
        ("doc/**", "doc/sub/a.txt", "doc"),
        ("**/logs", "a/b/logs", "a/b/logs2"),
        ("a/**/b", "a/b", "ab"),
        ("*.log\n!keep.log", "x.log", "keep.log"),
        ("foo/**\n!foo/bar\n", "foo/x", "foo/bar"),
        ("\\#hash", "#hash", "hash"),
        ("\\!bang", "!bang", "bang"),
        ("trail\\ ", "trail ", "trail"),
        ("trail  ", "trail", "trail  "),
        ("x\r\ny\r\n", "x", "x\r"),
        ("\ufeffx", "x", "y"),
        ("日本*", "日本語.md", "語.md"),
        ("new\\\nline", "line", "new\nline"),
    ],
)
def test_patterns(pattern: str, ignored: str, kept: str) -> None:
    rules = IgnoreRules.from_files({".gitignore": pattern})
    assert rules.reason(ignored, 0) == "ignored by .gitignore"
    assert rules.reason(kept, 0) is None


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*a" * 40 + "b", "a" * 250),
        ("**/a/" * 40 + "b", "a/" * 500 + "c"),
        ("/**/*a*a*a*a*a*a*a*a*a*x/**/q", "a" * 200 + "/" + "a" * 200),
        ("?*" * 60 + "z", "y" * 250),
    ],
)
def test_hostile_patterns_stay_cheap(pattern: str, path: str) -> None:
    rules = IgnoreRules.from_files({".gitignore": pattern})
    before = time.process_time()
    assert rules.reason(path, 0) is None
    assert time.process_time() - before < 5  # exponential matching takes years
