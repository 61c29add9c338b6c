# SPDX-License-Identifier: GPL-2.0-only
"""Tables that somebody broke, tables that are missing, and shapes that break other programs."""

import json
import os
import struct

import tables
from tool import anomalies, expect, folder_of

GIB = 1 << 30
CPUS = tables.srat_cpu(0, 3) + tables.srat_cpu(1, 3) + tables.srat_cpu(4, 7)
TWO_NODES = tables.srat(CPUS, tables.srat_memory(0, 2 * GIB, 3),
                        tables.srat_memory(4 * GIB, 2 * GIB, 7))
MADT = tables.madt([0, 1, 4])


LOW = [(0, 0xa0000)]  # below what is never RAM on a PC


def ranges(machine):
    return [[(r["start"], r["end"]) for r in n["ranges"]] for n in machine["nodes"]]


def two_nodes(tool):
    with folder_of({"a": MADT, "b": TWO_NODES}) as folder:
        machine = tool.json(folder)
    expect(machine["anomalies"], [], "anomalies")
    expect([(n["pxm"], n["cpus"]) for n in machine["nodes"]], [(3, 2), (7, 1)], "nodes")
    expect(ranges(machine), [LOW + [(1 << 20, 2 * GIB)], [(4 * GIB, 6 * GIB)]], "ranges")
    expect(machine["boot_apic_id_assumed"], 0, "boot CPU")
    expect(machine["distances"], [[10, 20], [20, 10]], "distances")
    expect(machine["distances_from_slit"], False, "source of the distances")
    # Per node 16 sections: the first is early, of node 0 also the second, since its highest zone
    # begins at 16 MiB; and so are 32 MiB of memmap at the end. The jobs have 14 and 15 sections:
    # 14 / (2 workers x 4) rounded up is 2 to a chunk, 15 / (1 worker x 4) is 4.
    expect([(p["workers"], p["jobs"], p["chunk_pages"], p["early_pages"], p["deferred_pages"])
            for p in machine["plan"]],
           [(2, 1, 2 * 32768, 73728, 450560), (1, 1, 4 * 32768, 40960, 483328)], "plan")
    expect([p["reserved_pages"] for p in machine["plan"]], [8193, 8192], "memmap and frame 0")
    expect(machine["memmap"]["backing"],
           [{"start": end - (32 << 20), "end": end, "node": node}
            for node, end in ((0, 2 * GIB), (1, 6 * GIB))], "place of the memmap")
    expect([t["file"] for t in machine["tables"]], ["a", "b"], "files")


def empty_folder(tool):
    with folder_of({}) as folder:
        tool.refuse("--tables", folder)


def garbage_only(tool):
    garbage = {"empty": b"", "zero": bytes(5000), "text": "SRAT of a fine server, see below\n" * 9,
               "short": b"SR", "noise": bytes(range(256)) * 40, "fat": b"\xff" * 70000,
               "other": tables.sdt(b"SSDT", bytes(100)), "FACS": b"FACS" + bytes(60),
               "rsdp": b"RSD PTR " + bytes(28), "h\x01\xff.dat": b"\x00"}
    with folder_of(garbage) as folder:
        for form in ([], ["--json"]):
            message = tool.refuse("--tables", folder, *form)
            for name in ("empty", "zero", "text", "short", "noise", "fat"):
                expect(name + ": not an ACPI table" in message, True, "note on %s" % name)


def what_is_not_a_table_is_passed_over(tool):
    with folder_of({"APIC": MADT, "SRAT": TWO_NODES, "notes.txt": "hello\n"}) as folder:
        (folder / "data").mkdir()
        (folder / "dynamic").mkdir()
        (folder / "dynamic" / "SRAT").write_bytes(tables.srat())
        os.mkfifo(folder / "pipe")
        os.symlink("nowhere", folder / "dangling")
        os.symlink("SRAT", folder / "link")
        machine = tool.json(folder)
        message = tool.run("--tables", folder).stderr
    for note in ("notes.txt: not an ACPI table", "pipe: not a file"):
        expect(note in message, True, note)
    expect([a["file"] for a in anomalies(machine, "file", "cannot be read")], ["dangling"],
           "what cannot be read is an anomaly")
    expect("dynamic" in message, False, "folders are passed over in silence")
    expect(len(machine["nodes"]), 2, "nodes")
    expect([a["file"] for a in anomalies(machine, "SRAT", "second")], ["link"], "second SRAT")


def truncated(tool):
    """Every length: ignored with an anomaly, and the rest of the machine stands."""
    with folder_of({"APIC": MADT}) as folder:
        for length in list(range(8, 60)) + list(range(60, len(TWO_NODES), 7)):
            (folder / "srat.dat").write_bytes(TWO_NODES[:length])
            machine = tool.json(folder)
            found = anomalies(machine, "SRAT" if length >= 36 else "ACPI", "")
            expect([a["file"] for a in found], ["srat.dat"], "anomaly at %d bytes" % length)
            expect((machine["cpus_enabled"], machine["numa"]), (3, False), "CPUs and nodes")


def wrong_checksum(tool):
    broken = bytearray(TWO_NODES)
    broken[60] ^= 1
    with folder_of({"APIC": MADT, "srat.dat": bytes(broken)}) as folder:
        machine = tool.json(folder)
        expect(len(anomalies(machine, "SRAT", "checksum")), 1, "anomaly")
        expect((machine["numa"], len(machine["nodes"])), (False, 1), "nodes")
        (folder / "srat2.dat").write_bytes(TWO_NODES)
        machine = tool.json(folder)
    expect(len(machine["nodes"]), 2, "a good table behind a broken one counts")
    expect([a["file"] for a in machine["anomalies"]], ["srat.dat"], "anomaly")


def wrong_length(tool):
    for length in (0, 35, len(TWO_NODES) + 1, 0xffffff, 0x7fffffff, 0xffffffff):
        broken = bytearray(TWO_NODES)
        broken[4:8] = length.to_bytes(4, "little")
        with folder_of({"APIC": MADT, "s": tables.checksummed(broken)}) as folder:
            machine = tool.json(folder)
        expect(len(anomalies(machine, "SRAT", "")), 1, "anomaly for %#x" % length)
        expect(machine["numa"], False, "table ignored")


def second_table(tool):
    other = tables.srat(tables.srat_memory(0, 8 * GIB, 0))
    for first, second in ((TWO_NODES, other), (other, TWO_NODES)):
        with folder_of({"APIC": MADT, "srat.dat": first, "srat2.dat": second}) as folder:
            machine = tool.json(folder)
        expect(len(machine["nodes"]), 2 if first is TWO_NODES else 1, "the first name wins")
        found = anomalies(machine, "SRAT", "second")
        expect([a["file"] for a in found], ["srat2.dat"], "anomaly")


def zero_length_entry(tool):
    madt = tables.madt([0, 1], tail=bytes(24))
    with folder_of({"m": madt, "s": tables.srat(CPUS, bytes(40))}) as folder:
        machine = tool.json(folder)
    expect([(a["offset"], a["file"]) for a in anomalies(machine, "MADT", "")], [(60, "m")],
           "offset in the MADT")
    expect([a["offset"] for a in anomalies(machine, "SRAT", "")], [48 + len(CPUS)], "in the SRAT")
    expect(machine["cpus_enabled"], 2, "CPUs")


def no_madt(tool):
    with folder_of({"SRAT": TWO_NODES}) as folder:
        machine = tool.json(folder)
    expect([c["apic_id"] for c in machine["cpus"]], [0, 1, 4], "CPUs of the SRAT")
    expect(len(anomalies(machine, "MADT", "from the SRAT")), 1, "anomaly")
    expect(machine["cpu_source"], "srat", "source")


def no_cpu_anywhere(tool):
    with folder_of({"SRAT": tables.srat(tables.srat_memory(0, GIB, 5))}) as folder:
        machine = tool.json(folder)
    expect((machine["cpus"], machine["cpus_enabled"], machine["cpu_source"]), ([], 0, "none"),
           "CPUs")
    expect(len(anomalies(machine, "MADT", "no table names a CPU")), 1, "anomaly")
    expect(machine["plan"][0]["workers"], 1, "the boot CPU works alone")


def cpus_alone(tool):
    with folder_of({"APIC": MADT}) as folder:
        machine = tool.json(folder)
    expect((machine["cpus_enabled"], machine["ram_source"], machine["plan"]), (3, "none", []),
           "machine")


def no_usable_cpu(tool):
    with folder_of({"APIC": tables.madt([], disabled=[1, 2])}) as folder:
        tool.refuse("--tables", folder)


def hotplug_only(tool):
    entry = tables.srat_memory(0, GIB, 0, tables.HOTPLUG)
    cold = tables.srat_memory(4 * GIB, GIB, 0)
    with folder_of({"APIC": MADT, "SRAT": tables.srat(CPUS, entry)}) as folder:
        machine = tool.json(folder)
        expect(len(anomalies(machine, "SRAT", "hot-pluggable")), 1, "anomaly")
        expect((machine["ram_source"], machine["pages"], machine["plan"]), ("none", 0, []),
               "address space is not RAM")
        (folder / "SRAT").write_bytes(tables.srat(CPUS, entry, cold))
        machine = tool.json(folder)
    expect(anomalies(machine, "SRAT", "hot-pluggable"), [], "no anomaly beside real RAM")
    expect(ranges(machine)[0], [(4 * GIB, 5 * GIB)], "hot-pluggable RAM is not there yet")


def persistent_memory_is_no_ram(tool):
    entries = (tables.srat_memory(0, GIB, 3),
               tables.srat_memory(8 * GIB, GIB, 7, tables.NONVOLATILE))
    with folder_of({"APIC": MADT, "SRAT": tables.srat(CPUS, *entries)}) as folder:
        machine = tool.json(folder)
    expect(ranges(machine), [LOW + [(1 << 20, GIB)], []], "ranges")


def overlapping_ranges(tool):
    entries = (tables.srat_memory(0, 2 * GIB, 3), tables.srat_memory(GIB, 2 * GIB, 7))
    with folder_of({"APIC": MADT, "SRAT": tables.srat(CPUS, *entries)}) as folder:
        machine = tool.json(folder)
    expect(ranges(machine), [LOW + [(1 << 20, 2 * GIB)], [(2 * GIB, 3 * GIB)]],
           "the earlier one keeps it")
    expect(len(anomalies(machine, "SRAT", "overlap")), 1, "anomaly")


def wild_ranges(tool):
    """Wrapping, empty, beyond 52 bits, and more than this host could describe."""
    entries = (tables.srat_memory(0, 1 << 51, 3), tables.srat_memory(1 << 62, 1 << 62, 7),
               tables.srat_memory(GIB, 2**64 - 1, 7), tables.srat_memory(GIB, 0, 7))
    with folder_of({"APIC": MADT, "SRAT": tables.srat(CPUS, *entries)}) as folder:
        done = tool.run("--tables", folder)
        expect(done.returncode, 0, "exit status")
        expect("length 0" in done.stdout and "wraps" in done.stdout, True, "anomalies")
        machine = tool.json(folder)
    expect(len(anomalies(machine, "memory", "above 64 TiB")), 1, "anomaly")
    expect(ranges(machine)[0][-1][1], 64 << 40, "RAM ends there")


def too_little_memory(tool):
    """A frame in each of 1,000 sections: no room for the memmap."""
    entries = "".join("%#x-%#x usable\n" % (i << 27, (i << 27) + 4095) for i in range(1000))
    with folder_of({"APIC": MADT, "map": entries}) as folder:
        done = tool.run("--tables", folder, "--e820", folder / "map")
        machine = tool.json(folder, folder / "map")
    expect("does not fit" in done.stdout, True, "message")
    expect((machine["plan"], machine["memmap"]["missing_pages"] > 0), ([], True), "plan")


def many_nodes(tool):
    """More domains than columns on a line, sparse numbers, one range each, an all-20 matrix."""
    pxms = range(0, 40 * 25, 25)
    entries = [tables.srat_memory(i << 30, GIB, pxm) for i, pxm in enumerate(pxms)]
    with folder_of({"APIC": tables.madt([], x2apic=range(300)),
                    "SRAT": tables.srat(*entries)}) as folder:
        machine = tool.json(folder)
    expect([n["pxm"] for n in machine["nodes"]], list(pxms), "domains")
    expect(machine["cpus_enabled"], 300, "x2APIC CPUs")


def hmat_and_slit(tool):
    """Revision 2: latencies in ps, rounded up; 0 and 0xffff are no data; a memory-only node."""
    read = tables.hmat_matrix(1, 100, [3, 7], [3, 7, 9], [905, 0, 0xffff, 1600, 10, 20])
    write = tables.hmat_matrix(5, 100, [3, 7], [3, 7, 9], [500, 0, 0, 0, 0, 300])
    hmat = tables.hmat(read, write)
    srat = tables.srat(CPUS, tables.srat_memory(0, GIB, 3), tables.srat_memory(4 * GIB, GIB, 7),
                       tables.srat_memory(8 * GIB, GIB, 9))
    slit = [[10 if i == j else 100 + i + j for j in range(10)] for i in range(10)]
    with folder_of({"a": MADT, "s": srat, "h": hmat, "l": tables.slit(slit)}) as folder:
        machine = tool.json(folder)
    expect(machine["distances"], [[10, 110, 112], [110, 10, 116], [112, 116, 10]], "distances")
    expect({(b["initiator_pxm"], b["target_pxm"]): (b["read_latency_ns"], b["write_latency_ns"],
                                                    b["read_mbps"], b["write_mbps"])
            for b in machine["bandwidths"]},
           {(3, 3): (91, 0, 0, 50000), (7, 3): (160, 0, 0, 0), (7, 7): (1, 0, 0, 0),
            (7, 9): (2, 0, 0, 30000)}, "figures")
    expect(machine["plan"][2]["adopter"], 0, "nearest node with CPUs")


def windows_are_no_ram(tool):
    """Without a map: what the SRAT's ranges span of devices."""
    mcfg = tables.sdt(b"MCFG", bytes(8) + struct.pack("<QHBB4x", 0xe0000000, 0, 0, 255), 1)
    srat = tables.srat(CPUS, tables.srat_memory(0, 6 * GIB, 3))
    with folder_of({"APIC": MADT, "SRAT": srat, "MCFG": mcfg}) as folder:
        machine = tool.json(folder)
    expect(ranges(machine), [LOW + [(1 << 20, 0xe0000000), (0xf0000000, 0xfec00000),
                                    (4 * GIB, 6 * GIB)], []], "ranges")
    expect(len(anomalies(machine, "SRAT", "is no RAM")), 2, "anomalies")


def cxl_window(tool):
    """RAM in a window that the SRAT leaves out is a node; in one that it names it is not."""
    window = struct.pack("<BxHxxxxQQ4xxxxx", 1, 40, 0x290000000, 4 * GIB)[:32]
    cedt = tables.sdt(b"CEDT", window + struct.pack("<HHI", 6, 0, 7), 1)
    memory = (tables.srat_memory(0, 2 * GIB, 3), tables.srat_memory(4 * GIB, 4 * GIB, 7))
    text = "0x0-0x9ffff usable\n0x100000-0x7fffffff usable\n" \
           "0x100000000-0x1ffffffff usable\n0x290000000-0x38fffffff usable\n"
    files = {"APIC": MADT, "SRAT": tables.srat(CPUS, *memory), "CEDT": cedt, "map": text}
    with folder_of(files) as folder:
        machine = tool.json(folder, folder / "map")
        found = anomalies(machine, "CEDT", "no SRAT range covers")
        expect([a["value"] for a in found], [4 * GIB], "anomaly with its RAM")
        expect([n["pxm"] for n in machine["nodes"]], [3, 7, 8], "domains")
        expect(ranges(machine)[2], [(0x290000000, 0x390000000)], "its RAM")
        named = tables.srat_memory(0x290000000, GIB, 7)
        (folder / "SRAT").write_bytes(tables.srat(CPUS, *memory, named))
        machine = tool.json(folder, folder / "map")
        expect([n["pxm"] for n in machine["nodes"]], [3, 7], "the SRAT knows it")


def generic_initiators(tool):
    entry = struct.pack("<BBBBI16sII", 5, 32, 0, 1, 5, bytes(16), 1, 0)
    port = struct.pack("<BBBBI16sII", 6, 32, 0, 1, 6, bytes(16), 1, 0)
    with folder_of({"APIC": MADT, "SRAT": TWO_NODES[:0] + tables.srat(
            CPUS, tables.srat_memory(0, GIB, 3), entry, port)}) as folder:
        machine = tool.json(folder)
    expect([n["pxm"] for n in machine["nodes"]], [3, 5, 7], "a port's domain is no node")
    expect((machine["generic_initiators"], machine["generic_ports"]), ([5], [6]), "listed")


def what_is_not_ram_yet(tool):
    """Hot-plug, non-volatile, specific purpose (ACPI 6.6), CXL windows."""
    window = struct.pack("<BBHIQQQHHI", 1, 0, 40, 0, 64 * GIB, GIB, 0, 6, 0, 7)
    entries = (tables.srat_memory(0, GIB, 3), tables.srat_memory(8 * GIB, GIB, 3, tables.HOTPLUG),
               tables.srat_memory(16 * GIB, GIB, 7, tables.NONVOLATILE),
               tables.srat_memory(32 * GIB, GIB, 7, 8))
    with folder_of({"APIC": MADT, "SRAT": tables.srat(CPUS, *entries),
                    "CEDT": tables.sdt(b"CEDT", window, 1)}) as folder:
        machine = tool.json(folder)
        expect([(r["kind"], r["start"] // GIB, r["pxm"]) for r in machine["not_ram"]],
               [("hot-plug", 8, 3), ("non-volatile", 16, 7), ("specific-purpose", 32, 7),
                ("cxl-window", 64, -1)], "ranges")
        (folder / "map").write_text("0x200000000-0x23fffffff usable\n")
        machine = tool.json(folder, folder / "map")
    expect([r["kind"] for r in machine["not_ram"]],
           ["non-volatile", "specific-purpose", "cxl-window"], "what holds RAM is RAM")


def what_linux_does_otherwise(tool):
    def effects(memory, name="SRAT", extra=None, text=None):
        files = {"APIC": MADT, "SRAT": tables.srat(CPUS, *memory)} | (extra or {})
        with folder_of(files | ({"map": text} if text else {})) as folder:
            machine = tool.json(folder, folder / "map" if text else None)
        return [e["effect"].split(":")[-1].strip() for e in machine["linux"]
                if e["table"] == name]
    two = (tables.srat_memory(0, GIB, 3), tables.srat_memory(GIB, GIB, 7))
    text = "0x100000-0x7fffffff usable\n"
    good = [[10 if i == j else 20 for j in range(8)] for i in range(8)]
    expect(effects(two, text=text, extra={"SLIT": tables.slit(good)}), [], "nothing")
    expect(effects(two, text=text + "0x80000000-0x800fffff usable\n"), [], "1 MiB is borne")
    expect(effects(two, text=text + "0x80000000-0x80100fff usable\n"),
           ["over 1 MiB of RAM is in no range"], "1 MiB and a page")
    expect(effects((two[0], tables.srat_memory(GIB - 4096, GIB, 7))),
           ["ranges of two domains overlap"], "overlap")
    expect(effects(two + (tables.srat_memory(4 * GIB, GIB, 1024),)),
           ["a domain is above 1023"], "high domain")
    for row, column, value in ((3, 3, 11), (3, 7, 10)):
        bad = [list(r) for r in good]
        bad[row][column] = value
        expect(len(effects(two, "SLIT", {"SLIT": tables.slit(bad)})), 1, "SLIT")
    broken = bytearray(tables.slit(good))
    broken[60] ^= 1
    expect(len(effects(two, "SLIT", {"SLIT": bytes(broken)})), 1, "checksum")


def small_map(tool):
    """A map that is far smaller than what the SRAT has is told."""
    files = {"APIC": MADT, "SRAT": TWO_NODES}
    for end, count in ((0x8005ffff, 0), (0x8005efff, 1)):  # half of 4 GiB, and a page less
        text = "0x0-0x9ffff usable\n0x100000-%#x usable\n" % end
        with folder_of(files | {"map": text}) as folder:
            machine = tool.json(folder, folder / "map")
        expect(len(anomalies(machine, "SRAT", "less than half")), count, "anomaly")


def every_policy(tool):
    with folder_of({"APIC": MADT, "SRAT": TWO_NODES}) as folder:
        machine = tool.json(folder)
        outlines = {p["policy"]: p for p in machine["policies"]}
        expect([(n, outlines[n]["cpus_at_work"], outlines[n]["most_workers"])
                for n in ("serial", "node", "ktask", "padata", "zone")],
               [("serial", 1, 1), ("node", 2, 1), ("ktask", 2, 1), ("padata", 3, 2),
                ("zone", 3, 2)], "CPUs at work")
        expect([n for n in outlines if outlines[n]["unplanned"]],
               ["cores", "hmat", "calibrated", "auto"], "need the booted kernel")
        deferred = [p["deferred_pages"] for p in machine["plan"]]
        expect([outlines[n]["cpu_pages"] for n in ("serial", "node", "padata")],
               [sum(deferred), max(deferred), max(deferred[0] // 2, deferred[1])],
               "pages of the CPU that has most")
        done = tool.run("--tables", folder, "--json", "--policy", "ktask")
        plan = json.loads(done.stdout)["plan"]
        expect([(p["policy"], p["workers"], p["why"]) for p in plan],
               [("ktask", 1, "a quarter of 2 CPUs"), ("ktask", 1, "the only CPU")],
               "plan of another policy")
        for name in ("cores", "nobody"):
            tool.refuse("--tables", folder, "--policy", name)
    with folder_of({"APIC": tables.madt([], x2apic=range(40)), "SRAT": tables.srat(
            tables.srat_memory(0, GIB, 0))}) as folder:
        machine = tool.json(folder)
    expect((machine["plan"][0]["workers"], machine["plan"][0]["why"]),
           (6, "of 40: the largest job is 6 smallest chunks, of 128 MiB"), "a limit explained")


def what_the_user_knows(tool):
    """Cores, a core's bandwidth and a rate: more policies can be planned, and times told."""
    hmat = tables.hmat(tables.hmat_matrix(5, 100, [3], [3], [200]))  # 20000 MB/s to write
    files = {"APIC": tables.madt([0, 1, 2, 3, 4, 5, 6, 7]), "HMAT": hmat,
             "SRAT": tables.srat(*(tables.srat_cpu(i, 3) for i in range(8)),
                                 tables.srat_memory(0, 8 * GIB, 3))}

    def ask(folder, *words):
        machine = json.loads(tool.run("--tables", folder, "--json", *words).stdout)
        return machine, {p["policy"]: p for p in machine["policies"]}
    with folder_of(files) as folder:
        machine, policies = ask(folder, "--threads-per-core", 2, "--policy", "cores")
        expect((machine["plan"][0]["workers"], machine["plan"][0]["why"]),
               (4, "the cores of 8 CPUs"), "cores")
        expect(policies["hmat"]["unplanned"] is None, False, "hmat needs a core's bandwidth")
        for core_mbps, workers in ((20000, 1), (8000, 3), (1000, 4)):
            machine, _ = ask(folder, "--threads-per-core", 2, "--core-mbps", core_mbps,
                             "--policy", "hmat")
            expect(machine["plan"][0]["workers"], workers, "hmat, %d MB/s" % core_mbps)
        expect([p["least_ns"] for p in policies.values() if p["least_ns"]], [], "no rate, no time")
        machine, policies = ask(folder, "--ns-per-page", "40.96", "--threads-per-core", 4)
        pages = machine["plan"][0]["deferred_pages"]
        for name, workers in (("serial", 1), ("padata", 8), ("async", 7), ("cores", 2)):
            expect((name, policies[name]["least_ns"]),
                   (name, -(-pages // workers) * 40960 // 1000), "time")
        expect((policies["ktask"]["least_ns"], policies["lazy"]["least_ns"]), (None, None),
               "another page's work")
        machine, policies = ask(folder, "--ns-per-page", "4")
        expect(policies["padata"]["least_ns"], pages * 64 // 20, "no faster than the HMAT")
        text = tool.run("--tables", folder, "--ns-per-page", "4", "--threads-per-core", 2,
                        "--core-mbps", 9000).stdout
        expect([line for line in text.splitlines() if len(line) > 80], [], "width")
    del files["HMAT"]
    with folder_of(files) as folder:
        _, policies = ask(folder, "--threads-per-core", 2, "--core-mbps", 9000)
        expect("no HMAT" in policies["hmat"]["unplanned"], True, "hmat without HMAT")
        for words in (["--threads-per-core", "3"], ["--threads-per-core", "0"],
                      ["--core-mbps", "0"], ["--ns-per-page", "0"], ["--ns-per-page", "1.2345"],
                      ["--ns-per-page", "1."], ["--ns-per-page", ".5"], ["--ns-per-page", "1,5"],
                      ["--policy", "hmat"], ["--policy", "auto", "--threads-per-core", "2"]):
            tool.refuse("--tables", folder, *words)


def pages_of_shared_cpus(tool):
    """Two nodes without CPUs share those of a third: together they are that CPU's work."""
    entries = [tables.srat_memory(4 * i * GIB, 2 * GIB, i) for i in range(3)]
    with folder_of({"APIC": tables.madt([0, 1]), "SRAT": tables.srat(
            tables.srat_cpu(0, 0), tables.srat_cpu(1, 0), *entries)}) as folder:
        machine = tool.json(folder)
    pages = sum(p["deferred_pages"] for p in machine["plan"])
    padata = next(p for p in machine["policies"] if p["policy"] == "padata")
    expect((padata["cpus_at_work"], padata["cpu_pages"]), (2, -(-pages // 2)), "pages per CPU")


def slit_that_counts_for_nothing(tool):
    with folder_of({"APIC": MADT, "SLIT": tables.slit([[10]])}) as folder:
        text = tool.run("--tables", folder).stdout
    expect("no SLIT" in text, False, "there is one")


def no_domain(tool):
    absent = tables.srat_cpu(0x80, 0xffffffff)
    with folder_of({"APIC": MADT, "SRAT": tables.srat(
            CPUS, absent, tables.srat_memory(0, GIB, 3))}) as folder:
        machine = tool.json(folder)
    expect([n["pxm"] for n in machine["nodes"]], [3, 7], "domains")
    expect(len(anomalies(machine, "SRAT", "0xffffffff")), 1, "anomaly")


def asymmetric_slit(tool):
    """Legal; who serves a memory-only node is the nearest seen from the CPUs."""
    srat = tables.srat(CPUS, tables.srat_memory(0, GIB, 3), tables.srat_memory(4 * GIB, GIB, 7),
                       tables.srat_memory(8 * GIB, GIB, 9))
    rows = [[10 if i == j else 20 for j in range(10)] for i in range(10)]
    rows[3][9], rows[7][9], rows[9][3], rows[9][7] = 40, 15, 15, 40
    with folder_of({"a": MADT, "s": srat, "l": tables.slit(rows)}) as folder:
        machine = tool.json(folder)
    expect(machine["anomalies"], [], "anomalies")
    expect(machine["plan"][2]["adopter"], 1, "adopter")


def one_file_of_tables(tool):
    with folder_of({"a": MADT, "s": TWO_NODES, "m": "0x0-0x9ffff usable\n"
                    "0x100000-0x7fffffff usable\n"}) as folder:
        machine = tool.json(folder / "s")
        expect((machine["cpu_source"], len(machine["nodes"])), ("srat", 2), "one table")
        (folder / "text").write_bytes(tables.acpidump_text(MADT, TWO_NODES))
        machine = tool.json(folder / "text", folder / "m")
        expect((machine["cpu_source"], len(machine["nodes"])), ("madt", 2), "acpidump's text")


def text_of_acpidump(tool):
    """The text form gives what the binary form gives; a gap in it ends that table only."""
    with folder_of({"a": MADT, "s": TWO_NODES}) as folder:
        binary = tool.json(folder)
    text = tables.acpidump_text(MADT, tables.sdt(b"DSDT", bytes(77)), TWO_NODES)
    with folder_of({"dump.txt": text}) as folder:
        machine = tool.json(folder)
        for key in ("cpus", "nodes", "plan", "memmap", "anomalies"):
            expect(machine[key], binary[key], key)
        lines = text.split(b"\n")
        start = next(i for i, line in enumerate(lines) if line.startswith(b"SRAT"))
        (folder / "dump.txt").write_bytes(b"\n".join(lines[:start + 3] + lines[start + 4:]))
        machine = tool.json(folder)
        expect([a["file"] for a in anomalies(machine, "file", "breaks off")], ["dump.txt"],
               "anomaly")
        expect((machine["cpus_enabled"], machine["numa"]), (3, False), "MADT kept, SRAT not")
        for cut in range(0, len(text), 97):
            (folder / "dump.txt").write_bytes(text[:cut])
            expect(tool.run("--tables", folder).returncode in (0, 2), True, "cut at %d" % cut)


def tests():
    cases = [two_nodes, empty_folder, garbage_only, what_is_not_a_table_is_passed_over, truncated,
             wrong_checksum, wrong_length, second_table, zero_length_entry, no_madt,
             no_cpu_anywhere, cpus_alone, no_usable_cpu, hotplug_only,
             persistent_memory_is_no_ram, overlapping_ranges, wild_ranges, too_little_memory,
             many_nodes, hmat_and_slit, text_of_acpidump, windows_are_no_ram, cxl_window,
             generic_initiators, what_is_not_ram_yet, what_linux_does_otherwise, small_map,
             every_policy, what_the_user_knows, pages_of_shared_cpus,
             slit_that_counts_for_nothing, no_domain, asymmetric_slit, one_file_of_tables]
    return [("broken: " + case.__name__, case) for case in cases]
