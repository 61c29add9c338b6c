# SPDX-License-Identifier: GPL-2.0-only
"""The store kernels: what the CPUs have, which were tried, and that those chosen are used."""
import plan
from checks import differ, samples
from cmdline import STORES

ANY_CPU = ["plain", "linux", "template", "stosq", "nti", "nt128"]


def used(machine, record, policy):
    """What writes the struct pages under a policy."""
    if machine.options.page_size != 64:
        return "plain"
    best = "best_" if plan.RULES[policy].best_stores else ""
    return record[best + ("alone" if plan.RULES[policy].two_passes else "with_free")]


def wants_best(machine):
    """Whether a policy runs that gets the fastest without the user's word."""
    options = machine.options
    return "init" in options.experiments and not options.store_given and any(
        plan.RULES[policy].best_stores for policy in options.policies)


def fastest(trials, field):
    return min(trials, key=lambda r: (r[field] or float("inf"), STORES.index(r["store"])))["store"]


def check_choice(machine, stream, record):
    asked, has = machine.options.store, record["has"].split(", ")
    yield from differ("store has, in order", [s for s in STORES if s in {*has, *ANY_CPU}], has)
    yield from differ("store asked", asked, record["asked"])
    yield from differ("store refused", asked not in ("auto", *has), record["refused"])
    yield from differ("store given", machine.options.store_given, record["given"])
    yield from differ("store tried", machine.options.page_size == 64 and
                      (asked not in has or wants_best(machine)), record["tried"])
    trials = stream.of("store_trial")
    plans = stream.of("plan")
    if record["tried"] and plans and not any(r["deferred_pages"] for r in plans):
        yield from differ("stores timed where nothing is deferred", [], trials)
        best = ["plain"] * 2
    elif record["tried"]:
        yield from differ("stores tried", has, [r["store"] for r in trials])
        best = [fastest(trials, field) for field in ("alone_cycles", "with_free_cycles")]
    else:
        yield from differ("stores tried", [], trials)
        best = [asked if asked in has else "plain"] * 2
    yield from differ("fastest stores", best, [record["best_alone"], record["best_with_free"]])
    yield from differ("stores chosen", [asked] * 2 if asked in has else best,
                      [record["alone"], record["with_free"]])


def check_kinds(stream, record):
    """QEMU's CPUs are all of one kind."""
    fields = ("alone", "with_free", "best_alone", "best_with_free")
    cpus = sum(r["online"] for r in stream.of("cpu"))
    yield from differ("kinds of core", [(0, cpus, *(record[name] for name in fields))],
                      [(r["kind"], r["cpus"], *(r[name] for name in fields))
                       for r in stream.of("core_kind")])
    yield from differ("kinds tried", [], [r for r in stream.of("store_trial") if r["kind"]])


def check(machine, stream):
    record = stream.one("store")
    if not record:
        return
    yield from check_choice(machine, stream, record)
    yield from check_kinds(stream, record)
    # of the records of experiment init only those of plans and of whole runs tell it
    rows = stream.of("plan") + samples(stream, "run") + [
        r for kind in ("sample", "result") for r in stream.of(kind) if r["experiment"] == "sweep"]
    rows += [{**r, "policy": "calibrated"} for r in stream.of("comparison")]
    for row in rows:
        yield from differ(f"store of {row['type']} {row['policy']}",
                          used(machine, record, row["policy"]), row.get("store"))
