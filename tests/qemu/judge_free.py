# SPDX-License-Identifier: GPL-2.0-only
"""Experiment `free`: the rows that the machine and the words imply, summaries of the samples."""
from checks import differ
from cmdline import FREE
from judge_init import median
from judge_pcp import steps

BATCH_PAGES, BUNDLE, THRESHOLD = 510, 8, 256 * 1024
PUBLISHED = ((515, 256), (1030, 64))  # batches per worker, workers at a time
KEYS = ("mapping", "fragment", "way", "gather", "max_active", "whole", "workers", "cpus")


def settings(options):
    if not options.gather and not options.max_active:
        return PUBLISHED
    gather, active = PUBLISHED[0]
    return ((options.gather or gather, options.max_active or active),)


def chains(entries, gather):
    """How often the series of 2017 starts a worker."""
    full = BUNDLE + BATCH_PAGES * gather
    return entries // full + (entries % full >= min(THRESHOLD, BATCH_PAGES * gather))


def rows_of_way(way, entries, cpus, options, last_only):
    """(gather, max_active, whole, workers, cpus) of each row."""
    def some(most):
        return steps(1, most)[-1:] if last_only else steps(1, most)

    if way == "vanilla":
        return [(None, None, None, 1, 1)]
    if way == "batch":
        return [(gather, active, None, workers, workers + 1)
                for gather, active in settings(options)
                for workers in some(min(active, chains(entries, gather), cpus - 1))]
    rows = [(None, None, False if way == "pieces" else None, n, n) for n in some(cpus)]
    return ([(None, None, True, 1, 1)] if way == "pieces" else []) + rows


def expected_rows(options, entries, cpus, mapping, fragment, last_only):
    return {(mapping, fragment, way, *row)
            for way in FREE if way in options.free or way == "vanilla"
            for row in rows_of_way(way, entries[mapping], cpus, options, last_only)}


def row_of(record):
    return tuple(record.get(key) for key in KEYS)


def check_result(result, figures, vanilla):
    what = f"free {row_of(result)}"
    yield from differ(f"{what} count, min, median, max",
                      (len(figures), min(figures), median(figures), max(figures)),
                      tuple(result[key] for key in ("count", "min_cycles", "median_cycles",
                                                    "max_cycles")))
    yield from differ(f"{what} speed-up", vanilla * 1000 // (median(figures) or 1),
                      result["speedup_milli"])
    if not result["locks"] or not result["longest_hold_cycles"]:
        yield f"{what}: pages came back without a lock"
    if result["locks_contended"] > result["locks"]:
        yield f"{what}: more locks contended than taken"
    if result["way"] == "batch" and result["chains"] < result["count"]:
        yield f"{what}: no chain was given away"


def check(machine, stream):
    samples = [r for r in stream.of("sample") if r["experiment"] == "free"]
    results = [r for r in stream.of("result") if r["experiment"] == "free"]
    options, cpus = machine.options, sum(r["online"] for r in stream.of("cpu"))
    entries = {r["mapping"]: r["pages"] // (512 if r["mapping"] == "2m" else 1)
               for r in results}
    by_row = {}
    for sample in samples:
        by_row.setdefault(row_of(sample), []).append(sample["cycles"])
    asked, more = set(), set()
    for mapping in options.mappings:
        if mapping not in entries:
            yield f"free: no mapping of {mapping}"
            continue
        asked |= expected_rows(options, entries, cpus, mapping, options.fragment, False)
    if not options.fragment and "4k" in entries:
        more = expected_rows(options, entries, cpus, "4k", 100, True)
    came = {row_of(r) for r in results}
    yield from differ("free: rows asked for", sorted(map(str, asked)),
                      sorted(map(str, came - more)))
    yield from differ("free: rows with samples", sorted(map(str, came)),
                      sorted(map(str, by_row)))
    for row, figures in by_row.items():
        if len(figures) > options.repeat:
            yield f"free {row}: {len(figures)} samples of {options.repeat} repetitions"
    for result in results:
        if row_of(result) in by_row:
            vanilla = by_row.get((*row_of(result)[:2], "vanilla", None, None, None, 1, 1), [0])
            yield from check_result(result, by_row[row_of(result)], median(vanilla))
