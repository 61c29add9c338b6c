# SPDX-License-Identifier: GPL-2.0-only
"""Compares two masked streams of a case: lines as they are, masked numbers within a tolerance."""
import dataclasses
import difflib
import re

import masking

CONTEXT = 2  # lines around a difference

# Where several CPUs take turns, one moved instruction decides whose turn it is, and so what takes
# how long. These do not depend on it: whole runs, and what one CPU does alone.
HELD = re.compile(
    r"sample init run (\w+_)?cycles|result (init|sweep) run (mean|min|\w*median|cold)_cycles"
    r"|(sample|result) free unmap (cycles|(mean|min|median)_cycles)"
    r"|(run|calibration|matrix|stream|lazy|rule_all) - - .*|result lazy first_use .*")
# How many blocks there are of an order follows from the pages, but not by any simple rule.
BLOCKS = re.compile(r".* order\d+_blocks")


@dataclasses.dataclass
class Count:
    held: int = 0
    masked: int = 0
    farthest: float = 0.0


class Totals:
    def __init__(self):
        self.lines = self.fields = 0
        self.counts = {}  # (kind, where): Count

    def __add__(self, other):
        total = Totals()
        total.lines, total.fields = self.lines + other.lines, self.fields + other.fields
        for part in self, other:
            for key, count in part.counts.items():
                old = total.counts.get(key, Count())
                total.counts[key] = Count(old.held + count.held, old.masked + count.masked,
                                          max(old.farthest, count.farthest))
        return total

    def summary(self):
        held, pages, masked = 0, 0, 0
        for (kind, _), count in self.counts.items():
            held += count.held * (kind != masking.IMAGE)
            pages += count.held * (kind == masking.IMAGE)
            masked += count.masked
        return (f"{self.lines} lines and {self.fields} fields of records compared as they are; of "
                f"what is masked {held} numbers and {pages} counts of pages held, {masked} not")

    def table(self):
        yield "kind      held not held   farthest  where"
        for (kind, where), count in sorted(self.counts.items()):
            yield (f"{kind:6}{count.held:8}{count.masked:9}{count.farthest:11.2%}  {where}")


def number(text):
    match = re.match(r"[+-]?\d+(\.\d+)?", text)
    return float(match[0]) if match else None


class Comparison:
    def __init__(self, name, tolerance, grown, alone):
        """`grown`: by how many pages the second kernel's image is larger; `alone`: the machine has
        one CPU."""
        self.name, self.tolerance, self.grown, self.alone = name, tolerance, grown, alone
        self.totals = Totals()

    def compare(self, before, after):
        """Complaints about two lists of masked lines."""
        for where, lines in ("before", before), ("after", after):
            for line in lines:
                if line.damaged:
                    yield f"{self.name}, {where}: damaged record {line.raw}"
        first, second = [line.text for line in before], [line.text for line in after]
        self.totals.lines += max(len(first), len(second))
        self.totals.fields += sum(line.fields for line in before)
        if first != second:
            yield from shortened(difflib.unified_diff(
                first, second, f"{self.name}, before", f"{self.name}, after", n=CONTEXT,
                lineterm=""))
        matcher = difflib.SequenceMatcher(None, first, second, autojunk=False)
        for i, j, length in matcher.get_matching_blocks():
            for a, b in zip(before[i:i + length], after[j:j + length]):
                yield from self.compare_values(a, b)

    def compare_values(self, a, b):
        far = []
        for x, y in zip(a.values, b.values):
            held, off = self.is_held(x), apart(x.text, y.text)
            count = self.totals.counts.setdefault((x.kind, x.where), Count())
            count.held += held
            count.masked += not held
            count.farthest = max(count.farthest, off)
            if held and off and not self.near(x, y, off):
                far.append(f"{x.where}: {x.text} before, {y.text} after ({off:.1%})")
        if far:
            yield f"{self.name}: {'; '.join(far)}"
            yield f"  in  {masking.brief(a.raw)}"

    def is_held(self, value):
        if value.kind == masking.IMAGE:
            return not (self.grown and BLOCKS.fullmatch(value.field))
        return value.kind == masking.TIME and (self.alone or bool(HELD.fullmatch(value.field)))

    def near(self, x, y, off):
        a, b = number(x.text), number(y.text)
        if a is None or b is None:
            return False
        if x.kind == masking.IMAGE:
            return abs(a - b) <= abs(self.grown)
        last_digit = 10.0 ** -len(x.text.partition(".")[2])
        return off <= self.tolerance or abs(a - b) < 1.5 * last_digit


def apart(first, second):
    """By what part of the larger one two numbers differ; 1 where one is none."""
    if first == second:
        return 0.0
    a, b = number(first), number(second)
    return abs(a - b) / max(abs(a), abs(b), 1e-9) if None not in (a, b) else 1.0


def moved(mine, other):
    """What lies between the first and the last place where two lists differ."""
    places = [i for i, (a, b) in enumerate(zip(mine, other)) if a != b]
    return mine[places[0]:places[-1] + 1] if places else mine


def shortened(diff):
    """A diff in which a record that changed shows only what tells it from its old self."""
    diff = list(diff)
    records = {sign: {} for sign in "+-"}
    for line in diff:
        if line[1:2] == "@" and line[0] in records:
            records[line[0]][masking.head(line[1:])] = line[1:]
    for line in diff:
        if line[1:2] != "@" or line.startswith("@@"):
            yield line
            continue
        twin = records.get({"-": "+", "+": "-"}.get(line[0]), {}).get(masking.head(line[1:]))
        if twin:
            mine, other = masking.parts(line[1:]), masking.parts(twin)
            shown = [part for part in mine if part not in other] or moved(mine, other)
            yield f"{line[0]}{masking.head(line[1:])} ... {' '.join(shown)}"
        else:
            yield line[0] + (masking.brief(line[1:]) if line[0] == " " else line[1:])
