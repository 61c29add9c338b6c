# SPDX-License-Identifier: GPL-2.0-only
"""The pages for users against the code: records, command line, menu, links."""
import pathlib
import re
import types
import unittest

import documented
import records

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "STYLE.md", *sorted((ROOT / "docs").glob("*.md"))]


def source(pattern):
    return "".join(path.read_text(encoding="utf-8") for path in sorted(ROOT.rglob(pattern)))


REPORT = "".join(path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("report/**/*.c")))


class Records(unittest.TestCase):
    def test_every_type_has_a_row_and_every_row_a_type(self):
        begun = set(re.findall(r'(?:record_begin\(\s*\w[^,]*,|RECORD_TYPE\()\s*"(\w+)"',
                               REPORT))
        self.assertEqual(begun, set(documented.fields()))

    def test_every_field_that_is_named_in_the_code(self):
        named = set(re.findall(r'(?:(?:record_(?:u64|i64|bool|text)|counter_field)\(\s*\w[^,]*,'
                               r'\s*|\.name = |FIELD_CONSTANT\()"(\w+)"',
                               REPORT))
        self.assertGreater(len(named), 200)
        known = set().union(*documented.fields().values())
        self.assertEqual(sorted(set(map(documented.plain, named)) - known), [])

    def test_a_recorded_run(self):
        recording = pathlib.Path(__file__).with_name("recorded.log").read_bytes()
        self.assertEqual(list(documented.undocumented(records.Stream(recording))), [])

    def test_what_is_not_on_the_page_is_named(self):
        run = {"type": "run", "seq": 0, "schema": 1, "colour": 3}
        pcp = {"type": "sample", "owned_cycles": 1, "owned_colours": 1}
        allocator = {"type": "allocator", "order7_blocks": 1, "order7_cycles": 1}
        stream = types.SimpleNamespace(records=[run, pcp, allocator, {"type": "weather"}])
        self.assertEqual(list(documented.undocumented(stream)), [
            "docs/records.md: record `allocator` has no field `order7_cycles`",
            "docs/records.md: record `run` has no field `colour`",
            "docs/records.md: record `sample` has no field `owned_colours`",
            "docs/records.md has no record `weather`"])


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \| [^|]* \|$", README, re.M))

    def test_keys(self):
        keys = re.findall(r'^\t\{ \{ "(\w+)", "', source("lab/option_keys.c"), re.M)
        self.assertEqual(list(self.rows), keys)


class Menu(unittest.TestCase):
    def test_the_entries(self):
        """Those outside submenus, with their words, in the same order."""
        text = re.sub(r"^submenu .*?^\}", "", source("iso/grub.cfg"), flags=re.M | re.S)
        entries = re.findall(r"menuentry '([^'(]*?)(?: \([^)]*\))?' \{\s*multiboot2 \S+ (.*)", text)
        self.assertGreater(len(entries), 5)
        rows = re.findall(r"^\| ([A-Z][^|`]*?)(?: \([^)]*\))? \| `(run=[^`]*)` \|$", README, re.M)
        self.assertEqual(rows, entries)


class Pages(unittest.TestCase):
    def test_links_lead_somewhere(self):
        for page in PAGES:
            for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
                with self.subTest(page=page.name, target=target):
                    self.assertTrue((page.parent / target).exists())

    def test_the_readme_leads_to_every_page(self):
        for page in (ROOT / "docs").glob("*.md"):
            with self.subTest(page=page.name):
                self.assertTrue(f"(docs/{page.name})" in README)


if __name__ == "__main__":
    unittest.main()
