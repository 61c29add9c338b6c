# SPDX-License-Identifier: GPL-2.0-only
"""What the comparison of golden recordings lets pass, and what not: changes of a recorded run."""
import functools
import json
import pathlib
import re
import struct
import tempfile
import unittest
import zlib

import cases
import comparing
import masking

RECORDED = pathlib.Path(__file__).resolve().with_name("recorded.log").read_bytes().decode()
NOTHING = masking.Ignored()


def masked(text, ignored=NOTHING):
    return masking.mask(text.encode(), ignored)


@functools.lru_cache
def recorded():
    return masked(RECORDED)


def looks_different(lines):
    """Whether the text of these lines, put together, is another than the recorded one."""
    return [line.text for line in masked("\n".join(lines))] != [line.text for line in recorded()]


def complaints(text, before=RECORDED, ignored=NOTHING, grown=0, alone=True):
    comparison = comparing.Comparison("case", 0.01, grown, alone)
    return list(comparison.compare(masked(before, ignored), masked(text, ignored)))


def changed(old, new, count=1):
    """The recorded run with `new` instead of `old`, wherever it is."""
    text, found = re.subn(old, new, RECORDED, count=count, flags=re.MULTILINE)
    assert found, old
    return resealed(text)


def resealed(text):
    """Every record with the CRC of what it says now."""
    return re.sub(r"^@(\{.*\})#[0-9a-f]{8}", lambda match: "@%s#%08x" % (
        match[1], zlib.crc32(match[1].encode())), text, flags=re.MULTILINE)


def scaled(pattern, factor):
    """The recorded run with the number that `pattern` ends before and behind, times `factor`."""
    def scale(match):
        value = float(match[2]) * factor
        text = f"{value:.{len(match[2].partition('.')[2])}f}"
        return match[1] + text.rjust(len(match[2])) + match[3]
    return changed(pattern, scale)


class Streams(unittest.TestCase):
    def quiet(self, text, **options):
        self.assertEqual(complaints(text, **options), [])

    def noticed(self, text, words="", **options):
        found = "\n".join(complaints(text, **options))
        self.assertNotEqual(found, "")
        self.assertIn(words, found)


class AsItIs(Streams):
    def test_itself(self):
        self.quiet(RECORDED)

    def test_a_word_of_a_heading(self):
        self.noticed(changed("speed-up vs node|outside that clock", "outside the clock"),
                     "+outside the clock: waking")

    def test_a_number_of_the_machine(self):
        self.noticed(changed("1408.5 MiB usable", "1408.6 MiB usable"), "+memory map: 9 ranges")

    def test_a_blank(self):
        self.noticed(changed("^initiator    target", "initiator   target"))
        self.noticed(changed("verdict: ok", "verdict:  ok"))
        self.noticed(changed("usable\r$", "usable \r"))

    def test_a_line_end(self):
        self.noticed(changed("KiB\r$", "KiB"))

    def test_every_kind_of_line_is_missed(self):
        lines = RECORDED.split("\n")
        for number in range(1, len(lines) - 1, 9):
            with self.subTest(lines[number]):
                self.assertTrue(looks_different(lines[:number] + lines[number + 1:]))

    def test_swapped_lines(self):
        lines = RECORDED.split("\n")
        for number in range(2, len(lines) - 2, 9):
            first, second = lines[number:number + 2]
            if re.sub(r"[\d.# ]", "", first) != re.sub(r"[\d.# ]", "", second):
                with self.subTest(first):
                    self.assertTrue(looks_different(
                        lines[:number] + [second, first] + lines[number + 2:]))

    def test_a_column_moves(self):
        self.noticed(changed(r"^(policy .* )min   median", r"\1median   min"))
        self.noticed(changed(r"^(node +\d+ +\d+ )( +\d+\.\d+)", r"\1 \2"))

    def test_a_figure_is_unknown(self):
        self.noticed(changed(r"^(node +\d+ +\d+ )( +)\d+\.(\d+)", r"\1\2   -\3"))

    def test_firmware_is_not_compared(self):
        self.quiet("GRUB loading\n" + RECORDED)

    def test_the_build_is_not_compared(self):
        self.quiet(changed("2d17192ea6b2-dirty", "670c933480b7", 2))
        self.noticed(changed('"build":"2d17192ea6b2-dirty",', ""))


class Records(Streams):
    def test_every_field_is_missed(self):
        lines = re.findall(r"^@.*#[0-9a-f]{8}", RECORDED, re.MULTILINE)
        kinds = {tuple(json.loads(line[1:-9])): line for line in lines}
        for line in kinds.values():
            whole = masking.mask_record(line, NOTHING)
            for name in json.loads(line[1:-9]):
                lost = re.sub(r'"%s":("[^"]*"|[^,}]*),?' % name, "", line, count=1)
                with self.subTest(name):
                    self.assertNotEqual(whole.text, masking.mask_record(
                        resealed(lost.replace(",}", "}")), NOTHING).text)

    def test_a_renamed_field(self):
        self.noticed(changed('"median_cycles"', '"middle_cycles"'), '+@{"seq":')

    def test_a_new_field(self):
        self.noticed(changed('"arrived":3', '"arrived":3,"new_cycles":5'), '"new_cycles":~')

    def test_the_order_of_fields(self):
        self.noticed(changed(r'("count":\d+),("mean_cycles":\d+)', r"\2,\1"),
                     '"mean_cycles":~ "count":2')

    def test_only_what_differs_is_shown(self):
        found = complaints(changed('"apic_mode":"xapic"', '"apic_mode":"x2apic"'))
        lines = [line for line in found if line[0] in "+-" and "bringup" in line]
        self.assertEqual([line.partition(" ... ")[2] for line in lines],
                         ['"apic_mode":"xapic"', '"apic_mode":"x2apic"'])

    def test_a_record_more(self):
        self.noticed(changed("^@", "@{}#a3a6bf43\r\n@"))

    def test_a_wrong_crc(self):
        text = re.sub(r"#[0-9a-f]{8}\r$", "#00000000\r", RECORDED, count=1, flags=re.MULTILINE)
        self.noticed(text, "damaged record")
        self.noticed(text, "damaged record", before=text)

    def test_damage(self):
        for old in '"seq"', '"type"', "}#":
            text = RECORDED.replace("@{", "@", 1).replace(old, "", 1)
            self.noticed(text, "damaged record", before=text)


class Numbers(Streams):
    RECORD = r'("scope":"run","store":.*,"cycles":)(\d+)(,)'
    TEXT = r"^(node +\d+ +\d+ +)(\d+\.\d+)( )"

    def test_times(self):
        for pattern in self.RECORD, self.TEXT:
            self.quiet(scaled(pattern, 1.005))
            self.quiet(scaled(pattern, 0.995))
            self.noticed(scaled(pattern, 1.02), "(2.0%)")
            self.noticed(scaled(pattern, 0.98), "(2.0%)")

    def test_a_time_out_of_all_proportion(self):
        self.noticed(changed(r'("scope":"run","store":.*,"cycles":)\d+', r"\g<1>0"))

    def test_last_digits_round(self):
        self.quiet(changed(r"^(time stamp.* within) \d+ cycles", r"\1 625 cycles"))
        self.quiet("memmap-lab: 0.04 ms\r\n", before="memmap-lab: 0.05 ms\r\n")
        self.noticed("memmap-lab: 0.04 ms\r\n", before="memmap-lab: 0.06 ms\r\n")

    def test_chance_is_never_held(self):
        self.quiet(changed(r'("scope":"cpu","cpu":\d+,"node":\d+,"chunks":)\d+(,"pages":)\d+',
                           r"\g<1>77\g<2>999"))
        self.quiet(changed(r'"stddev_cycles":\d+', '"stddev_cycles":1'))

    def test_several_cpus(self):
        """Whole runs are held, a table's rows are not."""
        self.noticed(scaled(self.RECORD, 1.02), alone=False)
        self.quiet(scaled(self.TEXT, 1.02), alone=False)

    def test_pages(self):
        """They differ by no more than the images do."""
        for pattern in r'("type":"verify".*"free_pages":)(\d+)(,)', r"^(expected +)(\d+)( )":
            for pages in 1, 3:
                text = changed(pattern, lambda m, p=pages: f"{m[1]}{int(m[2]) - p}{m[3]}")
                self.noticed(text)
                self.noticed(text, grown=pages - 1)
                self.quiet(text, grown=pages)
                self.quiet(text, grown=-pages)

    def test_counted(self):
        comparison = comparing.Comparison("case", 0.01, 0, True)
        list(comparison.compare(masked(RECORDED), masked(RECORDED)))
        totals = comparison.totals
        self.assertEqual(totals.lines, len(masked(RECORDED)))
        kinds = {kind for kind, _ in totals.counts}
        self.assertEqual(kinds, {masking.TIME, masking.CHANCE, masking.IMAGE})
        self.assertIn("numbers and", (totals + totals).summary())
        self.assertEqual(len(list(totals.table())), len(totals.counts) + 1)


class Meant(Streams):
    def test_a_field(self):
        new = changed('"arrived":3', '"arrived":3,"version":"1.0"')
        self.noticed(new, '"version":"1.0"')
        self.quiet(new, ignored=masking.Ignored(fields=["bringup.version"]))
        self.noticed(new, ignored=masking.Ignored(fields=["run.version"]))

    def test_a_first_field(self):
        self.quiet(changed(r'\{"seq":0,', "{"), ignored=masking.Ignored(fields=["run.seq"]))

    def test_a_record(self):
        lines = RECORDED.split("\n")
        at = next(i for i, line in enumerate(lines) if '"type":"bringup"' in line)
        new = resealed("\n".join(lines[:at] + [lines[at].replace("bringup", "more")] + lines[at:]))
        self.noticed(new)
        renumbered = re.sub(r'"seq":(\d+)', lambda m: f'"seq":{int(m[1]) + (int(m[1]) > 5)}', new)
        self.quiet(resealed(renumbered), ignored=masking.Ignored(records=["more"]))

    def test_a_line(self):
        new = changed("^placed local", "version 1\r\nplaced local")
        self.noticed(new)
        self.quiet(new, ignored=masking.Ignored(lines=["^version"]))


class Text(unittest.TestCase):
    def shown(self, expected, *lines):
        text = "".join(line + "\r\n" for line in ("memmap-lab: ", "", *lines))
        self.assertEqual([line.text for line in masked(text)][-2], expected)

    def test_columns_keep_their_places(self):
        title = "way      runs       ms  pages", "                             "
        for row in "zone        5    9.125   4096", "zone        5 1000.125   4096":
            self.shown("zone        5        ~   4096", *title, row)

    def test_best(self):
        title = ("node      node best        ns/page speed-up",
                 "            ms                best  vs node")
        for row in "   0     9.125 node           1.00     2.00", \
                   "   0     9.125 calibrated     1.00     2.00":
            self.shown("   0         ~ ?                 ~        ~", *title, row)

    def test_what_is_given_stays(self):
        table = "bandwidths and latencies (from the HMAT)", "initiator    target         read", \
                "     node      node         MB/s"
        self.shown("        0         0        20000", *table, "        0         0        20000")
        self.shown("    0        ~       272", "one CPU, by order: cycles",
                   "order   order0 published", "    0      812       272")

    def test_sentences(self):
        self.shown("All of it took ~ ms.", "All of it took 34.5 ms.")
        self.shown("2 of 4096 MiB, 64.5 MiB used", "2 of 4096 MiB, 64.5 MiB used")
        self.shown("Linux 5.14, within 5 % of ~ ms", "Linux 5.14, within 5 % of 12.25 ms")

    def test_addresses(self):
        self.shown("  RIP ?  CS  0000000000000008", "  RIP ffffffff8021b878  CS  0000000000000008")
        self.shown("    ? self_test+?", "    ffffffff80214b90 self_test+0x20")
        self.shown("at 0xffffea0000000000", "at 0xffffea0000000000")

    def test_progress_is_one_line(self):
        self.shown("running: ~", *["running: policy node, run 2 of 3, 32 s, about 4 s left"] * 3)


class Declarations(unittest.TestCase):
    def setUp(self):
        self.cases = cases.read_cases()

    def test_enough(self):
        self.assertGreaterEqual(len({case.machine.name for case in self.cases.values()}), 10)
        self.assertEqual({case.firmware for case in self.cases.values()}, {"pvh", "bios", "uefi"})

    def test_every_experiment_has_a_report(self):
        reports = {name for name, case in self.cases.items() if case.report}
        self.assertEqual(reports, {"init", "sweep", "bandwidth", "pcp", "free"})
        self.assertEqual(reports, {f.stem for f in (cases.HERE / "reports").glob("*.txt")})

    def test_cases_share_no_machine(self):
        words = self.cases["init"].machine.cmdline
        self.cases["node-padata"].machine.cmdline = "other"
        self.assertEqual(self.cases["init"].machine.cmdline, words)

    def test_faults(self):
        for text, words in (("[a]\nmachine = nowhere\nshift = 1", "no machine"),
                            ("[a]\nmachine = default\nshift = 11", "shift is"),
                            ("[a]\nmachine = default\nshift = 1\ncolour = blue", "unknown keys"),
                            ("[a]\nmachine = one-cpu\nshift = x", "invalid literal"),
                            ("[a]\nmachine = silent\nshift = 1\nfirmware = uefi", "is not for")):
            with tempfile.NamedTemporaryFile("w", suffix=".cfg") as file:
                file.write(text + "\n")
                file.flush()
                with self.assertRaisesRegex(cases.declaration.DeclarationError, words):
                    cases.read_cases(file.name)

    def test_image_pages(self):
        header = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF", 2, 62, 1, 0, 64, 0, 0, 64, 56, 3,
                             0, 0, 0)
        segments = [(1, 0x200000, 0x100), (1, 0x202000, 0x1001), (2, 0x900000, 0x1000)]
        table = b"".join(struct.pack("<IIQQQQQQ", kind, 5, 0, 0, start, 0, size, 4096)
                         for kind, start, size in segments)
        with tempfile.NamedTemporaryFile() as file:
            file.write(header + table)
            file.flush()
            self.assertEqual(cases.image_pages(file.name), 4)
