# SPDX-License-Identifier: GPL-2.0-only
"""The kernel's command line, as the kernel reads it: the last right value of a key counts."""
import dataclasses

import layout

GENERATIONS = ("serial", "node", "ktask", "padata", "zone", "lazy", "async")  # run unasked
POLICIES = GENERATIONS + ("cores", "hmat", "calibrated", "auto")
BASELINE = "node"  # always among those that run
STORES = ("plain", "linux", "template", "stosq", "nti", "nt128", "nt256", "nt512", "v256",
          "v512", "movdir64b", "clzero")
PAGE_SIZES = (64, 56, 40, 32, 16, 8)
PCP = ("none", "order0", "high", "merged", "trylock", "owned")
FREE = ("vanilla", "batch", "pieces", "owned")
WITH_ALL = (POLICIES, PCP, FREE)  # whose lists may say `all`


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


def number_of(text, low, high):
    return int(text) if text.isascii() and text.isdigit() and low <= int(text) <= high else None


def power_of(text):
    value = number_of(text, 4, 65536)
    return value if value and not value & (value - 1) else None


def names_of(known):
    def parse(text):
        names = text.split(",")
        if not set(names) <= {*known, "all"} or ("all" in names and known not in WITH_ALL):
            return None
        return [name for name in known if name in names or "all" in names]
    return parse


def one_of(*known):
    return lambda text: text if text in known else None


VALUES = {  # key: the value that a text means, None where it is not allowed
    "run": names_of(("init", "sweep", "bandwidth", "pcp", "free")),
    "policy": names_of(POLICIES),
    "pcp": names_of(PCP),
    "free": names_of(FREE),
    "map": names_of(("4k", "2m")),
    "size": lambda text: number_of(text, 1, 2 ** 26),
    "gather": lambda text: number_of(text, 1, 65536),
    "max_active": lambda text: number_of(text, 1, 4096),
    "fragment": lambda text: number_of(text, 0, 100),
    "core_mbps": lambda text: number_of(text, 1, 2 ** 32 - 1),
    "threads": lambda text: number_of(text, 1, 4096),
    "chunk": power_of,
    "repeat": lambda text: number_of(text, 1, 100),
    "split": one_of("dynamic", "static"),
    "place": one_of("local", "remote", "interleave"),
    "vmemmap": one_of("4k", "2m", "1g"),
    "store": one_of(*STORES, "auto"),
    "page_size": lambda text: int(text) if text in map(str, PAGE_SIZES) else None,
}
DEFAULTS = {"run": ["init"], "policy": GENERATIONS, "pcp": PCP, "free": FREE,
            "map": ("4k", "2m"), "size": 0, "gather": 0, "max_active": 0, "fragment": 0,
            "core_mbps": 0, "threads": 0, "chunk": 0, "repeat": 5,
            "split": "dynamic", "place": "local", "vmemmap": "2m",
            "page_size": 64, "store": "plain"}


def options(text):
    """Of the keys that decide what a run records."""
    found, refused, given = dict(DEFAULTS), [], set()
    for word in text.split():
        key, _, value = word.partition("=")
        if key not in VALUES:
            continue
        meant = VALUES[key](value)
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
