# SPDX-License-Identifier: GPL-2.0-only
"""The record reader, on whole, damaged, missing, truncated and foreign streams."""
import json
import unittest
import zlib

import records


def line(record):
    text = json.dumps(record, separators=(",", ":")).encode()
    return b"@%s#%08x\n" % (text, zlib.crc32(text))


def numbered(*kinds, **last):
    found = [{"seq": i, "type": kind} for i, kind in enumerate(kinds)]
    if found[-1]["type"] == "end":
        found[-1]["records"] = len(found)
    found[-1].update(last)
    return [line(record) for record in found]


WHOLE = numbered("run", "cpu", "node", "end")


def problems(lines):
    return records.Stream(b"".join(lines)).problems


class WholeStream(unittest.TestCase):
    def test_records_between_console_lines(self):
        stream = records.Stream(b"GRUB\r\n" + b"table\n".join(WHOLE) + b"bye")
        self.assertEqual(stream.problems, [])
        self.assertEqual([r["type"] for r in stream.records], ["run", "cpu", "node", "end"])
        self.assertEqual(stream.console, ["GRUB", "table", "table", "table", "bye"])

    def test_carriage_returns(self):
        self.assertEqual(problems([l.replace(b"\n", b"\r\n") for l in WHOLE]), [])

    def test_unknown_types_and_fields_pass(self):
        self.assertEqual(problems(numbered("run", "new", "end", more=1)), [])

    def test_crc_is_the_ieee_one(self):
        self.assertEqual(zlib.crc32(b"123456789"), 0xcbf43926)

    def test_one(self):
        stream = records.Stream(b"".join(WHOLE))
        self.assertEqual(stream.one("cpu")["seq"], 1)
        self.assertIsNone(stream.one("memmap"))
        self.assertEqual(stream.problems, ["0 `memmap` records instead of one"])


class DamagedStream(unittest.TestCase):
    def damaged(self, change, expected):
        lines = list(WHOLE)
        lines[1] = change(lines[1])
        self.assertRegex("\n".join(problems(lines)), expected)

    def test_every_single_byte_matters(self):
        for position in range(len(WHOLE[1]) - 1):
            for flip in (1, 0x20, 0x80):
                changed = bytearray(WHOLE[1])
                changed[position] ^= flip
                self.assertNotEqual(problems([WHOLE[0], bytes(changed), *WHOLE[2:]]), [],
                                    f"byte {position} changed by {flip:#x}")

    def test_every_dropped_byte_matters(self):
        whole = b"".join(WHOLE)
        for position in range(len(whole) - 1):
            self.assertNotEqual(problems([whole[:position] + whole[position + 1:]]), [], position)

    def test_every_truncation_matters(self):
        whole = b"".join(WHOLE)
        for length in range(len(whole) - 1):
            self.assertNotEqual(problems([whole[:length]]), [], length)

    def test_wrong_crc(self):
        self.damaged(lambda l: l.replace(b"cpu", b"cpv"), "CRC .* but the bytes have")

    def test_upper_case_crc(self):
        self.damaged(lambda l: l[:-9] + l[-9:].upper(), "damaged|CRC|^$")

    def test_text_in_front(self):
        self.damaged(lambda l: b"late " + l, "does not begin its line")

    def test_text_behind(self):
        self.damaged(lambda l: l[:-1] + b" late\n", "damaged")

    def test_two_in_one_line(self):
        self.damaged(lambda l: l[:-1] + l, "damaged|CRC")

    def test_not_json(self):
        text = b"{seq:1}"
        self.damaged(lambda l: b"@%s#%08x\n" % (text, zlib.crc32(text)), "no JSON")

    def test_no_type(self):
        self.damaged(lambda l: line({"seq": 1}), "no seq or no type")

    def test_seq_is_a_number(self):
        self.damaged(lambda l: line({"seq": True, "type": "cpu"}), "no seq or no type")

    def test_floats_and_nested_values(self):
        for value in (1.5, None, [1], {"a": 1}):
            self.damaged(lambda l: line({"seq": 1, "type": "cpu", "value": value}),
                         "a value that is")

    def test_nesting_without_end(self):
        deep = b'{"a":' * 100000 + b"1" + b"}" * 100000
        self.damaged(lambda l: b"@" + deep + f"#{zlib.crc32(deep):08x}\n".encode(), "no JSON")

    def test_bytes_that_are_no_text(self):
        self.damaged(lambda l: b"@\xff\xfe\n", "damaged")


class Order(unittest.TestCase):
    def test_empty(self):
        self.assertEqual(problems([]), ["no records at all"])

    def test_console_only(self):
        self.assertEqual(problems([b"hello\n"]), ["no records at all"])

    def test_each_missing_record_is_noticed(self):
        for position in range(len(WHOLE)):
            self.assertNotEqual(problems(WHOLE[:position] + WHOLE[position + 1:]), [], position)

    def test_gap_is_named(self):
        self.assertIn("records 1 to 2 are missing", problems([WHOLE[0], WHOLE[3]]))

    def test_repeated(self):
        self.assertIn("record 1 comes after 1", problems([*WHOLE[:2], *WHOLE[1:]]))

    def test_swapped(self):
        self.assertNotEqual(problems([WHOLE[0], WHOLE[2], WHOLE[1], WHOLE[3]]), [])

    def test_first_is_run(self):
        self.assertIn("the first record is `cpu`, not `run`", problems(numbered("cpu", "end")))

    def test_last_is_end(self):
        self.assertIn("the last record is `node`, not `end`", problems(WHOLE[:3]))

    def test_count_in_end(self):
        self.assertIn("`end` counts 9 records, but is number 2",
                      problems(numbered("run", "end", records=9)))

    def test_nothing_after_end(self):
        self.assertIn("records after `end`", problems(numbered("run", "end", "end")))
