from __future__ import annotations

import pytest

from devrag.parsing.api import parse_file

from .cases import facts_of

_GO = """package a
import "testing"
// TestA says so.
func TestA(t *testing.T) {}
func Testing(t *testing.T) {}
func TestHelper(t *testing.T, x int) {}
func FuzzA(f *testing.F) {}
func ExampleA() {}
"""
_RUST = "fn a() {}\n#[cfg(test)]\nmod tests {\n  #[test] fn b() {}\n  fn help() {}\n}\n"
_JS = """
describe("a", () => {
  it("b", () => {})
  test.each([1])("c %s", () => {})
  describe.skip("d", () => it.only("e", f))
})
test(`z`, g)
helper("x", h)
"""
_RSPEC = """
RSpec.describe Order do
  context "when x" do
    it "does y" do
    end
    it { is_expected.to z }
  end
end
"""
_MINITEST = """
class ATest < ActiveSupport::TestCase
  test "x y" do
  end
  def test_z
  end
  def other
  end
end
"""
_JUNIT = """
class ATest {
  @Test void x() {}
  @ParameterizedTest @ValueSource(ints = {1}) void y(int a) {}
  void z() {}
}
"""
_XUNIT = """
class A { [Fact] void X() {} [Theory, InlineData(1)] void Y(int a) {} void Z() {} }
"""
_PHPUNIT = """<?php class ATest extends TestCase {
  public function testX() {}
  #[Test] public function y() {}
  public function z() {}
}
"""
_EXUNIT = """
defmodule ATest do
  describe "x" do
    test "y", %{c: c} do
    end
  end
end
"""
_XCTEST = "class ATests: XCTestCase {\n  func testX() {}\n  func y() {}\n}\n"


@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        ("a_test.go", _GO, ["TestA", "FuzzA", "ExampleA"]),
        ("src/a.rs", _RUST, ["tests.b"]),
        ("a.test.ts", _JS, ["a › b", "a › c %s", "a › d › e", "z"]),
        ("__tests__/a.jsx", 'it("b", f)\n', ["b"]),
        ("spec/a_spec.rb", _RSPEC, ["Order › when x › does y"]),
        ("test/a_test.rb", _MINITEST, ["x y", "ATest.test_z"]),
        ("src/test/java/ATest.java", _JUNIT, ["ATest.x", "ATest.y"]),
        (
            "src/test/kotlin/A.kt",
            "class A {\n  @Test\n  fun x() {}\n  fun y() {}\n}",
            ["A.x"],
        ),
        ("Shop.Tests/A.cs", _XUNIT, ["A.X", "A.Y"]),
        ("tests/ATest.php", _PHPUNIT, ["ATest.testX", "ATest.y"]),
        ("tests/Feature/A.php", '<?php it("does x", function () {});', ["does x"]),
        ("test/a_test.exs", _EXUNIT, ["x › y"]),
        ("Tests/ATests.swift", _XCTEST, ["ATests.testX"]),
        ("src/test/scala/ATest.scala", 'class A { test("x") { f() } }', ["x"]),
        (
            "spec/a_spec.lua",
            'describe("a", function() it("b", function() end) end)',
            ["a › b"],
        ),
    ],
)
def test_tests(path: str, text: str, names: list[str]) -> None:
    assert list(facts_of("test", path, text)) == names


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.go", "package a\nfunc TestA(t *testing.T) {}\n"),
        ("a.js", 'it("b", f)\n'),
        ("a.rb", 'it "b" do\nend\n'),
        ("src/main/java/Latest.java", "class Latest { @Test void x() {} }"),
        ("lib/a.ex", 'test "x" do\nend\n'),
    ],
)
def test_only_files_of_tests_have_tests(path: str, text: str) -> None:
    assert facts_of("test", path, text) == {}


def test_files_of_tests_have_no_other_facts() -> None:
    text = 'const express = require("express")\napp.get("/x", process.env.A, list)\n'
    assert parse_file("test/app.js", text).facts == ()


def test_a_test_says_what_its_comment_says() -> None:
    assert facts_of("test", "a_test.go", _GO, "doc")["TestA"] == "TestA says so."
