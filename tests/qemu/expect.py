"""What the declaration of a machine implies, in the kernel's own terms: its nodes are numbered by
ascending proximity domain."""
import dataclasses

import layout

SECTION_PAGES = layout.SECTION // layout.PAGE
LOAD_BALANCE = 4  # padata's chunks per worker
REPEAT_DEFAULT = 5
# RAM that firmware may keep: below 1 MiB, and its tables; OVMF also its code, data and variables.
FIRMWARE_BYTES = {"pvh": 2 * layout.MIB, "bios": 2 * layout.MIB, "uefi": 160 * layout.MIB}


@dataclasses.dataclass
class Node:
    pxm: int
    apic_ids: list
    ranges: list        # of addresses, what the board gives it
    adopter: int = -1


@dataclasses.dataclass
class Machine:
    nodes: list
    distance: list              # rows
    distance_source: str
    bandwidth: dict             # (initiator, target): (MB/s, ns)
    policies: list              # that the experiment runs
    threads: int                # 0: as many as there are
    repeat: int
    min_chunk_pages: int        # of the policies that are compared with the baseline


def options(cmdline):
    """The keys that matter here; the last word wins, as in the kernel."""
    words = dict(word.split("=", 1) for word in cmdline.split() if "=" in word)
    chosen = words.get("policy", "").split(",")
    if not set(chosen) <= {"node", "padata"}:
        chosen = ["padata"]
    return ([p for p in ("node", "padata") if p in chosen or p == "node"],
            int(words.get("threads", 0)), int(words.get("repeat", REPEAT_DEFAULT)),
            max(int(words.get("chunk", 0)) * layout.MIB // layout.PAGE, SECTION_PAGES))


def adopter_of(machine, node):
    """The nearest node with CPUs: by distance, then read latency, then number."""
    def nearness(other):
        latency = machine.bandwidth.get((other, node), (0, 0))[1]
        return machine.distance[node][other], latency or float("inf"), other
    able = [i for i, other in enumerate(machine.nodes) if other.apic_ids]
    return min(able, key=nearness)


def expected_machine(declared, append):
    """`declared` is a declaration.Machine."""
    order = sorted(range(len(declared.nodes)), key=lambda i: declared.nodes[i].pxm)
    ranges, cpus = layout.node_ranges(declared), layout.node_cpus(declared)
    if declared.machine.find("acpi=off") >= 0:
        cpus = [[0]]  # nobody names the others
    count = len(order)
    nodes = [Node(declared.nodes[i].pxm, cpus[i], ranges[i]) for i in order]
    rows = [[declared.distance[i][j] for j in order] for i in order] if declared.distance else [
        [10 if i == j else 20 for j in range(count)] for i in range(count)]
    figures = {}
    if declared.latency:
        figures = {(a, b): (declared.bandwidth[i][j], declared.latency[i][j])
                   for a, i in enumerate(order) for b, j in enumerate(order)
                   if declared.nodes[i].cpus and declared.nodes[j].ram}
    machine = Machine(nodes, rows, "slit" if declared.distance else "default", figures,
                      *options(f"{declared.cmdline} {append}"))
    for index, node in enumerate(nodes):
        if node.ranges and not node.apic_ids:
            node.adopter = adopter_of(machine, index)
    return machine


def pages(ranges):
    return sum(end - start for start, end in ranges) // layout.PAGE


def overlap(ranges, others):
    return [(max(a, c), min(b, d)) for a, b in ranges for c, d in others if max(a, c) < min(b, d)]


def populated_sections(ranges):
    return len({s for start, end in ranges
                for s in range(start // layout.SECTION, (end - 1) // layout.SECTION + 1)})


def first_deferred(ranges):
    """The first section border with a section's worth of the node's RAM below it, or None."""
    left = layout.SECTION
    for start, end in sorted(ranges):
        if end - start >= left:
            return -(-(start + left) // layout.SECTION) * layout.SECTION
        left -= end - start
    return None


def deferrable_pages(ranges):
    border = first_deferred(ranges)
    return 0 if border is None else pages(overlap(ranges, [(border, 1 << 64)]))


def whole_pages(ranges, size):
    """How many aligned pages of `size` bytes lie within the ranges."""
    return sum(max(0, end // size - -(-start // size)) for start, end in ranges)


def remote_sections(ram):
    """Sections whose struct pages cannot lie on the node of their first frame; `ram`: (start, end,
    node) in ascending order."""
    homes = {}
    for start, end, node in ram:
        for section in range(start // layout.SECTION, (end - 1) // layout.SECTION + 1):
            homes.setdefault(section, node)
    return sum(max(0, list(homes.values()).count(node) - whole_pages(
        [(start, end) for start, end, n in ram if n == node], 2 * layout.MIB))
        for node in set(homes.values()))


def workers(machine, index, policy):
    """Of a node with enough to do for all of them, when all CPUs came."""
    node = machine.nodes[index]
    server = machine.nodes[node.adopter] if node.adopter >= 0 else node
    available = len(server.apic_ids)
    wanted = 1 if policy == "node" else machine.threads or available
    return min(wanted, available)


def min_chunk_pages(machine, policy):
    return SECTION_PAGES if policy == "node" else machine.min_chunk_pages


def chunk_pages(size_pages, most_workers, min_chunk=SECTION_PAGES):
    """padata_do_multithreaded's rule for one job whose unit is the section [Linux 5.8 to 6.18]."""
    count = max(1, min(size_pages // min_chunk, most_workers))
    chunk = max(size_pages // (count * LOAD_BALANCE), min_chunk)
    return -(-chunk // SECTION_PAGES) * SECTION_PAGES
