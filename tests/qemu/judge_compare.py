# SPDX-License-Identifier: GPL-2.0-only
"""The comparison of numbers of workers: its runs are there, and the verdict's times are theirs."""
import layout
import plan
from checks import differ, within
from judge_init import median
from judge_sweep import planned_pages, worker_counts

RULES = ("quarter", "all", "cores", "hmat", "calibrated", "auto")


def expected(machine):
    """Whether there is one: somebody asks how many, and something is timed."""
    options = machine.options
    return bool({"init", "sweep"} & options.experiments) and (
        "bandwidth" in options.experiments or
        bool({"cores", "hmat", "calibrated", "auto"} & set(options.policies)))


def has_memory_only_node(machine):
    counts = plan.working(machine, "zone")
    return any(node.ranges and not count for node, count in zip(machine.nodes, counts))


def expected_steps(machine, stream):
    """[asked workers of each node, shared, number of the sweep] in order, and each rule's index."""
    asked = {(r["rule"], r["node"]): r["workers"] for r in stream.of("rule")}
    nodes = range(len(machine.nodes))
    steps, of_rule = [], {}

    def find(workers, shared):
        for i, step in enumerate(steps):
            if step[:2] == [workers, shared]:
                return i
        steps.append([workers, shared, 0])
        return len(steps) - 1

    for rule in RULES:
        of_rule[rule] = find([asked[rule, node] for node in nodes],
                             rule == "auto" and has_memory_only_node(machine))
    most = max(r["cpus_online"] for r in stream.of("node"))
    for number in reversed(worker_counts(most)):
        i = find([min(asked["all", node], number) for node in nodes], False)
        steps[i][2] = number
    return steps, of_rule


def check_sample(machine, steps, planned, sample):
    name = f"compared step {sample['step']} rep {sample['rep']} node {sample['node']}"
    workers, shared, number = steps[sample["step"]]
    yield from differ(f"{name} asked, swept", (workers[sample["node"]], number),
                      (sample["asked_workers"], sample["swept"]))
    pages = sample["pages"]
    chunk = 0 if machine.options.split == "static" else machine.options.chunk_pages
    ranges = machine.nodes[sample["node"]].ranges
    largest = sum(end - start for start, end in ranges) // layout.PAGE
    most = max(workers[sample["node"]], 1)
    # a shared node's workers are counted on each of the nodes that share it
    low = 1 if shared else plan.job_workers(pages, most, chunk)
    yield from within(f"{name} workers", low, max(most, low), sample["workers"])
    yield from within(f"{name} pages", 1, max(largest, 1), pages)
    if planned:
        yield from differ(f"{name} pages", planned.get(sample["node"]), pages)


def check_time(came, row, of_rule):
    """The rule's time is the median of its step, and the best is the best of all steps."""
    name = f"rule {row['rule']} of node {row['node']}"
    mine = [r for r in came if r["node"] == row["node"]]
    if not mine or not row["workers"]:
        yield from differ(f"{name} timed", False, "median_cycles" in row)
        return
    medians = {step: median([r["cycles"] for r in mine if r["step"] == step])
               for step in {r["step"] for r in mine}}
    workers = {r["step"]: r["workers"] for r in mine}
    step = of_rule[row["rule"]]
    yield from differ(f"{name} step, workers, median",
                      (step, workers[step], medians[step]),
                      (row.get("step"), row.get("ran_workers"), row.get("median_cycles")))
    yield from differ(f"{name} best_median_cycles", min(medians.values()),
                      row.get("best_median_cycles"))
    if row.get("best_workers") not in {workers[s] for s in medians
                                       if medians[s] == min(medians.values())}:
        yield f"{name} best_workers: came {row.get('best_workers')}"


def slowest(came, step):
    """Of each repetition."""
    mine = [r for r in came if r["step"] == step]
    return [max(r["cycles"] for r in mine if r["rep"] == rep) for rep in {r["rep"] for r in mine}]


def check_all(stream, came, of_rule):
    """Until the slowest node was done."""
    rows = {r["rule"]: r for r in stream.of("rule_all")}
    medians = {step: median(slowest(came, step)) for step in {r["step"] for r in came}}
    yield from differ("rules timed on all nodes", set(RULES) if came else set(), set(rows))
    for name, row in rows.items() if came else ():
        yield from differ(f"rule {name} of all nodes",
                          (medians[of_rule[name]], min(medians.values())),
                          (row["median_cycles"], row["best_median_cycles"]))


def ratios(came, of_rule, node):
    """Of each repetition: time with a worker per core by time with one per CPU."""
    times = {rule: {r["rep"]: r for r in came if
                    (r["step"], r["node"]) == (of_rule[rule], node)} for rule in ("cores", "all")}
    if any(times["all"][rep]["workers"] <= times["cores"][rep]["workers"]
           for rep in times["cores"]):
        return []
    return [times["cores"][rep]["cycles"] * 1000 // times["all"][rep]["cycles"]
            for rep in sorted(times["cores"])]


def check_siblings(machine, stream, came, of_rule):
    rows = {row["node"]: row for row in stream.of("siblings")}
    for node in range(len(machine.nodes)):
        found = ratios(came, of_rule, node)
        yield from differ(f"siblings of node {node} told", bool(found), node in rows)
        if not found or node not in rows:
            continue
        row, name = rows[node], f"siblings of node {node}"
        yield from differ(name, (len(found), median(found), len(found) >= 5),
                          (row["count"], row["median_milli"], row["known"]))
        yield from within(f"{name}: median", row["low_milli"], row["high_milli"],
                          row["median_milli"])
        for end in ("low_milli", "high_milli"):
            yield from within(f"{name}: {end}", min(found), max(found), row[end])


def check_runs(machine, stream, record, steps, came):
    kept = len(steps) - record["left_out"]
    if record["left_out"] or record["repetitions"] < machine.options.repeat:
        yield from within("comparison that was cut: cycles", record["limit_cycles"] // 4, 1 << 64,
                          record["cycles"])
    yield from differ("comparison steps", kept, record["steps"])
    yield from within("comparison repetitions", 1, machine.options.repeat, record["repetitions"])
    nodes = sorted({r["node"] for r in came})
    planned = sorted(node for node, pages in planned_pages(stream).items() if pages)
    if stream.of("plan"):
        yield from differ("comparison nodes", planned, nodes)
    yield from differ("comparison (step, rep, node)", sorted(
        (step, rep, node) for step in range(kept) for rep in range(record["repetitions"])
        for node in nodes), sorted((r["step"], r["rep"], r["node"]) for r in came))


def check(machine, stream):
    records = stream.of("comparison")
    yield from differ("comparisons", int(expected(machine)), len(records))
    if not records or not expected(machine):
        return
    came = stream.of("compared")
    steps, of_rule = expected_steps(machine, stream)
    missing = list(check_runs(machine, stream, records[0], steps, came))
    yield from missing
    if missing:
        return
    for sample in came:
        yield from check_sample(machine, steps, planned_pages(stream), sample)
    for row in stream.of("rule"):
        yield from check_time(came, row, of_rule)
    yield from check_all(stream, came, of_rule)
    yield from check_siblings(machine, stream, came, of_rule)
