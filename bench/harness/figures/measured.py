"""The newest measurement of each row on a kind of machine, from the JSON files of bench/results."""

import json
import re
from dataclasses import dataclass

from . import missing

# The kinds of machines whose results replace each other. What does not depend on the machine is taken from any.
KINDS = {
    "two_cores": lambda machine: machine["cores"] == 2 and not machine.get("gpu"),
    "gpu": lambda machine: "NVIDIA" in machine.get("gpu", ""),
    "any": lambda machine: True,
}


@dataclass(frozen=True)
class Measured:
    """A row of the benchmark as it was measured on one day."""

    name: str
    date: str
    machine: dict
    versions: dict
    row: dict

    def case(self, name):
        """The case of that name."""
        found = {case["case"]: case for case in self.row["cases"]}
        if name not in found:
            raise missing(f"case of row `{self.name}` of {self.date}", name, found)
        return found[name]

    def cases(self, name):
        """The case of that name; all of the row for `*`."""
        return self.row["cases"] if name == "*" else [self.case(name)]

    def where(self):
        """The machine in short: its GPUs, its cores."""
        gpus = self.machine.get("gpu", "").partition(",")[0]
        cpu = re.sub(r"\((R|TM)\)|\bCPU\b|\bProcessor\b", "", self.machine["cpu"])
        cores = f"{self.machine['cores']} cores of {' '.join(cpu.split())}"
        return f"{gpus}, {cores}" if gpus else cores

    def commit(self):
        """The commit that was measured."""
        return self.row["revision"]


def newest(folder, kind):
    """Rows by name. Names of files begin with their date; a row of a newer file replaces that of an older one."""
    found = {}
    for path in sorted(folder.glob("*.json")):
        result = json.loads(path.read_text(encoding="utf-8"))
        if not result.get("quick") and KINDS[kind](result["machine"]):
            facts = path.name[:10], result["machine"], result.get("versions", {})
            found |= {name: Measured(name, *facts, row) for name, row in result["rows"].items()}
    return found


def row(known, name):
    """One of the rows."""
    if name not in known:
        raise missing("result of row", name, known)
    return known[name]
