# SPDX-License-Identifier: GPL-2.0-only
"""Sentences about what was expected and what came; none mean that all is well."""


def differ(what, expected, came):
    if expected != came:
        yield f"{what}: expected {expected}, came {came}"


def within(what, low, high, came):
    if not low <= came <= high:
        yield f"{what}: expected {low} to {high}, came {came}"


def usable_ranges(stream):
    return [(r["start"], r["end"]) for r in stream.of("range") if r["kind"] == "usable"]


def ram(stream):
    """Ranges of RAM with their nodes, ascending."""
    return sorted((r["start"], r["end"], r["node"]) for r in stream.of("ram"))


def samples(stream, scope, experiment="init", **fields):
    return [r for r in stream.of("sample") if r["experiment"] == experiment and
            r["scope"] == scope and all(r.get(key) == value for key, value in fields.items())]
