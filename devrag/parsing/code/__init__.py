"""Code in any language: a tree-sitter tree and one compiled query give its facts."""
