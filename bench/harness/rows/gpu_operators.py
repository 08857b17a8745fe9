"""Single operators on the GPU.

What an operator calls `seconds` is the device's own clock, around its kernels; the start of the device, the making of the
input and copies are in the wall time of the process, which is in the notes. `tested` pairs met the filters, `verified`
pairs the measure itself.
"""

from .. import inputs
from ..case import case, judge, ratio, under
from ..measure import Contestant, inner, interleave
from ..settings import operator
from . import Row

FOUR_GB = 4_000_000_000
# Without these every pair reaches the measure: a rate of verified pairs is the measure's own.
NO_FILTER = ("--no-signatures", "--no-unions", "--no-lengths")


def measured(title, command, settings, nominal, rated=None, bar=None, unit="pairs"):
    """One operator in one process. A rate counts `rated` pairs, or those under that name, or those found; `bar` is the
    least per second."""
    ours = Contestant("sameas", command, inner, limit=3600, most=1)
    interleave([ours], settings)
    facts = ours.facts()
    counts = (facts.get("counted") or {}) | {"pairs": facts.get("pairs", facts.get("holding"))}
    found = case(title, ours, nominal=nominal, candidates=counts.get("verified"), pairs=counts["pairs"], notes=[])
    if "median" not in found["ours"]:
        return found
    rated = counts[rated] if isinstance(rated, str) else rated or counts["pairs"]
    found["rate"] = rated / found["ours"]["median"]
    found["ratio"] = f"{found['rate'] / 1e9:.4g} G {unit}/s"
    if bar:
        found["verdict"] = judge(found["rate"] >= bar, f">= {bar / 1e9:.4g} G/s")
    counted = ", ".join(f"{name} {count:,}" for name, count in counts.items() if count is not None)
    found["notes"].append(f"{counted}; whole process {found['ours']['wall']:.3g} s")
    return found


def text_join(settings):
    """All pairs of distinct names: with every filter, without each, and lists of pairs."""
    count = settings.size(1_000_000, 20_000)
    path = inputs.names(count)
    nominal = count * (count - 1) // 2
    join = lambda measure, threshold, *options: operator(
        "gpu-text-join", "--names", path, "--measure", measure, "--threshold", threshold, *options,
        "--repeats", settings.runs,
    )
    without = [((switch,), None) for switch in ("--no-queue", "--no-signatures", "--no-unions", "--no-lengths")]
    joins = [
        # An index takes 0.05 s: ten million million pairs a second.
        ("levenshtein", 2, [((), 1e12), (("--index",), 10e12), *without, (NO_FILTER, 100e9)]),
        ("jaro_winkler", 0.9, [((), 500e9), *without, (NO_FILTER, 20e9)]),
    ]
    cases = []
    for measure, threshold, switches in joins:
        for options, bar in switches:
            title = " ".join([f"{count:,} names, {measure} {threshold}", *options])
            command = join(measure, threshold, *options)
            rated, unit = ("verified", "verified pairs") if options == NO_FILTER else (nominal, "nominal pairs")
            cases.append(measured(title, command, settings, nominal, rated, bar, unit))
    pairs = settings.size(200_000_000, 1_000_000)
    title = f"{pairs:,} arbitrary pairs of {count:,} names, levenshtein 2"
    cases.append(measured(title, join("levenshtein", 2, "--pairs", pairs), settings, pairs, pairs, 15e9))
    cases[0]["notes"].append(f"input {inputs.fingerprint(path)}")
    by_index = _both_devices(settings, "levenshtein", 2, "--index")
    return cases + [_both_devices(settings, measure, threshold) for measure, threshold, _ in joins] + [by_index]


def _both_devices(settings, measure, threshold, *switches):
    """The same names by the CPU's path, on all its cores; the GPU's pairs are compared with the CPU's, one by one."""
    count = settings.size(200_000, 20_000)
    path = inputs.names(count)
    options = ["--names", path, "--measure", measure, "--threshold", threshold, "--repeats", settings.runs, "--check", *switches]
    mine = Contestant("GPU", operator("gpu-text-join", *options), inner, most=1)
    cpu = operator("text_join", "--file", path, "--measure", measure, "--cutoff", threshold, "--repeats", 1)
    rival = Contestant("CPU", cpu, inner, most=3)
    interleave([mine, rival], settings)
    same = {True: "equal pairs", False: "**differ**", None: "not compared"}[mine.facts().get("as_on_the_cpu")]
    found = case(
        " ".join([f"{count:,} names, {measure} {threshold}, both devices", *switches]), mine, [rival], nominal=count * (count - 1) // 2,
        pairs=mine.facts().get("pairs"), agree=same,
        notes=[f"input {inputs.fingerprint(path)}, {settings.threads} threads; the GPU's kernels, the CPU from lines in memory"],
    )
    value, found["ratio"] = ratio(found["ours"], found["peers"][0])
    found["verdict"] = "no figure" if value is None else judge(value >= 20, ">= 20x")
    return found


# Pairs of records among the titles of `dblp_titles_18k`, and seconds at most from resident token ids and from text.
TITLES = {0.5: 5_809, 0.7: 3_299, 0.9: 456}
RESIDENT, FROM_TEXT = 0.003, 0.02
# Of a million titles: seconds at most.
MILLION = {0.8: 0.3, 0.5: 2}


def set_join(settings):
    """Set joins from resident token ids, equal to the CPU's pairs: real titles, generated ones, and a token in every set."""
    few = settings.size(18_000, 3_000)
    path = inputs.titles_18k(settings.data, few)
    cases = []
    for threshold, exact in TITLES.items():
        found, facts = _sets(f"{few:,} titles, 3-grams, Jaccard {threshold}", path, "qgrams3", threshold, settings)
        if facts and not settings.quick:
            from_text = min(facts["text_seconds"])
            verdicts = [judge(facts["pairs"] == exact, f"{exact:,} pairs"), under(found["ours"], RESIDENT)]
            found["verdict"] = "; ".join(verdicts + [f"from text {judge(from_text <= FROM_TEXT, f'<= {FROM_TEXT} s')}"])
        cases.append(found)
    many = settings.size(1_000_000, 5_000)
    for threshold, seconds in MILLION.items():
        title = f"{many:,} titles, 3-grams, Jaccard {threshold}"
        found, _ = _sets(title, inputs.titles(settings.data, many), "qgrams3", threshold, settings)
        found["verdict"] = under(found["ours"], seconds)
        cases.append(found)
    return cases + _one_token_in_all(settings)


def _one_token_in_all(settings):
    """Sets of equal size that all have one token, at a low threshold: both ways on the device, and the CPU."""
    count = settings.size(100_000, 2_000)
    path = inputs.one_word_in_all(count)
    title = f"{count:,} lines of ten words, one in all of them, Jaccard 0.3"
    cases = [_sets(f"{title}{kind}", path, "words", 0.3, settings, *options)[0] for kind, options in (
        ("", ()), (", lists", ("--path", "prefixes")), (", everything", ("--path", "everything")),
    )]
    cpu = Contestant("CPU", operator("set_join", path, "--tokens", "words", "--threshold", 0.3, "--runs", 1), inner, most=3)
    interleave([cpu], settings)
    peer = case("", cpu)["ours"]
    cases[0]["peers"] = [peer]
    value, cases[0]["ratio"] = ratio(cases[0]["ours"], peer)
    cases[0]["verdict"] = "no figure" if value is None else judge(value >= 1, "no slower than the CPU")
    return cases


def _sets(title, path, tokens, threshold, settings, *options):
    """One join, checked against the CPU's pairs, and what it said."""
    command = operator(
        "gpu-set-join", path, "--tokens", tokens, "--threshold", threshold, "--repeats", settings.runs, "--check", *options
    )
    ours = Contestant("sameas", command, inner, limit=3600, most=1)
    interleave([ours], settings)
    facts = ours.facts()
    counts = facts.get("counted") or {}
    same = {True: "equal to the CPU's pairs", False: "**differ**"}.get(facts.get("as_on_the_cpu"), "not compared")
    found = case(
        title, ours, nominal=facts.get("nominal"), candidates=counts.get("tested"), pairs=facts.get("pairs"), agree=same, notes=[]
    )
    if "median" in found["ours"]:
        counted = ", ".join(f"{name} {count:,}" for name, count in counts.items())
        found["ratio"] = f"{facts['nominal'] / found['ours']['median'] / 1e9:.4g} G nominal pairs/s"
        found["notes"].append(
            f"{facts['path']}, {facts['signature_bits']} bits; {counted}; join alone {min(facts['join_seconds']):.3g} s, from"
            f" text {min(facts['text_seconds']):.3g} s; input {inputs.fingerprint(path)}"
        )
    return found, facts


def equi_join(settings):
    """Equality joins of Zipf-distributed keys, consumed and written; each run checks its number of pairs."""
    n = settings.size(32_000_000, 200_000)
    # Of 32 M x 32 M: seconds at most.
    bars = {("write", 1.0): 12, ("count", 1.0): 2, ("count", 0.5): 0.008}

    def join(consumer, zipf, *options):
        command = operator(
            "gpu-equi-join", "--rows", n, "--zipf", zipf, "--consumer", consumer, "--repeats", settings.runs, *options
        )
        title = f"{n:,} x {n:,}, Zipf {zipf}, {consumer}" + (", 4 GB" if options else "")
        found = measured(title, command, settings, n * n) | {"zipf": zipf, "records": 2 * n}
        bar = bars.get((consumer, zipf))
        if bar and not options and "rate" in found:
            found["verdict"] = judge(found["ours"]["median"] <= bar, f"<= {bar} s")
        return found

    counted = [join("count", zipf) for zipf in (0.0, 0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)]
    _law(counted)
    written = [join("write", zipf) for zipf in (0.0, 0.5, 1.0)]
    little = join("count", 1.0, "--memory", FOUR_GB)
    if "rate" in little and "rate" in counted[-1]:
        times = little["ours"]["median"] / counted[-1]["ours"]["median"]
        little["verdict"] = judge(times <= 2, f"{times:.2f}x all memory, <= 2x")
    return [*counted, *written, little]


def _law(cases):
    """Every step within 1.5 times of a(|L|+|R|) + b*pairs, a and b by both ends."""
    known = [found for found in cases if "rate" in found]
    if len(known) < 3:
        return
    first, last = known[0], known[-1]
    t0, t1, p0, p1 = first["ours"]["median"], last["ours"]["median"], first["pairs"], last["pairs"]
    b = (t1 - t0) / (p1 - p0)
    a = (t0 - b * p0) / first["records"]
    for found in known:
        times = found["ours"]["median"] / (a * found["records"] + b * found["pairs"])
        text = judge(times <= 1.5, f"{times:.2f}x the law, <= 1.5x")
        found["verdict"] = "; ".join(part for part in (found.get("verdict"), text) if part)
    first["notes"].append(f"the law: a = {a * 1e9:.3g} ns per record, b = {b * 1e12:.3g} ps per pair, from both ends")


ROWS = [
    Row(
        "gpu_equi_join_32m",
        "equality joins of 32 M x 32 M on the GPU, Zipf 0 to 1",
        "at Zipf 1.0 12 s written and 2 s consumed, 8 ms at 0.5, within 1.5x of a(|L|+|R|) + b*pairs",
        equi_join,
        gpu=True,
    ),
    Row(
        "gpu_set_join",
        "set joins on the GPU: dblp_titles_18k, 1 M generated titles, one token in every set",
        "3 ms each from token ids and 20 ms from text; 0.3 s at 0.8 and 2 s at 0.5; never slower than the CPU",
        set_join,
        gpu=True,
    ),
    Row(
        "gpu_text_join_1m",
        "Levenshtein and Jaro-Winkler over all pairs of a million distinct names on the GPU",
        "1 T and 500 G nominal pairs/s; without filters 100 G and 20 G; arbitrary pairs 15 G; 20x our CPU path",
        text_join,
        gpu=True,
    ),
]
