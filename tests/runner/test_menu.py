# SPDX-License-Identifier: GPL-2.0-only
"""The menu of the image: what it offers, in words that the kernel understands."""
import pathlib
import re
import unittest

import cmdline

MENU = pathlib.Path(__file__).resolve().parent.parent.parent / "iso/grub.cfg"


def entries():
    """(title, command line) of each entry."""
    text = MENU.read_text(encoding="utf-8")
    return re.findall(r"menuentry '([^']*)' \{\s*multiboot2 /boot/memmap-lab.elf(.*)", text)


class Menu(unittest.TestCase):
    def test_all_words_are_understood(self):
        self.assertEqual(len(entries()), MENU.read_text(encoding="utf-8").count("menuentry "))
        for title, words in entries():
            with self.subTest(title=title):
                self.assertEqual(cmdline.options(words).refused, [])
                keys = {word.partition("=")[0] for word in words.split()}
                self.assertLessEqual(keys, set(cmdline.KEYS))

    def test_every_experiment_is_offered(self):
        offered = [cmdline.options(words).experiments for _, words in entries()]
        self.assertEqual(set().union(*offered), set(cmdline.EXPERIMENTS))

    def test_what_is_offered(self):
        found = [cmdline.options(words) for _, words in entries()]
        first, *_ = found
        self.assertEqual((first.experiments, first.policies), ({"init"}, ["node", "padata"]))
        for experiments, policies in (({"init"}, cmdline.GENERATIONS),
                                      ({"sweep"}, cmdline.GENERATIONS),
                                      ({"init", "sweep"}, cmdline.GENERATIONS),
                                      ({"pcp"}, cmdline.GENERATIONS),
                                      ({"free"}, cmdline.GENERATIONS),
                                      ({"bandwidth", "init", "sweep"}, cmdline.POLICIES)):
            self.assertTrue(any(options.experiments == experiments and
                                options.policies == list(policies)
                                for options in found), experiments)
