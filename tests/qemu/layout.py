# SPDX-License-Identifier: GPL-2.0-only
"""Where QEMU's PC machines put the RAM and the CPUs of a declared machine."""
import re

MIB, GIB = 1 << 20, 1 << 30
PAGE = 4096
SECTION = 128 * MIB


def low_ram(machine):
    """RAM below 4 GiB [QEMU hw/i386/pc_q35.c, pc_piix.c, microvm.c]: where it all fits under the
    device hole, all of it, else as much as keeps the border round."""
    board = machine.machine.split(",")[0]
    limits = {"q35": (0xb0000000, 0x80000000), "pc": (0xe0000000, 0xc0000000),
              "microvm": (0xc0000000, 0xc0000000)}
    fits, otherwise = limits[board]
    return machine.ram if machine.ram < fits else min(machine.ram, otherwise)


def high_start(machine):
    """Where RAM goes on above 4 GiB. With an AMD CPU, which `max` under TCG is, QEMU moves it above
    the HyperTransport hole at 1 TiB if RAM or the 64-bit PCI window after it would reach into that
    [QEMU 7.1 hw/i386/pc.c, pc_set_amd_above_4g_mem_start; the window is 32 GiB on q35]."""
    window = 32 * GIB if machine.machine.startswith("q35") else 2 * GIB
    top = 4 * GIB + machine.ram - low_ram(machine)
    top = (top + GIB - 1) // GIB * GIB + window
    return 4 * GIB if top <= 0xfd00000000 else 1 << 40


def ranges_of(machine, start, end):
    """Address ranges of the RAM at offsets [start, end)."""
    low, high = low_ram(machine), high_start(machine)
    found = []
    if start < min(end, low):
        found.append((start, min(end, low)))
    if max(start, low) < end:
        found.append((high + max(start, low) - low, high + end - low))
    return found


def address_limit(machine):
    """One above the last address that its CPU can name."""
    match = re.search(r"phys-bits=(\d+)", machine.cpu)
    return 1 << int(match[1]) if match else 1 << 52


def node_ranges(machine):
    """Per declared node the address ranges of its RAM: piece after piece, no gap but the hole."""
    found, offset = [[] for _ in machine.nodes], 0
    for node, amount in machine.pieces or [(i, n.ram) for i, n in enumerate(machine.nodes)]:
        found[node] += ranges_of(machine, offset, offset + amount)
        offset += amount
    return [merged(ranges) for ranges in found]


def merged(ranges):
    """Ascending ranges, those that touch made one."""
    found = []
    for start, end in ranges:
        if found and found[-1][1] == start:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def id_bits(count):
    return (count - 1).bit_length()


def apic_id(machine, index):
    """Threads lowest, then cores, then sockets, each in a field wide enough [QEMU
    include/hw/i386/topology.h]."""
    thread, index = index % machine.threads, index // machine.threads
    core, socket = index % machine.cores, index // machine.cores
    thread_bits, core_bits = id_bits(machine.threads), id_bits(machine.cores)
    return (socket << core_bits | core) << thread_bits | thread


def node_cpus(machine):
    """Per declared node the APIC ids of its CPUs."""
    found, index = [], 0
    for node in machine.nodes:
        found.append([apic_id(machine, i) for i in range(index, index + node.cpus)])
        index += node.cpus
    return found
