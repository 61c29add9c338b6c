# SPDX-License-Identifier: GPL-2.0-only
"""How many workers each rule gives each node, what it rests on, and experiment bandwidth."""
import judge_compare
import plan
from checks import differ, within
from judge_compare import RULES
from judge_sweep import worker_counts

KINDS = [(kind, order) for kind in ("read", "write", "write-nt", "init")
         for order in ("random", "sequential")]


def asked(machine):
    """Whether anything needs the rules."""
    options = machine.options
    return "bandwidth" in options.experiments or bool(
        {"cores", "hmat", "calibrated", "auto"} & set(options.policies))


def given(stream):
    """Workers by (policy, node), for the plans of the policies that are told."""
    return {(r["rule"], r["node"]): r["workers"] for r in stream.of("rule")}


def crew(machine, node):
    """CPUs and cores of whoever works for a node."""
    server = plan.server_of(machine, node, "zone")
    return len(machine.nodes[server].apic_ids), plan.cores_of(machine, server)


# ---- hmat ------------------------------------------------------------------------------------

def hmat_initiator(machine, node):
    """Itself; whom the firmware attached; the fastest."""
    mbps = {a: figures[0] for (a, b), figures in machine.bandwidth.items()
            if b == node and figures[0] and machine.nodes[a].apic_ids}
    if node in mbps:
        return node
    named = [a for a in machine.nodes[node].attached if a in mbps]
    return max(named or mbps, key=lambda a: (mbps[a], -a)) if mbps else None


def hmat_workers(node_mbps, core_mbps, cores):
    return max(1, min((node_mbps + core_mbps // 2) // core_mbps, cores))


def check_hmat(machine, row, cores):
    name = f"rule hmat of node {row['node']}"
    initiator = hmat_initiator(machine, row["node"])
    if machine.options.core_mbps:
        yield from differ(f"{name} core_mbps", machine.options.core_mbps, row["core_mbps"])
    if initiator is None or not row["core_mbps"]:
        if row["used"] == "hmat" or "reason" not in row:
            yield f"{name}: expected a reason and another rule, came {row}"
        return
    yield from differ(f"{name} initiator, node_mbps",
                      (initiator, machine.bandwidth[initiator, row["node"]][0]),
                      (row.get("initiator"), row["node_mbps"]))
    yield from differ(f"{name} workers, used",
                      (hmat_workers(row["node_mbps"], row["core_mbps"], cores), "hmat"),
                      (row["workers"], row["used"]))


# ---- calibrated ------------------------------------------------------------------------------

def knee(points, complete):
    """The fewest workers within 5 % of the best; None: it was still falling."""
    if not points:
        return None
    best = min(range(len(points)), key=lambda i: points[i][1])
    if not complete and best == len(points) - 1:
        return None
    return next(workers for workers, cycles in points if cycles * 100 <= points[best][1] * 105)


def curve(stream, node):
    rows = [r for r in stream.of("curve") if r["node"] == node]
    return [(r["workers"], r["cycles"]) for r in rows], any(r["complete"] for r in rows)


def check_calibrated(machine, stream, row, cpus, cores):
    points, complete = curve(stream, row["node"])
    if not points:
        points, complete = curve(stream, plan.server_of(machine, row["node"], "zone"))
    found = knee(points, complete)
    expected = (min(found, cpus), "calibrated") if found else (cores, "cores")
    yield from differ(f"rule calibrated of node {row['node']}", expected,
                      (row["workers"], row["used"]))


def check_calibration(machine, stream):
    yield from differ("nodes calibrated", list(range(len(machine.nodes))),
                      [r["node"] for r in stream.of("calibration")])
    for row in stream.of("calibration"):
        if "count" not in row:
            if "reason" not in row:
                yield f"calibration of node {row['node']}: neither figures nor a reason"
            continue
        hz = stream.one("run")["tsc_hz"]
        bytes_each = row["pages"] * machine.options.page_size
        yield from differ(f"core_mbps of node {row['node']}",
                          bytes_each * hz // row["median_cycles"] // 10 ** 6, row["core_mbps"])
        yield from within(f"samples of node {row['node']}", 1, 128, row["count"])


def check_steps(stream, search):
    """No step was begun that was not predicted to fit."""
    steps = stream.of("search_step")
    yield from differ("steps of the search", list(range(search["steps"])),
                      [r["step"] for r in steps])
    for row in steps:
        yield from within(f"step {row['step']} of the search: predicted_cycles", 0,
                          row["left_cycles"], row["predicted_cycles"])
    spent = sum(r["cycles"] for r in steps)
    yield from within("search cycles", spent, 1 << 64, search["cycles"])
    yield from differ("search limit_cycles", search["estimate_cycles"] * 5 // 100,
                      search["limit_cycles"])


def check_search(machine, stream):
    """Its steps fitted, and the curves are those of the steps."""
    for search in stream.of("search"):
        yield from check_steps(stream, search)
    for node in range(len(machine.nodes)):
        points, complete = curve(stream, node)
        counts = worker_counts(len(machine.nodes[node].apic_ids)) if points else []
        yield from differ(f"curve of node {node}", counts[:len(points)], [w for w, _ in points])
        if points:
            yield from differ(f"curve of node {node}, complete", len(points) == len(counts),
                              complete)


# ---- rules -----------------------------------------------------------------------------------

def check_rules(machine, stream):
    yield from differ("rules", [(n, rule) for n in range(len(machine.nodes)) for rule in RULES],
                      [(r["node"], r["rule"]) for r in stream.of("rule")])
    for row in stream.of("rule"):
        if not machine.nodes[row["node"]].ranges:
            yield from differ(f"workers of node {row['node']} without RAM", 0, row["workers"])
            continue
        cpus, cores = crew(machine, row["node"])
        simple = {"quarter": -(-cpus // 4), "all": cpus, "cores": cores}
        if row["rule"] in simple:
            yield from differ(f"rule {row['rule']} of node {row['node']}", simple[row["rule"]],
                              row["workers"])
        elif row["rule"] == "hmat":
            yield from check_hmat(machine, row, cores)
        elif row["rule"] == "calibrated":
            yield from check_calibrated(machine, stream, row, cpus, cores)
        yield from within(f"rule {row['rule']} of node {row['node']}", 1, cpus, row["workers"])


# ---- bandwidth -------------------------------------------------------------------------------

def sibling_rows(cpus, cores):
    """1 worker on 1 core, 2 on 1, 2 on 2, 4 on 2 ... all on all."""
    rows, n = [], 1
    while True:
        rows.append((n, n))
        if 2 * n <= cpus and cpus >= 2 * cores:
            rows.append((2 * n, n))
        if n == cores:
            break
        n = min(2 * n, cores)
    return rows if rows[-1][0] == cpus else rows + [(cpus, cores)]


def check_streams(machine, stream):
    expected = [(i, *row, *kind) for i, node in enumerate(machine.nodes)
                if node.ranges and node.apic_ids
                for row in sibling_rows(len(node.apic_ids), plan.cores_of(machine, i))
                for kind in KINDS]
    came = [(r["node"], r["workers"], r["cores"], r["kind"], r["order"])
            for r in stream.of("stream")]
    yield from differ("sibling tables", expected, came)
    yield from differ("unmeasured nodes", [i for i, node in enumerate(machine.nodes)
                                           if not node.ranges or not node.apic_ids],
                      [r["node"] for r in stream.of("unmeasured") if r["reason"]])
    yield from differ("streams without a figure", [],
                      [r for r in stream.of("stream") if not r["mbps"]])


def off(claimed, measured):
    return claimed > 2 * measured or measured > 2 * claimed


def check_pair(machine, row, local_ps):
    pair = row["initiator"], row["target"]
    mbps, latency = machine.bandwidth.get(pair, (0, 0))
    distance = machine.distance[pair[0]][pair[1]]
    yield from differ(f"claims of {pair}", (mbps, mbps, latency, distance),
                      (row["hmat_read_mbps"], row["hmat_write_mbps"], row["hmat_read_latency_ns"],
                       row["distance"]))
    claims = {"read_off": (mbps, row["read_all_mbps"]), "write_off": (mbps, row["write_all_mbps"]),
              "latency_off": (latency * 1000, row["latency_ps"])}
    if machine.distance_source == "slit" and pair[0] != pair[1] and local_ps.get(pair[0]):
        claims["distance_off"] = (row["distance"] * 100,
                                  row["latency_ps"] * 1000 // local_ps[pair[0]])
    for name, (claimed, measured) in claims.items():
        yield from differ(f"{name} of {pair}",
                          off(claimed, measured) if claimed and measured else None, row.get(name))


def check_matrix(machine, stream):
    rows, nodes = stream.of("matrix"), machine.nodes
    yield from differ("node matrix", [(i, t) for t in range(len(nodes)) for i in range(len(nodes))
                                      if nodes[t].ranges and nodes[i].apic_ids],
                      [(r["initiator"], r["target"]) for r in rows])
    local_ps = {r["initiator"]: r["latency_ps"] for r in rows if r["initiator"] == r["target"]}
    for row in rows:
        figures = ("read_one_mbps", "read_all_mbps", "write_one_mbps", "write_all_mbps",
                   "latency_ps")
        yield from differ(f"figures missing of {row['initiator']}, {row['target']}", [],
                          [name for name in figures if not row[name]])
        yield from check_pair(machine, row, local_ps)


def check(machine, stream):
    if "bandwidth" in machine.options.experiments:
        yield from check_streams(machine, stream)
        yield from check_matrix(machine, stream)
    if asked(machine):
        yield from check_calibration(machine, stream)
        yield from check_rules(machine, stream)
        yield from check_search(machine, stream)
        yield from judge_compare.check(machine, stream)
