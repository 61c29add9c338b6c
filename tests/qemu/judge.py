# SPDX-License-Identifier: GPL-2.0-only
"""Compares what a run recorded with what its machine's declaration implies. Each check yields the
sentences that say what was expected and what came; none means that all is well."""
import re
from collections import Counter

import cmdline
import expect
import judge_allocator
import judge_fault
import judge_free
import judge_init
import judge_machine
import judge_pcp
import judge_plan
import judge_shares
import judge_store
import judge_sweep
import judge_workers
import layout
import loader
import schema
from checks import differ, within

MAY = "may: "  # an anomaly of some versions of QEMU


def check_anomalies(declared, stream):
    texts = [f"{r['table']} {r['reason']}" for r in stream.of("anomaly")]
    for pattern in declared.anomaly:
        if pattern.startswith(MAY):
            continue
        if not any(re.search(pattern, text) for text in texts):
            yield f"anomaly: expected one like `{pattern}`, came {texts}"
    for text in dict.fromkeys(texts):
        if not any(re.search(pattern.removeprefix(MAY), text) for pattern in declared.anomaly):
            yield f"anomaly: came unexpected `{text}`"


def check_refused(machine, stream):
    """Each word with a value that is not allowed is named."""
    came = [r["word"] for r in stream.of("anomaly")
            if r["table"] == "cmdline" and "value" in r["reason"]]
    for word in machine.options.refused:
        if word not in came:
            yield f"anomaly: expected one that names `{word}`, came {came}"


def check_verdict(declared, stream):
    verdict, end = stream.one("verdict"), stream.one("end")
    if verdict and end:
        yield from differ("verdict", declared.verdict, verdict["verdict"])
        yield from differ("verdict of `end`", verdict["verdict"], end["verdict"])
        yield from differ("lost_bytes above 0", declared.verdict == "cut", end["lost_bytes"] > 0)


def check_cut(declared, stream):
    """The end came, and says that something before it did not: what did come is not judged."""
    yield from check_verdict(declared, stream)
    end = stream.of("end")[0]
    if len(stream.records) == end["records"]:
        yield f"records: expected fewer than {end['records']}, came all"


def check_run(firmware, append, declared, stream):
    run = stream.one("run")
    if not run:
        return
    yield from differ("schema", 2, run["schema"])
    yield from differ("protocol", "pvh" if firmware == "pvh" else "multiboot2", run["protocol"])
    yield from differ("firmware", "efi" if firmware == "uefi" else "bios", run["firmware"])
    given = f"{declared.cmdline} {append}".strip()
    lost = max(0, declared.padded - cmdline.LONGEST)
    for word in given[:len(given) - lost].split():
        if word not in run["cmdline"].split():
            yield f"cmdline: expected `{word}` in it, came `{run['cmdline']}`"
    if not run["tsc_hz"]:
        yield "tsc_hz: expected a frequency, came 0"
    if firmware == "pvh" or (firmware == "bios" and declared.load == "low"):
        yield from differ("image", loader.IMAGE_LINKED, run["image"])
    if declared.load == "high":
        yield from within("image", max(loader.IMAGE_LINKED + 1, layout.low_ram(declared) // 4 * 3),
                          layout.low_ram(declared), run["image"])


def check_kept(declared, stream):
    """Modules are reserved, whole frames of them: nothing of ours is put there."""
    frames = sum(-(-size // layout.PAGE) for size in declared.modules)
    by_policy = Counter()
    for plan in stream.of("plan"):
        by_policy[plan["policy"]] += plan["reserved_pages"]
    for policy, pages in by_policy.items():
        if pages < frames:
            yield f"plan {policy} reserved_pages: expected the modules' {frames} at least, " \
                  f"came {pages}"


def check_printing(machine, stream):
    """inject=print, kernel/self_test.c: each line of each CPU once, and whole."""
    tail = "abcdefghijklmnopqrstuvwxyz" * 2
    cpus = sum(len(node.apic_ids) for node in machine.nodes)
    expected = Counter(f"self-test: CPU {cpu} line {line} {tail[cpu % 26:26 + cpu % 26]}"
                       for cpu in range(cpus) for line in range(40))
    came = Counter(line for line in stream.console if "self-test" in line)
    wrong = sorted((expected - came) | (came - expected))
    yield from differ("lines that were cut or lost", [], wrong[:4])


def check_console(declared, stream):
    for pattern in declared.console:
        if not any(re.search(pattern, line) for line in stream.console):
            yield f"console: expected a line like `{pattern}`"


def complaints(declared, firmware, append, stream):
    """All about a run, even if its records lack what they should have."""
    found = []
    try:
        for complaint in judge(declared, firmware, append, stream):
            found.append(complaint)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        found += [f"a record lacks or spoils a field: {error!r}"] + stream.problems
    return found


def judge(declared, firmware, append, stream):
    machine = expect.expected_machine(declared, append)
    machine.given = judge_workers.given(stream)
    yield from check_console(declared, stream)
    if "inject=print" in declared.cmdline.split():
        yield from check_printing(machine, stream)
    if "serial=none" in f"{declared.cmdline} {append}".split() and any(stream.console):
        yield f"console: expected silence, came {stream.console[:3]}"
    if "records=off" in f"{declared.cmdline} {append}".split() and stream.records:
        yield f"records: expected none, came {len(stream.records)}"
    if declared.uart is None or not declared.records:
        return
    if not stream.of("end"):
        yield from stream.problems
        return
    yield from schema.unknown_records(stream)
    if declared.verdict == "cut":
        yield from check_cut(declared, stream)
        return
    yield from check_run(firmware, append, declared, stream)
    impossible = list(judge_machine.check_ram_is_installed(machine, stream))
    if impossible:
        yield from impossible
        return
    yield from judge_machine.check(declared, machine, firmware, stream)
    if "init" in machine.options.experiments:
        yield from judge_plan.check(machine, stream, declared.missing_cpus)
    yield from check_kept(declared, stream)
    yield from check_anomalies(declared, stream)
    yield from check_refused(machine, stream)
    yield from check_verdict(declared, stream)
    if declared.bad_field:
        yield from judge_fault.check(declared, stream)
    if declared.verdict == "ok":
        yield from judge_store.check(machine, stream)
        yield from judge_workers.check(machine, stream)
        if not declared.missing_cpus:
            yield from judge_shares.check(machine, stream)
    if declared.verdict == "ok" and "init" in machine.options.experiments:
        yield from judge_init.check(machine, stream)
        yield from judge_allocator.check(machine, stream)
    if declared.verdict == "ok" and "pcp" in machine.options.experiments:
        yield from judge_pcp.check(machine, stream)
    if declared.verdict == "ok" and "free" in machine.options.experiments:
        yield from judge_free.check(machine, stream)
    if declared.verdict == "ok" and "sweep" in machine.options.experiments:
        yield from judge_sweep.check(machine, stream)
    yield from stream.problems
