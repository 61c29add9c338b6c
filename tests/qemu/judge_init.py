# SPDX-License-Identifier: GPL-2.0-only
"""Experiment `init`: raw numbers against the plan, summaries against the raw numbers, and what was
verified after every run."""
import math
from collections import Counter, defaultdict

import cmdline
import plan
from checks import differ, samples, within
from judge_plan import plan_rows


def cold_runs(stream):
    """Of the baseline, number 0; none after trials of store kernels or a calibration, which touch
    the memmap."""
    written = any(r["tried"] for r in stream.of("store")) or stream.of("calibration")
    return [] if written else [(cmdline.BASELINE, 0)]


def expected_runs(machine, stream):
    """(policy, repetition)"""
    return cold_runs(stream) + [(policy, rep) for rep in range(1, machine.options.repeat + 1)
                               for policy in machine.options.policies]


def check_samples(machine, stream):
    plans = plan_rows(stream)
    cpu_nodes = {r["cpu"]: r["node"] for r in stream.of("cpu")}
    runs = samples(stream, "run")
    yield from differ("runs", sorted(expected_runs(machine, stream)),
                      sorted((r["policy"], r["rep"]) for r in runs))
    yield from differ("cold runs", cold_runs(stream),
                      [(r["policy"], r["rep"]) for r in runs if r["cold"]])
    for run in runs:
        yield from check_run_samples(stream, plans.get(run["policy"], {}), cpu_nodes, run)


def check_run_samples(stream, rows, cpu_nodes, run):
    policy, rep = run["policy"], run["rep"]
    name = f"{policy} run {rep}"
    nodes = samples(stream, "node", policy=policy, rep=rep)
    cpus = samples(stream, "cpu", policy=policy, rep=rep)
    expected = {node: (row["deferred_pages"], row["workers"]) for node, row in rows.items()
                if row["deferred_pages"]}
    yield from differ(f"{name} (pages, workers) by node", expected,
                      {r["node"]: (r["pages"], r["workers"]) for r in nodes})
    yield from differ(f"{name} nodes of the CPUs",
                      {r["cpu"]: cpu_nodes.get(r["cpu"]) for r in cpus},
                      {r["cpu"]: r["node"] for r in cpus})
    yield from differ(f"{name} pages", sum(r["deferred_pages"] for r in rows.values()),
                      run["pages"])
    yield from differ(f"{name} early_pages", sum(r["early_pages"] for r in rows.values()),
                      run["early_pages"])
    yield from differ(f"{name} pages by CPU", run["pages"], sum(r["pages"] for r in cpus))
    yield from differ(f"{name} workers", run["workers"], len(cpus))
    yield from differ(f"{name} cycles, of the slowest node",
                      max((r["cycles"] for r in nodes), default=0), run["cycles"])
    if expected and not run["cycles"]:
        yield f"{name}: expected cycles, came 0"
    yield from check_who(stream, name, run, cpus)


def check_who(stream, name, run, cpus):
    """The boot CPU alone, or anybody but it where that is possible."""
    boot = [r["cpu"] for r in stream.of("cpu") if r["boot"]]
    rule = plan.RULES[run["policy"]]
    if rule.boot_only and cpus:
        yield from differ(f"{name} CPUs", boot, [r["cpu"] for r in cpus])
    if rule.background and run["workers"] > 1 and sum(
            r["online"] and r["node"] == boot_node(stream) for r in stream.of("cpu")) > 1:
        yield from differ(f"{name} work of the boot CPU", [],
                          [r["cpu"] for r in cpus if r["cpu"] in boot])


def boot_node(stream):
    return next((r["node"] for r in stream.of("cpu") if r["boot"]), None)


def median(values):
    """The mean of the middle two, rounded down."""
    values = sorted(values)
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) // 2


def summary(values):
    """As lib/stats.h rounds."""
    values, n = sorted(values), len(values)
    total = sum(values)
    variance = n * sum(v * v for v in values) - total * total
    twice = math.isqrt(4 * variance // (n * (n - 1))) if n > 1 else 0
    return {"count": n, "mean_cycles": (2 * total + n) // (2 * n), "min_cycles": values[0],
            "median_cycles": median(values), "max_cycles": values[-1],
            "stddev_cycles": (twice + 1) // 2}


def counted(stream, policy):
    """The repetitions that summaries are made of: not the cold one where there are others."""
    runs = samples(stream, "run", policy=policy)
    return {r["rep"] for r in runs if not r["cold"]} or {r["rep"] for r in runs}


def check_results(machine, stream):
    results = [r for r in stream.of("result") if r["experiment"] == "init"]
    medians = {}
    for result in results:
        where = {"policy": result["policy"]}
        if result["scope"] == "node":
            where["node"] = result["node"]
        name = f"result {result['scope']} {' '.join(map(str, where.values()))}"
        reps = counted(stream, result["policy"])
        values = [r["cycles"] for r in samples(stream, result["scope"], **where)
                  if r["rep"] in reps]
        if not values:
            yield f"{name}: no samples"
            continue
        expected = summary(values)
        yield from differ(name, expected, {key: result.get(key) for key in expected})
        medians[result["scope"], result["policy"], where.get("node")] = expected["median_cycles"]
    for result in results:
        key = result["scope"], result["policy"], result.get("node")
        baseline = medians.get((key[0], cmdline.BASELINE, key[2]))
        if baseline and medians.get(key):
            yield from differ(f"speedup_milli of {key}", baseline * 1000 // medians[key],
                              result["speedup_milli"])
    yield from check_result_facts(machine, stream, results)
    nodes = [r["node"] for r in stream.of("plan")
             if r["deferred_pages"] and r["policy"] == cmdline.BASELINE]
    if nodes:
        yield from differ("results", sorted((p, n) for p in machine.options.policies
                                            for n in [-1, *nodes]),
                          sorted((r["policy"], r.get("node", -1)) for r in results))


def check_verification(machine, stream):
    records = stream.of("verify")
    yield from differ("verified runs", sorted(expected_runs(machine, stream)),
                      sorted((r["policy"], r["rep"]) for r in records))
    plans = defaultdict(Counter)
    for row in stream.of("plan"):
        for field in ("free_pages", "reserved_pages", "hole_pages"):
            plans[row["policy"]][field] += row[field]
    for record in records:
        name = f"verify {record['policy']} run {record['rep']}"
        yield from differ(f"{name} mismatches", 0, record["mismatches"])
        yield from differ(f"{name} tiled", True, record["tiled"])
        for field, pages in plans[record["policy"]].items():
            yield from differ(f"{name} {field}", pages, record[field])


def check_result_facts(machine, stream, results):
    """What a result repeats of the plan and the command line."""
    plans = plan_rows(stream)
    for result in results:
        rows = plans.get(result["policy"], {})
        name = f"result {result['scope']} {result['policy']} {result.get('node', '')}"
        yield from differ(f"{name} descriptor_bytes", machine.options.page_size,
                          result["descriptor_bytes"])
        if result["scope"] == "node":
            row = rows.get(result["node"], {})
            yield from differ(f"{name} workers, pages",
                              (row.get("workers"), row.get("deferred_pages")),
                              (result["workers"], result["pages"]))
            continue
        yield from differ(f"{name} workers", max((r["workers"] for r in rows.values()), default=0),
                          result["workers"])
        amounts = {r["deferred_pages"] for r in rows.values()}
        if plan.RULES[result["policy"]].boot_only:
            amounts = {sum(r["deferred_pages"] for r in rows.values())}
        if result["pages"] not in amounts:
            yield f"{name} pages: expected one of {sorted(amounts)}, came {result['pages']}"


PARTS = ("wake", "early", "early_free", "first_pass")  # of a run, besides its clock


def check_parts(stream):
    """The medians of what lies outside of the clock, and the cold run beside the warm ones."""
    for result in stream.of("result"):
        if (result["experiment"], result["scope"]) != ("init", "run"):
            continue
        policy, reps = result["policy"], counted(stream, result["policy"])
        runs = samples(stream, "run", policy=policy)
        for part in PARTS:
            values = [r.get(f"{part}_cycles", 0) for r in runs if r["rep"] in reps]
            yield from differ(f"result run {policy} {part}_median_cycles",
                              median(values) if values else None,
                              result.get(f"{part}_median_cycles"))
        cold = [r["cycles"] for r in runs if r["cold"]]
        yield from differ(f"result run {policy} cold_cycles", cold[0] if cold else None,
                          result.get("cold_cycles"))


def check_passes(machine, stream):
    """Policy ktask initialises everything, then frees everything."""
    for run in samples(stream, "run"):
        two = plan.RULES[run["policy"]].two_passes and run["pages"] and \
            machine.options.page_size == 64
        yield from within(f"{run['policy']} run {run['rep']} first_pass_cycles", 1 if two else 0,
                          run["cycles"] if two else 0, run.get("first_pass_cycles", 0))


def check_best(machine, stream):
    """Per node the fastest of the policies that do all the work with all nodes at once."""
    fair = [p for p in machine.options.policies
            if not plan.RULES[p].boot_only and not plan.RULES[p].lazily]
    results = {(r["node"], r["policy"]): r for r in stream.of("result")
               if r["experiment"] == "init" and r["scope"] == "node" and r["policy"] in fair}
    yield from differ("nodes with a best policy", sorted({node for node, _ in results}),
                      [r["node"] for r in stream.of("best")])
    for record in stream.of("best"):
        least = min((r["median_cycles"] for (node, _), r in results.items()
                     if node == record["node"]), default=None)
        yield from differ(f"median_cycles of the best policy of node {record['node']}", least,
                          record["median_cycles"])
        result = results.get((record["node"], record["policy"]), {})
        for field in ("median_cycles", "workers", "pages", "speedup_milli"):
            yield from differ(f"best of node {record['node']}, {field}", result.get(field),
                              record.get(field))


def check(machine, stream):
    yield from check_samples(machine, stream)
    yield from check_results(machine, stream)
    yield from check_parts(stream)
    yield from check_passes(machine, stream)
    yield from check_best(machine, stream)
    yield from check_verification(machine, stream)
