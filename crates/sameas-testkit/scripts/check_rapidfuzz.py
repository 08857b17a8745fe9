"""Compares the measures of sameas with RapidFuzz, or with a plain definition, on random pairs, floats to the last bit.

The pairs are made by 0 to 6 random edits and swaps of neighbours, over alphabets of 2, 26 and 5,000 characters and one with
blanks, with lengths from 1 to 300 around one and two machine words. RapidFuzz is installed into a virtual environment of its
own.

    python3 crates/sameas-testkit/scripts/check_rapidfuzz.py [--pairs N] [--seed S] [--venv DIR] [--program PATH]

With `--device cpu` or `--device cuda` the built program (`--sameas PATH`, by default target/release/sameas) links two tables
of 1,000 texts at ten thresholds of each measure instead, on that device: it must find exactly those of the million pairs whose
value by RapidFuzz, or by the definition, satisfies the threshold.

Exits with 1 if anything differs.
"""

import argparse
import csv
import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ALPHABETS = {
    "2 characters": "ab",
    "26 characters": "abcdefghijklmnopqrstuvwxyz",
    # Chinese characters, beyond the codes that fit a byte.
    "5,000 characters": "".join(map(chr, range(0x4E00, 0x4E00 + 5_000))),
    "words": "abcdefg  ",
}
WORD_EDGES = [1, 2, 3, 62, 63, 64, 65, 66, 126, 127, 128, 129, 130]
SHOWN_MISMATCHES = 10
TABLE_ROWS = 1_000
SHARES = [0.3, 0.5, 0.6, 2 / 3, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95]
COUNTS = [0, 1, 2, 3, 4, 5, 6, 8, 12, 20]


def main():
    options = parse_arguments()
    inside_venv(options.venv)
    if options.device:
        sys.exit(1 if compare_on_device(options) else 0)
    pairs = make_pairs(options.pairs, options.seed)
    ours = run_program(options.program, pairs)
    sys.exit(1 if compare(pairs, ours) else 0)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pairs", type=int, default=100_000, help="number of pairs to compare")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random pairs")
    parser.add_argument("--venv", type=Path, help="folder of the virtual environment (default: in the target folder)")
    parser.add_argument("--program", type=Path, help="the built example `measures` (default: cargo builds it)")
    parser.add_argument("--device", choices=["cpu", "cuda"], help="compare what the program links on this device")
    parser.add_argument("--sameas", type=Path, help="the built program (default: target/release/sameas)")
    parser.add_argument("--measure", action="append", help="compare this measure alone; may be given again")
    return parser.parse_args()


def inside_venv(folder):
    """Restarts this script under a Python that has RapidFuzz, unless it is there already."""
    folder = (folder or target_folder() / "rapidfuzz").resolve()
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if Path(sys.prefix).resolve() == folder:
        return
    if not python.exists():
        venv.create(folder, with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "rapidfuzz"], check=True)
    sys.exit(subprocess.run([python, *sys.argv]).returncode)


def target_folder():
    command = ["cargo", "metadata", "--format-version", "1", "--no-deps"]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=Path(__file__).parent).stdout
    return Path(json.loads(output)["target_directory"])


def make_pairs(count, seed):
    """Pairs in turn over the alphabets; each third has a length at the edge of a machine word."""
    source = random.Random(seed)
    alphabets = list(ALPHABETS.values())
    pairs = []
    for number in range(count):
        alphabet = alphabets[number % len(alphabets)]
        length = source.choice(WORD_EDGES) if source.random() < 1 / 3 else source.randint(1, 300)
        left = [source.choice(alphabet) for _ in range(length)]
        right = list(left)
        for _ in range(source.randint(0, 6)):
            edit(source, right, alphabet)
        pairs.append(("".join(left), "".join(right)))
    return pairs


def edit(source, text, alphabet):
    """Inserts, deletes, replaces or swaps at a random place; a swap also where the choice would empty the text."""
    at = source.randrange(len(text))
    kind = source.choice(["insert", "delete", "replace", "swap", "swap"])
    if kind == "insert":
        text.insert(at, source.choice(alphabet))
    elif kind == "delete" and len(text) > 1:
        del text[at]
    elif kind == "replace":
        text[at] = source.choice(alphabet)
    else:
        other = min(at + 1, len(text) - 1)
        text[at], text[other] = text[other], text[at]


def built_program():
    """The example, built with the whole workspace, so that it shares the dependencies of the program."""
    command = "cargo build --release --quiet --workspace --example measures".split()
    subprocess.run(command, cwd=Path(__file__).parent, check=True)
    return target_folder() / "release/examples/measures"


def run_program(program, pairs):
    """The names of the measures, and their fields for each pair."""
    command = [program.resolve() if program else built_program()]
    lines = "".join(f"{left}\t{right}\n" for left, right in pairs)
    run = subprocess.run(command, input=lines.encode(), stdout=subprocess.PIPE, check=True, cwd=Path(__file__).parent)
    return [line.split("\t") for line in run.stdout.decode().splitlines()]


def measures_of_texts():
    """By name: the measure of two texts, and whether it is a similarity."""
    from rapidfuzz.distance import OSA, DamerauLevenshtein, Hamming, Indel, Jaro, JaroWinkler, LCSseq, Levenshtein

    return {
        "levenshtein": (Levenshtein.distance, False),
        "osa": (OSA.distance, False),
        "damerau_levenshtein": (DamerauLevenshtein.distance, False),
        "levenshtein_similarity": (Levenshtein.normalized_similarity, True),
        "osa_similarity": (OSA.normalized_similarity, True),
        "damerau_similarity": (DamerauLevenshtein.normalized_similarity, True),
        # One division, where the normalised similarity of RapidFuzz is 1 less a quotient: the last bit may differ.
        "lcs_similarity": (lambda a, b: LCSseq.similarity(a, b) / max(len(a), len(b)), True),
        # `ratio` is a hundred times this.
        "indel_similarity": (Indel.normalized_similarity, True),
        "jaro": (Jaro.similarity, True),
        "jaro_winkler": (JaroWinkler.similarity, True),
        "hamming": (lambda a, b: Hamming.distance(a, b) if len(a) == len(b) else None, False),
    }


def measures_of_sets():
    """By name: the measure of the words of two texts by its definition, and whether it is a similarity."""
    return {
        "jaccard": (of_words(lambda x, y: len(x & y) / len(x | y)), True),
        "dice": (of_words(lambda x, y: 2 * len(x & y) / (len(x) + len(y))), True),
        "overlap_coefficient": (of_words(lambda x, y: len(x & y) / min(len(x), len(y))), True),
        "overlap": (of_words(lambda x, y: len(x & y)), False),
        "monge_elkan": (of_words(monge_elkan), True),
    }


def monge_elkan(x, y):
    """The mean of the best matches of words, which are added in the order of code points."""
    from rapidfuzz.distance import JaroWinkler

    total = 0.0
    for word in sorted(x):
        total += max(JaroWinkler.similarity(word, other) for other in y)
    return total / len(x)


def of_words(measure):
    """A measure of two sets, of the words of two texts; none of a text without words."""

    def of_texts(a, b):
        x, y = words(a), words(b)
        return measure(x, y) if x and y else None

    return of_texts


def words(text):
    """The set of words of a text. The texts here have no combining marks and no underscores."""
    return set(re.findall(r"\w+", text))


def field(value):
    """A value as the program writes it: floats by their bits."""
    if value is None:
        return "-"
    return struct.pack(">d", value).hex() if isinstance(value, float) else str(value)


def compare(pairs, ours):
    """Prints a table of mismatches by measure and returns how many there were."""
    import rapidfuzz

    names, ours = ours[0], ours[1:]
    if len(ours) != len(pairs):
        sys.exit(f"the program answered {len(ours)} of {len(pairs)} pairs")
    peers = {**measures_of_texts(), **measures_of_sets()}
    compared, failed, shown = dict.fromkeys(names, 0), dict.fromkeys(names, 0), 0
    for name, index in ((name, index) for index, name in enumerate(names) if name in peers):
        measure = peers[name][0]
        for (left, right), mine in zip(pairs, ours):
            theirs = field(measure(left, right))
            compared[name] += theirs != "-" or mine[index] != "-"
            if mine[index] == theirs:
                continue
            failed[name] += 1
            if shown < SHOWN_MISMATCHES:
                print(f"{name}: sameas {mine[index]}, not {theirs}: {left!r} {right!r}")
                shown += 1
    print_table(rapidfuzz.__version__, compared, failed)
    return sum(failed.values())


def print_table(version, compared, failed):
    print(f"against RapidFuzz {version}, sets against their definitions")
    print(f"{'measure':<24}{'pairs':>10}{'mismatches':>12}")
    for name, pairs in compared.items():
        print(f"{name:<24}{pairs:>10,}{failed[name]:>12,}" if pairs else f"{name:<24}{'no peer':>10}")
    print(f"{sum(compared.values()) - sum(failed.values())} passed, {sum(failed.values())} failed")


def compare_on_device(options):
    """Links two tables at thresholds of every measure; prints and returns how many runs differ."""
    program = options.sameas or target_folder() / "release/sameas"
    left, right = make_tables(options.seed)
    peers = {**measures_of_texts(), **measures_of_sets()}
    texts, different = measures_of_texts(), 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        write_table(folder / "left.csv", left)
        write_table(folder / "right.csv", right)
        for name, (measure, is_similarity) in peers.items():
            if options.measure and name not in options.measure:
                continue
            values = [[measure(a, b) for b in right] for a in left]
            operands = "l.t, r.t" if name in texts else "words(l.t), words(r.t)"
            wrong = 0
            for threshold in SHARES if is_similarity else COUNTS:
                at_least = is_similarity or name not in texts
                rule = f"{name}({operands}) {'>=' if at_least else '<='} {threshold!r}"
                wanted = satisfying(values, threshold, at_least)
                wrong += link(program.resolve(), folder, rule, options.device) != wanted
            print(f"{name:<24}{len(left) * len(right):>12,} pairs, {wrong} of 10 thresholds differ on {options.device}")
            different += wrong
    return different


def make_tables(seed):
    """Two lists of distinct texts; each right text is made of a left one, and some share a left one."""
    source, alphabets = random.Random(seed), list(ALPHABETS.values())
    left, right = {}, {}
    while len(left) < TABLE_ROWS:
        alphabet = alphabets[len(left) % len(alphabets)]
        length = source.choice(WORD_EDGES) if source.random() < 1 / 4 else source.randint(1, 24)
        text = "".join(source.choice(alphabet) for _ in range(length))
        if text.strip():
            left[text.strip()] = alphabet
    pool = list(left.items())
    while len(right) < TABLE_ROWS:
        text, alphabet = source.choice(pool)
        text = list(text)
        for _ in range(source.randint(0, 6)):
            edit(source, text, alphabet)
        if "".join(text).strip():
            right["".join(text).strip()] = True
    return list(left), list(right)


def write_table(path, texts):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "t"])
        writer.writerows(enumerate(texts))


def satisfying(values, threshold, at_least):
    """The pairs of rows whose value satisfies a threshold."""

    def holds(value):
        return value is not None and (value >= threshold if at_least else value <= threshold)

    return {(l, r) for l, row in enumerate(values) for r, value in enumerate(row) if holds(value)}


def link(program, folder, rule, device):
    """The pairs of rows that the program finds."""
    command = [program, "link", "left.csv", "right.csv", "--rule", rule, "--device", device]
    command += ["-o", "out", "--overwrite", "--format", "csv", "-q"]
    subprocess.run(command, cwd=folder, check=True)
    with open(folder / "out/pairs.csv", newline="", encoding="utf-8") as file:
        return {(int(row["unique_id_l"]), int(row["unique_id_r"])) for row in csv.DictReader(file)}


if __name__ == "__main__":
    main()
