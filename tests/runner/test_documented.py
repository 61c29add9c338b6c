# SPDX-License-Identifier: GPL-2.0-only
"""The pages for users against the code: what is made from it, command line, menu, links."""
import os
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SCHEMA = os.path.join(os.environ.get("BUILD", "build"), "host/memmap-schema")
PAGES = [ROOT / "README.md", ROOT / "STYLE.md", *sorted((ROOT / "docs").glob("*.md"))]


def source(pattern):
    return "".join(path.read_text(encoding="utf-8") for path in sorted(ROOT.rglob(pattern)))



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
        self.assertIn("(docs/README.md)", README)
        index = source("docs/README.md")
        for page in (ROOT / "docs").glob("*.md"):
            with self.subTest(page=page.name):
                self.assertTrue(page.name == "README.md" or f"({page.name})" in index)


class Generated(unittest.TestCase):
    def test_the_pages_are_those_of_the_code(self):
        done = subprocess.run(["tools/gen-docs", "--check", "--schema", SCHEMA], cwd=ROOT,
                              check=False, capture_output=True, text=True)
        self.assertEqual(done.stdout + done.stderr, "")
        self.assertEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main()
