"""Whatever happens in a workspace, later runs end where a first one would."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.sources.notion.notion_server import Workspace
from tests.sources.notion.records import block, rich
from tests.sources.pages.reading import Open, later, texts


@pytest.mark.parametrize("is_whole", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_a_later_run_has_what_a_first_one_has(
    workspace: Workspace, opened: Open, tmp_path: Path, seed: int, is_whole: bool
) -> None:
    chance = random.Random(seed)
    root = workspace.page("Root")
    for number in range(12):
        change(workspace, chance, f"First {number}")
    connector = opened(root="" if is_whole else root)
    connector.resolve()
    for run in range(6):
        for number in range(chance.randint(1, 4)):
            later(workspace, minutes=7)
            change(workspace, chance, f"Run {run} {number}")
        connector.resolve()
        if chance.random() < 0.5:
            workspace.hidden = set(chance.sample(sorted(workspace.pages), 3))
    workspace.hidden = set()
    later(workspace, hours=25)
    incremental = texts(connector)
    fresh = {"repos_dir": tmp_path / "fresh"}
    assert incremental == texts(opened(fresh, root="" if is_whole else root))


def change(workspace: Workspace, chance: random.Random, title: str) -> None:
    """Change something of the workspace by chance. title: of what is made, unique."""
    there = [i for i, page in workspace.pages.items() if not page["in_trash"]]
    page = chance.choice(there)
    toggles = [i for i, e in workspace.blocks.items() if e["type"] == "toggle"]
    movable = [i for i in there if i in workspace.blocks and i != page]
    what = chance.choice(["page"] * 4 + ["row", "edit", "rename", "move", "delete"])
    if what == "page":
        parent = chance.choice([page, page, *toggles])
        made = workspace.page(title, block("paragraph", title), parent=parent)
        workspace.add(made, block("toggle", "More"))
        touch_around(workspace, made)
    elif what == "row":
        sources = [*workspace.sources]
        if not sources or chance.random() < 0.3:
            sources = [workspace.database(f"{title} rows", page)]
        workspace.page(title, parent=chance.choice(sources))
    elif what == "edit":
        target = chance.choice(there)
        plain = f"{workspace.url}/{target.replace('-', '')}"
        words = [*rich(f"{title} edited, see "), *rich("this", href=plain)]
        workspace.add(page, block("paragraph", words))
        workspace.touch(page)
    elif what == "rename":
        workspace.edit(page, title=f"{title} renamed")
        touch_around(workspace, page)
    elif what == "move" and movable:
        move(workspace, chance.choice(movable), page)
    elif what == "delete" and len(there) > 4:
        delete(workspace, chance.choice(there[1:]))


def move(workspace: Workspace, page: str, parent: str) -> None:
    """Move a page below another one that does not lie below it."""
    if page not in above(workspace, parent):
        touch_around(workspace, page)
        workspace.move(page, parent)


def delete(workspace: Workspace, page: str) -> None:
    """Put a page into the trash with all that lies below it, as Notion does."""
    for each in list(workspace.pages):
        if page in above(workspace, each) and each != page:
            workspace.delete(each)
    touch_around(workspace, page)
    workspace.delete(page)


def touch_around(workspace: Workspace, page: str) -> None:
    """Let the page around another one have been edited."""
    around = [each for each in above(workspace, page) if each != page]
    if around:
        workspace.touch(around[0])


def above(workspace: Workspace, page: str) -> list[str]:
    """Return a page and the pages that it lies in, itself first."""
    found: list[str] = []
    at = page
    while at:
        if at in workspace.pages:
            found.append(at)
        held = workspace.pages.get(at) or workspace.blocks.get(at)
        if at in workspace.sources:
            parent = workspace.sources[at]["database_parent"]
        else:
            parent = held["parent"] if held else {}
        at = str(parent.get(str(parent.get("type")), ""))
        at = (
            at
            if at in {**workspace.pages, **workspace.blocks, **workspace.sources}
            else ""
        )
    return found
