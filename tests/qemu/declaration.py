# SPDX-License-Identifier: GPL-2.0-only
"""Machines as machines.cfg declares them; that file's head explains the keys."""
import configparser
import dataclasses
import re

import patch
import process

FIRMWARE = ("pvh", "bios", "uefi")
STATUS = {"ok": 33, "fault": 35, "panic": 37, "cut": 39}
KEYS = {"summary", "ram", "cpus", "sockets", "threads", "distance", "latency", "bandwidth",
        "machine", "cpu", "bios", "firmware", "cmdline", "slow", "tables", "broken", "uart",
        "away", "stops", "verdict", "console", "anomaly", "missing_cpus", "timeout", "records",
        "bad_field", "medium", "menu", "pieces", "cut", "uncached", "grub", "load", "modules",
        "last", "monitor", "icount", "hmat", "patch", "qemu", "padded"}


class DeclarationError(Exception):
    pass


@dataclasses.dataclass
class Node:
    ram: int            # bytes
    cpus: int
    pxm: int
    initiators: list    # indices of the nodes that the HMAT names for one without CPUs


@dataclasses.dataclass
class Machine:
    name: str
    summary: str
    nodes: list         # in the order of the addresses of their RAM and of their CPUs
    numa: bool          # False: the firmware says nothing of nodes
    sockets: int
    threads: int
    distance: list      # rows, or None
    latency: list       # ns, rows by initiator, or None; an entry is None where it is 0xffff
    bandwidth: list     # MB/s, likewise
    qemu: int           # the oldest version of QEMU that can be it
    machine: str        # QEMU's -machine, with options
    cpu: str
    bios: str           # file of firmware instead of QEMU's own for the machine, or ""
    firmware: list
    medium: str
    menu: bool
    load: str           # low or high: where the loader is to put the kernel
    modules: list       # bytes of the modules that it loads besides
    cmdline: str
    padded: int         # bytes of the line of its words, with blanks before them; 0: none
    icount: bool        # its clock counts instructions, and its CPUs run in turn
    slow: bool
    pieces: list        # (node, bytes) by address, of nodes that are not in one piece; else empty
    cut: list           # address ranges that GRUB takes out of the memory map
    uncached: list      # address ranges that the CPU does not cache
    grub: list          # commands that GRUB runs before it loads the kernel
    own_tables: bool    # the runner makes the SRAT and SLIT, QEMU's own being too regular
    hmat: int           # the revision of the HMAT that the runner makes; 0: none, or it is QEMU's
    broken: list        # names of damaged tables
    uart: int           # I/O port of the serial port; None: the machine has none that is read
    stuck: bool         # it has one that stops taking bytes
    away: process.Absence  # of who reads the serial port, or None
    stops: process.Stops   # pauses of the machine, or None
    verdict: str        # ok, fault, panic, cut
    console: list       # regular expressions that lines of the console must match
    anomaly: list       # likewise, of "TABLE reason" of the anomaly records; no others
    bad_field: str      # what verification must complain of, or ""
    missing_cpus: int   # how many do not come
    timeout: int        # seconds
    last: str           # regular expression of what it says before it halts, or ""
    monitor: list       # [regular expression of what it says, then a command for QEMU's monitor],
                        # or []
    patch: list         # of patch.Statement
    given: object       # patching.Given, once `patch` has been done, else None
    records: bool       # whether the machine gets as far as to write them all

    @property
    def ram(self):
        return sum(node.ram for node in self.nodes)

    @property
    def cpus(self):
        return sum(node.cpus for node in self.nodes)

    @property
    def cores(self):
        """Per socket."""
        return self.cpus // (self.sockets * self.threads)


def size(text):
    match = re.fullmatch(r"(\d+)([KMGT])", text)
    if not match:
        raise DeclarationError(f"`{text}` is no size such as 2048M")
    return int(match[1]) << {"K": 10, "M": 20, "G": 30, "T": 40}[match[2]]


def matrix(text, rows, name):
    """`10 20 / 20 -`"""
    if text is None:
        return None
    values = [[None if v == "-" else int(v) for v in row.split()]
              for row in text.replace("\n", " ").split("/")]
    if len(values) != rows or any(len(row) != rows for row in values):
        raise DeclarationError(f"{name}: not {rows} rows of {rows}")
    return values


def parse_node(text, index):
    words = dict(word.split("=", 1) for word in text.split())
    node = Node(ram=size(words.pop("ram", "0M")), cpus=int(words.pop("cpus", 0)),
                pxm=int(words.pop("pxm", index)),
                initiators=[int(n) for n in words.pop("initiator", "0").split(",")])
    if words:
        raise DeclarationError(f"unknown in a node: {' '.join(words)}")
    return node


def parse_nodes(section):
    """The lines `node0`, `node1` and, of nodes that are alike, `node2-9`; and their keys."""
    keys = {}
    for key in section:
        if match := re.fullmatch(r"node(\d+)(?:-(\d+))?", key):
            keys[int(match[1])] = (key, int(match[2] or match[1]))
    nodes = []
    for first, (key, last) in sorted(keys.items()):
        if first != len(nodes) or last < first:
            raise DeclarationError(f"{key}: node{len(nodes)} comes next")
        nodes += [parse_node(section[key], i) for i in range(first, last + 1)]
    return nodes, {key for key, last in keys.values()}


def parse_pieces(text):
    """`0:1G 1:512M 0:1G`, at the end perhaps `* 64` for all of it so often."""
    text, _, times = text.partition("*")
    words = [word.split(":") for word in text.split()]
    return [(int(node), size(amount)) for node, amount in words] * int(times or 1)


def parse_cuts(text):
    """`0x10000000-0x10200000 ...`"""
    return [tuple(int(address, 16) for address in word.split("-")) for word in text.split()]


def parse_monitor(text):
    """`PATTERN -> COMMAND`"""
    words = text.split(" -> ") if text else []
    if len(words) not in (0, 2):
        raise DeclarationError("monitor is PATTERN -> COMMAND")
    return words


def parse_absence(text):
    """`SECONDS`, perhaps with `once`"""
    seconds, *once = text.split() or ["0"]
    if once not in ([], ["once"]):
        raise DeclarationError("away is SECONDS or SECONDS once")
    return process.Absence(float(seconds), bool(once)) if float(seconds) else None


def parse_stops(text):
    """`COUNT RUNNING STOPPED`"""
    if not text:
        return None
    count, running, stopped = text.split()
    return process.Stops(int(count), float(running), float(stopped))


def lines(section, key):
    return [line for line in section.get(key, "").split("\n") if line]


def parse_machine(name, section):
    nodes, node_keys = parse_nodes(section)
    unknown = set(section) - KEYS - node_keys
    if unknown:
        raise DeclarationError(f"unknown keys: {' '.join(sorted(unknown))}")
    numa = bool(nodes)
    if not numa:
        nodes = [Node(ram=size(section["ram"]), cpus=section.getint("cpus", 1), pxm=0,
                      initiators=[0])]
    uart = section.get("uart", "0x3f8")
    machine = Machine(
        name=name, summary=section.get("summary", ""), nodes=nodes, numa=numa,
        sockets=section.getint("sockets", 1), threads=section.getint("threads", 1),
        distance=matrix(section.get("distance"), len(nodes), "distance"),
        latency=matrix(section.get("latency"), len(nodes), "latency"),
        bandwidth=matrix(section.get("bandwidth"), len(nodes), "bandwidth"),
        qemu=section.getint("qemu", 0),
        machine=section.get("machine", "q35"), cpu=section.get("cpu", "max"),
        bios=section.get("bios", ""),
        firmware=section.get("firmware", "pvh").split(),
        medium=section.get("medium", "cd"), menu=section.getboolean("menu", False),
        load=section.get("load", "low"),
        modules=[size(text) for text in section.get("modules", "").split()],
        cmdline=section.get("cmdline", ""),
        padded=section.getint("padded", 0),
        icount=section.getboolean("icount", False), slow=section.getboolean("slow", False),
        pieces=parse_pieces(section.get("pieces", "")), cut=parse_cuts(section.get("cut", "")),
        uncached=parse_cuts(section.get("uncached", "")), grub=lines(section, "grub"),
        own_tables=section.get("tables") == "own",
        hmat=section.getint("hmat", 0), broken=section.get("broken", "").split(),
        uart=None if uart in ("none", "stuck") else int(uart, 16), stuck=uart == "stuck",
        away=parse_absence(section.get("away", "")), verdict=section.get("verdict", "ok"),
        stops=parse_stops(section.get("stops", "")),
        console=lines(section, "console"), anomaly=lines(section, "anomaly"),
        bad_field=section.get("bad_field", ""),
        missing_cpus=section.getint("missing_cpus", 0), timeout=section.getint("timeout", 120),
        last=section.get("last", ""), monitor=parse_monitor(section.get("monitor", "")),
        patch=[patch.parse(line) for line in lines(section, "patch")],
        given=None, records=section.getboolean("records", True))
    check(machine)
    return machine


def check(machine):
    if min(machine.sockets, machine.threads, machine.cpus) < 1 or any(
            node.cpus < 0 for node in machine.nodes):
        raise DeclarationError("sockets, threads and all CPUs are 1 at least")
    if machine.cpus % (machine.sockets * machine.threads):
        raise DeclarationError("sockets x threads does not divide the CPUs")
    if set(machine.firmware) - set(FIRMWARE) or not machine.firmware:
        raise DeclarationError(f"firmware is some of {' '.join(FIRMWARE)}")
    if machine.load not in ("low", "high"):
        raise DeclarationError("load is low or high")
    if (machine.load == "high" or machine.modules) and (machine.menu or "pvh" in machine.firmware):
        raise DeclarationError("load and modules need GRUB, and no menu")
    if machine.verdict not in STATUS:
        raise DeclarationError(f"verdict is one of {' '.join(STATUS)}")
    if len({node.pxm for node in machine.nodes}) != len(machine.nodes):
        raise DeclarationError("a proximity domain twice")
    if not machine.own_tables and any(node.pxm != i for i, node in enumerate(machine.nodes)):
        raise DeclarationError("QEMU numbers domains itself: pxm needs `tables = own`")
    if machine.hmat not in (0, 1, 2) or (machine.hmat and not machine.own_tables):
        raise DeclarationError("hmat is revision 1 or 2, and needs `tables = own`")
    if machine.latency and (not machine.numa or machine.own_tables != bool(machine.hmat)):
        raise DeclarationError("latency and bandwidth need nodes, and an HMAT of somebody's")
    if not machine.hmat and (any(len(node.initiators) != 1 for node in machine.nodes) or
                             any(None in row for row in machine.bandwidth or [])):
        raise DeclarationError("several initiators, or entries of 0xffff, need an `hmat`")
    if machine.pieces and not machine.own_tables:
        raise DeclarationError("QEMU gives a node its RAM in one piece: pieces need `tables = own`")
    if machine.pieces and [sum(amount for node, amount in machine.pieces if node == i)
                           for i in range(len(machine.nodes))] != [n.ram for n in machine.nodes]:
        raise DeclarationError("pieces do not add up to the nodes' RAM")
    if (machine.cut or machine.grub) and (machine.firmware != ["bios"] or machine.menu):
        raise DeclarationError("cut and grub are for GRUB under a BIOS, without a menu")
    if machine.patch and (machine.firmware != ["bios"] or machine.menu or machine.load == "high"):
        raise DeclarationError("patch is for GRUB under a BIOS, the kernel low, without a menu")
    if machine.padded and machine.firmware != ["pvh"]:
        raise DeclarationError("GRUB takes blanks away: padded is for pvh")
    if machine.medium not in ("cd", "usb"):
        raise DeclarationError("medium is cd or usb")
    if bool(machine.latency) != bool(machine.bandwidth):
        raise DeclarationError("latency and bandwidth come together")
    if machine.hmat and not machine.latency:
        raise DeclarationError("an HMAT without figures")


def read_machines(path):
    parser = configparser.ConfigParser(interpolation=None, default_section="every machine")
    with open(path, encoding="utf-8") as file:
        parser.read_file(file)
    machines = {}
    for name in parser.sections():
        try:
            machines[name] = parse_machine(name, parser[name])
        except (DeclarationError, patch.PatchError, ValueError, KeyError) as error:
            raise DeclarationError(f"{path}: [{name}]: {error}") from error
    return machines
