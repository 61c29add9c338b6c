"""Compares what a run recorded with what its machine's declaration implies. Each check yields the
sentences that say what was expected and what came; none means that all is well."""
import math
import re
from collections import Counter, defaultdict

import expect
import layout
import loader


def differ(what, expected, came):
    if expected != came:
        yield f"{what}: expected {expected}, came {came}"


def within(what, low, high, came):
    if not low <= came <= high:
        yield f"{what}: expected {low} to {high}, came {came}"


def usable_ranges(stream):
    return [(r["start"], r["end"]) for r in stream.of("range") if r["kind"] == "usable"]


def check_memory_map(declared, machine, firmware, stream):
    ranges = [(r["start"], r["end"]) for r in stream.of("range")]
    if any(start >= end for start, end in ranges) or any(
            a[1] > b[0] for a, b in zip(ranges, ranges[1:])):
        yield "range: expected disjoint ranges in ascending order"
    if any(address % layout.PAGE for r in ranges for address in r):
        yield "range: expected whole frames"
    installed = [r for node in machine.nodes for r in node.ranges]
    usable = usable_ranges(stream)
    yield from differ("usable pages outside of the RAM", 0,
                      expect.pages(usable) - expect.pages(expect.overlap(usable, installed)))
    yield from within("usable bytes", declared.ram - expect.FIRMWARE_BYTES[firmware], declared.ram,
                      expect.pages(usable) * layout.PAGE)


def check_nodes(machine, stream, missing):
    records = stream.of("node")
    yield from differ("node numbers", list(range(len(machine.nodes))), [r["node"] for r in records])
    usable = usable_ranges(stream)
    online = Counter(r["node"] for r in stream.of("cpu") if r["online"])
    for record, node in zip(records, machine.nodes):
        name = f"node {record['node']}"
        yield from differ(f"{name} pxm", node.pxm, record["pxm"])
        yield from differ(f"{name} cpus", len(node.apic_ids), record["cpus"])
        yield from differ(f"{name} cpus_online", online[record["node"]], record["cpus_online"])
        yield from differ(f"{name} pages", expect.pages(expect.overlap(usable, node.ranges)),
                          record["pages"])
        yield from differ(f"{name} adopter", node.adopter, record["adopter"])
    yield from differ("CPUs online", sum(len(n.apic_ids) for n in machine.nodes) - missing,
                      sum(r["cpus_online"] for r in records))


def check_ram(machine, stream):
    """The `ram` records are the usable ranges, cut where nodes meet."""
    for index, node in enumerate(machine.nodes):
        came = sorted((r["start"], r["end"]) for r in stream.of("ram") if r["node"] == index)
        yield from differ(f"ram of node {index}",
                          sorted(expect.overlap(usable_ranges(stream), node.ranges)), came)


def check_cpus(declared, machine, stream):
    expected = {apic: index for index, node in enumerate(machine.nodes) for apic in node.apic_ids}
    records = stream.of("cpu")
    yield from differ("apic_id: node", expected, {r["apic_id"]: r["node"] for r in records})
    yield from differ("cpu numbers", list(range(len(expected))), [r["cpu"] for r in records])
    yield from differ("boot CPUs", [0], [r["apic_id"] for r in records if r["boot"]])
    thread_bits = layout.id_bits(declared.threads)
    package_bits = thread_bits + layout.id_bits(declared.cores)
    for record in (r for r in records if r["online"]):
        apic_id = record["apic_id"]
        yield from differ(f"cpu {record['cpu']} package, core, thread",
                          (apic_id >> package_bits, apic_id >> thread_bits,
                           apic_id & ((1 << thread_bits) - 1)),
                          (record["package"], record["core"], record["thread"]))


def check_bringup(declared, machine, stream):
    bringup = stream.one("bringup")
    if not bringup:
        return
    others = sum(len(node.apic_ids) for node in machine.nodes) - 1
    yield from differ("bringup started", others, bringup["started"])
    yield from differ("bringup arrived", others - declared.missing_cpus, bringup["arrived"])
    for record in stream.of("cpu"):
        came = record["online"] and not record["boot"]
        yield from within(f"cpu {record['cpu']} arrival_cycles", 1 if came else 0,
                          bringup["cycles"] if came else 0, record["arrival_cycles"])
    if bringup["apic_mode"] not in ("xapic", "x2apic"):
        yield f"apic_mode: came {bringup['apic_mode']}"
    able = "-pdpe1gb" not in declared.cpu
    yield from differ("direct_gib_pages",
                      expect.whole_pages(usable_ranges(stream), layout.GIB) if able else 0,
                      bringup["direct_gib_pages"])


def check_distances(machine, stream):
    records = stream.of("distance")
    pairs = {(i, j): d for i, row in enumerate(machine.distance) for j, d in enumerate(row)}
    yield from differ("distance", pairs, {(r["from"], r["to"]): r["distance"] for r in records})
    yield from differ("distance source", {machine.distance_source}, {r["source"] for r in records})


def check_bandwidths(machine, stream):
    came = {(r["initiator"], r["target"]): r for r in stream.of("bandwidth")}
    yield from differ("bandwidth pairs", sorted(machine.bandwidth), sorted(came))
    for pair in sorted(machine.bandwidth.keys() & came.keys()):
        mbps, latency = machine.bandwidth[pair]
        for kind in ("read", "write"):
            yield from differ(f"{kind}_mbps of {pair}", mbps, came[pair][f"{kind}_mbps"])
            yield from differ(f"{kind}_latency_ns of {pair}", latency,
                              came[pair][f"{kind}_latency_ns"])


def check_memmap(stream):
    memmap = stream.one("memmap")
    if not memmap:
        return
    sections = expect.populated_sections([(r["start"], r["end"]) for r in stream.of("ram")])
    yield from differ("memmap sections", sections, memmap["sections"])
    yield from differ("memmap pages", sections * expect.SECTION_PAGES, memmap["pages"])
    yield from differ("memmap bytes", memmap["pages"] * 64, memmap["bytes"])
    ram = [(r["start"], r["end"], r["node"]) for r in stream.of("ram")]
    yield from differ("memmap remote_sections", expect.remote_sections(ram),
                      memmap["remote_sections"])


def check_plan(machine, stream, missing):
    plans = {(r["policy"], r["node"]): r for r in stream.of("plan")}
    with_ram = [r["node"] for r in stream.of("node") if r["pages"]]
    node_pages = {r["node"]: r["pages"] for r in stream.of("node")}
    memmap_pages = sum(r["pages"] for r in stream.of("memmap"))
    for policy in machine.policies:
        rows = {node: plans.get((policy, node)) for node in with_ram}
        if None in rows.values():
            yield f"plan: expected {policy} for nodes {with_ram}, came {sorted(plans)}"
            continue
        yield from differ(f"plan {policy} early + deferred", memmap_pages,
                          sum(r["early_pages"] + r["deferred_pages"] for r in rows.values()))
        yield from differ(f"plan {policy} free + reserved + hole", memmap_pages, sum(
            r["free_pages"] + r["reserved_pages"] + r["hole_pages"] for r in rows.values()))
        for node, row in rows.items():
            yield from differ(f"plan {policy} node {node} free + reserved", node_pages[node],
                              row["free_pages"] + row["reserved_pages"])
            yield from check_plan_row(machine, stream, f"plan {policy} node {node}", row, missing)


def check_plan_row(machine, stream, name, row, missing):
    ranges = [(r["start"], r["end"]) for r in stream.of("ram") if r["node"] == row["node"]]
    most = expect.deferrable_pages(ranges)
    yield from within(f"{name} deferred_pages", max(0, most - row["reserved_pages"]), most,
                      row["deferred_pages"])
    if not row["deferred_pages"]:
        yield from differ(f"{name} jobs", 0, row["jobs"])
    if not row["deferred_pages"] or not most:
        return
    yield from within(f"{name} jobs", 1, row["deferred_pages"], row["jobs"])
    window = max(end for _, end in ranges) - expect.first_deferred(ranges)
    window_pages = -(-window // layout.SECTION) * expect.SECTION_PAGES
    # The largest job: at least an average one, at most everything from the first deferred frame on.
    smallest, largest = row["deferred_pages"] // max(1, row["jobs"]), window_pages
    min_chunk = expect.min_chunk_pages(machine, row["policy"])
    workers = expect.workers(machine, row["node"], row["policy"])
    yield from within(f"{name} workers",
                      max(1, min(workers - missing, smallest // min_chunk)),
                      max(1, min(workers, largest // min_chunk)), row["workers"])
    yield from within(f"{name} chunk_pages", min_chunk,
                      expect.chunk_pages(largest, row["workers"], min_chunk), row["chunk_pages"])
    yield from differ(f"{name} chunk_pages modulo a section", 0,
                      row["chunk_pages"] % expect.SECTION_PAGES)


def samples(stream, scope, **fields):
    return [r for r in stream.of("sample") if r["scope"] == scope and
            all(r[key] == value for key, value in fields.items())]


def check_samples(machine, stream):
    plans = {(r["policy"], r["node"]): r for r in stream.of("plan")}
    cpu_nodes = {r["cpu"]: r["node"] for r in stream.of("cpu")}
    yield from differ("experiments", {"init"}, {r["experiment"] for r in stream.of("sample")})
    for policy in machine.policies:
        rows = {node: plan for (p, node), plan in plans.items() if p == policy}
        expected = {node: (row["deferred_pages"], row["workers"]) for node, row in rows.items()
                    if row["deferred_pages"]}
        early = sum(row["early_pages"] for row in rows.values())
        deferred = sum(row["deferred_pages"] for row in rows.values())
        for rep in range(machine.repeat):
            name = f"{policy} run {rep}"
            runs = samples(stream, "run", policy=policy, rep=rep)
            nodes = samples(stream, "node", policy=policy, rep=rep)
            cpus = samples(stream, "cpu", policy=policy, rep=rep)
            yield from differ(f"{name} samples", 1, len(runs))
            yield from differ(f"{name} (pages, workers) by node", expected,
                              {r["node"]: (r["pages"], r["workers"]) for r in nodes})
            yield from differ(f"{name} nodes of the CPUs",
                              {r["cpu"]: cpu_nodes.get(r["cpu"]) for r in cpus},
                              {r["cpu"]: r["node"] for r in cpus})
            if not runs:
                continue
            run = runs[0]
            yield from differ(f"{name} pages", deferred, run["pages"])
            yield from differ(f"{name} early_pages", early, run["early_pages"])
            yield from differ(f"{name} pages by CPU", run["pages"], sum(r["pages"] for r in cpus))
            yield from differ(f"{name} workers", run["workers"], len(cpus))
            yield from differ(f"{name} cycles, of the slowest node",
                              max((r["cycles"] for r in nodes), default=0), run["cycles"])
            if expected and not run["cycles"]:
                yield f"{name}: expected cycles, came 0"
    yield from differ("runs", len(machine.policies) * machine.repeat, len(samples(stream, "run")))


def summary(values):
    """As lib/stats.h rounds."""
    values, n = sorted(values), len(values)
    total = sum(values)
    variance = n * sum(v * v for v in values) - total * total
    twice = math.isqrt(4 * variance // (n * (n - 1))) if n > 1 else 0
    low, high = values[(n - 1) // 2], values[n // 2]
    return {"count": n, "mean_cycles": (2 * total + n) // (2 * n), "min_cycles": values[0],
            "median_cycles": (low + high) // 2, "max_cycles": values[-1],
            "stddev_cycles": (twice + 1) // 2}


def check_results(machine, stream):
    results = stream.of("result")
    medians = {}
    for result in results:
        where = {"policy": result["policy"]}
        if result["scope"] == "node":
            where["node"] = result["node"]
        name = f"result {result['scope']} {' '.join(map(str, where.values()))}"
        values = [r["cycles"] for r in samples(stream, result["scope"], **where)]
        if not values:
            yield f"{name}: no samples"
            continue
        expected = summary(values)
        yield from differ(name, expected, {key: result[key] for key in expected})
        medians[result["scope"], result["policy"], where.get("node")] = expected["median_cycles"]
    for result in results:
        key = result["scope"], result["policy"], result.get("node")
        baseline = medians.get((key[0], "node", key[2]))
        if baseline and medians.get(key):
            yield from differ(f"speedup_milli of {key}", baseline * 1000 // medians[key],
                              result["speedup_milli"])
    nodes = {r["node"] for r in stream.of("plan") if r["deferred_pages"]}
    if nodes:
        yield from differ("results", len(machine.policies) * (1 + len(nodes)), len(results))


def check_verification(machine, stream):
    records = stream.of("verify")
    yield from differ("verified runs", sorted((p, r) for p in machine.policies
                                              for r in range(machine.repeat)),
                      sorted((r["policy"], r["rep"]) for r in records))
    plans = defaultdict(Counter)
    for plan in stream.of("plan"):
        for field in ("free_pages", "reserved_pages", "hole_pages"):
            plans[plan["policy"]][field] += plan[field]
    for record in records:
        name = f"verify {record['policy']} run {record['rep']}"
        yield from differ(f"{name} mismatches", 0, record["mismatches"])
        yield from differ(f"{name} tiled", True, record["tiled"])
        for field, pages in plans[record["policy"]].items():
            yield from differ(f"{name} {field}", pages, record[field])


def injected_pfn(declared, ram):
    """inject=page alters the last frame of RAM, inject=chunk claims the first chunk twice."""
    if "inject=page" in declared.cmdline.split():
        return ram[-1]["end"] // layout.PAGE - 1
    return expect.first_deferred([(r["start"], r["end"]) for r in ram
                                  if r["node"] == 0]) // layout.PAGE


def check_found_fault(declared, stream):
    """The last run verified names one frame of RAM and what is wrong with it."""
    record = stream.of("verify")[-1] if stream.of("verify") else {}
    yield from differ("bad_field", declared.bad_field, record.get("bad_field"))
    address = record.get("bad_pfn", -1) * layout.PAGE
    if not any(r["start"] <= address < r["end"] for r in stream.of("ram")):
        yield f"bad_pfn: expected a frame of RAM, came {record.get('bad_pfn')}"
    claimed_twice = declared.bad_field == "claim"
    yield from differ("tiled", not claimed_twice, record.get("tiled"))
    yield from differ("mismatches", 0 if claimed_twice else 1, record.get("mismatches"))
    yield from differ("bad_pfn", injected_pfn(declared, stream.of("ram")), record.get("bad_pfn"))
    if not any(f"pfn 0x{record.get('bad_pfn', -1):x}" in line for line in stream.console):
        yield "console: expected the bad pfn on it"


MAY = "may: "  # an anomaly of some versions of QEMU


def check_anomalies(declared, stream):
    texts = [f"{r['table']} {r['reason']}" for r in stream.of("anomaly")]
    for pattern in declared.anomaly:
        if pattern.startswith(MAY):
            continue
        if not any(re.search(pattern, text) for text in texts):
            yield f"anomaly: expected one like `{pattern}`, came {texts}"
    for text in texts:
        if not any(re.search(pattern.removeprefix(MAY), text) for pattern in declared.anomaly):
            yield f"anomaly: came unexpected `{text}`"


def check_verdict(declared, stream):
    verdict, end = stream.one("verdict"), stream.one("end")
    if verdict and end:
        yield from differ("verdict", declared.verdict, verdict["verdict"])
        yield from differ("verdict of `end`", verdict["verdict"], end["verdict"])


def check_run(firmware, append, declared, stream):
    run = stream.one("run")
    if not run:
        return
    yield from differ("schema", 1, run["schema"])
    yield from differ("protocol", "pvh" if firmware == "pvh" else "multiboot2", run["protocol"])
    yield from differ("firmware", "efi" if firmware == "uefi" else "bios", run["firmware"])
    for word in f"{declared.cmdline} {append}".split():
        if word not in run["cmdline"].split():
            yield f"cmdline: expected `{word}` in it, came `{run['cmdline']}`"
    if firmware == "pvh" or (firmware == "bios" and declared.load == "low"):
        yield from differ("image", loader.IMAGE_LINKED, run["image"])
    if declared.load == "high":
        yield from within("image", max(loader.IMAGE_LINKED + 1, layout.low_ram(declared) // 4 * 3),
                          layout.low_ram(declared), run["image"])
    if not run["tsc_hz"]:
        yield "tsc_hz: expected a frequency, came 0"


def check_printing(machine, stream):
    """inject=print, kernel/self_test.c: each line of each CPU once, and whole."""
    tail = "abcdefghijklmnopqrstuvwxyz" * 2
    cpus = sum(len(node.apic_ids) for node in machine.nodes)
    expected = Counter(f"self-test: CPU {cpu} line {line} {tail[cpu % 26:26 + cpu % 26]}"
                       for cpu in range(cpus) for line in range(40))
    came = Counter(line for line in stream.console if "self-test" in line)
    wrong = sorted((expected - came) | (came - expected))
    yield from differ("lines that were cut or lost", [], wrong[:4])


def check_kept(declared, stream):
    """Modules are reserved, whole frames of them: nothing of ours is put there."""
    frames = sum(-(-size // layout.PAGE) for size in declared.modules)
    by_policy = Counter()
    for plan in stream.of("plan"):
        by_policy[plan["policy"]] += plan["reserved_pages"]
    for policy, pages in by_policy.items():
        if pages < frames:
            yield f"plan {policy} reserved_pages: expected the modules' {frames} at least, " \
                  f"came {pages}"


def check_console(declared, stream):
    for pattern in declared.console:
        if not any(re.search(pattern, line) for line in stream.console):
            yield f"console: expected a line like `{pattern}`"


def judge(declared, firmware, append, stream):
    """All complaints about a run whose exit status was right."""
    machine = expect.expected_machine(declared, append)
    yield from check_console(declared, stream)
    if "inject=print" in declared.cmdline.split():
        yield from check_printing(machine, stream)
    if "records=off" in f"{declared.cmdline} {append}".split() and stream.records:
        yield f"records: expected none, came {len(stream.records)}"
    if "serial=none" in f"{declared.cmdline} {append}".split() and any(stream.console):
        yield f"console: expected silence, came {stream.console[:3]}"
    if declared.uart is None or not declared.records:
        return
    if not stream.of("end"):
        yield from stream.problems
        return
    yield from check_run(firmware, append, declared, stream)
    yield from check_memory_map(declared, machine, firmware, stream)
    yield from check_nodes(machine, stream, declared.missing_cpus)
    yield from check_ram(machine, stream)
    yield from check_cpus(declared, machine, stream)
    yield from check_bringup(declared, machine, stream)
    yield from check_distances(machine, stream)
    yield from check_bandwidths(machine, stream)
    yield from check_memmap(stream)
    yield from check_plan(machine, stream, declared.missing_cpus)
    yield from check_kept(declared, stream)
    yield from check_anomalies(declared, stream)
    yield from check_verdict(declared, stream)
    if declared.bad_field:
        yield from check_found_fault(declared, stream)
    if declared.verdict == "ok":
        yield from check_samples(machine, stream)
        yield from check_results(machine, stream)
        yield from check_verification(machine, stream)
    yield from stream.problems
