"""Compares the string measures of sameas with RapidFuzz on random pairs, floats to the last bit.

The pairs are made by 0 to 6 random edits and swaps of neighbours, over alphabets of 2, 26 and 5,000 characters, with
lengths from 1 to 300 around one and two machine words. RapidFuzz is installed into a virtual environment of its own.

    python3 crates/sameas-testkit/scripts/check_rapidfuzz.py [--pairs N] [--seed S] [--venv DIR] [--program PATH]

Exits with 1 if any value differs.
"""

import argparse
import json
import os
import random
import struct
import subprocess
import sys
import venv
from pathlib import Path

MEASURES = [
    "levenshtein",
    "osa",
    "damerau_levenshtein",
    "levenshtein_similarity",
    "osa_similarity",
    "damerau_similarity",
    "jaro",
    "jaro_winkler",
    "hamming",
]
ALPHABETS = {
    "2 characters": "ab",
    "26 characters": "abcdefghijklmnopqrstuvwxyz",
    # Chinese characters, beyond the codes that fit a byte.
    "5,000 characters": "".join(map(chr, range(0x4E00, 0x4E00 + 5_000))),
}
WORD_EDGES = [1, 2, 3, 62, 63, 64, 65, 66, 126, 127, 128, 129, 130]
SHOWN_MISMATCHES = 10


def main():
    options = parse_arguments()
    inside_venv(options.venv)
    pairs = make_pairs(options.pairs, options.seed)
    ours = run_program(options.program, pairs)
    sys.exit(1 if compare(pairs, ours) else 0)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pairs", type=int, default=100_000, help="number of pairs to compare")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random pairs")
    parser.add_argument("--venv", type=Path, help="folder of the virtual environment (default: in the target folder)")
    parser.add_argument("--program", type=Path, help="the built example `measures` (default: cargo builds it)")
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
    """The values of the example, a list of fields for each pair."""
    command = [program.resolve() if program else built_program()]
    lines = "".join(f"{left}\t{right}\n" for left, right in pairs)
    run = subprocess.run(command, input=lines.encode(), stdout=subprocess.PIPE, check=True, cwd=Path(__file__).parent)
    return [line.split("\t") for line in run.stdout.decode().splitlines()]


def rapidfuzz_values(left, right):
    """The same fields from RapidFuzz."""
    from rapidfuzz.distance import OSA, DamerauLevenshtein, Hamming, Jaro, JaroWinkler, Levenshtein

    edits = [Levenshtein, OSA, DamerauLevenshtein]
    similarities = [measure.normalized_similarity(left, right) for measure in edits]
    similarities += [Jaro.similarity(left, right), JaroWinkler.similarity(left, right)]
    fields = [str(measure.distance(left, right)) for measure in edits]
    fields += [struct.pack(">d", similarity).hex() for similarity in similarities]
    return fields + [str(Hamming.distance(left, right)) if len(left) == len(right) else "-"]


def compare(pairs, ours):
    """Prints a table of mismatches by measure and returns how many there were."""
    import rapidfuzz

    if len(ours) != len(pairs):
        sys.exit(f"the program answered {len(ours)} of {len(pairs)} pairs")
    compared, failed, shown = [0] * len(MEASURES), [0] * len(MEASURES), 0
    for (left, right), mine in zip(pairs, ours):
        for index, theirs in enumerate(rapidfuzz_values(left, right)):
            compared[index] += theirs != "-" or mine[index] != "-"
            if mine[index] == theirs:
                continue
            failed[index] += 1
            if shown < SHOWN_MISMATCHES:
                print(f"{MEASURES[index]}: sameas {mine[index]}, RapidFuzz {theirs}: {left!r} {right!r}")
                shown += 1
    print_table(rapidfuzz.__version__, compared, failed)
    return sum(failed)


def print_table(version, compared, failed):
    print(f"against RapidFuzz {version}")
    print(f"{'measure':<24}{'pairs':>10}{'mismatches':>12}")
    for name, pairs, mismatches in zip(MEASURES, compared, failed):
        print(f"{name:<24}{pairs:>10,}{mismatches:>12,}")
    print(f"{sum(compared) - sum(failed)} passed, {sum(failed)} failed")


if __name__ == "__main__":
    main()
