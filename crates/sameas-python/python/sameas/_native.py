"""Chooses the compiled module: the one of the package ``sameas-cuda``, which has kernels for NVIDIA GPUs, where it is installed in
the version of this package, else our own. Importing this module is the choice: all others import ``sameas._sameas``."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import warnings
from types import ModuleType


def _with_kernels() -> ModuleType | None:
    if importlib.util.find_spec("sameas_cuda") is None:
        return None
    from importlib.metadata import version

    try:
        module = importlib.import_module("sameas_cuda._sameas")
    except ImportError as error:
        warnings.warn(f"sameas-cuda cannot be loaded, and no GPU is used: {error}", RuntimeWarning, stacklevel=4)
        return None
    if module.__version__ != version("sameas"):
        message = f"sameas-cuda is version {module.__version__} and sameas {version('sameas')}: no GPU is used; install both in one version"
        warnings.warn(message, RuntimeWarning, stacklevel=4)
        return None
    return module


if (_module := _with_kernels()) is not None:
    sys.modules[f"{__package__}._sameas"] = _module
