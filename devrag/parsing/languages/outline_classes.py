"""Outlines of languages with classes, in the manner of Java, C or Pascal."""

from __future__ import annotations

from devrag.parsing.code.outline import OutlineSpec

_SELECTOR = '[(identifier) @name (method_parameter . ":" @name)]'

CLASSES: dict[str, OutlineSpec] = {
    "apex": OutlineSpec(
        "apex",
        """
(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(enum_declaration name: (_) @name) @enum
(method_declaration name: (_) @name) @function
(constructor_declaration name: (_) @name) @function
(trigger_declaration name: (_) @name) @function
(field_declaration declarator: (variable_declarator name: (_) @name)) @variable
""",
    ),
    "d": OutlineSpec(
        "d",
        """
(class_declaration (identifier) @name) @class
(struct_declaration (identifier) @name) @class
(union_declaration (identifier) @name) @class
(interface_declaration (identifier) @name) @interface
(enum_declaration . (enum) . (identifier) @name) @enum
(function_declaration (type) . (identifier) @name) @function
(constructor (this) @name) @function
(template_declaration (identifier) @name) @function
""",
    ),
    "dart": OutlineSpec(
        "dart",
        """
(class_definition name: (_) @name) @class
(mixin_declaration (mixin) . (identifier) @name) @class
(extension_declaration name: (_) @name) @extension
(enum_declaration name: (_) @name) @enum
(type_alias . (type_identifier) @name) @type
(program (static_final_declaration_list
  (static_final_declaration (identifier) @name) @constant))
((method_signature (_ name: (_) @name)) @function . (function_body) @end)
(declaration [(function_signature name: (_) @name) (getter_signature name: (_) @name)
  (setter_signature name: (_) @name)]) @function
(program (function_signature name: (_) @name) @function . (function_body) @end)
(program (getter_signature name: (_) @name) @function . (function_body) @end)
((declaration (constructor_signature . name: (identifier) @name . name: (_)? @name))
  @function)
((method_signature (constructor_signature . name: (identifier) @name
  . name: (_)? @name)) @function . (function_body) @end)
(declaration (constant_constructor_signature (identifier) @name)) @function
""",
    ),
    "gdscript": OutlineSpec(
        "gdscript",
        """
(function_definition name: (_) @name) @function
(class_definition name: (_) @name) @class
(enum_definition name: (_) @name) @enum
(const_statement name: (_) @name) @constant
(variable_statement name: (_) @name) @variable
(signal_statement name: (_) @name) @variable
""",
    ),
    "hack": OutlineSpec(
        "hack",
        """
(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(trait_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @enum
(function_declaration name: (_) @name) @function
(method_declaration name: (_) @name) @function
""",
    ),
    "haxe": OutlineSpec(
        "haxe",
        """
(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(typedef_declaration name: (_) @name) @type
(function_declaration name: (_) @name) @function
(function_declaration "new" @name) @function
""",
    ),
    "matlab": OutlineSpec(
        "matlab",
        """
(class_definition name: (_) @name) @class
(function_definition name: (_) @name) @function
(property name: (_) @name) @variable
""",
    ),
    "objective-c": OutlineSpec(
        "objc",
        f"""
(protocol_declaration . (identifier) @name) @interface
(class_interface . (identifier) @name) @class
(class_implementation . (identifier) @name) @extension
(method_declaration {_SELECTOR}+) @function
(method_definition {_SELECTOR}+) @function
(property_declaration (struct_declaration
  (struct_declarator (identifier) @name))) @variable
(property_declaration (struct_declaration
  (struct_declarator (pointer_declarator (identifier) @name)))) @variable
(function_definition declarator: (function_declarator
  declarator: (identifier) @name)) @function
(function_definition declarator: (pointer_declarator
  declarator: (function_declarator declarator: (identifier) @name))) @function
""",
        joint="",
    ),
    "pascal": OutlineSpec(
        "pascal",
        """
(declType name: (_) @name type: (declClass (kClass))) @class
(declType name: (_) @name type: (declClass (kRecord))) @class
(declType name: (_) @name type: (declClass (kObject))) @class
(declType name: (_) @name type: (declIntf)) @interface
(declType name: (_) @name type: (type (declEnum))) @enum
(declConst name: (_) @name) @constant
(declSection (declProc name: (identifier) @name) @function)
(declClass (declProc name: (identifier) @name) @function)
(declIntf (declProc name: (identifier) @name) @function)
(defProc header: (declProc name: (identifier) @name)) @function
(defProc header: (declProc name: (genericDot lhs: (_) @owner rhs: (_) @name))) @function
""",
    ),
    "pony": OutlineSpec(
        "pony",
        """
(class_definition . (identifier) @name) @class
(actor_definition . (identifier) @name) @class
(primitive_definition . (identifier) @name) @class
(struct_definition . (identifier) @name) @class
(interface_definition . (identifier) @name) @interface
(trait_definition . (identifier) @name) @interface
(method . (_)? . (identifier) @name (parameters)) @function
(constructor . (identifier) @name) @function
""",
    ),
    "powershell": OutlineSpec(
        "powershell",
        """
(function_statement (function_name) @name) @function
(class_statement . (simple_name) @name) @class
(enum_statement . (simple_name) @name) @enum
(class_method_definition (simple_name) @name) @function
""",
    ),
    "qml": OutlineSpec(
        "qmljs",
        """
(ui_inline_component name: (_) @name) @class
(ui_property name: (_) @name) @variable
(ui_signal name: (_) @name) @variable
(function_declaration name: (_) @name) @function
""",
    ),
    "solidity": OutlineSpec(
        "solidity",
        """
(contract_declaration name: (_) @name) @class
(library_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(enum_declaration name: (_) @name) @enum
(struct_declaration name: (_) @name) @class
(event_definition name: (_) @name) @type
(error_declaration name: (_) @name) @type
(modifier_definition name: (_) @name) @function
(function_definition name: (_) @name) @function
(constructor_definition "constructor" @name) @function
(state_variable_declaration name: (_) @name) @variable
""",
    ),
    "squirrel": OutlineSpec(
        "squirrel",
        """
(class_declaration . (identifier) @name) @class
(enum_declaration . (identifier) @name) @enum
(function_declaration . (identifier) @name) @function
(member_declaration . "constructor" @name) @function
""",
    ),
}
