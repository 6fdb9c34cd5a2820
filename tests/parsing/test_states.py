"""State machines that the syntax decides, and what only looks like one."""

from __future__ import annotations

import pytest

from devrag.parsing.api import parse_file

_AASM = """
class Order
  include AASM
  aasm column: :state do
    state :draft, initial: true
    state :open, :closed
    event :place do
      transitions from: :draft, to: :open
    end
    event :close do
      transitions from: [:draft, :open], to: :closed, guard: :ok?
      transitions to: :gone
    end
  end
end
"""
_STATE_MACHINE = """
class Car
  state_machine :gear, initial: :parked do
    event :go do
      transition parked: :first, [:first, :second] => :third, if: :ready?
      transition from: :third, to: :parked
      transition any => :broken
    end
  end
end
"""
_DJANGO = """
from django_fsm import FSMField, transition
class Post(models.Model):
    state = FSMField(default=States.NEW)
    @transition(field=state, source=[States.NEW, "held"], target="shown")
    def show(self): ...
    @transition(field=state, source="*", target=States.GONE)
    def drop(self): ...
    @transition(field=state, source="shown", target=RETURN_VALUE())
    def other(self): ...
"""
_TRANSITIONS = """
from transitions import Machine
class Matter:
    states = ["solid", "liquid"]
    moves = [
        {"trigger": "melt", "source": "solid", "dest": "liquid"},
        ["freeze", "liquid", "solid"],
    ]
    def __init__(self):
        self.machine = Machine(
            self, states=Matter.states, transitions=Matter.moves, initial="solid"
        )
"""
_XSTATE = """
import { setup, createMachine } from "xstate"
export const light = createMachine({
  initial: "green",
  states: {
    green: {
      on: { TIMER: "yellow", STOP: { target: "off" } },
      after: { 500: "yellow" },
    },
    yellow: { always: [{ guard: "g", target: "#light.green" }, { target: ".in" }] },
    off: { type: "final" },
  },
})
"""
_TABLE = """
ALLOWED: dict[State, set[State]] = {
    State.NEW: {State.OPEN, State.GONE},  # first
    State.OPEN: frozenset({State.GONE}),
    State.GONE: set(),
}
"""
_TS_TABLE = """
export const NEXT: Record<State, State[]> = {
  [State.New]: [State.Open],
  [State.Open]: new Set([State.New]),
} as const
"""


@pytest.mark.parametrize(
    ("path", "text", "name", "initial", "steps"),
    [
        (
            "a.rb",
            _AASM,
            "Order",
            "draft",
            "draft place open, draft close closed, open close closed, * close gone",
        ),
        (
            "a.rb",
            _STATE_MACHINE,
            "Car",
            "parked",
            "parked go first, first go third, second go third, third go parked",
        ),
        (
            "a.py",
            _DJANGO,
            "Post.state",
            "NEW",
            "NEW show shown, held show shown, * drop GONE",
        ),
        (
            "a.py",
            _TRANSITIONS,
            "Matter",
            "solid",
            "solid melt liquid, liquid freeze solid",
        ),
        (
            "a.ts",
            _XSTATE,
            "light",
            "green",
            "green TIMER yellow, green STOP off, green after 500 yellow, yellow  green",
        ),
        ("a.py", _TABLE, "ALLOWED", "", "NEW  OPEN, NEW  GONE, OPEN  GONE"),
        ("a.ts", _TS_TABLE, "NEXT", "", "New  Open, Open  New"),
    ],
)
def test_a_machine_has_its_steps(
    path: str, text: str, name: str, initial: str, steps: str
) -> None:
    (fact,) = (f for f in parse_file(path, text).facts if f.kind == "states")
    assert (fact.name, fact.data["initial"]) == (name, initial)
    told = [f"{t['from']} {t['event']} {t['to']}" for t in fact.data["transitions"]]
    assert ", ".join(told) == steps


def test_a_table_names_its_enumeration_and_its_lines() -> None:
    (fact,) = (f for f in parse_file("a.py", _TABLE).facts if f.kind == "states")
    assert (fact.data["enum"], fact.start_line, fact.end_line) == ("State", 2, 6)
    assert fact.data["states"] == ["NEW", "OPEN", "GONE"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "A = {State.A: {Other.B}, State.B: {State.A}}\n"),
        ("a.py", "A = {State.A: [State.B], 'b': [State.A]}\n"),
        ("a.py", "A = {State.A: 'words', State.B: 'more'}\n"),
        ("a.py", "A = {State.A: {State.B}}\n"),
        ("a.py", "A = {**OTHER, State.A: {State.B}, State.B: {State.A}}\n"),
        ("a.py", "@transition(field=s, source='a', target='b')\ndef f(self): ...\n"),
        ("a.py", "Machine(states=['a'], transitions=[['x', 'a', 'b']])\n"),
        ("a.ts", "createMachine({ states: { a: { on: { X: 'b' } }, b: {} } })\n"),
        ("a.ts", "const A = { [State.A]: f(State.B), [State.B]: [State.A] }\n"),
        (
            "a.rb",
            "class A\n  event :x do\n    transitions from: :a, to: :b\n  end\nend\n",
        ),
    ],
)
def test_what_only_looks_like_a_machine_is_none(path: str, text: str) -> None:
    assert [f for f in parse_file(path, text).facts if f.kind == "states"] == []
