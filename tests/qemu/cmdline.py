"""The kernel's command line, as the kernel reads it: the last right value of a key counts."""
import dataclasses

import layout

POLICIES = ("serial", "node", "ktask", "padata", "zone", "lazy", "async")
BASELINE = "node"  # always among those that run
PAGE_SIZES = (64, 56, 40, 32, 16, 8)


@dataclasses.dataclass
class Options:
    experiments: set
    policies: list      # that are compared, the baseline among them
    threads: int        # workers per node; 0: the policy's own number
    chunk_pages: int    # 0: by the rules
    repeat: int
    split: str
    place: str
    vmemmap: str
    page_size: int
    refused: list       # words whose value is not allowed


def number_of(text, low, high):
    return int(text) if text.isascii() and text.isdigit() and low <= int(text) <= high else None


def power_of(text):
    value = number_of(text, 4, 65536)
    return value if value and not value & (value - 1) else None


def names_of(known):
    def parse(text):
        names = text.split(",")
        if not set(names) <= {*known, "all"} or ("all" in names and known != POLICIES):
            return None
        return [name for name in known if name in names or "all" in names]
    return parse


def one_of(*known):
    return lambda text: text if text in known else None


VALUES = {  # key: the value that a text means, None where it is not allowed
    "run": names_of(("init", "sweep")),
    "policy": names_of(POLICIES),
    "threads": lambda text: number_of(text, 1, 4096),
    "chunk": power_of,
    "repeat": lambda text: number_of(text, 1, 100),
    "split": one_of("dynamic", "static"),
    "place": one_of("local", "remote", "interleave"),
    "vmemmap": one_of("4k", "2m", "1g"),
    "page_size": lambda text: int(text) if text in map(str, PAGE_SIZES) else None,
}
DEFAULTS = {"run": ["init"], "policy": POLICIES, "threads": 0, "chunk": 0, "repeat": 5,
            "split": "dynamic", "place": "local", "vmemmap": "2m", "page_size": 64}


def options(text):
    """Of the keys that decide what a run records."""
    found, refused = dict(DEFAULTS), []
    for word in text.split():
        key, _, value = word.partition("=")
        if key not in VALUES:
            continue
        meant = VALUES[key](value)
        if meant is None:
            refused.append(word)
        else:
            found[key] = meant
    return Options(
        experiments=set(found["run"]),
        policies=[p for p in POLICIES if p in found["policy"] or p == BASELINE],
        threads=found["threads"], chunk_pages=found["chunk"] * layout.MIB // layout.PAGE,
        repeat=found["repeat"], split=found["split"], place=found["place"],
        vmemmap=found["vmemmap"], page_size=found["page_size"], refused=refused)
