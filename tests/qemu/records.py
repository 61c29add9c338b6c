# SPDX-License-Identifier: GPL-2.0-only
"""Reads the records of docs/records.md out of a serial stream. Nothing is guessed: whatever is
damaged, missing or out of place is named in `problems`."""
import json
import re
import zlib

LINE = re.compile(rb"@(\{.*\})#([0-9a-f]{8})")
END = rb'\n@\{"seq":\d+,"type":"end",[^\n]*#[0-9a-f]{8}\r?\n'  # the last line of a run


class Stream:
    def __init__(self, data):
        self.records = []   # dicts, in order, intact ones only
        self.problems = []  # what is wrong with the stream, in words
        self.console = []   # all other lines, as text
        for number, line in enumerate(data.split(b"\n"), 1):
            self._line(number, line.rstrip(b"\r"))
        self._check_order()
        self._kinds = {}
        for record in self.records:
            self._kinds.setdefault(record["type"], []).append(record)

    def of(self, kind):
        return self._kinds.get(kind, [])

    def one(self, kind):
        """The only record of its type; None, and a problem, when there is not exactly one."""
        found = self.of(kind)
        if len(found) == 1:
            return found[0]
        self.problems.append(f"{len(found)} `{kind}` records instead of one")
        return None

    def _line(self, number, line):
        if not line.startswith(b"@"):
            if b"@{" in line:
                self.problems.append(f"line {number}: a record that does not begin its line")
            self.console.append(line.decode("utf-8", "replace"))
            return
        match = LINE.fullmatch(line)
        if not match:
            self.problems.append(f"line {number}: damaged record {line[:60]!r}")
            return
        crc = f"{zlib.crc32(match[1]):08x}"
        if crc != match[2].decode():
            self.problems.append(f"line {number}: CRC {match[2].decode()} but the bytes have {crc}")
            return
        try:
            record = json.loads(match[1])
        except (RecursionError, ValueError) as error:
            self.problems.append(f"line {number}: no JSON: {error}")
            return
        if type(record.get("seq")) is not int or not isinstance(record.get("type"), str):
            self.problems.append(f"line {number}: no seq or no type")
            return
        if not all(isinstance(value, (int, str)) for value in record.values()):
            self.problems.append(f"line {number}: a value that is no integer, text or bool")
        self.records.append(record)

    def _check_order(self):
        expected = 0
        for record in self.records:
            if record["seq"] > expected:
                self.problems.append(f"records {expected} to {record['seq'] - 1} are missing")
            elif record["seq"] < expected:
                self.problems.append(f"record {record['seq']} comes after {expected - 1}")
            expected = record["seq"] + 1
        if not self.records:
            self.problems.append("no records at all")
            return
        if self.records[0]["type"] != "run":
            self.problems.append(f"the first record is `{self.records[0]['type']}`, not `run`")
        last = self.records[-1]
        if last["type"] != "end":
            self.problems.append(f"the last record is `{last['type']}`, not `end`")
        elif last.get("records") != last["seq"] + 1:
            self.problems.append(f"`end` counts {last.get('records')} records, but is number "
                                 f"{last['seq'] + 1}")
        for record in self.records[:-1]:
            if record["type"] == "end":
                self.problems.append("records after `end`")
