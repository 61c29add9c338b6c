# SPDX-License-Identifier: GPL-2.0-only
"""The program under test, and what every test asks of an answer."""

import contextlib
import json
import pathlib
import subprocess
import tempfile

PAGE = 4096
SECTION_PAGES = 32768


def expect(actual, expected, what):
    if actual != expected:
        raise AssertionError("%s: %r, expected %r" % (what, actual, expected))


class Tool:
    def __init__(self, path):
        self.path = pathlib.Path(path).resolve()

    def run(self, *arguments, stdout=subprocess.PIPE):
        done = subprocess.run([str(self.path)] + [str(a) for a in arguments], stdout=stdout,
                              stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
                              errors="replace", timeout=60)
        for sign in ("Sanitizer", "runtime error:", "assertion failed"):
            if sign in done.stderr:
                raise AssertionError(done.stderr)
        return done

    def json(self, folder, e820=None):
        """The machine in `folder`; it must be one, and its sums must hold."""
        map_option = ["--e820", e820] if e820 else []
        done = self.run("--tables", folder, "--json", *map_option)
        expect(done.returncode, 0, "exit status (%s)" % done.stderr.strip())
        machine = json.loads(done.stdout)
        check_sums(machine)
        text = self.run("--tables", folder, *map_option)
        expect(text.returncode, 0, "exit status of the text")
        check_text(text.stdout, machine)
        return machine

    def refuse(self, *arguments):
        """Exit status 2, nothing on stdout; returns what it said."""
        done = self.run(*arguments)
        expect(done.returncode, 2, "exit status (%s)" % done.stderr.strip())
        expect(done.stdout, "", "output")
        if not done.stderr.strip():
            raise AssertionError("no message")
        return done.stderr


def check_sums(machine):
    """What must hold for every machine."""
    nodes = machine["nodes"]
    expect([n["node"] for n in nodes], list(range(len(nodes))), "node numbers")
    pxms = [n["pxm"] for n in nodes]
    expect(pxms, sorted(set(pxms)), "domains ascend")
    expect(len(machine["cpus"]), machine["cpus_enabled"], "CPUs")
    for node in nodes:
        own = [c for c in machine["cpus"] if c["node"] == node["node"]]
        expect(len(own), node["cpus"], "CPUs of node %d" % node["node"])
        expect({c["pxm"] for c in own} <= {node["pxm"]}, True, "domain of the CPUs")
        expect(sum(r["end"] - r["start"] for r in node["ranges"]), node["pages"] * PAGE,
               "RAM of node %d" % node["node"])
    ranges = sorted((r["start"], r["end"], n["node"]) for n in nodes for r in n["ranges"])
    for low, high in zip(ranges, ranges[1:]):
        expect(low[1] <= high[0], True, "ranges apart")
        expect(low[1] == high[0] and low[2] == high[2], False, "ranges merged")
    expect(sum(n["pages"] for n in nodes), machine["pages"], "all RAM")
    usable = sum(r["end"] - r["start"] for r in machine["memory"] if r["kind"] == "usable")
    expect(usable, machine["pages"] * PAGE, "usable memory")
    expect([len(row) for row in machine["distances"]], len(nodes) * [len(nodes)], "matrix")
    expect(all(machine["distances"][i][i] == 10 for i in range(len(nodes))), True, "diagonal")
    if machine["pages"] and not machine["memmap"]["missing_pages"]:
        check_plan(machine, ranges)


def check_plan(machine, ranges):
    """Every frame of every populated section is planned for once, and the memmap has its place."""
    plan, memmap = machine["plan"], machine["memmap"]
    sections = {s for start, end, _ in ranges if end - start < 1 << 46
                for s in range(start // PAGE // SECTION_PAGES,
                               (end // PAGE - 1) // SECTION_PAGES + 1)}
    expect([p["node"] for p in plan], list(range(len(machine["nodes"]))), "plan")
    expect(memmap["sections"], len(sections), "populated sections")
    expect(memmap["pages"], len(sections) * SECTION_PAGES, "struct pages")
    expect(memmap["bytes"], memmap["pages"] * 64, "size of the memmap")
    expect(sum(p["early_pages"] + p["deferred_pages"] for p in plan), memmap["pages"], "planned")
    expect(sum(p["memmap_sections"] for p in plan), memmap["sections"], "sections of nodes")
    expect(sum(p["memmap_remote_sections"] for p in plan), memmap["remote_sections"], "remote")
    expect(sum(b["end"] - b["start"] for b in memmap["backing"]), memmap["bytes"], "backing")
    for backing in memmap["backing"]:
        own = [r for r in ranges if r[2] == backing["node"] and
               r[0] <= backing["start"] and backing["end"] <= r[1]]
        expect(len(own), 1, "backing at %#x lies in RAM of its node" % backing["start"])
    for node, entry in zip(machine["nodes"], plan):
        expect(entry["policy"], "padata", "policy")
        expect(entry["free_pages"] + entry["reserved_pages"], node["pages"], "free and reserved")
        expect(entry["free_pages"] + entry["reserved_pages"] + entry["hole_pages"],
               entry["early_pages"] + entry["deferred_pages"], "kinds")
        if entry["deferred_pages"]:
            expect(entry["workers"] > 0 and entry["jobs"] > 0, True, "somebody works")
            expect(entry["chunk_pages"] % SECTION_PAGES, 0, "chunks of whole sections")
        if node["cpus"] and entry["deferred_pages"]:
            expect(entry["workers"] <= node["cpus"], True, "workers of the node")
            expect(entry["adopter"], -1, "no adopter")
        elif node["pages"] and machine["cpus_enabled"]:
            expect(entry["adopter"] >= 0, True, "adopter of a memory-only node")


def check_text(text, machine):
    for line in text.splitlines():
        expect(len(line) <= 80, True, "width of %r" % line)
    expect("ANOMALIES" in text, bool(machine["anomalies"]), "anomalies told")
    expect("Nodes: %d" % len(machine["nodes"]) in text, True, "nodes told")
    if machine["cpus_enabled"]:
        expect("CPUs: %d enabled" % machine["cpus_enabled"] in text, True, "CPUs told")
    expect("Init plan (policy padata" in text, bool(machine["plan"]), "plan told")


def anomalies(machine, table, words):
    return [a for a in machine["anomalies"] if a["table"] == table and words in a["reason"]]


@contextlib.contextmanager
def folder_of(files):
    """A temporary folder with the given names and bytes."""
    with tempfile.TemporaryDirectory(prefix="memmap-inspect-") as path:
        folder = pathlib.Path(path)
        for name, content in files.items():
            (folder / name).write_bytes(content if isinstance(content, bytes)
                                        else content.encode())
        yield folder
