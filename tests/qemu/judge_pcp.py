# SPDX-License-Identifier: GPL-2.0-only
"""Experiment `pcp`: all cells are there, summaries are those of the samples, counters fit."""
from collections import Counter

import expect
from checks import differ
from cmdline import PCP
from judge_init import median

ORDERS, OUTSTANDING, PARALLEL, BULK, CROSS = (
    "page_bench01", "page_bench02", "page_bench03", "page_bench04_bulk", "page_bench05_cross_cpu")
REPEAT_MIN = 5
SIZES = (64, 128, 256, 1024, 2048, 3312, 4096, 8192, 16384)


def steps(first, most):
    """first, twice that ... and all; nothing where there are not so many."""
    counts, count = [], first
    while count < most:
        counts.append(count)
        count *= 2
    return counts + [most] if most >= first else []


def in_turn(cpus):
    """The nodes of CPUs taken from all nodes in turn, `cpus` by node."""
    turn = []
    for rank in range(max(cpus.values(), default=0)):
        turn += [node for node in sorted(cpus) if cpus[node] > rank]
    return turn


def pairs_across(cpus):
    turn, pairs = in_turn(cpus), 0
    while 2 * pairs + 1 < len(turn) and turn[2 * pairs] != turn[2 * pairs + 1]:
        pairs += 1
    return pairs


def expected_cells(stream):
    """(bench, place, workers, order, batch), how often each."""
    cpus = Counter(r["node"] for r in stream.of("cpu") if r["online"])
    with_ram = {r["node"] for r in stream.of("node") if r["pages"]}
    node = max([cpus[n] for n in cpus if n in with_ram] or cpus.values())
    everybody = sum(cpus.values())
    cells = [(ORDERS, "node", 1, order, 1) for order in range(11)]
    cells += [(OUTSTANDING, "node", 1, 0, 1 << i) for i in range(14)]
    cells += [(BULK, "node", 1, 0, 1 << i) for i in range(8)]
    for place, most in (("node", node), ("across", everybody)):
        if place == "node" or everybody != node:
            cells += [(PARALLEL, place, count, order, 1)
                      for count in steps(2, most) for order in range(11)]
            cells += [(bench, place, count, 0, batch) for count in steps(2, most)
                      for bench, batch in ((OUTSTANDING, 1024), (BULK, 128))]
    for place, most in (("node", node // 2), ("across", pairs_across(cpus))):
        cells += [(CROSS, place, 2 * count, order, 1) for count in steps(1, most)
                  for order in (0, 3)]
    return Counter(cells)


def cell_of(record):
    return tuple(record[key] for key in ("bench", "place", "workers", "order", "batch"))


def of_bench(stream, kind):
    return [r for r in stream.of(kind) if r["experiment"] == "pcp" and r["scope"] == "bench"]


def millicycles(sample, way):
    operations = sample[f"{way}_operations"]
    return sample[f"{way}_cycles"] * 1000 // operations if operations else 0


def keeps(way, machine):
    """Whether there is a list at all: in a zone of less than 32 MiB these ways keep nothing [Linux
    4.9 and 5.14, zone_batchsize]."""
    return way != "none" and (way not in ("order0", "high") or
                              min(expect.pages(node.ranges) for node in machine.nodes) >= 3 * 8192)


def check_counters(machine, result):
    """Without lists every call takes the zone's lock; with them a page that was just freed is
    there."""
    calls = result.get("allocations", 0) + result.get("frees", 0)
    if result["pcp"] == "none" and result.get("zone_acquisitions", 0) < calls:
        yield f"{cell_of(result)} none: {calls} calls, and the zone's lock less often"
    if result.get("hits", 0) > calls:
        yield f"{cell_of(result)} {result['pcp']}: more hits than calls"
    if result["bench"] == ORDERS and result["order"] == 0 and keeps(result["pcp"], machine) and \
            result.get("hits", 0) * 10 < calls * 9:
        yield f"{cell_of(result)} {result['pcp']}: hits of {calls}: {result.get('hits', 0)}"
    if result.get("allocations", 0) != result.get("frees", 0):
        yield f"{cell_of(result)} {result['pcp']}: allocations and frees differ"


def setting_of(record):
    return tuple(record[key] for key in ("place", "pairs", "queue_bytes", "message_bytes"))


def check_messages(stream, ways):
    """The rates of the workload `stream` are harmonic means of the slices, where order0 has a
    figure as well; every size is there."""
    tsc_hz = stream.one("run")["tsc_hz"]
    of = {kind: [r for r in stream.of(kind) if r["experiment"] == "pcp" and
                 r["scope"] == "stream"] for kind in ("sample", "result")}
    by_setting = {}
    for sample in of["sample"]:
        by_setting.setdefault(setting_of(sample), []).append(sample)
    if not {size for *_, size in by_setting} == set(SIZES):
        yield f"stream: sizes {sorted({size for *_, size in by_setting})}"
    yield from differ("stream results", Counter({(*setting, way): 1 for setting in by_setting
                                                 for way in ways}),
                      Counter((*setting_of(r), r["way"]) for r in of["result"]))
    for result in of["result"]:
        slices = by_setting.get(setting_of(result), ())
        paces = [s[f"{result['way']}_burst_millicycles"] for s in slices
                 if s["order0_burst_millicycles"]]
        paces = [pace for pace in paces if pace]
        rate = len(paces) * result["message_bytes"] * 8000 * tsc_hz // sum(paces) if paces else 0
        yield from differ(f"{setting_of(result)} {result['way']}: slices, rate", (len(paces), rate),
                          (result["count"], result["hmean_bps"]))


def check(machine, stream):
    samples, results = of_bench(stream, "sample"), of_bench(stream, "result")
    options = machine.options
    cells = expected_cells(stream)
    # fewer where there was no time
    repeat = 1 + max((sample["rep"] for sample in samples), default=0)
    if repeat > max(options.repeat, REPEAT_MIN):
        yield f"pcp: {repeat} repetitions"
    ways = [way for way in PCP if way in options.pcp]
    yield from differ("pcp samples", Counter({cell: n * repeat for cell, n in cells.items()}),
                      Counter(map(cell_of, samples)))
    yield from differ("pcp results", Counter({(*cell, way): n for cell, n in cells.items()
                                              for way in ways}),
                      Counter((*cell_of(r), r["pcp"]) for r in results))
    by_cell = {}
    for sample in samples:
        by_cell.setdefault(cell_of(sample), []).append(sample)
    for result in results:
        figures = [millicycles(s, result["pcp"]) for s in by_cell[cell_of(result)]]
        figures = [figure for figure in figures if figure]
        what = f"{cell_of(result)} {result['pcp']} count, min, median, max of millicycles"
        yield from differ(what, (len(figures), min(figures, default=0),
                                 median(figures) if figures else 0, max(figures, default=0)),
                          (result["count"], result["min_millicycles"],
                           result["median_millicycles"], result["max_millicycles"]))
        yield from check_counters(machine, result)
    yield from check_messages(stream, {"order0", *ways})
