"""The package takes the compiled module of sameas-cuda where that is installed in its own version."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import sameas


def imported(folder: Path, module: str) -> str:
    """What `import sameas` says and takes where a package sameas_cuda with this module is installed."""
    package = folder / "sameas_cuda"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "_sameas.py").write_text(module)
    code = "import sameas, sameas._sameas as module; print(module.__file__, sameas.__version__)"
    return said(folder, code)


def said(folder: Path, code: str) -> str:
    """What a program prints that finds the packages of a folder."""
    command = [sys.executable, "-c", f"import sys; sys.path.append({str(folder)!r}); {code}"]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True).stdout


def test_a_module_of_another_version_is_refused(tmp_path: Path) -> None:
    out = imported(tmp_path, "__version__ = '0.0.1'\n")
    assert f"sameas-cuda is version 0.0.1 and sameas {sameas.__version__}: no GPU is used" in out
    assert str(tmp_path) not in out.splitlines()[-1]


def test_a_module_that_cannot_be_loaded_is_named(tmp_path: Path) -> None:
    out = imported(tmp_path, "raise ImportError('libfancy.so.1 is missing')\n")
    assert "sameas-cuda cannot be loaded, and no GPU is used: libfancy.so.1 is missing" in out


def test_a_module_of_this_version_is_taken(tmp_path: Path) -> None:
    own = Path(sameas._sameas.__file__ or "")
    if own.parent.name == "sameas_cuda":
        pytest.skip("sameas-cuda is installed")
    package = tmp_path / "sameas_cuda"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / own.name).symlink_to(own)
    code = "import sameas, sameas._sameas as module; print(module.__file__, len(sameas.dedupe({'id': [1, 2], 'a': [1, 1]}, 'l.a = r.a').pairs))"
    out = said(tmp_path, code)
    assert out.split() == [str(package / own.name), "1"]
