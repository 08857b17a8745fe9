"""Values that are without end, or are not what they claim to be, are errors of data; and nobody has to look at the progress."""

from __future__ import annotations

import io
import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import sameas
from sameas._progress import Display

TOO_DEEP = (
    "column `a` has lists in lists that are more than 100 levels deep\n"
    "  help: rules use lists of texts and of numbers: take the values out of the inner lists"
)


def nested(levels: int, inside: Any = None) -> list[Any]:
    made: list[Any] = [] if inside is None else inside
    for _ in range(levels):
        made = [made]
    return made


def itself(times: int) -> list[Any]:
    made: list[Any] = []
    made += [made] * times
    return made


def data_error(table: Any) -> str:
    with pytest.raises(sameas.DataError) as caught:
        sameas.dedupe(table, "l.id = r.id")
    return str(caught.value)


def test_lists_that_contain_themselves_or_are_very_deep() -> None:
    for values in ([itself(1)], [itself(2)], itself(1), [nested(50_000)], [(nested(101),)]):
        assert data_error({"id": [1], "a": values}) == TOO_DEEP
    with pytest.raises(sameas.DataError, match="`argument 1` has lists in lists|`c0` has lists in lists"):
        sameas.levenshtein([itself(1)], "x")
    people = {"id": [1, 2], "a": [nested(90), nested(90)], "b": [1, 1]}
    assert len(sameas.dedupe(people, "l.b = r.b").pairs) == 1


def test_lists_that_are_small_and_have_many_values() -> None:
    wide: list[Any] = [1]
    for _ in range(60):
        wide = [wide, wide]
    assert data_error({"id": [1], "a": [wide]}).startswith("column `a` has lists in lists with more than 268435456 values\n")


def test_rules_of_values_that_contain_themselves() -> None:
    for values in (itself(1), itself(2), nested(50_000)):
        with pytest.raises(sameas.UsageError) as caught:
            sameas.Rules("l.a = r.a", train={"rules": values})
        assert str(caught.value) == "a rule file cannot hold values that are more than 100 levels deep"
        with pytest.raises(sameas.UsageError, match="the settings are not plain values"):
            sameas.from_splink({"comparisons": values})


def arrow_type(levels: int) -> pa.DataType:
    made = pa.int64()
    for _ in range(levels):
        made = pa.list_(made)
    return made


def test_arrow_types_that_are_too_deep() -> None:
    schema = pa.schema([("id", pa.int64()), ("a", arrow_type(150))])
    message = (
        "the Arrow type of column `a` is more than 100 levels deep\n"
        "  help: leave the column out, or take the values out of the inner lists"
    )
    assert data_error(pa.RecordBatchReader.from_batches(schema, [])) == message
    batch = pa.RecordBatch.from_arrays([pa.array([1]), pa.nulls(1, arrow_type(150))], names=["id", "a"])
    assert data_error(batch) == message
    table = pa.table({"id": pa.array([1, 2]), "a": pa.nulls(2, arrow_type(90)), "b": pa.array([1, 1])})
    assert len(sameas.dedupe(table, "l.b = r.b").pairs) == 1


#: Ends before anything is freed: what other libraries do with such a type is not of interest.
VERY_DEEP = """
import os
import pyarrow as pa
import sameas

made = pa.int64()
for _ in range(8_000):
    made = pa.list_(made)
try:
    sameas.dedupe(pa.RecordBatchReader.from_batches(pa.schema([("a", made)]), []), "l.a = r.a")
except sameas.DataError as error:
    print(str(error).splitlines()[0], flush=True)
os._exit(0)
"""


def test_an_arrow_type_of_eight_thousand_levels() -> None:
    done = subprocess.run([sys.executable, "-c", VERY_DEEP], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "the Arrow type of column `a` is more than 100 levels deep\n"), done.stderr


BROKEN_HELP = "\n  help: the library that gave it has made a mistake: convert the column there, or give a file"


def falling(kind: str) -> pa.Array:
    """Three rows, of which the second ends before it begins."""
    if kind == "text":
        buffers = [None, pa.py_buffer(struct.pack("4i", 0, 2, 1, 3)), pa.py_buffer(b"abc")]
        return pa.Array.from_buffers(pa.string(), 3, buffers)
    wide = kind == "large_list"
    offsets = pa.array([0, 2, 1, 3], pa.int64() if wide else pa.int32())
    return (pa.LargeListArray if wide else pa.ListArray).from_arrays(offsets, pa.array(["a", "b", "c"]))


@pytest.mark.parametrize("kind", ["list", "large_list", "text"])
def test_arrays_whose_offsets_fall(kind: str) -> None:
    message = f"the Arrow array of column `a` is not valid: row 2 ends before it begins{BROKEN_HELP}"
    table = pa.table({"id": pa.array([1, 2, 3]), "a": falling(kind)})
    assert data_error(table) == message
    assert data_error(table.to_batches()[0]) == message
    with pytest.raises(sameas.DataError, match="the Arrow array of a column is not valid: row 2 ends before it begins"):
        sameas.compute("a is null", {"a": falling(kind)})


def test_keys_without_a_value() -> None:
    wrong = pa.DictionaryArray.from_arrays(pa.array([0, 7], pa.int8()), pa.array(["x"]), safe=False)
    assert "the Arrow array of column `a` is not valid" in data_error(pa.table({"id": pa.array([1, 2]), "a": wrong}))


def test_what_is_cut_from_an_array_is_valid() -> None:
    texts, lists = pa.array(["aa", "b", "c"]), pa.array([["aa", "b"], [], ["c"]])
    table = pa.table({"id": pa.array([1, 2, 3]), "a": texts, "b": lists, "c": texts.dictionary_encode()})
    parts = [table.slice(2, 0), table.slice(1, 2), table.slice(0, 1)]
    batches = [batch for part in parts for batch in part.to_batches()]
    reader = pa.RecordBatchReader.from_batches(table.schema, batches)
    assert len(sameas.dedupe(reader, "l.id = r.id or list_has_any(l.b, r.b) or l.a = r.c").clusters) == 3
    empty = pa.RecordBatch.from_arrays([pa.array([1]).slice(1, 0), texts.slice(2, 0)], names=["id", "a"])
    assert len(sameas.dedupe(empty, "l.a = r.a").pairs) == 0


def test_settings_that_never_end() -> None:
    if not os.path.exists("/dev/zero"):
        pytest.skip("there is no such device")
    with pytest.raises(sameas.DataError, match="the settings of Splink are longer than 16 MiB"):
        sameas.from_splink("/dev/zero")


def test_settings_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "model.json").write_bytes(b'{"link_type": "\xe9"}')
    with pytest.raises(sameas.UsageError, match="cannot be read: .*utf-8"):
        sameas.from_splink(tmp_path / "model.json")


class Broken(io.StringIO):
    """A standard error whose other end is gone."""

    def write(self, text: str) -> int:
        raise BrokenPipeError(32, "Broken pipe")


def closed() -> io.StringIO:
    made = io.StringIO()
    made.close()
    return made


@pytest.mark.parametrize("stream", [None, closed(), Broken()], ids=["none", "closed", "broken"])
def test_progress_that_nobody_can_see(stream: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sameas._progress._PATIENCE", -1.0)
    monkeypatch.setattr(sys, "stderr", stream)
    with Display(True) as display:
        display.update("half", 0.5)
    people = {"id": [1, 2], "a": [1, 1]}
    assert len(sameas.dedupe(people, "l.a = r.a", progress=True).pairs) == 1


@pytest.mark.skipif(os.name != "posix", reason="a shell of POSIX")
def test_progress_without_a_standard_error() -> None:
    code = "import sameas; print(len(sameas.dedupe({'id': [1, 2], 'a': [1, 1]}, 'l.a = r.a', progress=True).pairs))"
    done = subprocess.run(["sh", "-c", '"$0" -c "$1" 2>&-', sys.executable, code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "1\n"), done
