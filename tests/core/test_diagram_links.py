"""Links from the nodes of a diagram."""

from __future__ import annotations

from devrag.core.diagram_links import NodeLink, links_of, nodes_of, without_links

DIAGRAM = """flowchart TD
  n0["Keyword #quot;search#quot;"]
  n1(["People"]) --> n0
  click n0 href "features/search.md"
  click n1 "../index.md#people"
  click n1 call steal()"""


def test_a_node_leads_to_a_page_by_its_label() -> None:
    assert links_of(DIAGRAM) == [
        NodeLink("n0", "features/search.md", 'Keyword "search"'),
        NodeLink("n1", "../index.md#people", "People"),
    ]


def test_a_node_without_a_quoted_label_is_called_by_its_id() -> None:
    (link,) = links_of('graph LR\n  a --> b\n  click a href "index.md"')
    assert link.label == "a"


def test_links_that_are_not_good_go_and_so_do_calls() -> None:
    kept = without_links(DIAGRAM, lambda target: target.startswith("features/"))
    assert [link.node for link in links_of(kept)] == ["n0"]
    assert "steal" not in kept
    assert kept.splitlines()[:3] == DIAGRAM.splitlines()[:3]


def test_a_diagram_whose_links_are_good_stays_as_it_is() -> None:
    diagram = '\nflowchart TD\n\n  a --> b\n  click a href "index.md"\n'
    assert without_links(diagram, lambda _: True) == diagram


def test_nodes_have_their_labels_and_groups_are_none() -> None:
    chart = 'flowchart LR\n  subgraph g_a["A"]\n    n0["x.py"]\n  end\n  n0 --> n1("y")'
    assert [(n.node, n.label) for n in nodes_of(chart)] == [("n0", "x.py"), ("n1", "y")]


def test_classes_are_nodes() -> None:
    chart = 'classDiagram\n  class c0["Base"] {\n    run()\n  }\n  class Other\n'
    found = [(n.node, n.label) for n in nodes_of(chart)]
    assert found == [("c0", "Base"), ("Other", "Other")]
