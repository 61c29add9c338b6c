# SPDX-License-Identifier: GPL-2.0-only
"""docs/records.md as a table: which fields a record of a type may have."""
import functools
import pathlib
import re

import cmdline

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/records.md"
ROW = re.compile(r"^\| `(\w+)` \|(.*)\|[^|]*\|$", re.M)
NAME = re.compile(r"`(\w+)`")
EVERYWHERE = {"seq", "type", "truncated"}
# Their rows stand for each other: "`count` to `stddev_cycles` as above", "the fields of `async`".
SUMMARIES = ("sample", "result", "async", "calibration")
OF_A_WAY = re.compile(
    rf"(?:{'|'.join(cmdline.PCP)})(_operations|_messages|_cycles|_burst_millicycles)")
OF_AN_ORDER = re.compile(r"order\d+(_blocks|_taken_pages|_taken_twice|_restored)")


def plain(name):
    """`WAY_cycles` for `high_cycles`, `order0_blocks` for `order7_blocks`."""
    way, order = OF_A_WAY.fullmatch(name), OF_AN_ORDER.fullmatch(name)
    return f"WAY{way[1]}" if way else f"order0{order[1]}" if order else name


@functools.cache
def fields():
    """{type: names of its fields, and some of their values}"""
    found = {}
    for kind, text in ROW.findall(PAGE.read_text(encoding="utf-8")):
        found.setdefault(kind, set()).update(map(plain, NAME.findall(text)))
    shared = set().union(*(found[kind] for kind in SUMMARIES))
    return found | {kind: shared for kind in SUMMARIES}


def undocumented(stream):
    """Sentences about types and fields that the page does not know."""
    seen = {}
    for record in stream.records:
        seen.setdefault(record["type"], set()).update(map(plain, record))
    for kind, names in sorted(seen.items()):
        if kind not in fields():
            yield f"docs/records.md has no record `{kind}`"
            continue
        for name in sorted(names - fields()[kind] - EVERYWHERE):
            yield f"docs/records.md: record `{kind}` has no field `{name}`"
