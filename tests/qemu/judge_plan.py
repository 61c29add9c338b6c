# SPDX-License-Identifier: GPL-2.0-only
"""The plan of each policy: what is deferred, in how many jobs, for how many workers."""
import expect
import memmap
import plan
from checks import differ, ram, within


def plan_rows(stream):
    """By policy, then node."""
    rows = {}
    for record in stream.of("plan"):
        rows.setdefault(record["policy"], {})[record["node"]] = record
    return rows


def check(machine, stream, missing):
    plans = plan_rows(stream)
    node_pages = {r["node"]: r["pages"] for r in stream.of("node")}
    memmap_pages = len(memmap.homes(ram(stream))) * memmap.SECTION_PAGES
    yield from differ("policies with a plan", sorted(machine.options.policies), sorted(plans))
    yield from differ("plans", sum(map(len, plans.values())), len(stream.of("plan")))
    for policy, rows in plans.items():
        yield from differ(f"plan {policy} nodes", sorted(node_pages), sorted(rows))
        yield from differ(f"plan {policy} early + deferred", memmap_pages,
                          sum(r["early_pages"] + r["deferred_pages"] for r in rows.values()))
        yield from differ(f"plan {policy} free + reserved + hole", memmap_pages, sum(
            r["free_pages"] + r["reserved_pages"] + r["hole_pages"] for r in rows.values()))
        for node, row in rows.items():
            name = f"plan {policy} node {node}"
            yield from differ(f"{name} free + reserved", node_pages.get(node),
                              row["free_pages"] + row["reserved_pages"])
            yield from check_deferred(stream, name, row)
            if row["deferred_pages"]:
                yield from check_work(machine, stream, name, row, missing)
    yield from check_agreement(plans)


def check_agreement(plans):
    """What is deferred depends on the machine, not on who does it."""
    amounts = {policy: {node: (row["early_pages"], row["deferred_pages"], row["free_pages"])
                        for node, row in rows.items()} for policy, rows in plans.items()}
    for policy, nodes in amounts.items():
        yield from differ(f"plan {policy} early, deferred, free pages as under the first policy",
                          next(iter(amounts.values())), nodes)


def check_deferred(stream, name, row):
    most = expect.pages(plan.deferrable(ram(stream), row["node"]))
    yield from within(f"{name} deferred_pages", max(0, most - row["reserved_pages"]), most,
                      row["deferred_pages"])
    if not row["deferred_pages"]:
        yield from differ(f"{name} jobs", 0, row["jobs"])


def check_work(machine, stream, name, row, missing):
    policy = row["policy"]
    if not plan.deferrable(ram(stream), row["node"]):
        return
    if plan.RULES[policy].jobs == "zone":
        yield from differ(f"{name} jobs", 1, row["jobs"])
    else:
        yield from within(f"{name} jobs", 1, row["deferred_pages"], row["jobs"])
    # The largest job: at least an average one, at most everything from the border on.
    smallest = row["deferred_pages"] // max(1, row["jobs"])
    largest = plan.largest_window(ram(stream), row["node"])
    most = plan.most_workers(machine, row["node"], policy)
    exact = plan.exact_chunk(machine, policy)
    yield from within(f"{name} workers", plan.job_workers(smallest, max(1, most - missing), exact),
                      plan.job_workers(largest, most, exact), row["workers"])
    if plan.is_static(machine, policy):
        low, high = plan.static_chunk_bounds(smallest, largest + plan.SECTION_PAGES - 1,
                                             row["workers"])
    else:
        low, high = (plan.chunk_pages(size, row["workers"], exact) for size in (smallest, largest))
    yield from within(f"{name} chunk_pages", low, high, row["chunk_pages"])
    yield from differ(f"{name} chunk_pages modulo its unit", 0,
                      row["chunk_pages"] % (exact or plan.SECTION_PAGES))
