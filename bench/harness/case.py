"""A case of a row: what was measured, how it compares, and whether it reaches its bar."""

from .measure import summary


def case(name, ours, peers=(), **facts):
    """A case from contestants; `ours` may be missing where only a law of growth is stated."""
    return {"case": name, "ours": summary(ours) if ours else None, "peers": [summary(p) for p in peers], **facts}


def ratio(ours, peer):
    """(number, text) of a peer's time over ours; the number is None if either has no figure."""
    if not ours or "median" not in ours:
        return None, ""
    if "median" in peer:
        value = peer["median"] / ours["median"]
        return value, f"{value:.3g}x {peer['name']}"
    if peer.get("at_least"):
        value = peer["at_least"] / ours["median"]
        return value, f">{value:.3g}x {peer['name']}"
    return None, f"{peer['name']} has no figure"


def judge(met, limit=""):
    """The verdict; None where there is nothing to judge."""
    return "" if met is None else f"{'met' if met else '**missed**'}{f' ({limit})' if limit else ''}"


def at_least(found, bar):
    """A verdict on ratios: [(name, number, bar)] all reached."""
    values = [(value, least) for value, least in zip(found, bar) if value is not None]
    if not values:
        return "no figure"
    return judge(all(value >= least for value, least in values), ", ".join(f">= {least}x" for _, least in values))


def under(facts, seconds):
    """A verdict on our own time."""
    if not facts or "median" not in facts:
        return "no figure"
    return judge(facts["median"] <= seconds, f"<= {seconds} s")


def fastest(peers):
    """Of the peers that finished with the right answer, the fastest; else the one whose limit was longest."""
    finished = [peer for peer in peers if "median" in peer and not peer.get("wrong")]
    if finished:
        return min(finished, key=lambda peer: peer["median"])
    late = [peer for peer in peers if peer.get("at_least")]
    return max(late, key=lambda peer: peer["at_least"]) if late else None


def agreement(ours, theirs):
    """How the answers agree; `theirs` are (name, answer) of the peers that finished.

    A peer that alone differs is named; if none agrees with us, a person must check.
    """
    if ours is None:
        return "not compared"
    if not theirs:
        return "no peer finished"
    differing = [f"{name} ({_first(answer)})" for name, answer in theirs if answer != ours]
    agreeing = [name for name, answer in theirs if answer == ours]
    if not differing:
        return "equal"
    if agreeing:
        return f"equal to {', '.join(agreeing)}; not {', '.join(differing)}"
    return f"**differ**: {_first(ours)} and {', '.join(differing)}"


def _first(answer):
    return answer[0] if isinstance(answer, tuple) else answer
