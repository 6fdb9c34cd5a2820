"""Outlines of the Lisp family: a list whose first word defines the second."""

from __future__ import annotations

from devrag.parsing.code.outline import OutlineSpec

# How a grammar writes a list that begins with a word and what the word defines.
_CLOJURE = """
(list_lit . (sym_lit) @_word . (sym_lit name: (_) @name) . (str_lit)? @doc)
"""
_COMMON = """
(list_lit . (sym_lit) @_word . [(sym_lit) @name (kwd_lit (kwd_symbol) @name)])
"""
_SYMBOL = "(list . (symbol) @_word . (symbol) @name)"
_LIST = "(list . (symbol) @_word . (list . (symbol) @name))"
_LAMBDA = """
((list . (symbol) @_word . (symbol) @name . (list . (symbol) @_value)) @function
  (#any-of? @_word "define" "define-public")
  (#any-of? @_value "lambda" "case-lambda" "λ"))
"""


def _defines(shape: str, kind: str, words: str) -> str:
    """Return the pattern of the lists in which one of the words defines a name."""
    listed = " ".join(f'"{word}"' for word in words.split())
    return f"({shape} @{kind} (#any-of? @_word {listed}))"


_SCHEME = "\n".join(
    (
        _LAMBDA,
        _defines(
            _LIST,
            "function",
            "define define* define-public define/contract define/public define/private "
            "define/override define-inlinable define-syntax-rule define-macro",
        ),
        _defines(_SYMBOL, "function", "define-syntax define-macro"),
        _defines(_SYMBOL, "variable", "define define-public define-parameter"),
        _defines(
            _SYMBOL,
            "class",
            "define-record-type define-class define-struct struct class",
        ),
        _defines(_SYMBOL, "namespace", "module module+"),
    )
)

LISPS: dict[str, OutlineSpec] = {
    "clojure": OutlineSpec(
        "clojure",
        _defines(
            _CLOJURE,
            "function",
            "defn defn- defmacro defmulti defmethod definline deftest s/defn",
        )
        + _defines(_CLOJURE, "variable", "def defonce")
        + _defines(_CLOJURE, "class", "defrecord deftype defstruct")
        + _defines(_CLOJURE, "interface", "defprotocol definterface"),
    ),
    "common-lisp": OutlineSpec(
        "commonlisp",
        "(defun . (defun_header function_name: (_) @name) . (str_lit)? @doc) @function"
        + _defines(_COMMON, "class", "defclass defstruct define-condition")
        + _defines(_COMMON, "variable", "defvar defparameter")
        + _defines(_COMMON, "constant", "defconstant")
        + _defines(_COMMON, "type", "deftype")
        + _defines(_COMMON, "namespace", "defpackage define-package"),
    ),
    "emacs-lisp": OutlineSpec(
        "elisp",
        "(function_definition name: (_) @name docstring: (_)? @doc) @function"
        " (macro_definition name: (_) @name docstring: (_)? @doc) @function"
        ' (special_form . ["defvar" "defconst"] . (symbol) @name) @variable'
        + _defines(_SYMBOL, "variable", "defcustom defvar-local defgroup defface")
        + _defines(
            _SYMBOL,
            "function",
            "cl-defun cl-defmacro cl-defmethod cl-defgeneric define-minor-mode "
            "define-derived-mode ert-deftest",
        )
        + _defines(_SYMBOL, "class", "cl-defstruct defclass")
        + _defines(_LIST, "class", "cl-defstruct"),
    ),
    "scheme": OutlineSpec("scheme", _SCHEME),
    "racket": OutlineSpec("racket", _SCHEME),
}
