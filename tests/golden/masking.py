# SPDX-License-Identifier: GPL-2.0-only
"""Masks what a moved instruction changes in a stream of the kernel: clocks, what was done until a
time was over, who claimed what, pages that the kernel's own image takes. All else stays as it came,
byte for byte. What is masked is kept beside the line, for those who compare it as a number."""
import dataclasses
import json
import re
import zlib

TIME = "time"      # by a clock, or until a time was over
CHANCE = "chance"  # by who came first, or by which of two times was a little shorter
IMAGE = "image"    # pages that are free or not, which the kernel's size changes
MARKS = {TIME: "~", CHANCE: "?", IMAGE: "^"}
BUILD_MARK = "~"


@dataclasses.dataclass
class Value:
    kind: str
    text: str
    where: str  # a record's type and field; of text the words over its column, or the paragraph's
    field: str  # "type experiment scope field" of a record, else ""


@dataclasses.dataclass
class Line:
    text: str
    raw: str
    values: list
    fields: int = 0        # of a record, that were not masked
    damaged: bool = False


class Ignored:
    """What the user wants to be left out: record fields as TYPE.FIELD, types of records, and
    regular expressions of lines."""

    def __init__(self, fields=(), records=(), lines=()):
        self.fields, self.records = set(fields), set(records)
        self.lines = [re.compile(pattern) for pattern in lines]

    def line(self, line):
        return any(pattern.search(line) for pattern in self.lines)

    def field(self, kind, name):
        # one record more, and all behind it have another number
        counts = self.records and (name == "seq" or (kind, name) == ("end", "records"))
        return counts or f"{kind}.{name}" in self.fields


# ---- records ----------------------------------------------------------------------------------

RECORD = re.compile(r"@(\{.*\})#([0-9a-f]{8})")
FIELD = re.compile(r',?"(\w+)":("(?:[^"\\]|\\.)*"|-?\d+|true|false)')
HEAD = re.compile(r'@\{("seq":\d+,)?"type":"\w+"')

# The first that matches "type experiment scope field" counts; `-` stands for what is not there.
KINDS = [(kind, re.compile(pattern)) for kind, pattern in (
    # what firmware says and the user gave
    (None, r"bandwidth .*|.* hmat_\w+|rule - - node_mbps|.* chunk_pages"),
    # what was best, and of what many CPUs did on one node, in turns
    (CHANCE, r"(best|rule|rule_all|knee) - - (policy|pages|\w*workers|used)"),
    (CHANCE, r"(best|rule|knee|siblings|compared|curve) .*_(cycles|milli)"),
    (CHANCE, r"(compared|curve|search|search_step) - - (\w*cycles|workers|pages|steps)"),
    (CHANCE, r"sample init cpu (chunks|pages|cycles)|sample (init|sweep) node cycles"),
    (CHANCE, r"result (init|sweep) node (speedup_milli|\w+_cycles)"),
    (CHANCE, r"(sample|result) (init|sweep) run pages"),
    (CHANCE, r"(async|result async|latency) .* (allocations|failures|\w*cycles)"),
    (CHANCE, r"result pcp stream (count|known)|cpu - - tsc_(low|high)_cycles"),
    (CHANCE, r".* (\w*stddev_\w+|longest_hold_\w+|\w*contended|\w*wait_cycles)"),
    (CHANCE, r".* (smi|[am]perf_cycles)"),
    # what was done until the time was over
    (TIME, r"(sample|result) pcp (bench|stream) (\w+_)?(operations|messages|allocations|frees|hits"
           r"|refills|refilled_pages|drains|drained_pages|lock_failures|remote_frees|failures"
           r"|acquisitions|new_slabs|discarded_slabs|flushes)"),
    (TIME, r"result free unmap (locks|chains|flushes)"),
    (TIME, r".*[ _](milli|centipercent|ratio_e5|(milli)?cycles|tsc|hz|[pnum]s|[mk]?bps)"),
    (IMAGE, r"(plan|verify) .* (free|reserved)_pages|allocator .* order\d+_blocks"),
    (IMAGE, r"allocator .* \w*(free|managed|taken)_pages|.* free unmap pages"),
    (IMAGE, r"lazy - - first_use_pages|result lazy first_use pages"),
)]
# Not there where it is 0, and that is chance.
OPTIONAL = re.compile(r"result pcp bench zone_(contended|wait_cycles)")


def field_kind(name):
    return next((kind for kind, pattern in KINDS if pattern.fullmatch(name)), None)


def read_record(line):
    """The record, or None where the line is damaged."""
    match = RECORD.fullmatch(line)
    if not match or zlib.crc32(match[1].encode("utf-8", "surrogateescape")) != int(match[2], 16):
        return None
    try:
        record = json.loads(match[1])
    except (RecursionError, ValueError):
        return None
    return record if isinstance(record.get("type"), str) else None


def mask_record(line, ignored):
    """None for one that is ignored."""
    record = read_record(line)
    if record is None:
        return Line(line, line, [], damaged=True)
    kind = record["type"]
    if kind in ignored.records:
        return None
    context = " ".join(str(record.get(key, "-")) for key in ("type", "experiment", "scope"))
    values, kept = [], 0

    def replace(found):
        nonlocal kept
        name, text = found.groups()
        field = f"{context} {name}"
        if ignored.field(kind, name) or OPTIONAL.fullmatch(field):
            return ""
        mark = MARKS.get(field_kind(field))
        if (kind, name) == ("run", "build"):
            mark = BUILD_MARK
        elif mark:
            values.append(Value(field_kind(field), text.strip('"'), f"{kind}.{name}", field))
        else:
            kept += 1
            return found[0]
        return f'{found[0][:found.start(2) - found.start()]}{mark}'

    masked = FIELD.sub(replace, line[1:line.rindex("#")])
    return Line(f"@{masked}#~".replace("@{,", "@{"), line, values, kept)


def head(line):
    """What a record is found again by."""
    match = HEAD.match(line)
    return match[0] if match else line


def parts(line):
    return [match[0].lstrip(",") for match in re.finditer(FIELD.pattern + r'|,?"\w+":.', line)]


def brief(line):
    return f"{head(line)} ..." if line.startswith("@") else line


# ---- text -------------------------------------------------------------------------------------

# A number by itself, not a piece of a version, an address or a name; perhaps an interval.
NUMBER = re.compile(r"(?<![\w.+/#-])[+-]?\d+(\.\d+)?(-\d+\.\d+)?(?![\w/#+-]|\.\w)")
FIGURE = re.compile(NUMBER.pattern + r"|(?<= )-(?!\S)")  # or none
UNIT = re.compile(r" (ms|us|ns|s|cycles|MHz|MB/s(?! for node)|GB/s|x its|x the time|bursts)"
                  r"(?![\w/])")
SIZE = re.compile(r" [KMGT]iB\b")
BEFORE_VERSION = ("Linux ", "GRUB ", "as ")
COUNTED = re.compile(r"Of \d+ figures|OFF:|\d+ of \d+ slices|medians of|For \d+ more|All \d+ runs")
ADDRESS = re.compile(r"(?<!\w)ffffffff[89a-f][0-9a-f]{7}(?!\w)|(?<=\w\+)0x[0-9a-f]+(?=$|\s)")
GAP = re.compile(r"\S  ")
BAR = re.compile(r"(?<= )#+$")
PROGRESS = re.compile(r"running: ")
BUILD = re.compile(r"memmap-lab(?: [\d.]+)?, build ")

# The last word over a column, in each line of its title: what ends where the title ends is its.
TIMES = {"ms", "us", "ns", "s", "cycles", "ns/page", "GB/s", "MB/s", "Mbit/s", "cycles/op",
         "cycles/call", "/1000", "hits", "refills", "drains", "speed-up", "it"}
CHANCES = {"stddev", "busy", "waited", "waiting", "contended", "hold", "allocations", "failures",
           "p99", "share", "slices", "figures", "sure", "longest"}
IMAGES = {"free", "reserved", "managed", "expected", "use"}
GIVEN = {"published", "two", "one", "Linux", "HMAT", "SLIT", "mixed", "KiB", "MiB", "GiB"}
# Columns that are no times by their own title, but by the table's.
WAYS = {"none", "order0", "high", "merged", "trylock", "owned"}
CYCLES = re.compile(r": cycles( per page)?( on each( CPU)?)?$")
FROM_FIRMWARE = re.compile(r"\(from the [A-Z]+\)$")
BEST = {"best", "knee"}
# Columns of words, which begin where their title does.
CHOSEN = {"best", "next"}
TITLE_WORD = re.compile(r"(?<!\S)(\S*[^\W\d_/-]\S*|%|/ \d+)(?!\S)")
# Two CPUs that send each other messages while they take turns: it is chance what has a figure.
SECTION = re.compile(r"\S.*:|what |verdict")
BETWEEN = re.compile(r"stream: \d+ pair|what the ways change against")


class Block:
    """Lines without an empty one between them: perhaps a table with its title, and remarks."""

    def __init__(self, between=False):
        self.title, self.ends, self.starts = "", {}, {}
        self.between = between

    def learn(self, line):
        """Its words may be titles of the columns below."""
        if not self.title:
            self.title = line
            if SECTION.match(line):
                self.between = bool(BETWEEN.match(line))
        for word in TITLE_WORD.finditer(line):
            self.ends.setdefault(word.end(), set()).add(word[0].replace(" ", ""))
            self.starts.setdefault(word.start(), set()).add(word[0])

    def kind(self, figure):
        """Of a figure in a row."""
        words = self.ends.get(figure.end(), set())
        if "taken" in words and words & GIVEN:
            return IMAGE
        if words & CHANCES or ("workers" in words and words & BEST):
            return CHANCE
        if words & GIVEN or FROM_FIRMWARE.search(self.title):
            return None
        if "." in figure[0] or words & TIMES or (figure[0] == "-" and "%" in words) or \
                (words & WAYS and CYCLES.search(self.title)):
            return TIME
        return IMAGE if words & IMAGES else None

    def where(self, figure):
        return " ".join(sorted(self.ends.get(figure.end(), ()))) or self.title


def is_row(line):
    """Of lines with gaps between their words, as tables have: rows have figures, titles hardly."""
    words = line.split()
    figures = [word for word in words if word == "x" or FIGURE.fullmatch(f" {word}", 1)]
    return 3 * len(figures) >= len(words)


def mask_row(line, block):
    """Masked numbers end, and masked words begin, where they did, however wide they are."""
    shown, values = list(line), []

    def mask(found, kind, at, where):
        shown[found.start():found.end()] = " " * len(found[0])
        shown[at] = MARKS[kind]
        values.append(Value(kind, found[0], where, ""))

    for figure in (FIGURE if block.between else NUMBER).finditer(line):
        kind = block.kind(figure)
        if kind:
            mask(figure, kind, figure.end() - 1, block.where(figure))
    for word in re.finditer(r"(?<!\S)[a-z]\w*", line):
        if block.starts.get(word.start(), set()) & CHOSEN:
            mask(word, CHANCE, word.start(), block.title)
            if word.end() == len(line):
                del shown[word.start() + 1:]
    bar = BAR.search(line)
    if bar:
        shown[bar.start():] = MARKS[CHANCE]
    return Line("".join(shown), line, values)


def prose_kind(found):
    """Of a number in a sentence."""
    line = found.string
    if COUNTED.match(line.lstrip()) and not line.startswith(" %", found.end()):
        return CHANCE
    if UNIT.match(line, found.end()):
        return TIME
    if "." in found[0] and not SIZE.match(line, found.end()) and \
            not line[:found.start()].endswith(BEFORE_VERSION):
        return TIME
    return None


def mask_prose(line, block):
    values = []

    def mask(found):
        kind = CHANCE if ADDRESS.fullmatch(line, *found.span()) else prose_kind(found)
        if kind is None:
            return found[0]
        values.append(Value(kind, found[0], block.title, ""))
        return MARKS[kind]

    return Line((ADDRESS if ADDRESS.search(line) else NUMBER).sub(mask, line), line, values)


def mask_text(line, block):
    if BUILD.match(line):
        return Line(BUILD.match(line)[0] + BUILD_MARK, line, [])
    block.learn(line)
    if ADDRESS.search(line) or not GAP.search(line):
        return mask_prose(line, block)
    return mask_row(line, block) if is_row(line) else Line(line, line, [])


# ---- streams ----------------------------------------------------------------------------------

BEGIN = re.compile(rb"memmap-lab(?=(?: [\d.]+)?, build |: )")


def mask(data, ignored=Ignored()):
    """The masked lines of a stream, from the kernel's first word on: what firmware and loader say
    before it is theirs. Lines of progress, more where it takes longer, become one."""
    begin = BEGIN.search(data)
    text = data[begin.start() if begin else 0:].decode("utf-8", "surrogateescape")
    lines, block = [], Block()
    for line in text.split("\r\n"):
        if line.startswith("@"):
            masked = mask_record(line, ignored)
            lines += [masked] if masked else []
        elif ignored.line(line):
            continue
        elif PROGRESS.match(line):
            if not lines or not PROGRESS.match(lines[-1].text):
                lines.append(Line(f"running: {MARKS[TIME]}", line, []))
        else:
            if not line:
                block = Block(block.between)
            lines.append(mask_text(line, block) if line else Line("", line, []))
    return lines
