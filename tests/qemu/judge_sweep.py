# SPDX-License-Identifier: GPL-2.0-only
"""Experiment `sweep`: all its steps are there, and the knee is where the samples say."""
import layout
import plan
from checks import differ, ram, within
from cmdline import BASELINE
from judge_init import median, summary

WORKERS, CHUNK = "workers", "chunk"
LARGEST_CHUNK = 2048  # MiB


def worker_counts(most):
    """1, 2, 3, 4, 6, 8, 12, 16 ... and all."""
    counts, step = [1], 2
    while step < most:
        counts += [step, step * 3 // 2] if step * 3 // 2 < most else [step]
        step *= 2
    return sorted({*counts, most})


def chunk_sizes(most_pages):
    """In pages, 4 MiB to 2 GiB, while a node has as much deferred."""
    sizes, mib = [], 4
    while mib <= LARGEST_CHUNK and mib * layout.MIB // layout.PAGE <= most_pages:
        sizes.append(mib * layout.MIB // layout.PAGE)
        mib *= 2
    return sizes


def sweep_samples(stream):
    return [r for r in stream.of("sample") if r["experiment"] == "sweep"]


def expected_steps(machine, stream):
    """(axis, workers asked for, chunk in pages), in order. A static split has no chunks."""
    online = [r["cpus_online"] for r in stream.of("node")]
    largest = max((r["pages"] for r in sweep_samples(stream)), default=0)
    sizes = [] if machine.options.split == "static" else chunk_sizes(largest)
    return ([(WORKERS, count, 0) for count in worker_counts(max(online))] +
            [(CHUNK, max(online), size) for size in sizes])


def planned_pages(stream):
    """That are deferred, by node; nothing where experiment `init` did not run."""
    return {r["node"]: r["deferred_pages"] for r in stream.of("plan")
            if r["policy"] == BASELINE}


def check_nodes(stream, nodes):
    """Those that have something deferred: by the plan, or else by the RAM."""
    planned = {node for node, pages in planned_pages(stream).items() if pages}
    able = {node for _, _, node in ram(stream) if plan.deferrable(ram(stream), node)}
    if planned:
        yield from differ("sweep nodes", planned, nodes)
    elif not nodes <= able:
        yield f"sweep nodes: expected some of {sorted(able)}, came {sorted(nodes)}"


def check(machine, stream):
    came = sweep_samples(stream)
    steps = dict(enumerate(expected_steps(machine, stream)))
    nodes = {r["node"] for r in came}
    yield from check_nodes(stream, nodes)
    yield from differ("sweep nodes whose pages change", 0,
                      len({(r["node"], r["pages"]) for r in came}) - len(nodes))
    yield from differ("sweep (step, rep, node)", sorted(
        (step, rep, node) for step in steps for rep in range(machine.options.repeat)
        for node in nodes) if nodes else [], sorted((r["step"], r["rep"], r["node"]) for r in came))
    for sample in came:
        yield from check_sample(machine, stream, steps.get(sample["step"]), sample)
    yield from check_results(machine, stream, came)
    yield from check_knees(stream, came)


def check_sample(machine, stream, step, sample):
    name = f"sweep step {sample['step']} rep {sample['rep']} node {sample['node']}"
    yield from differ(f"{name} policy, scope", ("zone", "node"),
                      (sample["policy"], sample["scope"]))
    yield from differ(f"{name} axis, workers, chunk", step, step_of(sample))
    ranges = plan.deferrable(ram(stream), sample["node"])
    if not ranges or not step:
        return
    _, asked, chunk = step
    exact = 0 if machine.options.split == "static" else chunk
    most = plan.most_workers(machine, sample["node"], "zone", asked)
    largest = plan.largest_window(ram(stream), sample["node"])
    yield from within(f"{name} workers", plan.job_workers(sample["pages"], most, exact),
                      plan.job_workers(largest, most, exact), sample["workers"])
    yield from within(f"{name} pages", 1, largest, sample["pages"])
    deferred = planned_pages(stream)
    if deferred:
        yield from differ(f"{name} pages", deferred.get(sample["node"]), sample["pages"])


def step_of(record):
    return record["axis"], record["asked_workers"], record["chunk_pages"]


def by_repetition(samples):
    """Of each run the slowest node's cycles."""
    slowest = {}
    for sample in samples:
        slowest[sample["rep"]] = max(slowest.get(sample["rep"], 0), sample["cycles"])
    return list(slowest.values())


def check_results(machine, stream, came):
    results = [r for r in stream.of("result") if r["experiment"] == "sweep"]
    wanted = {(r["step"], node) for r in came for node in (-1, r["node"])}
    yield from differ("sweep results", sorted(wanted),
                      sorted((r["step"], r.get("node", -1)) for r in results))
    for result in results:
        mine = [r for r in came if r["step"] == result["step"] and
                r["node"] == result.get("node", r["node"])]
        if not mine:
            continue
        expected = summary(by_repetition(mine)) | {
            "workers": max(r["workers"] for r in mine), "policy": "zone",
            "scope": "node" if "node" in result else "run",
            "descriptor_bytes": machine.options.page_size}
        name = f"sweep result of step {result['step']}, node {result.get('node')}"
        yield from differ(name, expected, {key: result.get(key) for key in expected})
        yield from differ(f"{name} axis, workers, chunk", step_of(mine[0]), step_of(result))
        if result["pages"] not in {r["pages"] for r in mine}:
            yield f"{name} pages: came {result['pages']}"


def knee_of(samples):
    """The fields of a node's `knee` record, from the samples of the worker axis on that node."""
    medians = {}
    for workers in sorted({r["workers"] for r in samples}):
        # the first step that had so many: those after it had no more to give
        step = min(r["step"] for r in samples if r["workers"] == workers)
        medians[workers] = median([r["cycles"] for r in samples if r["step"] == step])
    best = min(medians, key=lambda workers: (medians[workers], workers))
    knee = min(workers for workers in medians if medians[workers] * 100 <= medians[best] * 105)
    return {"workers": knee, "median_cycles": medians[knee], "best_workers": best,
            "best_median_cycles": medians[best], "one_worker_median_cycles": medians.get(1)}


def check_knees(stream, came):
    axis = [r for r in came if r["axis"] == WORKERS]
    nodes = sorted({r["node"] for r in axis})
    yield from differ("nodes with a knee", nodes, [r["node"] for r in stream.of("knee")])
    for record in stream.of("knee"):
        mine = [r for r in axis if r["node"] == record["node"]]
        if mine:
            expected = knee_of(mine)
            yield from differ(f"knee of node {record['node']}", expected,
                              {key: record.get(key) for key in expected})
