"""What the scripts that interrupt and race runs share: a job of some seconds, and whether a folder holds whole results."""

import hashlib
import json
import os
import subprocess
import sys
import time


def program(arguments):
    """The program to be checked: the first argument, by default target/release/sameas."""
    path = os.path.abspath(arguments.program)
    if not os.access(path, os.X_OK):
        sys.exit(f"{os.path.basename(sys.argv[0])}: no program {path}")
    return path


# Runs write all tables; the records of one set of rules are the best ones.
TABLES = ("--what", "entities,records", "--provenance", "--with", "given_name,phone")
BEST = ("--keep", "best")
ENTITY = """
[entity]
email = { take = "newest", by = "birth_date", where = "email like '%@%'" }
address = { columns = ["street", "city", "state", "postcode"], take = "most_complete" }
phones = { take = "union", value = "phone" }
"""


class Work:
    """A folder with made-up people and two sets of rules with entities, whose results differ."""

    def __init__(self, path, folder, records):
        self.path, self.folder = path, folder
        # What does not fit the memory is spilled here, where leftovers are seen.
        self.spill = os.path.join(folder, "spill")
        os.mkdir(self.spill)
        self.environment = {**os.environ, "TMPDIR": self.spill}
        self.call("generate", "people", "--records", str(records), "-o", self.at("people"))
        text = subprocess.run([path, "demo", "--print-rules"], check=True, capture_output=True, text=True).stdout
        self.write("all.toml", text + ENTITY)
        one = "[[rule]]\nname = \"mail\"\nwhen = \"l.email = r.email\"\n"
        self.write("one.toml", text.split("[[rule]]")[0] + one + ENTITY)

    def at(self, *parts):
        return os.path.join(self.folder, *parts)

    def write(self, name, text):
        with open(self.at(name), "w", encoding="utf-8") as file:
            file.write(text)

    def call(self, *arguments):
        return subprocess.run([self.path, *arguments], check=True, capture_output=True, env=self.environment)

    def command(self, rules, output, *options):
        """A run with some rules or, for a number, clusters of kept pairs with that many records at most."""
        common = ("-o", output, "--overwrite", "-q", *options)
        if rules.isdigit():
            return [self.path, "cluster", self.at("kept-pairs", "pairs.csv"), "--max-size", rules, *common]
        tables = (*TABLES, *BEST) if rules == "one.toml" else TABLES
        return [self.path, "dedupe", self.at("people", "records.csv"), "--rules", self.at(rules), *tables, *common]

    def start(self, rules, output, *options):
        command = self.command(rules, output, *options)
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=self.environment)

    def finish(self, rules, output, *options):
        """Runs to the end; returns the seconds it took, or fails with what the program says."""
        begun = time.monotonic()
        _, message = (process := self.start(rules, output, *options)).communicate()
        if process.returncode != 0:
            raise Wrong(f"the run exits with {process.returncode}: {message.decode(errors='replace').strip()}")
        return time.monotonic() - begun


class Wrong(Exception):
    """Something that must hold does not."""


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def results(folder):
    """The digests of the results that a reader of the folder sees: the files that `run.json` names, else the usual ones.

    `run.json` has times in it, so it is read and not compared; what it says of its files must be true of them.
    """
    names = [name for name in os.listdir(folder) if not name.startswith(".")]
    if "run.json" not in names:
        raise Wrong(f"no run.json among {sorted(names)}")
    with open(os.path.join(folder, "run.json"), encoding="utf-8") as file:
        record = json.load(file)
    named = record.get("files")
    if named is None:
        files = [name for name in names if name.split(".")[0] in ("pairs", "clusters", "entities", "records")]
        return {name: digest(os.path.join(folder, name)) for name in sorted(files)}
    return {entry["name"]: checked(folder, entry) for entry in sorted(named, key=lambda entry: entry["name"])}


def checked(folder, entry):
    path = os.path.join(folder, entry["name"])
    if not os.path.isfile(path):
        raise Wrong(f"run.json names {entry['name']}, which is not there")
    if "bytes" in entry and entry["bytes"] != os.path.getsize(path):
        raise Wrong(f"{entry['name']} has {os.path.getsize(path)} bytes, and run.json says {entry['bytes']}")
    return digest(path)


def nothing_left(work, folder, names):
    """The folder holds nothing but results, and there is nothing beside it or in the folder for what is spilled."""
    left = sorted(set(os.listdir(folder)) - set(names))
    left += [name for name in os.listdir(work.spill)]
    beside = {"people", "spill", "all.toml", "one.toml", os.path.basename(folder)}
    left += [name for name in os.listdir(os.path.dirname(folder)) if name not in beside and not name.startswith("kept")]
    if left:
        raise Wrong(f"left over: {', '.join(left)}")
