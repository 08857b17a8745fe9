"""The inputs, made once from fixed seeds: people by our generator, publications from real data with seeded changes."""

import csv
import gzip
import hashlib
import random
import re
import subprocess

from .settings import INPUTS, operator, program

SEED = 20_260_101
CSV_LIMIT = 1 << 24


def people(count):
    """A Parquet file of `count` people."""
    return _generated(f"people_{count}", count)


def incomplete_people(count):
    """People of whom a fifth of all values is missing."""
    return _generated(f"incomplete_people_{count}", count, "--missing", 0.2)


def cds(count):
    """A Parquet file of `count` CDs."""
    return _generated(f"cds_{count}", count, kind="cds")


def _generated(name, count, *options, kind="people"):
    """The records in a folder of that name, with their truth beside them."""
    path = INPUTS / name / "records.parquet"
    if not path.exists():
        print(f"    making {name}", flush=True)
        generate(path.parent, count, "--format", "parquet", *options, kind=kind)
    return path


def entities_of(each, count):
    """Records in entities of this many, which `sameas-bench` writes."""
    path = INPUTS / f"entities_of_{each}_{count}.parquet"
    if not path.exists():
        print(f"    making {path.stem}", flush=True)
        unfinished = path.with_suffix(".part")
        command = operator("entity-records", "--records", count, "--each", each, "--file", unfinished)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        unfinished.rename(path)
    return path


def truth(path):
    """The truth about generated records: their clusters."""
    return path.parent / "truth.csv"


def generate(folder, count, *options, kind="people"):
    """Our generator."""
    command = program("generate", kind, "--records", count, *options, "-o", folder, "--overwrite", "-q")
    subprocess.run(command, check=True)


def lines(name, make):
    """A text file with one value per line, made by `make` if it is not there."""
    path = INPUTS / f"{name}.txt"
    if not path.exists():
        print(f"    making {name}", flush=True)
        INPUTS.mkdir(exist_ok=True)
        unfinished = path.with_suffix(".part")
        with open(unfinished, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{line}\n" for line in make())
        unfinished.rename(path)
    return path


def fingerprint(path):
    """A hash of an input, so that a result can be repeated on the same."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:12]


def names(count):
    """`count` distinct full names of made-up people, typing errors included."""
    return lines(f"names_{count}", lambda: _names(count))


def _names(count):
    seen = {}
    for part in range(1, 100):
        folder = INPUTS / f"people_for_names_{part}"
        records = max(20_000, min(count, 1_000_000))
        generate(folder, records, "--seed", SEED + part)
        with open(folder / "records.csv", encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if row["given_name"] and row["surname"]:
                    seen.setdefault(f"{row['given_name']} {row['surname']}".lower())
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()
        if len(seen) >= count:
            return random.Random(SEED).sample(list(seen), count)
    raise SystemExit("the generator has too few names")


def _table(folder, name):
    csv.field_size_limit(CSV_LIMIT)
    packed = folder / f"{name}.csv.gz"
    opened = gzip.open(packed, "rt", encoding="utf-8", newline="") if packed.exists() else open(
        folder / f"{name}.csv", encoding="utf-8", newline=""
    )
    with opened as file:
        return list(csv.DictReader(file))


def first_rows(folder, name, count):
    """A copy of the first rows of a table."""
    rows = _table(folder, name)[:count]
    target = INPUTS / f"{folder.name}_{name}_{count}.csv"
    with open(target, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return target


def plain(text):
    """Lower case, white space made single blanks."""
    return " ".join(text.lower().split())


def titles_18k(data, count=18_000):
    """The titles of `dblp_titles_18k`, lower-cased and otherwise as they are."""
    table = lambda: _table(data / "dblp_titles_18k", "a")[:count]
    return lines(f"titles_{count}", lambda: [row["title"].lower() for row in table()])


def publications(data, count):
    """Titles with authors of two real collections, filled up with dirty copies."""
    return lines(f"publications_{count}", lambda: _publications(data, count))


def _publications(data, count):
    chance = random.Random(SEED)
    tables = [("dblp_scholar", "a"), ("dblp_scholar", "b"), ("dblp_acm", "a"), ("dblp_acm", "b")]
    rows = [row for folder, name in tables for row in _table(data / folder, name)]
    texts = [text for row in rows if (text := plain(f"{row['title']} {row['authors']}"))]
    chance.shuffle(texts)
    texts = texts[: count * 7 // 10]
    copies = [dirty(chance, chance.choice(texts)) for _ in range(count - len(texts))]
    texts += copies
    chance.shuffle(texts)
    return texts


def titles(data, count):
    """Titles spliced from pieces of real ones, a fifth of them dirty copies of others."""
    return lines(f"spliced_titles_{count}", lambda: _titles(data, count))


def _titles(data, count):
    chance = random.Random(SEED + 1)
    tables = [("dblp_titles_18k", "a"), ("dblp_scholar", "b"), ("dblp_acm", "a")]
    real = [plain(row["title"]).split() for folder, name in tables for row in _table(data / folder, name)]
    real = [words for words in real if len(words) >= 4]
    made = []
    for _ in range(count):
        if made and chance.random() < 0.2:
            made.append(dirty(chance, chance.choice(made)))
            continue
        pieces = [chance.choice(real) for _ in range(3)]
        starts = [chance.randrange(len(piece)) for piece in pieces]
        made.append(" ".join(word for piece, at in zip(pieces, starts) for word in piece[at : at + chance.randint(2, 5)]))
    return made


def dirty(chance, text):
    """A copy with one to three errors: a letter changed, left out, doubled, or a word left out."""
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(text)) if text else 0
        kind = chance.randrange(4)
        if kind == 0:
            text = text[:at] + chance.choice("abcdefghijklmnopqrstuvwxyz") + text[at + 1 :]
        elif kind == 1 and len(text) > 1:
            text = text[:at] + text[at + 1 :]
        elif kind == 2:
            text = text[:at] + text[at : at + 1] + text[at:]
        else:
            words = text.split()
            words = words[:-1] if len(words) > 3 else words
            text = " ".join(words)
    return re.sub(r"\s+", " ", text).strip() or "untitled"


def equal_lengths(count, length, alphabet):
    """Distinct texts of one length over a tiny alphabet: lengths and characters distinguish nothing."""
    return lines(f"letters_{count}_{length}_{alphabet}", lambda: _equal_lengths(count, length, alphabet))


def _equal_lengths(count, length, alphabet):
    chance = random.Random(SEED + 2)
    seen = {}
    while len(seen) < count:
        seen.setdefault("".join(chance.choices(alphabet, k=length)))
    return list(seen)


def one_word_in_all(count):
    """Lines of ten different words, one of them in every line: sizes and the most frequent token distinguish nothing."""
    return lines(f"one_word_in_all_{count}", lambda: _one_word_in_all(count))


def _one_word_in_all(count):
    chance = random.Random(SEED + 3)
    words = [f"w{number}" for number in range(400)]
    weights = [1 / (rank + 5) for rank in range(len(words))]
    made = []
    for _ in range(count):
        line = {}
        while len(line) < 9:
            line.setdefault(chance.choices(words, weights)[0])
        made.append(" ".join(["all", *line]))
    return made
