"""The figures of a case as texts, under the names that tables use."""

from . import missing, numbers

COUNTS = ("nominal", "candidates", "pairs", "rate", "rules")
QUALITIES = ("recall", "precision", "f1", "components")
WORDS = ("kind", "density", "clusters")


class Named:
    """Texts by name, for `format_map`: `{time}`, `{Splink.memory}`. By itself it is its time: `{Splink}`."""

    def __init__(self, where, texts):
        self._where, self._texts = where, texts

    def __getitem__(self, name):
        if name not in self._texts:
            raise missing(f"figure of {self._where}", name, self._texts)
        return self._texts[name]

    __getattr__ = __getitem__

    def __format__(self, _):
        return self["time"]


def of_case(case, cores, others=()):
    """The figures of a case and of its peers, and those of other cases under the names that they are given."""
    texts = {"case": case["case"], "cores": str(cores)} | _numbers(case)
    if case.get("ours"):
        texts |= _contestant(case["ours"])
    texts |= {peer["name"]: _peer(peer, case["case"]) for peer in case["peers"]}
    texts |= {name: of_case(other, cores) for name, other in dict(others).items()}
    return Named(f"`{case['case']}`", texts)


def _peer(peer, case):
    return Named(f"`{peer['name']}` in `{case}`", _contestant(peer) | _numbers(peer))


def _contestant(facts):
    """Time and memory. One that did not finish has no time, and says so."""
    texts = {"time": _time(facts)}
    return texts | ({"memory": numbers.memory(facts["peak_mb"])} if facts.get("peak_mb") else {})


def _time(facts):
    if "median" not in facts:
        return facts["failed"]
    parts = [numbers.time(facts["median"])]
    parts += [f"then {facts['failed']}"] if "failed" in facts else []
    parts += [facts["label"]] if facts.get("wrong") else []
    return ", ".join(parts)


def _numbers(facts):
    """Counts, rates and qualities, as far as they are known."""
    texts = {name: numbers.count(facts[name]) for name in COUNTS if facts.get(name) is not None}
    texts |= {name: numbers.quality(facts[name]) for name in QUALITIES if facts.get(name) is not None}
    texts |= {name: facts[name] for name in WORDS if isinstance(facts.get(name), str)}
    if facts.get("candidates") is not None and facts.get("nominal"):
        texts["candidate_share"] = numbers.share(facts["candidates"] / facts["nominal"])
    return texts
