"""The machine a result was measured on, and the versions of what ran."""

import json
import os
import platform
import re
import subprocess

from .settings import ROOT, program

INSTRUCTIONS = ["avx2", "avx512f", "avx512bw", "avx512vl", "avx512vbmi", "avx512_vpopcntdq", "avx512_bitalg", "neon"]


def _cpuinfo():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            lines = [line.partition(":") for line in file]
    except OSError:
        return {}
    return {name.strip(): value.strip() for name, _, value in reversed(lines)}


def _memory_gib():
    with open("/proc/meminfo", encoding="utf-8") as file:
        return round(int(file.readline().split()[1]) / 2**20, 1)


def _output_of(*command):
    try:
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def describe():
    """Everything a reader needs to judge the figures."""
    info = _cpuinfo()
    flags = set(info.get("flags", info.get("Features", "")).split())
    family = f"family {info.get('cpu family', '?')}, model {info.get('model', '?')}"
    return {
        "cpu": f"{info.get('model name', platform.machine())} ({family})",
        "cores": len(os.sched_getaffinity(0)),
        "instructions": [name for name in INSTRUCTIONS if name in flags],
        "memory_gib": _memory_gib(),
        "system": f"{platform.system()} {platform.release()}",
        "rustc": _output_of("rustc", "--version"),
        "python": platform.python_version(),
        # A machine that has only the programs knows no commit: it is given.
        "revision": os.environ.get("SAMEAS_REVISION") or _output_of("git", "rev-parse", "--short", "HEAD"),
        "changed_files": len(_output_of("git", "status", "--porcelain", "--untracked-files=no").splitlines()),
    }


def slug(machine):
    """The machine's name in a file name."""
    info = _cpuinfo()
    name = re.sub(r"\(r\)|\(tm\)|cpu|processor|@.*", "", info.get("model name", platform.machine()).lower())
    words = re.findall(r"[a-z0-9]+", name) + [f"m{info['model']}" if "model" in info else "", f"{machine['cores']}c"]
    return "-".join(word for word in words if word)


def gpu():
    """The GPU that ours runs on, with its driver; empty where there is none."""
    try:
        listing = json.loads(_output_of(*program("devices", "--format", "json")))
    except json.JSONDecodeError:
        return ""
    usable = [device for device in listing["devices"] if not device.get("unusable")]
    if not usable:
        return ""
    first = usable[0]
    major, minor = first["compute"]
    driver = _output_of("nvidia-smi", "--query-gpu=driver_version,clocks.max.sm,clocks.max.mem", "--format=csv,noheader")
    return (
        f"{len(usable)} x {first['name']}, compute capability {major}.{minor}, {first['memory'] / 2**30:.0f} GiB, "
        f"{listing.get('driver')}, driver and clocks {driver.splitlines()[0] if driver else 'unknown'}"
    )


def gpu_slug(machine):
    """The GPU's name in a file name."""
    name = machine.get("gpu", "").partition(",")[0].lower()
    words = re.findall(r"[a-z0-9]+", name.partition(" x ")[2])
    return "".join(f"-{word}" for word in words)


def load():
    """How busy the machine has been in the last minute; if it is busy with other work, a figure is worth less."""
    return round(os.getloadavg()[0], 2)
