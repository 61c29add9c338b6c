# SPDX-License-Identifier: GPL-2.0-only
"""The judge on a recorded run: nothing is wrong with it, but each changed fact is noticed."""
import json
import pathlib
import unittest
import zlib

import declaration
import judge
import records

HERE = pathlib.Path(__file__).resolve().parent
RECORDING = HERE / "recorded.log"  # of the machine below

# What a declaration says nothing of: times, names of things, and where the memmap was put. Of
# cycles that go into a median or a sum the least may change unnoticed.
FREE = {
    "run": {"version", "build", "cmdline", "loader", "tsc_hz", "tsc_source", "tsc_invariant",
            "timer_overhead_cycles", "cpu_model", "cpu_family", "cpu_model_number",
            "cpu_stepping", "cpu_l2_bytes", "cpu_l3_bytes", "hypervisor"},
    "phase": None,  # all of it
    "cpu": {"tsc_low_cycles", "tsc_high_cycles"},  # arrival_cycles: bounded by the bring-up's
    "bringup": {"cycles"},
    "core_kind": {"family", "model", "core_type"},
    "plan": {"jobs"},
    "sample": {"wake_cycles", "early_cycles", "early_free_cycles", "first_pass_cycles", "chunks",
               "workers", "cycles", "cpu", "smi", "aperf_cycles", "mperf_cycles"},
    "result": {"pages", "experiment"},
    "lazy": {"fill_cycles", "first_use_cycles"},
    "async": {"first_success_cycles", "failures", "min_cycles", "median_cycles", "p99_cycles",
              "max_cycles"},
    "latency": {"log2_cycles"},
    "growth": {"policy", "grown_pages", "allocated_blocks"},
    "anomaly": {"offset", "reason", "value"},
    "knee": {"pages"},
    "verdict": {"text"},
}


def declared():
    parser = declaration.configparser.ConfigParser(interpolation=None)
    parser.read_string("""
        [recorded]
        node0 = ram=512M cpus=2
        node1 = ram=513M cpus=2
        node2 = ram=384M initiator=1
        sockets = 2
        distance = 10 20 30 / 20 10 17 / 30 17 10
        latency = 100 150 400 / 150 100 300 / 400 300 200
        bandwidth = 20000 10000 4000 / 10000 20000 5000 / 4000 5000 6000
        cmdline = run=init,sweep repeat=2 policy=node,ktask,lazy,async threads=0
        anomaly = ^cmdline value not allowed
        """.replace("\n        ", "\n"))
    return declaration.parse_machine("recorded", parser["recorded"])


def is_free(kind, field):
    fields = FREE.get(kind, set())
    return fields is None or field in ("seq", "type") or field in fields


def line(record):
    text = json.dumps(record, separators=(",", ":")).encode()
    return b"@%s#%08x" % (text, zlib.crc32(text))


def changed_value(value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return value + "x"


class Judge(unittest.TestCase):
    def setUp(self):
        self.machine = declared()
        self.lines = RECORDING.read_bytes().replace(b"\r", b"").split(b"\n")
        self.assertEqual(self.complaints(self.lines), [])

    def complaints(self, lines, firmware="pvh"):
        stream = records.Stream(b"\n".join(lines))
        return judge.complaints(self.machine, firmware, "", stream)

    def recorded(self):
        for number, text in enumerate(self.lines):
            if text.startswith(b"@"):
                yield number, json.loads(text[1:-9])

    def one_of_each(self):
        """Not all of the many samples and results: the first of each sort."""
        found = {}
        for number, record in self.recorded():
            sort = tuple(record.get(key)
                         for key in ("type", "experiment", "scope", "policy", "axis"))
            found.setdefault(sort, (number, record))
        return found.values()

    def test_each_changed_field_is_noticed(self):
        for number, record in self.one_of_each():
            for field in record:
                firmwares_own = record["type"] == "range" and record["kind"] != "usable"
                if firmwares_own or is_free(record["type"], field):
                    continue
                changed = dict(record, **{field: changed_value(record[field])})
                lines = [*self.lines[:number], line(changed), *self.lines[number + 1:]]
                with self.subTest(field=field, record=record):
                    self.assertNotEqual(self.complaints(lines), [])

    def test_each_missing_record_is_noticed_by_its_facts(self):
        """Even if the others were numbered without a gap."""
        kinds = {record["type"] for _, record in self.recorded()} - {"phase"}
        for kind in kinds:
            kept, dropped = [], False
            for text in self.lines:
                record = json.loads(text[1:-9]) if text.startswith(b"@") else None
                if record and record["type"] == kind and not dropped:
                    dropped = True
                    continue
                if record:
                    record["seq"] = sum(t.startswith(b"@") for t in kept)
                    if record["type"] == "end":
                        record["records"] = record["seq"] + 1
                    text = line(record)
                kept.append(text)
            self.assertNotEqual(self.complaints(kept), [], kind)

    def test_an_anomaly_is_noticed(self):
        position = next(n for n, r in self.recorded() if r["type"] == "range")
        record = json.loads(self.lines[position][1:-9])
        anomaly = {"seq": record["seq"], "type": "anomaly", "table": "SRAT", "offset": 0,
                   "reason": "odd", "value": 0}
        lines = [*self.lines[:position], line(anomaly), *self.lines[position:]]
        self.assertIn("anomaly: came unexpected `SRAT odd`", self.complaints(lines))

    def test_impossible_ram_is_named_without_counting_it(self):
        number, record = next((n, r) for n, r in self.recorded() if r["type"] == "ram")
        for field, value in (("end", 1 << 200), ("start", -1), ("start", record["end"])):
            lines = [*self.lines]
            lines[number] = line(dict(record, **{field: value}))
            with self.subTest(field=field, value=value):
                self.assertRegex("\n".join(self.complaints(lines)), "ram of node 0: .* below ")

    def test_other_firmware(self):
        self.assertNotEqual(self.complaints(self.lines, "uefi"), [])

    def test_other_machines(self):
        """The recording is of no machine that is declared otherwise."""
        for change in (lambda m: m.nodes[1].__setattr__("ram", m.nodes[1].ram + (1 << 20)),
                       lambda m: m.nodes[1].__setattr__("cpus", 4),
                       lambda m: m.distance[0].__setitem__(1, 21),
                       lambda m: m.latency[0].__setitem__(1, 21),
                       lambda m: m.bandwidth[1].__setitem__(1, 21),
                       lambda m: m.__setattr__("sockets", 1),
                       lambda m: m.__setattr__("threads", 2),
                       lambda m: m.__setattr__(
                           "cmdline", m.cmdline.replace("repeat=2", "repeat=3")),
                       lambda m: m.__setattr__("cmdline", m.cmdline.replace("run=init,", "run=")),
                       lambda m: m.__setattr__("cmdline", m.cmdline.replace(",sweep", "")),
                       lambda m: m.__setattr__("cmdline", m.cmdline.replace(",lazy", "")),
                       lambda m: m.__setattr__("cmdline", m.cmdline + " place=remote"),
                       lambda m: m.__setattr__("cmdline", m.cmdline + " vmemmap=4k"),
                       lambda m: m.__setattr__("cmdline", m.cmdline + " page_size=32"),
                       lambda m: m.__setattr__("cmdline", m.cmdline + " chunk=256"),
                       lambda m: m.__setattr__("cmdline", m.cmdline + " threads=1"),
                       lambda m: m.__setattr__("verdict", "fault"),
                       lambda m: m.__setattr__("missing_cpus", 1)):
            self.machine = declared()
            change(self.machine)
            self.assertNotEqual(self.complaints(self.lines), [])
