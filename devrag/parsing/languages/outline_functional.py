"""Outlines of the ML, Haskell and Erlang families."""

from __future__ import annotations

from devrag.parsing.code.outline import OutlineSpec

_OCAML_MODULES = """
(module_definition (module_binding (module_name) @name)) @namespace
(module_type_definition (module_type_name) @name) @interface
(type_definition (type_binding name: (_) @name) @type)
(exception_definition (constructor_declaration (constructor_name) @name)) @class
(value_specification (value_name) @name) @function
(external (value_name) @name) @function
(class_definition (class_binding (class_name) @name)) @class
(method_definition (method_name) @name) @function
"""
# Of expressions inside others only those of a module are its values.
_OCAML_VALUES = " ".join(
    f"""
({above} (value_definition (let_binding pattern: (value_name) @name (parameter))
  @function))
({above} (value_definition (let_binding pattern: (value_name) @name
  body: [(function_expression) (fun_expression)]) @function))
({above} (value_definition (let_binding pattern: (value_name) @name) @variable))
"""
    for above in ("compilation_unit", "structure")
)

FUNCTIONAL: dict[str, OutlineSpec] = {
    "elm": OutlineSpec(
        "elm",
        """
(file (type_declaration name: (_) @name) @enum)
(file (type_alias_declaration name: (_) @name) @type)
(file (type_annotation name: (_) @name) @declaration)
(file (port_annotation name: (_) @name) @function)
(file (value_declaration
  (function_declaration_left . (lower_case_identifier) @name)) @function)
""",
        has_clauses=True,
    ),
    "erlang": OutlineSpec(
        "erlang",
        """
(fun_decl clause: (function_clause name: (_) @name)) @function
(spec fun: (_) @name) @declaration
(record_decl name: (_) @name) @class
(type_alias name: (type_name name: (_) @name)) @type
(opaque name: (type_name name: (_) @name)) @type
(pp_define lhs: (macro_lhs name: (_) @name)) @constant
""",
        has_clauses=True,
    ),
    "fsharp": OutlineSpec(
        "fsharp",
        """
(named_module name: (_) @name) @namespace
(namespace name: (_) @name) @namespace
(module_defn (identifier) @name) @namespace
(type_definition (union_type_defn (type_name type_name: (_) @name))) @enum
(type_definition (enum_type_defn (type_name type_name: (_) @name))) @enum
(type_definition (record_type_defn (type_name type_name: (_) @name))) @class
(type_definition (anon_type_defn (type_name type_name: (_) @name))) @class
(type_definition (interface_type_defn (type_name type_name: (_) @name))) @interface
(type_definition (type_abbrev_defn (type_name type_name: (_) @name))) @type
(member_defn (method_or_prop_defn
  name: (property_or_ident . (identifier) @name .))) @function
(member_defn (method_or_prop_defn
  name: (property_or_ident method: (identifier) @name))) @function
(member_defn (member_signature (identifier) @name)) @function
(declaration_expression (function_or_value_defn
  (function_declaration_left . (_) @name))) @function
(declaration_expression (function_or_value_defn
  (value_declaration_left . (identifier_pattern . (_) @name .)))) @variable
""",
    ),
    "gleam": OutlineSpec(
        "gleam",
        """
(function name: (_) @name) @function
(type_definition (type_name name: (_) @name)) @enum
(type_alias (type_name name: (_) @name)) @type
(constant name: (_) @name) @constant
""",
    ),
    "haskell": OutlineSpec(
        "haskell",
        """
(data_type name: (_) @name) @class
(newtype name: (_) @name) @class
(type_synomym name: (_) @name) @type
(class name: (_) @name) @interface
(declarations (signature name: (variable) @name) @declaration)
(declarations (function name: (_) @name) @function)
(declarations (bind name: (variable) @name) @variable)
(class_declarations (signature name: (variable) @name) @declaration)
(class_declarations (function name: (_) @name) @function)
""",
        has_clauses=True,
    ),
    "ocaml": OutlineSpec("ocaml", _OCAML_MODULES + _OCAML_VALUES),
    "ocaml-interface": OutlineSpec("ocaml_interface", _OCAML_MODULES),
    "purescript": OutlineSpec(
        "purescript",
        """
(purescript (data name: (_) @name) @class)
(purescript (newtype name: (_) @name) @class)
(purescript (type_alias name: (_) @name) @type)
(class_declaration (class_head (class_name) @name)) @interface
(purescript (signature name: (_) @name) @declaration)
(purescript (function name: (_) @name) @function)
""",
        has_clauses=True,
    ),
}
