#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Whether initialising and freeing a struct page takes more instructions than it used to."""
import os
import pathlib

BENCH = pathlib.Path(__file__).resolve().parent.parent / "bench/icount"

os.execv(BENCH, [str(BENCH), "--check"])
