"""Where the local model computes."""

from __future__ import annotations

from typing import Literal

from devrag.core.errors import ConfigurationError

Device = Literal["cpu", "cuda"]
PROVIDERS: dict[Device, tuple[str, ...]] = {
    "cpu": ("CPUExecutionProvider",),
    # What has no version for the card runs on the processor.
    "cuda": ("CUDAExecutionProvider", "CPUExecutionProvider"),
}


def has_cuda() -> bool:
    """Return whether the installed onnxruntime can compute on an NVIDIA card."""
    try:
        import onnxruntime  # noqa: PLC0415 - it may not be loadable here
    except ImportError:
        return False
    return PROVIDERS["cuda"][0] in onnxruntime.get_available_providers()


def choose_device(wanted: str, *, has_cuda: bool) -> Device:
    """Return where to compute: `auto` takes the card if there is one."""
    if wanted == "cuda" and not has_cuda:
        raise ConfigurationError(
            "CUDA is not available: the installed onnxruntime only supports CPUs. Set "
            "`device: auto` or `device: cpu`, or install onnxruntime-gpu instead."
        )
    return "cuda" if wanted in ("auto", "cuda") and has_cuda else "cpu"
