"""Hostile inputs and rules for `dedupe`, and what others are made of: each is a function that writes its files into a folder
and returns the arguments of the program."""

import gzip
import os
import struct
import zlib

#: Name, function, the memory limit in MB, and the most that a run may take.
CASES = []

LIMIT_MB, MOST_MB = 200, 350


def case(function, limit=LIMIT_MB, most=MOST_MB):
    """Declares a hostile input: the function writes it into a folder and returns the arguments of the program."""
    CASES.append((function.__name__, function, limit, most))
    return function


# How inputs are written


def path_of(folder, name, text):
    path = os.path.join(folder, name)
    mode, encoding = ("wb", None) if isinstance(text, bytes) else ("w", "utf-8")
    with open(path, mode, encoding=encoding, newline=None if encoding is None else "") as file:
        file.write(text)
    return path


def packed(folder, name, first, block, times, last=b""):
    """A gzip file that repeats a block: one compressed member, written again and again."""
    path = os.path.join(folder, name + ".gz")
    member = gzip.compress(block, 9)
    with open(path, "wb") as file:
        file.write(gzip.compress(first))
        for _ in range(times):
            file.write(member)
        file.write(gzip.compress(last))
    return path


def zstd_zeros(folder, name, blocks, window=0x38):
    """A zstd frame of blocks of 128 kB that repeat one byte."""
    frame = b"\x28\xb5\x2f\xfd" + bytes([0x00, window])
    size = 128 << 10
    block = struct.pack("<I", (size << 3) | (1 << 1))[:3] + b"x"
    end = struct.pack("<I", (1 << 3) | (1 << 1) | 1)[:3] + b"x"
    return path_of(folder, name, frame + block * blocks + end)


def people(folder, records=50, name="people.csv"):
    rows = "".join(f"{i},name{i % 17} surname{i % 13},{i % 7}\n" for i in range(records))
    return path_of(folder, name, "id,a,b\n" + rows)


def dedupe(inputs, *rules, options=()):
    inputs = [inputs] if isinstance(inputs, str) else inputs
    given = [part for rule in rules or ("l.a = r.a",) for part in ("--rule", rule)]
    return ["dedupe", *inputs, *given, *options]


def with_file(inputs, rules, options=()):
    return ["dedupe", inputs, "--rules", rules, *options]


def rule_file(folder, *rules, derive=()):
    text = "[derive]\n" + "".join(f"{name} = '''{sql}'''\n" for name, sql in derive)
    text += "".join(f"[[rule]]\nwhen = '''{rule}'''\n" for rule in rules)
    return path_of(folder, "rules.toml", text)


# A writer of Parquet files, as small as can be


class Thrift:
    """A struct of Thrift's compact protocol."""

    def __init__(self):
        self.bytes, self.last = b"", 0

    def field(self, number, kind, value):
        self.bytes += bytes([(number - self.last) << 4 | kind]) + value
        self.last = number
        return self

    def i32(self, number, value):
        return self.field(number, 5, varint(zigzag(value)))

    def i64(self, number, value):
        return self.field(number, 6, varint(zigzag(value)))

    def text(self, number, value):
        return self.field(number, 8, varint(len(value)) + value)

    def struct(self, number, value):
        return self.field(number, 12, value.end())

    def list(self, number, kind, items):
        head = bytes([len(items) << 4 | kind]) if len(items) < 15 else bytes([0xF0 | kind]) + varint(len(items))
        return self.field(number, 9, head + b"".join(items))

    def end(self):
        return self.bytes + b"\0"


def zigzag(value):
    return value << 1 if value >= 0 else (-value << 1) - 1


def varint(value):
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def page(header, content):
    pack = zlib.compressobj(9, zlib.DEFLATED, 31)
    packed_content = pack.compress(content) + pack.flush()
    header = header.i32(2, len(content)).i32(3, len(packed_content))
    return header, packed_content


def parquet_of_one_value(folder, name, value, rows, kind, claimed=None):
    """One required column `a`, whose dictionary has one value and whose indexes are one run."""
    dictionary, packed_dictionary = page(Thrift().i32(1, 2), value)
    dictionary = dictionary.struct(7, Thrift().i32(1, 1).i32(2, 0)).end() + packed_dictionary
    data, packed_data = page(Thrift().i32(1, 0), b"\x01" + varint(rows << 1) + b"\x00")
    data = data.struct(5, Thrift().i32(1, rows).i32(2, 8).i32(3, 3).i32(4, 3)).end() + packed_data
    size = len(dictionary) + len(data)
    root = Thrift().text(4, b"schema").i32(5, 1).end()
    column = Thrift().i32(1, kind).i32(3, 0).text(4, b"a")
    column = (column.i32(6, 0) if kind == 6 else column).end()
    rows = claimed or rows
    meta = Thrift().i32(1, kind).list(2, 5, [varint(zigzag(0)), varint(zigzag(8))]).list(3, 8, [b"\x01a"]).i32(4, 2)
    meta = meta.i64(5, rows).i64(6, size).i64(7, size).i64(9, 4 + len(dictionary)).i64(11, 4)
    group = Thrift().list(1, 12, [Thrift().i64(2, 4).struct(3, meta).end()]).i64(2, size).i64(3, rows).end()
    footer = Thrift().i32(1, 1).list(2, 12, [root, column]).i64(3, rows).list(4, 12, [group]).end()
    content = b"PAR1" + dictionary + data + footer + struct.pack("<I", len(footer)) + b"PAR1"
    return path_of(folder, name, content)


# Files that never end, or only seem small


@case
def header_of_dev_zero(folder):
    return dedupe("/dev/zero")


@case
def gzip_of_zeros(folder):
    return dedupe(packed(folder, "zeros.csv", b"", bytes(64 << 20), 64))


@case
def zstd_of_one_byte(folder):
    return dedupe(zstd_zeros(folder, "same.csv.zst", 32 << 10))


@case
def zstd_with_a_huge_window(folder):
    return dedupe(zstd_zeros(folder, "window.csv.zst", 64, window=31 << 3))


@case
def gzip_of_many_rows(folder):
    return dedupe(packed(folder, "rows.csv", b"a,b\n", b"some text,other\n" * (1 << 20), 100), options=["--id", "row"])


@case
def gzip_of_rows_of_long_texts(folder):
    row = b"x" * (1 << 20) + b",other\n"
    return dedupe(packed(folder, "long.csv", b"a,b\n", row * 16, 100), options=["--id", "row"])


@case
def quoted_field_without_end(folder):
    return dedupe(packed(folder, "quote.csv", b'id,a\n1,"', b"x" * (64 << 20), 32))


@case
def quoted_field_of_line_breaks(folder):
    return dedupe(packed(folder, "lines.csv", b'id,a\n1,"', b"x\n" * (32 << 20), 32))


@case
def one_giant_json_line(folder):
    return dedupe(packed(folder, "giant.jsonl", b'{"id":1,"a":"', b"x" * (64 << 20), 32, b'"}\n'))


@case
def one_giant_json_array(folder):
    return dedupe(packed(folder, "array.jsonl", b'{"id":1,"a":["x"', b',"x"' * (8 << 20), 64, b"]}\n"))


@case
def deep_json_arrays(folder):
    return dedupe(packed(folder, "deep.jsonl", b'{"id":1,"a":', b"[" * (1 << 20), 10))


@case
def deep_json_objects(folder):
    return dedupe(packed(folder, "objects.jsonl", b'{"id":1,"a":', b'{"a":' * (1 << 20), 10))


@case
def json_lines_with_ever_new_keys(folder):
    lines = "".join(f'{{"id":{i},"a":{i},"key{i}":{i}}}\n' for i in range(50_000))
    return dedupe(path_of(folder, "keys.jsonl", lines))


@case
def a_hundred_thousand_columns(folder):
    header = "id,a," + ",".join(f"c{i}" for i in range(100_000))
    rows = "".join(f"{i},x" + ",1" * 100_000 + "\n" for i in range(20))
    return dedupe(path_of(folder, "wide.csv", header + "\n" + rows))


@case
def a_column_name_of_ten_megabytes(folder):
    return dedupe(path_of(folder, "name.csv", "id,a," + "n" * 10_000_000 + "\n1,x,y\n2,x,y\n"))


@case
def parquet_dictionary_bomb(folder):
    value = struct.pack("<I", 1 << 20) + b"x" * (1 << 20)
    return dedupe(parquet_of_one_value(folder, "bomb.parquet", value, 100_000, 6), options=["--id", "row"])


@case
def parquet_of_two_billion_rows(folder):
    file = parquet_of_one_value(folder, "rows.parquet", struct.pack("<q", 7), (1 << 31) - 1, 2)
    return dedupe(file, "l.a = r.a and l.a < 0", options=["--id", "row"])


@case
def parquet_that_claims_rows(folder):
    file = parquet_of_one_value(folder, "claim.parquet", struct.pack("<q", 7), 10, 2, claimed=1 << 40)
    return dedupe(file, options=["--id", "row"])


@case
def parquet_footer_of_four_gigabytes(folder):
    return dedupe(path_of(folder, "footer.parquet", b"PAR1" + b"\x19" * 4096 + b"\xff\xff\xff\xffPAR1"))


@case
def fifo_without_line_break(folder):
    path = os.path.join(folder, "fifo.csv")
    os.mkfifo(path)
    return dedupe(path)


@case
def a_directory(folder):
    return dedupe(folder)


# Small files with strange content


@case
def an_empty_file(folder):
    return dedupe(path_of(folder, "empty.csv", b""))


@case
def nul_bytes(folder):
    return dedupe(path_of(folder, "nul.csv", b"id,a\n1,\0x\0\n2,\0x\0\n\0\0\0,\0\n"))


@case
def invalid_utf8(folder):
    return dedupe(path_of(folder, "latin.csv", b"id,a\n1,M\xfcller\n2,\xff\xfe\n"))


@case
def utf16(folder):
    return dedupe(path_of(folder, "utf16.csv", "id,a\n1,x\n2,x\n".encode("utf-16")))


@case
def byte_order_mark(folder):
    return dedupe(path_of(folder, "bom.csv", b"\xef\xbb\xbfid,a\n1,x\n2,x\n"))


@case
def ids_of_control_characters(folder):
    return dedupe(path_of(folder, "control.csv", b"id,a\n\x1b[31m\x07,x\n\x1b[31m\x07,x\n"))


@case
def ids_of_thirty_megabytes(folder):
    row = b"%d" + b"x" * (30 << 20) + b",y\n"
    return dedupe(packed(folder, "ids.csv", b"id,a\n" + row % 1, row % 2, 1, row % 3))


# Texts and sets that are long, and what is made of them


@case
def replace_that_grows(folder):
    sql = "a"
    for letter in "abababab":
        sql = f"replace({sql}, '{letter}', '{'ba' * 20}')"
    return with_file(people(folder), rule_file(folder, "l.d = r.d", derive=[("d", f"replace({sql}, 'n', 'aaaa')")]))


@case
def concatenation_that_doubles(folder):
    derive = [("d0", "a || b")] + [(f"d{i}", f"d{i - 1} || d{i - 1}") for i in range(1, 40)]
    return with_file(people(folder), rule_file(folder, "l.d39 = r.d39", derive=derive))


@case
def qgrams_of_ten(folder):
    rows = "".join(f"{i}," + "".join(chr(97 + (i * j * j) % 26) for j in range(1000)) + "\n" for i in range(5_000))
    return dedupe(path_of(folder, "grams.csv", "id,a\n" + rows), "jaccard(qgrams(l.a, 10), qgrams(r.a, 10)) >= 0.8")


@case
def texts_of_sixty_kilobytes(folder):
    text = ("lorem ipsum dolor sit amet " * 2300)[:60_000]
    rows = "".join(f"{i},{i} {text}\n" for i in range(500))
    return dedupe(path_of(folder, "sixty.csv", "id,a\n" + rows), "levenshtein_similarity(l.a, r.a) >= 0.99")


@case
def sets_of_texts_of_sixty_kilobytes(folder):
    rows = "".join(f"{i}," + " ".join(str(i * 7919 % 999_983 + j) for j in range(9_000)) + "\n" for i in range(300))
    return dedupe(path_of(folder, "sets.csv", "id,a\n" + rows), "jaccard(qgrams(l.a, 3), qgrams(r.a, 3)) >= 0.9")


@case
def texts_of_two_megabytes(folder):
    rows = "".join(f"{i},{'xy' * 1_000_000}{i}\n" for i in range(2))
    return dedupe(path_of(folder, "two.csv", "id,a\n" + rows), "levenshtein(l.a, r.a) <= 3")


@case
def swaps_in_texts_of_eight_megabytes(folder):
    text = "xy" * 4_000_000
    rows = f"1,{text}\n2,{text[:1000]}yx{text[1002:-1]}z\n"
    return dedupe(path_of(folder, "eight.csv", "id,a\n" + rows), "damerau_levenshtein(l.a, r.a) <= 3")


@case
def damerau_of_long_texts(folder):
    rows = "".join(f"{i}," + "".join(chr(97 + (i + j * j) % 26) for j in range(3_000)) + "\n" for i in range(2))
    return dedupe(path_of(folder, "damerau.csv", "id,a\n" + rows), "damerau_similarity(l.a, r.a) >= 0.5")


@case
def jaro_of_long_texts(folder):
    rows = "".join(f"{i}," + "".join(chr(97 + (i + j * j) % 26) for j in range(20_000)) + "\n" for i in range(4))
    return dedupe(path_of(folder, "jaro.csv", "id,a\n" + rows), "jaro_winkler(l.a, r.a) >= 0.9")


@case
def sets_of_two_hundred_thousand(folder):
    rows = "".join(f"{i}," + " ".join(f"w{j + i}" for j in range(200_000)) + "\n" for i in range(8))
    return dedupe(path_of(folder, "large.csv", "id,a\n" + rows), "jaccard(words(l.a), words(r.a)) >= 0.9")


@case
def a_million_distinct_tokens(folder):
    rows = "".join(f"{i}," + " ".join(f"{i}t{j}" for j in range(50)) + "\n" for i in range(20_000))
    return dedupe(path_of(folder, "tokens.csv", "id,a\n" + rows), "jaccard(words(l.a), words(r.a)) >= 0.5")


# Rules that are long, deep or many


def rule_in_a_file(folder, rule):
    return with_file(people(folder), rule_file(folder, rule))


@case
def a_hundred_thousand_literals(folder):
    return rule_in_a_file(folder, f"l.a = r.a and l.b in ({', '.join(map(str, range(100_000)))})")


@case
def ten_thousand_nested_calls(folder):
    return rule_in_a_file(folder, "lower(" * 10_000 + "l.a" + ")" * 10_000 + " = r.a")


@case
def a_hundred_thousand_parentheses(folder):
    return rule_in_a_file(folder, "(" * 100_000 + "l.a = r.a" + ")" * 100_000)


@case
def a_hundred_thousand_nots(folder):
    return rule_in_a_file(folder, "not " * 100_000 + "l.a = r.a")


@case
def long_chain_of_or(folder):
    return rule_in_a_file(folder, " or ".join(f"l.a = 'v{i}' and r.a = 'w{i}'" for i in range(20_000)))


@case
def forty_thousand_or(folder):
    return rule_in_a_file(folder, " or ".join(f"l.a = 'v{i}' and r.a = 'w{i}'" for i in range(40_000)))


def comparisons(folder, number, levels):
    text = "".join(f"[[compare]]\nname = 'c{i}'\nlevels = [{', '.join(levels)}]\n" for i in range(number))
    return path_of(folder, "compare.toml", text)


@case
def three_thousand_comparisons(folder):
    return with_file(people(folder), comparisons(folder, 3_000, ["'l.a = r.a'"]))


@case
def two_thousand_levels(folder):
    return with_file(people(folder), comparisons(folder, 1, [f"'abs(l.b - r.b) = {i}'" for i in range(2_000)]))


@case
def a_model_that_never_ends(folder):
    return with_file(people(folder), comparisons(folder, 1, ["'l.a = r.a'"]), ["--model", "/dev/zero"])


@case
def rules_that_never_end(folder):
    return with_file(people(folder), "/dev/zero")


@case
def long_chain_of_and(folder):
    return rule_in_a_file(folder, "l.a = r.a and " + " and ".join(f"l.b <> 'v{i}'" for i in range(20_000)))


@case
def long_chain_of_plus(folder):
    return rule_in_a_file(folder, "l.a = r.a and l.b" + " + 1" * 20_000 + " > 0")


@case
def long_chain_of_concatenations(folder):
    return rule_in_a_file(folder, "l.a" + " || 'x'" * 20_000 + " = r.a")


@case
def nested_case(folder):
    return rule_in_a_file(folder, "case when l.a = r.a then true else " * 2_000 + "false" + " end" * 2_000)


@case
def normal_form_of_two_to_the_forty(folder):
    return rule_in_a_file(folder, " and ".join(f"(l.a = 'a{i}' or r.b = 'b{i}')" for i in range(40)))


@case
def five_thousand_rules(folder):
    rules = (f"l.a = r.a and levenshtein(l.b, r.b) <= {i % 9} and l.b <> '{i}'" for i in range(5_000))
    return with_file(people(folder), rule_file(folder, *rules))


@case
def five_thousand_chained_derives(folder):
    derive = [("d0", "a")] + [(f"d{i}", f"lower(d{i - 1})") for i in range(1, 5_000)]
    return with_file(people(folder), rule_file(folder, "l.d4999 = r.d4999", derive=derive))


@case
def a_regular_expression_that_multiplies(folder):
    return rule_in_a_file(folder, "regexp_replace(l.a, '((a{1,1000}){1,1000}){1,1000}', '') = r.a")


@case
def a_pattern_of_many_wildcards(folder):
    rows = "".join(f"{i},{'a' * 20_000}b\n" for i in range(20))
    pattern = "%a" * 200 + "%c"
    return dedupe(path_of(folder, "like.csv", "id,a\n" + rows), f"l.a = r.a and l.a like '{pattern}'")


@case
def a_list_of_one_long_row(folder):
    path = path_of(folder, "list.csv", "name," * 40_000_000)
    return dedupe(people(folder), f"in_list(l.a, r.a, '{path}')")


@case
def a_list_of_short_rows(folder):
    path = path_of(folder, "list.csv", "".join(f"a{i},b{i}\n" for i in range(3_000_000)))
    return dedupe(people(folder), f"in_list(l.a, r.a, '{path}')")


@case
def a_list_that_never_ends(folder):
    return dedupe(people(folder), "in_list(l.a, r.a, '/dev/zero')")


@case
def a_list_that_is_a_pipe(folder):
    path = os.path.join(folder, "list.csv")
    os.mkfifo(path)
    return dedupe(people(folder), f"in_list(l.a, r.a, '{path}')")


@case
def a_value_in_many_groups(folder):
    path = path_of(folder, "list.csv", "".join(f"name1 surname1,x{i}\n" for i in range(200_000)))
    return dedupe(people(folder, 5_000), f"in_list(l.a, r.a, '{path}')")


@case
def deep_toml(folder):
    path = path_of(folder, "deep.toml", "x = " + "[" * 1_000_000)
    return with_file(people(folder), path)


@case
def a_hundred_thousand_threads(folder):
    return dedupe(people(folder), options=["--threads", "100000"])
