# SPDX-License-Identifier: GPL-2.0-only
"""Where the struct pages lie, by mm/machine/memmap.h, when every node has room enough."""
import expect
import layout

SECTION_PAGES = layout.SECTION // layout.PAGE
STRUCT_PAGE = 64
GIB_SECTIONS = 512  # whose struct pages fill 1 GiB


def homes(ram):
    """The node of each populated section's first frame of RAM."""
    found = {}
    for start, end, node in ram:
        for section in range(start // layout.SECTION, (end - 1) // layout.SECTION + 1):
            found.setdefault(section, node)
    return found


def farthest(distance, node, with_ram):
    """Of equally far ones the next by number, the node itself last."""
    count = len(distance)
    others = [(node + step) % count for step in range(1, count)]
    others = [other for other in others if other in with_ram] or [node]
    return max(others, key=lambda other: distance[node][other])  # the first of the largest


def too_small(ram, node, sections):
    """How many of the node's blocks of 2 MiB are missing for the struct pages of `sections`."""
    own = [(start, end) for start, end, n in ram if n == node]
    return max(0, sections - expect.whole_pages(own, 2 * layout.MIB))


def remote_sections(ram, place, distance):
    """Sections whose struct pages lie on another node than their first frame does."""
    sections, with_ram = homes(ram), {node for _, _, node in ram}
    if place == "local":
        return sum(too_small(ram, node, list(sections.values()).count(node)) for node in with_ram)
    if place == "remote":
        return sum(farthest(distance, node, with_ram) != node for node in sections.values())
    turns = sorted(with_ram)
    return sum(turns[i % len(turns)] != node
               for i, (_, node) in enumerate(sorted(sections.items())))


def mapped_pages(ram, largest):
    """How many pages of 4 KiB, 2 MiB and 1 GiB map struct pages that lie on their own node. One of
    1 GiB maps 64 GiB of addresses whose RAM is all of one node, which must have a whole free
    GiB."""
    sections = homes(ram)
    if largest != "1g":
        return (len(sections) * 512, 0, 0) if largest == "4k" else (0, len(sections), 0)
    small = huge = 0
    taken = dict.fromkeys(sections.values(), 0)
    for block in sorted({section // GIB_SECTIONS for section in sections}):
        start, end = (number * GIB_SECTIONS * layout.SECTION for number in (block, block + 1))
        owners = {node for a, b, node in ram if a < end and b > start}
        node = min(owners)
        whole = expect.whole_pages([(a, b) for a, b, n in ram if n == node], layout.GIB)
        if len(owners) == 1 and taken[node] < whole:
            taken[node] += 1
            huge += 1
        else:
            small += sum(section // GIB_SECTIONS == block for section in sections)
    return 0, small, huge
