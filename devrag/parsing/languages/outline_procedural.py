"""Outlines of languages of functions, modules and records, and of scripts."""

from __future__ import annotations

from devrag.parsing.code.outline import OutlineSpec

_NIM_NAME = "name: [(identifier) @name (exported_symbol . (_) @name)]"

PROCEDURAL: dict[str, OutlineSpec] = {
    "ada": OutlineSpec(
        "ada",
        """
(package_declaration name: (_) @name) @namespace
(package_body name: (_) @name) @namespace
(subprogram_body [(procedure_specification name: (_) @name)
  (function_specification name: (_) @name)]) @function
(subprogram_declaration [(procedure_specification name: (_) @name)
  (function_specification name: (_) @name)]) @function
(full_type_declaration . (identifier) @name) @type
(object_declaration name: (_) @name) @variable
(task_body . (identifier) @name) @function
""",
    ),
    "assembly": OutlineSpec("asm", "(label (ident) @name) @function @open"),
    "cairo": OutlineSpec(
        "cairo",
        """
(mod_item name: (_) @name) @namespace
(struct_item name: (_) @name) @class
(enum_item name: (_) @name) @enum
(trait_item name: (_) @name) @interface
(function_definition . (identifier) @name) @function
(function_signature . (identifier) @name) @function
""",
    ),
    "fish": OutlineSpec("fish", "(function_definition name: (_) @name) @function"),
    "fortran": OutlineSpec(
        "fortran",
        """
(module (module_statement (name) @name)) @namespace
(submodule (submodule_statement (name) @name)) @namespace
(program (program_statement (name) @name)) @function
(subroutine (subroutine_statement name: (_) @name)) @function
(function (function_statement name: (_) @name)) @function
(derived_type_definition (derived_type_statement (type_name) @name)) @class
""",
    ),
    "hare": OutlineSpec(
        "hare",
        """
(function_declaration name: (_) @name) @function
(type_declaration . (identifier) @name) @type
(constant_declaration . (identifier) @name) @constant
""",
    ),
    "janet": OutlineSpec(
        "janet",
        """
(extra_defs name: (_) @name) @function
(source_file (def name: (_) @name) @variable)
(source_file (var name: (_) @name) @variable)
""",
    ),
    "fennel": OutlineSpec(
        "fennel",
        """
(fn name: (_) @name) @function
(lambda name: (_) @name) @function
(program (local . (binding) @name) @variable)
""",
    ),
    "julia": OutlineSpec(
        "julia",
        """
(module_definition name: (_) @name) @namespace
(struct_definition (type_head . (identifier) @name)) @class
(struct_definition (type_head (binary_expression . (identifier) @name))) @class
(struct_definition (type_head
  (parametrized_type_expression . (identifier) @name))) @class
(struct_definition (type_head (binary_expression
  . (parametrized_type_expression . (identifier) @name)))) @class
(abstract_definition (type_head . (identifier) @name)) @interface
(abstract_definition (type_head (binary_expression . (identifier) @name))) @interface
(function_definition (signature (call_expression . (identifier) @name))) @function
(function_definition (signature (call_expression
  . (field_expression (identifier) @name .)))) @function
(function_definition (signature (typed_expression
  . (call_expression . (identifier) @name)))) @function
(function_definition (signature (where_expression
  . (call_expression . (identifier) @name)))) @function
(macro_definition (signature (call_expression . (identifier) @name))) @function
(assignment . (call_expression . (identifier) @name)) @function
(assignment . (call_expression . (field_expression (identifier) @name .))) @function
(const_statement (assignment . (identifier) @name)) @constant
""",
    ),
    "nim": OutlineSpec(
        "nim",
        "\n".join(
            f"({kind} {_NIM_NAME}) @function"
            for kind in (
                *("proc_declaration", "func_declaration", "method_declaration"),
                *("template_declaration", "macro_declaration", "iterator_declaration"),
                "converter_declaration",
            )
        )
        + "\n".join(
            f"""
(type_declaration (type_symbol_declaration
  {_NIM_NAME}) {shape}) @{kind}
"""
            for shape, kind in (
                ("(enum_declaration)", "enum"),
                ("(object_declaration)", "class"),
                ("(ref_type (object_declaration))", "class"),
            )
        )
        + """
(source_file (const_section (variable_declaration (symbol_declaration_list
  (symbol_declaration name: [(identifier) @name (exported_symbol . (_) @name)])))
  @constant))
""",
    ),
    "odin": OutlineSpec(
        "odin",
        """
(procedure_declaration . (identifier) @name) @function
(overloaded_procedure_declaration . (identifier) @name) @function
(struct_declaration . (identifier) @name) @class
(union_declaration . (identifier) @name) @class
(enum_declaration . (identifier) @name) @enum
(source_file (const_declaration . (identifier) @name) @constant)
""",
    ),
    "perl": OutlineSpec(
        "perl",
        """
(subroutine_declaration_statement name: (_) @name) @function
(method_declaration_statement name: (_) @name) @function
(package_statement name: (_) @name (block)) @namespace
(package_statement name: (_) @name . ";") @namespace @open
(class_statement name: (_) @name (block)) @class
""",
    ),
    "puppet": OutlineSpec(
        "puppet",
        """
(class_definition (class_identifier) @name) @class
(defined_resource_type (class_identifier) @name) @class
(node_definition (node_name) @name) @section
(function_declaration (identifier) @name) @function
""",
    ),
    "r": OutlineSpec(
        "r",
        """
(binary_operator lhs: [(identifier) (string)] @name ["<-" "=" "<<-"]
  rhs: (function_definition)) @function
(program (binary_operator lhs: (identifier) @name ["<-" "=" "<<-"]) @variable)
(program (call function: (identifier) @_word arguments: (arguments
  . argument: (argument value: (string) @name))) @class
  (#any-of? @_word "setClass" "setRefClass"))
(program (call function: (identifier) @_word arguments: (arguments
  . argument: (argument value: (string) @name))) @function
  (#any-of? @_word "setGeneric" "setMethod"))
""",
    ),
    "rego": OutlineSpec(
        "rego", "(rule (rule_head . (var) @name)) @function", has_clauses=True
    ),
    "starlark": OutlineSpec(
        "starlark",
        """
(function_definition name: (_) @name) @function
(module (expression_statement (assignment left: (identifier) @name)) @variable)
(module (expression_statement (call arguments: (argument_list (keyword_argument
  name: (identifier) @_key value: (string) @name) (#eq? @_key "name")))) @section)
""",
    ),
    "tcl": OutlineSpec(
        "tcl",
        """
(procedure name: (_) @name) @function
(namespace (word_list . (_) @_word . (simple_word) @name) (#eq? @_word "eval"))
  @namespace
""",
        has_dialects=True,
    ),
    "verilog": OutlineSpec(
        "verilog",
        """
(module_declaration (module_header (simple_identifier) @name)) @class
(interface_declaration (interface_ansi_header (interface_identifier) @name)) @interface
(package_declaration (package_identifier) @name) @namespace
(class_declaration . (class_identifier) @name) @class
(function_declaration (function_body_declaration (function_identifier) @name))
  @function
(task_declaration (task_body_declaration (task_identifier) @name)) @function
(class_constructor_declaration "new" @name) @function
(text_macro_definition (text_macro_name . (_) @name)) @constant
(type_declaration (simple_identifier) @name .) @type
""",
    ),
    "vhdl": OutlineSpec(
        "vhdl",
        """
(entity_declaration name: (_) @name) @interface
(architecture_body name: (_) @name entity: (_) @owner) @class
(package_declaration name: (_) @name) @namespace
(package_body package: (_) @name) @namespace
(function_body designator: (_) @name) @function
(procedure_body designator: (_) @name) @function
(function_declaration designator: (_) @name) @function
(procedure_declaration designator: (_) @name) @function
(process_statement (label (_) @name)) @function
(component_declaration name: (_) @name) @interface
""",
    ),
    "vim": OutlineSpec(
        "vim",
        """
(function_definition (function_declaration name: (_) @name)) @function
(script_file (let_statement . (scoped_identifier) @name) @variable)
(command_statement name: (_) @name) @variable
""",
    ),
    "webassembly": OutlineSpec(
        "wat",
        """
(module_field_func identifier: (_) @name) @function
(module_field_global identifier: (_) @name) @variable
""",
    ),
    "wgsl": OutlineSpec(
        "wgsl",
        """
(function_declaration name: (_) @name) @function
(struct_declaration name: (_) @name) @class
""",
    ),
    "zig": OutlineSpec(
        "zig",
        """
(Decl (FnProto function: (_) @name)) @function
(Decl (VarDecl variable_type_function: (_) @name
  (ErrorUnionExpr (SuffixExpr (ContainerDecl (ContainerDeclType "struct")))))) @class
(Decl (VarDecl variable_type_function: (_) @name
  (ErrorUnionExpr (SuffixExpr (ContainerDecl (ContainerDeclType "union")))))) @class
(Decl (VarDecl variable_type_function: (_) @name
  (ErrorUnionExpr (SuffixExpr (ContainerDecl (ContainerDeclType "enum")))))) @enum
((source_file (Decl (VarDecl variable_type_function: (_) @name
  (ErrorUnionExpr) @_value .)) @constant) (#not-match? @_value "^@import"))
(TestDecl (STRINGLITERALSINGLE) @name) @function
""",
    ),
}
