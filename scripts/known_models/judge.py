"""Trains a model on a table and says how it compares with the truth."""

import csv
import io
import math
import subprocess
import tomllib
from dataclasses import dataclass, field

from .tables import truth

#: Standard errors on each side of a weight that hold the true one in 95 of 100 cases.
ERRORS = 1.96
#: Levels with fewer expected matches say little of an interval.
LEAST_EXPECTED = 50
#: How much the true precision may be below the one that a model states.
LEEWAY = 0.1
#: The wrong pairs must be less likely than this for a model whose precision is within the leeway.
CHANCE = 0.01
#: The kind of the warning that there is nothing to be found.
NONE = "no_matches"
#: Kinds of warnings that a model keeps, and that are about its inputs: they say nothing against its probabilities.
ABOUT_INPUTS = {"missing_column"}


class Broken(Exception):
    """The program did what it never may: it crashed, or gave a model that cannot be read."""


@dataclass
class Training:
    """What `train` has said: warnings, why it refused if it did, and the model, if there is one."""

    warnings: list
    refusal: str = ""
    model: dict | None = None

    def kinds(self):
        """The kinds of the warnings that the model keeps; what was said where there is none. Beside a model, `train` says more: of
        rules, inputs and plans, which nobody learns who is given the model."""
        if self.model is None:
            return self.warnings
        return [warning["kind"] for warning in self.model.get("warning", [])]


@dataclass
class Verdict:
    """What came of one table."""

    number: int
    kind: str
    #: Of each level that is judged: how many standard errors the truth is away, or nothing where the model states none.
    errors: list = field(default_factory=list)
    #: The same of m alone and of u alone, where the model states their errors.
    m_errors: list = field(default_factory=list)
    u_errors: list = field(default_factory=list)
    #: How many bits the weight is too high.
    bits: list = field(default_factory=list)
    #: Levels that are not judged since no pair that does not match has them.
    endless: int = 0
    warnings: list = field(default_factory=list)
    refusal: str = ""
    pairs: int = 0
    right: int = 0
    expected: float = 0.0
    wrong: str = ""

    def is_warned(self):
        """Whether a warning about the model, or a refusal, has said that its probabilities may be wrong."""
        return bool(self.refusal) or not ABOUT_INPUTS.issuperset(self.warnings)


def call(command, accepted=(0, 2)):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode not in accepted or "panicked" in done.stderr:
        raise Broken(f"{' '.join(command[1:2])} ends with {done.returncode}: {done.stderr.strip()[-500:]}")
    return done


def said(text):
    return [line.removeprefix("warning: ") for line in text.splitlines() if line.startswith("warning: ")]


def train(program, table, folder):
    table.write(folder)
    model = f"{folder}/model.toml"
    options = ["--rules", f"{folder}/rules.toml", "-o", model, "--overwrite", "-q", "--threads", "1"]
    done = call([program, "train", *table.inputs(folder), *(["--link"] if table.link else []), *options])
    if done.returncode:
        return Training(said(done.stderr), refusal=done.stderr.strip())
    with open(model, "rb") as file:
        return Training(said(done.stderr), model=tomllib.load(file))


def levels_of(comparison):
    return [*comparison["level"], comparison["else"]]


def judge_weights(program, table, folder, verdict):
    """How far the true weights are from those of the model, in standard errors."""
    training = train(program, table, folder)
    verdict.warnings = training.kinds()
    if training.model is None:
        verdict.wrong = f"refused: {training.refusal}"
        return
    for comparison, levels in zip(training.model["comparison"], truth(table), strict=True):
        for stated, true in zip(levels_of(comparison), levels, strict=True):
            if true.expected < LEAST_EXPECTED:
                continue
            if not true.unlike:
                verdict.endless += 1
                continue
            weight = math.log2(true.m / true.u)
            verdict.bits.append(stated["weight"] - weight)
            place = f"{comparison['name']}: {stated.get('when', 'else')}"
            verdict.errors.append((place, away(stated, "weight", weight)))
            verdict.m_errors.append((place, away(stated, "m", true.m)))
            verdict.u_errors.append((place, away(stated, "u", true.u)))


def away(stated, key, true):
    """How many of its standard errors a number is too high."""
    error = stated.get(f"{key}_error")
    if error is None:
        return None
    # What is written has some digits only.
    return 0.0 if abs(stated[key] - true) <= 1e-4 * abs(true) else (stated[key] - true) / max(error, 1e-300)


def judge_precision(program, table, folder, verdict):
    """Whether the pairs at the model's own threshold are what it states, or it has warned."""
    training = train(program, table, folder)
    verdict.warnings, verdict.refusal = training.kinds(), training.refusal
    if training.model is not None:
        judge_pairs(table, found(program, table, folder, verdict), verdict)


def judge_pairs(table, pairs, verdict):
    """The same of the pairs that were found, with their probabilities."""
    matches = {pair if table.link else tuple(sorted(pair)) for pair in table.matches}
    for l, r, probability in pairs:
        verdict.pairs += 1
        verdict.right += ((l, r) if table.link else tuple(sorted((l, r)))) in matches
        verdict.expected += probability
    if not verdict.is_warned() and is_overstated(verdict):
        verdict.wrong = f"{verdict.right} of {verdict.pairs} pairs are right, {verdict.expected:.1f} expected, and no warning"
    if table.kind == "no duplicates" and verdict.pairs and NONE not in verdict.warnings:
        verdict.wrong = f"{verdict.pairs} pairs where there are none, and no warning that nothing matches"


def found(program, table, folder, verdict):
    """The pairs of all from the threshold on, with their probabilities."""
    command = [program, "link" if table.link else "dedupe", *table.inputs(folder), "--rules", f"{folder}/rules.toml"]
    options = ["--model", f"{folder}/model.toml", "--all-pairs", "--threads", "1", "-q", "-o", "-"]
    # What a run warns of beside its model is about its plan or its inputs, and excuses no probability.
    done = call([*command, *options])
    if done.returncode:
        verdict.refusal = done.stderr.strip()
        return []
    rows = csv.DictReader(io.StringIO(done.stdout))
    return [(int(row["unique_id_l"]), int(row["unique_id_r"]), float(row["match_probability"])) for row in rows]


def is_overstated(verdict):
    """Whether the true precision is so far below the stated one that chance does not explain it."""
    if not verdict.pairs or verdict.right / verdict.pairs >= verdict.expected / verdict.pairs - LEEWAY:
        return False
    share = min(1 - verdict.expected / verdict.pairs + LEEWAY, 1.0)
    return at_least(verdict.pairs - verdict.right, verdict.pairs, share) < CHANCE


def at_least(wrong, pairs, share):
    """How likely at least this number of some pairs is wrong, each with this probability."""
    logs = (
        math.lgamma(pairs + 1) - math.lgamma(count + 1) - math.lgamma(pairs - count + 1)
        + count * math.log(share) + (pairs - count) * math.log1p(-share) if share < 1 else 0.0
        for count in range(wrong, pairs + 1)
    )
    return min(sum(map(math.exp, logs)), 1.0)
