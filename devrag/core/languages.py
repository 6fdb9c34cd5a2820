"""How the names of languages are written for people."""

from __future__ import annotations

# Those that are not their own name with a capital, and what grammars call them.
_SPELLED = {
    "asm": "assembly", "c++": "C++", "c_sharp": "C#", "cmake": "CMake",
    "commonlisp": "Common Lisp", "cpp": "C++", "csharp": "C#", "css": "CSS",
    "csv": "CSV", "docx": "Word", "cuda": "CUDA", "elisp": "Emacs Lisp", "fsharp": "F#",
    "gdscript": "GDScript", "glsl": "GLSL", "gomod": "go.mod", "gosum": "go.sum",
    "graphql": "GraphQL",
    "hcl": "HCL", "hlsl": "HLSL", "html": "HTML", "ignore": "Ignore list",
    "ini": "INI",
    "javascript": "JavaScript", "json": "JSON", "jsonl": "JSONL", "latex": "LaTeX",
    "odp": "OpenDocument presentation", "ods": "OpenDocument spreadsheet",
    "odt": "OpenDocument text", "pptx": "PowerPoint", "xlsx": "Excel",
    "objc": "Objective-C", "objective-c": "Objective-C", "ocaml": "OCaml", "pdf": "PDF",
    "php": "PHP", "po": "PO", "powershell": "PowerShell", "purescript": "PureScript",
    "qml": "QML", "qmljs": "QML", "rst": "reStructuredText", "scss": "SCSS",
    "sql": "SQL", "svg": "SVG", "toml": "TOML", "tsv": "TSV", "tsx": "TSX",
    "typescript": "TypeScript", "vhdl": "VHDL", "wgsl": "WGSL", "xml": "XML",
    "yaml": "YAML",
}  # fmt: skip


def spell_language(name: str) -> str:
    """Return a language's name as people write it."""
    return _SPELLED.get(name, name.replace("_", " ").capitalize())
