"""The store kernels: what the CPUs have, which were tried, and that those chosen are used."""
import plan
from checks import differ, samples
from cmdline import STORES

ANY_CPU = ["plain", "linux", "template", "stosq", "nti", "nt128"]


def used(machine, record, policy):
    """What writes the struct pages under a policy."""
    if machine.options.page_size != 64:
        return "plain"
    return record["alone"] if plan.RULES[policy].two_passes else record["with_free"]


def fastest(trials, field):
    return min(trials, key=lambda r: (r[field] or float("inf"), STORES.index(r["store"])))["store"]


def check_choice(machine, stream, record):
    asked, has = machine.options.store, record["has"].split(", ")
    yield from differ("store has, in order", [s for s in STORES if s in {*has, *ANY_CPU}], has)
    yield from differ("store asked", asked, record["asked"])
    yield from differ("store refused", asked not in ("auto", *has), record["refused"])
    yield from differ("store tried", machine.options.page_size == 64 and asked not in has,
                      record["tried"])
    trials = stream.of("store_trial")
    if record["tried"]:
        yield from differ("stores tried", has, [r["store"] for r in trials])
        choice = [fastest(trials, field) for field in ("alone_cycles", "with_free_cycles")]
    else:
        yield from differ("stores tried", [], trials)
        choice = [asked if asked in has else "plain"] * 2
    yield from differ("stores chosen", choice, [record["alone"], record["with_free"]])


def check(machine, stream):
    record = stream.one("store")
    if not record:
        return
    yield from check_choice(machine, stream, record)
    # of the records of experiment init only those of plans and of whole runs tell it
    rows = stream.of("plan") + samples(stream, "run") + [
        r for kind in ("sample", "result") for r in stream.of(kind) if r["experiment"] == "sweep"]
    for row in rows:
        yield from differ(f"store of {row['type']} {row['policy']}",
                          used(machine, record, row["policy"]), row.get("store"))
