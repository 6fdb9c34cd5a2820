"""Outlines of interface descriptions, style sheets, builds and configuration."""

from __future__ import annotations

from devrag.parsing.code.outline import OutlineSpec

_STYLES = """
(rule_set (selectors) @name) @section
(keyframes_statement (keyframes_name) @name) @section
"""
_BLOCKS = """
(config_file (body (block . (identifier) @name . [(identifier) (string_lit)] @name
  . [(identifier) (string_lit)]? @name) @section))
(config_file (body (block . (identifier) @name . (block_start)) @section))
(config_file (body (attribute . (identifier) @name) @variable))
"""

DECLARATIONS: dict[str, OutlineSpec] = {
    "bicep": OutlineSpec(
        "bicep",
        """
(parameter_declaration . (identifier) @name) @variable
(variable_declaration . (identifier) @name) @variable
(output_declaration . (identifier) @name) @variable
(resource_declaration . (identifier) @name) @section
(module_declaration . (identifier) @name) @section
(user_defined_function . (identifier) @name) @function
""",
        is_program=False,
    ),
    "capnp": OutlineSpec(
        "capnp",
        """
(struct . (type_identifier) @name) @class
(interface . (type_identifier) @name) @interface
(enum . (enum_identifier) @name) @enum
(const . (const_identifier) @name) @constant
(method . (method_identifier) @name) @function
""",
    ),
    "cmake": OutlineSpec(
        "cmake",
        """
(function_def (function_command (argument_list . (argument) @name))) @function
(macro_def (macro_command (argument_list . (argument) @name))) @function
((normal_command . (identifier) @_word (argument_list . (argument) @name)) @section
  (#any-of? @_word "add_library" "add_executable" "add_custom_target" "project"
    "ADD_LIBRARY" "ADD_EXECUTABLE" "ADD_CUSTOM_TARGET" "PROJECT")
  (#not-match? @name "[$]"))
((normal_command . (identifier) @_word (argument_list . (argument) @name)) @variable
  (#any-of? @_word "option" "OPTION"))
""",
        is_program=False,
    ),
    "css": OutlineSpec("css", _STYLES, is_program=False),
    "dockerfile": OutlineSpec(
        "dockerfile",
        """
(arg_instruction name: (_) @name) @variable
(from_instruction as: (_) @name) @section
(from_instruction (image_spec) @name !as) @section
""",
        is_program=False,
    ),
    "ini": OutlineSpec(
        "ini",
        "(section (section_name (text) @name)) @section",
        is_program=False,
        has_dialects=True,
    ),
    "jsonnet": OutlineSpec(
        "jsonnet",
        """
(bind function: (id) @name) @function
(local_bind (bind . (id) @name) @variable)
(document (_ (object (member (field . (fieldname) @name)) @variable)))
""",
        is_program=False,
    ),
    "kconfig": OutlineSpec(
        "kconfig",
        """
(config name: (_) @name) @variable
(menuconfig name: (_) @name) @variable
(menu name: (_) @name) @section
""",
        is_program=False,
    ),
    "makefile": OutlineSpec(
        "make",
        """
((rule (targets) @name) @section (#not-match? @name "^\\\\."))
(define_directive name: (_) @name) @function
(makefile (variable_assignment name: (_) @name) @variable)
""",
        is_program=False,
    ),
    "meson": OutlineSpec(
        "meson",
        """
((normal_command command: (_) @_word . (variableunit . (string) @name)) @section
  (#any-of? @_word "project" "executable" "library" "shared_library"
    "static_library" "custom_target" "test" "option" "run_target"))
(source_file (operatorunit . (identifier) @name) @variable)
""",
        is_program=False,
    ),
    "nix": OutlineSpec(
        "nix",
        """
(source_code (_ (_ (binding_set (binding attrpath: (_) @name) @variable))))
(source_code (_ (_ (_ (binding_set (binding attrpath: (_) @name) @variable)))))
(source_code (_ (binding_set (binding attrpath: (_) @name) @variable)))
""",
        is_program=False,
    ),
    "prisma": OutlineSpec(
        "prisma",
        """
(model_block . (identifier) @name) @class
(enum_block . (identifier) @name) @enum
(key_value_block . (identifier) @name) @section
""",
    ),
    "properties": OutlineSpec(
        "properties", "(property (key) @name) @variable", is_program=False
    ),
    "scss": OutlineSpec(
        "scss",
        _STYLES
        + """
(mixin_statement name: (_) @name) @function
(function_statement name: (_) @name) @function
((stylesheet (declaration (property_name) @name) @variable) (#match? @name "^[$]"))
""",
        is_program=False,
    ),
    "smithy": OutlineSpec(
        "smithy",
        """
(service_statement . (identifier) @name) @interface
(operation_statement . (identifier) @name) @function
(resource_statement . (identifier) @name) @class
(structure_statement . (identifier) @name) @class
(union_statement . (identifier) @name) @class
(enum_statement . (identifier) @name) @enum
(simple_shape_statement (identifier) @name) @type
""",
    ),
    "terraform": OutlineSpec("terraform", _BLOCKS, is_program=False),
    "thrift": OutlineSpec(
        "thrift",
        """
(const_definition (identifier) @name) @constant
(typedef_definition (typedef_identifier) @name) @type
(enum_definition type: (_) @name) @enum
(struct_definition type: (_) @name) @class
(union_definition type: (_) @name) @class
(exception_definition . (identifier) @name) @class
(service_definition type: (_) @name) @interface
(service_definition (function_definition (identifier) @name) @function)
""",
    ),
    "xml": OutlineSpec(
        "xml",
        """
(document root: (element (content
  (element (STag . (Name) @name)) @section)))
(document root: (element (content
  (element (EmptyElemTag . (Name) @name)) @section)))
""",
        is_program=False,
    ),
}
