"""packaging/relative-paths: bills of materials, and wheels that have some.

    python3 -m unittest discover -s packaging/tests
"""

import base64
import csv
import hashlib
import io
import json
import runpy
import tempfile
import unittest
import zipfile
from pathlib import Path

SCRIPT = runpy.run_path(str(Path(__file__).resolve().parent.parent / "relative-paths"))
ROOT = Path("/home/someone/some where/sameas")
INFO = "sameas-1.2.3.dist-info"
BILL = f"{INFO}/sboms/sameas-python.cyclonedx.json"


def bill(*places: str) -> str:
    return json.dumps({"components": [{"bom-ref": place} for place in places]})


def line(name: str, content: str) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content.encode()).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content.encode())}\n"


class RelativePaths(unittest.TestCase):
    OURS = f"path+{ROOT.as_uri()}/crates/sameas#1.2.3"
    OTHERS = "registry+https://github.com/rust-lang/crates.io-index#rayon@1.11.0"

    def refused(self, text: str) -> str:
        with self.assertRaises(SCRIPT["Mistake"]) as refused:
            SCRIPT["relative"](text, ROOT)
        return str(refused.exception)

    def test_our_crates_are_named_by_their_place_in_the_repository(self) -> None:
        found = SCRIPT["relative"](bill(self.OURS, f"{self.OURS} bin-target-0", self.OTHERS), ROOT)
        expected = ["path+file:///crates/sameas#1.2.3", "path+file:///crates/sameas#1.2.3 bin-target-0", self.OTHERS]
        self.assertEqual(found, bill(*expected))
        self.assertEqual(SCRIPT["relative"](found, ROOT), found)

    def test_any_other_folder_is_an_error(self) -> None:
        self.assertIn("file:///home/someone/else", self.refused(bill("path+file:///home/someone/else/crates/sameas#1.2.3")))
        self.assertIn("file:///target/debug", self.refused(bill(f"path+{ROOT.as_uri()}/target/debug#1.2.3")))

    def wheel(self, folder: str, **files: str) -> Path:
        path = Path(folder) / "sameas-1.2.3-cp310-abi3-any.whl"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
            for name, content in files.items():
                entry = zipfile.ZipInfo(name, (2001, 2, 3, 4, 5, 6))
                entry.external_attr = 0o100755 << 16
                wheel.writestr(entry, content, zipfile.ZIP_DEFLATED)
        return path

    def test_a_wheel_keeps_its_other_files_and_its_record_is_right(self) -> None:
        module, old, new = "module " * 1000, bill(self.OURS), bill("path+file:///crates/sameas#1.2.3")
        record = line("sameas/_sameas.so", module) + line(BILL, old) + f"{INFO}/RECORD,,\n"
        with tempfile.TemporaryDirectory() as folder:
            path = self.wheel(folder, **{"sameas/_sameas.so": module, BILL: old, f"{INFO}/RECORD": record})
            SCRIPT["rewrite_wheel"](path, ROOT)
            with zipfile.ZipFile(path) as wheel:
                self.assertEqual(wheel.namelist(), ["sameas/_sameas.so", BILL, f"{INFO}/RECORD"])
                self.assertEqual(wheel.read("sameas/_sameas.so").decode(), module)
                self.assertEqual(wheel.read(BILL).decode(), new)
                expected = line("sameas/_sameas.so", module) + line(BILL, new) + f"{INFO}/RECORD,,\n"
                self.assertEqual(wheel.read(f"{INFO}/RECORD").decode(), expected)
                entry = wheel.getinfo("sameas/_sameas.so")
                self.assertEqual((entry.date_time, entry.external_attr >> 16), ((2001, 2, 3, 4, 5, 6), 0o100755))
                self.assertLess(entry.compress_size, 1000)
            self.assertEqual([each.name for each in Path(folder).iterdir()], [path.name])

    def test_a_name_with_a_comma_stays_one_name(self) -> None:
        changed = {"a,b.json": b"new"}
        text = SCRIPT["record_of"]('"a,b.json",sha256=x,1\n"c,d",sha256=y,2\n', changed)
        rows = list(csv.reader(io.StringIO(text)))
        self.assertEqual([row[0] for row in rows], ["a,b.json", "c,d"])
        self.assertEqual((rows[0][2], rows[1]), ("3", ["c,d", "sha256=y", "2"]))

    def test_a_wheel_without_a_bill_of_materials_is_an_error(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = self.wheel(folder, **{"sameas/_sameas.so": "module", f"{INFO}/RECORD": ""})
            before = path.read_bytes()
            with self.assertRaises(SCRIPT["Mistake"]):
                SCRIPT["rewrite_wheel"](path, ROOT)
            self.assertEqual(path.read_bytes(), before)


if __name__ == "__main__":
    unittest.main()
