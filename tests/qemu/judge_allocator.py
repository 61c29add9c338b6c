# SPDX-License-Identifier: GPL-2.0-only
"""The page allocator after every run, and the two policies that allocate while measured."""
import layout
from checks import differ, ram, samples, within
from cmdline import BASELINE
from judge_init import counted, expected_runs, median, summary

ORDERS, MAX_ORDER = 11, 10
PAGEBLOCK = 2 * layout.MIB
TAKEN_PAGES_MAX = 64 * layout.GIB // layout.PAGE  # of a larger machine not all is taken
TAKEN_WITHIN = 512 * layout.GIB                   # nor of one whose RAM is farther apart
FIRST_USE_RUNS = 5  # at most, of each of the two policies
CLEAN = ("list_faults", "poison_reads", "typed_twice", "double_frees")


def pageblocks(ram_ranges):
    """That hold any frame of RAM."""
    return len({block for start, end, _ in ram_ranges
                for block in range(start // PAGEBLOCK, (end - 1) // PAGEBLOCK + 1)})


def first_runs(machine, stream):
    """The first one of each policy, the baseline's with or without a cold one before it."""
    runs = expected_runs(machine, stream)
    return [min(run for run in runs if run[0] == p) for p in machine.options.policies]


def fits(stream):
    """Whether all memory is taken and given back."""
    found = ram(stream)
    return sum(r["pages"] for r in stream.of("node")) <= TAKEN_PAGES_MAX and \
        found[-1][1] - found[0][0] <= TAKEN_WITHIN


def run_of(record):
    return record["policy"], record["rep"]


def check_allocator(machine, stream):
    records = stream.of("allocator")
    if machine.options.page_size != 64:
        yield from differ("allocator records of descriptors that are no struct pages", 0,
                          len(records))
        return
    yield from differ("runs with a page allocator", sorted(expected_runs(machine, stream)),
                      sorted(run_of(r) for r in records))
    free = sum(r["free_pages"] for r in stream.of("plan") if r["policy"] == BASELINE)
    blocks = pageblocks(ram(stream))
    for record in records:
        name = f"allocator {record['policy']} run {record['rep']}"
        yield from differ(f"{name} good", True, record["good"])
        for field in ("free_pages", "managed_pages", "expected_free_pages"):
            yield from differ(f"{name} {field}", free, record[field])
        for field in ("pageblocks", "expected_pageblocks"):
            yield from differ(f"{name} {field}", blocks, record[field])
        for field in CLEAN:
            yield from differ(f"{name} {field}", 0, record[field])
        yield from differ(f"{name} pages of all orders", free, sum(
            record[f"order{order}_blocks"] << order for order in range(ORDERS)))
        yield from check_lazy_blocks(stream, name, record)
        if run_of(record) in first_runs(machine, stream) and fits(stream):
            yield from check_exercise(name, record, free)


def check_lazy_blocks(stream, name, record):
    """Whole free blocks of 4 MiB of the deferred part, under policy lazy only."""
    deferred = sum(r["deferred_pages"] for r in stream.of("plan")
                   if r["policy"] == record["policy"])
    lazy = record["policy"] == "lazy"
    yield from within(f"{name} lazy_blocks", 0, deferred >> MAX_ORDER if lazy else 0,
                      record["lazy_blocks"])
    yield from within(f"{name} lazy_blocks", 0, record[f"order{MAX_ORDER}_blocks"],
                      record["lazy_blocks"])
    if lazy and deferred and not record["lazy_blocks"]:
        yield f"{name} lazy_blocks: expected some, came 0"


def check_exercise(name, record, free):
    """All memory was taken and given back, by pages and by blocks of 4 MiB."""
    for order in (0, MAX_ORDER):
        yield from differ(f"{name} order{order}: taken, twice, restored", (free, 0, True),
                          tuple(record.get(f"order{order}_{field}")
                                for field in ("taken_pages", "taken_twice", "restored")))


def check_lazy(machine, stream):
    """First use was measured in warm runs of lazy, and of the baseline to compare with."""
    records = stream.of("lazy")
    last = min(FIRST_USE_RUNS, machine.options.repeat) if fits(stream) else 1
    expected = [(policy, rep) for policy in (BASELINE, "lazy") for rep in range(1, last + 1)]
    if "lazy" not in machine.options.policies or machine.options.page_size != 64:
        expected = []
    yield from differ("runs with a first use", sorted(expected), sorted(map(run_of, records)))
    allocators = {run_of(r): r for r in stream.of("allocator")}
    for record in records:
        name = f"lazy record of {record['policy']}"
        allocator = allocators.get(run_of(record), {})
        if fits(stream):
            yield from differ(f"{name} filled_blocks, first_use_pages",
                              (allocator.get("lazy_blocks"), allocator.get("free_pages")),
                              (record["filled_blocks"], record["first_use_pages"]))
        yield from within(f"{name} fill_cycles", min(1, record["filled_blocks"]),
                          record["first_use_cycles"] * min(1, record["filled_blocks"]),
                          record["fill_cycles"])
        yield from differ(f"{name} cycles", [r["cycles"] for r in samples(
            stream, "run", policy=record["policy"], rep=record["rep"])], [record["cycles"]])
    for result in (r for r in stream.of("result") if r["experiment"] == "lazy"):
        mine = [r for r in records if r["policy"] == result["policy"]]
        wanted = {"scope": "first_use", "count": 0}
        if mine:
            wanted |= summary([r["first_use_cycles"] for r in mine])
            wanted["pages"] = mine[-1]["first_use_pages"]
        yield from differ(f"result of first use, {result['policy']}", wanted,
                          {key: result.get(key) for key in wanted})
    yield from differ("results of first use", len({r["policy"] for r in records}), sum(
        r["experiment"] == "lazy" for r in stream.of("result")))


ASYNC_FIELDS = ("first_success_cycles", "cycles", "allocations", "failures", "min_cycles",
                "median_cycles", "p99_cycles", "max_cycles")


def check_async(machine, stream):
    records = stream.of("async")
    allocator = machine.options.page_size == 64
    yield from differ("runs with allocations in between", sorted(
        run for run in expected_runs(machine, stream) if allocator and run[0] == "async"),
        sorted(map(run_of, records)))
    alone = sum(r["cpus_online"] for r in stream.of("node")) == 1
    for record in records:
        yield from differ(f"async run {record['rep']} degraded", alone, record["degraded"])
        # Not degraded it may still have found the workers done before it began.
        if record["degraded"] and (record["allocations"] or record["failures"]):
            yield f"async run {record['rep']}: expected no allocations of a CPU that works"
        yield from check_async_run(stream, f"async run {record['rep']}", record)
    results = [r for r in stream.of("result") if r["experiment"] == "async"]
    yield from differ("results of async", 1 if records else 0, len(results))
    for result in results:
        reps = counted(stream, "async")
        yield from differ("result of async: policy, scope, count", ("async", "run", len(records)),
                          (result["policy"], result["scope"], result["count"]))
        for field in ASYNC_FIELDS:
            values = [r[field] for r in records if r["rep"] in reps]
            yield from differ(f"result of async, {field}", median(values), result[field])


def check_async_run(stream, name, record):
    latency = {r["log2_cycles"]: r["allocations"] for r in stream.of("latency")
               if run_of(r) == run_of(record)}
    yield from differ(f"{name} allocations", sum(latency.values()), record["allocations"])
    yield from differ(f"{name} cycles", [r["cycles"] for r in samples(
        stream, "run", policy="async", rep=record["rep"])], [record["cycles"]])
    if not record["allocations"]:
        return
    order = [record[f"{which}_cycles"] for which in ("min", "median", "p99", "max")]
    yield from differ(f"{name} min, median, p99, max", sorted(order), order)
    for which, bucket in (("min", min(latency)), ("max", max(latency))):
        yield from differ(f"{name} log2 of {which}_cycles", bucket,
                          max(0, record[f"{which}_cycles"].bit_length() - 1))
    for which, share in (("median", 50), ("p99", 99)):
        yield from within(f"{name} log2 of {which}_cycles", *buckets_at(latency, share),
                          max(0, record[f"{which}_cycles"].bit_length() - 1))


def buckets_at(latency, percent):
    """Lowest and highest bucket in which that percentile may lie, whichever way it is rounded."""
    values = [bucket for bucket in sorted(latency) for _ in range(latency[bucket])]
    place = len(values) * percent // 100
    return values[max(0, place - 1)], values[min(len(values) - 1, place + 1)]


def check_growth(machine, stream):
    """In a run that is not timed nodes were grown before the workers started."""
    records = stream.of("growth")
    deferred = sum(r["deferred_pages"] for r in stream.of("plan") if r["policy"] == BASELINE)
    grows = deferred and machine.options.page_size == 64
    yield from differ("growth records", 1 if grows else 0, len(records))
    for record in records:
        yield from differ("growth good", True, record["good"])
        yield from within("growth grown_pages", 1, deferred, record["grown_pages"])
        if not record["allocated_blocks"]:
            yield "growth allocated_blocks: expected some, came 0"


def check(machine, stream):
    yield from check_allocator(machine, stream)
    yield from check_lazy(machine, stream)
    yield from check_async(machine, stream)
    yield from check_growth(machine, stream)
