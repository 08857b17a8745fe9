"""packaging/repack: wheels with the same files in fewer bytes.

    python3 -m unittest discover -s packaging/tests
"""

import os
import random
import runpy
import sys
import tempfile
import types
import unittest
import zipfile
import zlib
from pathlib import Path


def deflated(content: bytes, level: int) -> bytes:
    """What the package `deflate` does, by zlib: it is installed for releases alone."""
    packer = zlib.compressobj(min(level, 9), zlib.DEFLATED, -15)
    return packer.compress(content) + packer.flush()


sys.modules.setdefault("deflate", types.SimpleNamespace(deflate_compress=deflated))
SCRIPT = runpy.run_path(str(Path(__file__).resolve().parent.parent / "repack"))


class Repack(unittest.TestCase):
    def test_files_stay_as_they_are(self) -> None:
        files = {
            "sameas/module.so": (b"code " * 10_000, 0o100755),
            "sameas/Größe.py": ("text = 'ü'\n".encode(), 0o100644),
            "sameas/noise": (random.Random(1).randbytes(1_000), 0o100644),
            "sameas/py.typed": (b"", 0o100644),
        }
        with tempfile.TemporaryDirectory() as folder:
            wheel = Path(folder) / "sameas-1.2.3-cp310-abi3-manylinux_2_17_x86_64.whl"
            with zipfile.ZipFile(wheel, "w") as made:
                for name, (content, rights) in files.items():
                    entry = zipfile.ZipInfo(name, (2026, 11, 18, 13, 45, 58))
                    entry.external_attr = rights << 16
                    made.writestr(entry, content)
                before = [(entry.filename, entry.date_time, entry.external_attr, entry.create_system) for entry in made.infolist()]
            size = wheel.stat().st_size
            SCRIPT["repack"](wheel)
            self.assertEqual(os.listdir(folder), [wheel.name])
            self.assertLess(wheel.stat().st_size, size / 4)
            with zipfile.ZipFile(wheel) as found:
                self.assertIsNone(found.testzip())
                after = [(entry.filename, entry.date_time, entry.external_attr, entry.create_system) for entry in found.infolist()]
                self.assertEqual(after, before)
                self.assertEqual({name: found.read(name) for name in files}, {name: content for name, (content, _) in files.items()})
                self.assertEqual(found.getinfo("sameas/noise").compress_type, zipfile.ZIP_STORED)


if __name__ == "__main__":
    unittest.main()
