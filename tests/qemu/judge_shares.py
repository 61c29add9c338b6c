# SPDX-License-Identifier: GPL-2.0-only
"""Policy auto on nodes without CPUs: how many workers, and whose, worked out from the declaration
and from what the adopter's own rule said (mm/init/worker_rules.h, mm/init/worker_rules_share.h)."""
import plan
from checks import differ


def rule_row(stream, rule, node):
    return next((r for r in stream.of("rule") if (r["rule"], r["node"]) == (rule, node)), None)


def mbps(machine, initiator, target):
    return machine.bandwidth.get((initiator, target), (0, 0))[0]


def to_nearest(dividend, divisor):
    return (dividend + divisor // 2) // divisor


def auto_workers(machine, node, yardstick):
    """`yardstick`: workers that the adopter's CPUs need for their own memory."""
    near = plan.nearest(machine, node, "auto")
    own = mbps(machine, *2 * [plan.server_of(machine, node, "auto")])
    far = max(mbps(machine, lender, node) for lender in near)
    if not own or not far:
        return yardstick
    return max(1, min(to_nearest(yardstick * far, own),
                      max(len(machine.nodes[lender].apic_ids) for lender in near)))


def check_rule(machine, stream, row):
    """Of a node with RAM."""
    node, server = row["node"], plan.server_of(machine, row["node"], "auto")
    own = rule_row(stream, "calibrated", server)
    if node == server:
        yield from differ(f"rule auto of node {node}, as calibrated",
                          (own["workers"], own["used"]), (row["workers"], row["used"]))
        return
    yardstick = own["workers"] or plan.cores_of(machine, server)
    yield from differ(f"rule auto of node {node} without CPUs",
                      auto_workers(machine, node, yardstick), row["workers"])


def lenders(stream, policy):
    """By node: how many workers from where."""
    found = {}
    for row in stream.of("lent"):
        if row["policy"] == policy:
            found.setdefault(row["node"], {})[row["from"]] = row["workers"]
    return found


def expected_lenders(machine, stream, policy):
    found = {}
    for row in stream.of("plan"):
        if row["policy"] != policy or not row["deferred_pages"]:
            continue
        shares = plan.lenders(machine, row["node"], policy, row["workers"])
        if set(shares) != {row["node"]}:
            found[row["node"]] = shares
    return found


def check(machine, stream):
    for row in stream.of("rule"):
        if row["rule"] == "auto" and machine.nodes[row["node"]].ranges:
            yield from check_rule(machine, stream, row)
    if "init" not in machine.options.experiments:
        return
    for policy in machine.options.policies:
        if plan.RULES[policy].boot_only:
            continue
        yield from differ(f"plan {policy}: whose CPUs work for nodes without any",
                          expected_lenders(machine, stream, policy), lenders(stream, policy))
