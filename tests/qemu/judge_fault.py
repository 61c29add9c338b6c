# SPDX-License-Identifier: GPL-2.0-only
"""Deliberate faults: verification has to name exactly what was done."""
import layout
import plan
from checks import differ, ram


def check_found_fault(declared, stream):
    """The last run verified names one frame of RAM and what is wrong with it."""
    record = stream.of("verify")[-1] if stream.of("verify") else {}
    yield from differ("bad_field", declared.bad_field, record.get("bad_field"))
    address = record.get("bad_pfn", -1) * layout.PAGE
    if not any(start <= address < end for start, end, _ in ram(stream)):
        yield f"bad_pfn: expected a frame of RAM, came {record.get('bad_pfn')}"
    claimed_twice = declared.bad_field == "claim"
    yield from differ("tiled", not claimed_twice, record.get("tiled"))
    yield from differ("mismatches", 0 if claimed_twice else 1, record.get("mismatches"))


def check_injected(declared, stream):
    """inject=page alters the node of the last frame of RAM; inject=chunk claims one twice."""
    words, verify = declared.cmdline.split(), stream.one("verify")
    ranges = ram(stream)
    if not verify or not ranges:
        return
    if "inject=page" in words:
        yield from differ("mismatches, bad_pfn, bad_field, tiled",
                          (1, ranges[-1][1] // layout.PAGE - 1, "node", True),
                          (verify["mismatches"], verify.get("bad_pfn"), verify.get("bad_field"),
                           verify["tiled"]))
    if "inject=chunk" in words:
        yield from differ("mismatches, bad_field, tiled", (0, "claim", False),
                          (verify["mismatches"], verify.get("bad_field"), verify["tiled"]))
        first = plan.first_deferred([(start, end) for start, end, node in ranges if node == 0])
        yield from differ("bad_pfn", first // layout.PAGE, verify.get("bad_pfn"))
    if not any(f"pfn 0x{verify.get('bad_pfn', -1):x}" in line for line in stream.console):
        yield "console: expected the bad pfn on it"


def check(declared, stream):
    yield from check_found_fault(declared, stream)
    yield from check_injected(declared, stream)
