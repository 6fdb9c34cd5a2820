"""Dialects of C and C++: what graphics cards run."""

from __future__ import annotations

import re
from dataclasses import replace

from devrag.parsing.languages.blanking import blank
from devrag.parsing.languages.c import C
from devrag.parsing.languages.c_macros import without_macros
from devrag.parsing.languages.cpp import CPP

# Qualifiers, and where a kernel runs: `twice<<<1, 32>>>(data)`.
_CUDA = re.compile(
    rb"__(?:global|device|host|shared|constant|managed|restrict|forceinline|noinline)__"
    rb"|__launch_bounds__\([^()\n]*\)|<<<[^;\n]{0,200}?>>>"
)


def _without_kernels(data: bytes) -> bytes:
    return without_macros(_CUDA.sub(blank, data))


CUDA = replace(CPP, name="cuda", prepare=_without_kernels)
GLSL = replace(C, name="glsl", grammar="glsl")
HLSL = replace(CPP, name="hlsl", grammar="hlsl")
