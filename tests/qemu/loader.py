# SPDX-License-Identifier: GPL-2.0-only
"""What GRUB is given besides the image as it is: modules, and a kernel that wants to lie high."""
import struct

MAGIC = struct.pack("<I", 0xe85250d6)
HEADER_WITHIN = 32768   # [MB2 3.1]
RELOCATABLE = 10        # [MB2 3.1.14]
HIGHEST = 2
IMAGE_LINKED = 0x200000  # linker.ld, and where the loader puts the kernel when it is free


def prefer_high(elf):
    """`elf` with the Multiboot2 header's relocatable tag changed to "as high as possible"."""
    elf = bytearray(elf)
    start = elf.index(MAGIC, 0, HEADER_WITHIN)
    end = start + struct.unpack_from("<I", elf, start + 8)[0]
    at = start + 16
    while at < end:
        kind, _, size = struct.unpack_from("<HHI", elf, at)
        if kind == RELOCATABLE:
            struct.pack_into("<I", elf, at + 20, HIGHEST)
            return bytes(elf)
        at += (size + 7) & ~7
    raise ValueError("no relocatable tag in the Multiboot2 header")


def write_modules(machine, folder):
    """The files' names. Their bytes do not matter."""
    names = [f"{folder}/module{index}" for index in range(len(machine.modules))]
    for name, size in zip(names, machine.modules):
        with open(name, "wb") as file:
            file.write(b"\xa5" * size)
    return names
