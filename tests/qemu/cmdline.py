# SPDX-License-Identifier: GPL-2.0-only
"""The kernel's command line, as the kernel reads it: the last right value of a key counts."""
import dataclasses
import json
import pathlib

import layout

# As the kernel's own tables say; `make docs` writes the file.
FILE = pathlib.Path(__file__).resolve().parents[2] / "docs/command-line.json"
KEYS = {key["name"]: key for key in json.loads(FILE.read_text(encoding="utf-8"))}
KEPT = ("run", "policy", "pcp", "free", "map", "size", "gather", "max_active", "fragment",
        "core_mbps", "threads", "chunk", "repeat", "split", "place", "vmemmap", "store",
        "page_size")  # those that decide what a run records
LONGEST = 4095      # bytes that the kernel takes of a line


def words(key, unasked_only=False):
    return tuple(word["name"] for word in KEYS[key]["values"]
                 if word["unasked"] or not unasked_only)


EXPERIMENTS = words("run")
POLICIES, GENERATIONS = words("policy"), words("policy", unasked_only=True)
BASELINE = "node"  # always among those that run
PCP, FREE = words("pcp"), words("free")
STORES = tuple(store for store in words("store") if store != "auto")


@dataclasses.dataclass
class Options:
    experiments: set
    policies: list      # that are compared, the baseline among them
    pcp: list           # ways of keeping pages per CPU
    free: list          # ways of freeing a mapping
    mappings: list      # 4k, 2m
    size_mib: int       # of the mapping; 0: by the kernel
    gather: int         # 0: both published settings
    max_active: int     # likewise
    fragment: int       # percent
    core_mbps: int      # what one core writes; 0: as measured
    threads: int        # workers per node; 0: the policy's own number
    chunk_pages: int    # 0: by the rules
    repeat: int
    split: str
    place: str
    vmemmap: str
    page_size: int
    store: str          # or auto
    store_given: bool   # by a word
    refused: list       # words whose value is not allowed


def number_of(key, text):
    right = text.isascii() and text.isdigit() and key["min"] <= int(text) <= key["max"]
    return int(text) if right else None


def power_of(key, text):
    value = number_of(key, text)
    return value if value and not value & (value - 1) else None


def names_of(key, text):
    known, names = words(key["name"]), text.split(",")
    everything = key["kind"] == "list or all" and "all" in names
    if not set(names) <= {*known, *(["all"] if everything else [])}:
        return None
    return [name for name in known if name in names or everything]


def choice_of(key, text):
    if text not in words(key["name"]):
        return None
    return int(text) if text.isdigit() else text


KINDS = {"list": names_of, "list or all": names_of, "choice": choice_of, "number": number_of,
         "power of two": power_of}


def meaning(key, text):
    """The value that a text means, None where it is not allowed."""
    return KINDS[KEYS[key]["kind"]](KEYS[key], text)


def default(key):
    """0 where the kernel finds the number itself."""
    if "list" in KEYS[key]["kind"]:
        return words(key, unasked_only=True)
    value = meaning(key, KEYS[key]["default"])
    return 0 if value is None else value


def options(text):
    """Of the keys that decide what a run records."""
    found, refused, given = {key: default(key) for key in KEPT}, [], set()
    for word in text.split():
        key, _, value = word.partition("=")
        if key not in KEPT:
            continue
        meant = meaning(key, value)
        if meant is None:
            refused.append(word)
        else:
            found[key] = meant
            given.add(key)
    return Options(
        experiments=set(found["run"]),
        policies=[p for p in POLICIES if p in found["policy"] or p == BASELINE],
        pcp=found["pcp"], free=found["free"], mappings=found["map"], size_mib=found["size"],
        gather=found["gather"], max_active=found["max_active"], fragment=found["fragment"],
        core_mbps=found["core_mbps"], threads=found["threads"],
        chunk_pages=found["chunk"] * layout.MIB // layout.PAGE,
        repeat=found["repeat"], split=found["split"], place=found["place"],
        vmemmap=found["vmemmap"], page_size=found["page_size"], store=found["store"],
        store_given="store" in given,
        refused=refused)
