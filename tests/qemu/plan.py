# SPDX-License-Identifier: GPL-2.0-only
"""Who initialises what under which policy, worked out from the machine: policy.h, plan.h
and field notes of Linux's own rules, in this program's own words."""
import dataclasses

import expect
import layout

SECTION_PAGES = layout.SECTION // layout.PAGE
LOAD_BALANCE = 4  # padata's chunks per worker
BLOCK = 4 * layout.MIB
ZONE_ENDS = (16 * layout.MIB, 4 * layout.GIB, 1 << 64)


@dataclasses.dataclass
class Rule:
    workers: object            # of a node served by so many CPUs
    jobs: str                  # one per `range` or per `zone`
    two_passes: bool = False   # everything is initialised, then everything freed
    lazily: bool = False
    background: bool = False   # the boot CPU does not wait, and works only where it is alone
    baseline: bool = False     # nothing on the command line modifies it
    boot_only: bool = False    # the boot CPU does all nodes, one after the other
    shares: bool = False       # all nodes with the nearest CPUs serve one without
    best_stores: bool = False  # the fastest ones, unless the user named one


RULES = {
    "serial": Rule(lambda cpus: 1, "zone", boot_only=True),
    "node": Rule(lambda cpus: 1, "range", baseline=True),
    "ktask": Rule(lambda cpus: -(-cpus // 4), "range", two_passes=True),
    "padata": Rule(lambda cpus: cpus, "range"),
    "zone": Rule(lambda cpus: cpus, "zone"),
    "lazy": Rule(lambda cpus: cpus, "zone", lazily=True),
    "async": Rule(lambda cpus: cpus, "zone", background=True),
    "cores": Rule(None, "zone"),
    "hmat": Rule(None, "zone"),       # these three: as records of type `rule` say
    "calibrated": Rule(None, "zone"),
    "auto": Rule(None, "zone", shares=True, best_stores=True),
}


# ---- what is deferred ------------------------------------------------------------------------

def highest_zone(ranges):
    """Addresses of the zone in which the node's last frame lies."""
    last, start = max(end for _, end in ranges) - 1, 0
    for end in ZONE_ENDS:
        if last < end:
            return start, end
        start = end
    raise ValueError(last)


def first_deferred(ranges):
    """First section border with a section's worth of the highest zone's RAM below it, or None."""
    if not ranges:
        return None
    left = layout.SECTION
    for start, end in sorted(expect.overlap(ranges, [highest_zone(ranges)])):
        if end - start >= left:
            return -(-(start + left) // layout.SECTION) * layout.SECTION
        left -= end - start
    return None


def mixed_blocks(ram):
    """Blocks of 4 MiB that hold RAM of two nodes; such a one holds an end of a range of each."""
    nodes = {}
    for start, end, node in ram:
        for block in (start // BLOCK, (end - 1) // BLOCK):
            nodes.setdefault(block, set()).add(node)
    return [(block * BLOCK, (block + 1) * BLOCK)
            for block, found in sorted(nodes.items()) if len(found) > 1]


def deferrable(ram, node):
    """Ranges of the node's RAM that are deferred wherever they are not reserved."""
    own = [(start, end) for start, end, n in ram if n == node]
    border = first_deferred(own)
    if border is None:
        return []
    rest, at = [], border
    for start, end in mixed_blocks(ram):
        rest.append((at, max(at, start)))
        at = max(at, end)
    return expect.overlap(own, rest + [(at, 1 << 64)])


def largest_window(ram, node):
    """Pages from the node's border to the end of the section of its last frame that is deferred."""
    end = max(end for _, end in deferrable(ram, node))
    border = first_deferred([(start, end) for start, end, n in ram if n == node])
    return (-(-end // layout.SECTION) * layout.SECTION - border) // layout.PAGE


# ---- who does it -----------------------------------------------------------------------------

def exact_chunk(machine, policy):
    """In pages, 0: by the rules."""
    options = machine.options
    return 0 if RULES[policy].baseline or options.split == "static" else options.chunk_pages


def is_static(machine, policy):
    return machine.options.split == "static" and not RULES[policy].baseline


def working(machine, policy):
    """How many CPUs of each node may work: a background policy does without the boot CPU, unless
    there is no other."""
    counts = [len(node.apic_ids) for node in machine.nodes]
    if RULES[policy].background and sum(counts) > 1:
        counts[machine.boot_node] -= 1
    return counts


def server_of(machine, index, policy):
    """Whose CPUs work for a node: its own, else its adopter's, else the nearest node's."""
    counts, node = working(machine, policy), machine.nodes[index]
    if counts[index]:
        return index
    if node.adopter >= 0 and counts[node.adopter]:
        return node.adopter
    able = [other for other, count in enumerate(counts) if count]
    return min(able, key=lambda other: machine.distance[other][index])


def nearest(machine, index, policy):
    """Whose CPUs work for a node where they share it: its own, else all at the least distance."""
    counts = working(machine, policy)
    if counts[index]:
        return [index]
    able = [other for other, count in enumerate(counts) if count]
    least = min(machine.distance[other][index] for other in able)
    return [other for other in able if machine.distance[other][index] == least]


def lenders(machine, index, policy, workers):
    """How many of a node's workers are CPUs of which node: by the HMAT's write bandwidth, equally
    where a figure is missing; whole parts first, then one each by the largest remainder."""
    if not RULES[policy].shares:
        return {server_of(machine, index, policy): workers}
    counts, near = working(machine, policy), nearest(machine, index, policy)
    weights = {n: machine.bandwidth.get((n, index), (0, 0))[0] for n in near}
    if not all(weights.values()):
        weights = dict.fromkeys(near, 1)
    total = sum(weights.values())
    lent = {n: min(workers * weights[n] // total, counts[n]) for n in near}
    while sum(lent.values()) < workers:
        lent[max((n for n in near if lent[n] < counts[n]),
                 key=lambda n: (workers * weights[n] - lent[n] * total, -n))] += 1
    return {n: count for n, count in lent.items() if count}


def cores_of(machine, index):
    return len({apic_id >> machine.thread_bits for apic_id in machine.nodes[index].apic_ids})


def wanted_workers(machine, index, policy, server, cpus):
    if RULES[policy].workers:
        return RULES[policy].workers(cpus)
    return machine.given.get((policy, index), 0) or cores_of(machine, server)


def most_workers(machine, index, policy, threads=0):
    """Of a node with enough to do for all, when all CPUs came; `threads`: a sweep's step."""
    rule, server = RULES[policy], server_of(machine, index, policy)
    cpus = working(machine, policy)[server]
    if rule.shares:
        cpus = max(working(machine, policy)[n] for n in nearest(machine, index, policy))
    if rule.baseline or rule.boot_only:
        return 1
    return min(threads or machine.options.threads or
               wanted_workers(machine, index, policy, server, cpus), cpus)


def job_workers(size_pages, most, min_chunk=0):
    return max(1, min(size_pages // (min_chunk or SECTION_PAGES), most))


def chunk_pages(size_pages, most, exact=0):
    """padata_do_multithreaded's rule for one job whose unit is the section [Linux 5.8 to 6.18]."""
    if exact:
        return exact
    return up_to_sections(size_pages // (job_workers(size_pages, most) * LOAD_BALANCE))


def static_chunk_pages(size_pages, most):
    """split=static: a chunk for each worker, borders on sections."""
    return up_to_sections(-(-size_pages // job_workers(size_pages, most)))


def static_chunk_bounds(smallest, largest, most):
    """Of all sizes between the two: with one section more there may be one worker more, and the
    chunk smaller."""
    steps = (size for section in range(1, most + 2)
             for size in (section * SECTION_PAGES - 1, section * SECTION_PAGES))
    sizes = [smallest, largest, *(size for size in steps if smallest < size < largest)]
    chunks = [static_chunk_pages(size, most) for size in sizes]
    return min(chunks), max(chunks)


def up_to_sections(pages):
    return max(1, -(-pages // SECTION_PAGES)) * SECTION_PAGES
