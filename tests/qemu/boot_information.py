# SPDX-License-Identifier: GPL-2.0-only
"""Multiboot2 boot information taken apart and put together, right or wrong [MB2 3.6]."""
import struct

MAGIC = 0x36d76289
END, MEMINFO, MMAP, RSDP_OLD, RSDP_NEW = 0, 4, 6, 14, 15
ENTRY = "<QQI"
ENTRY_BYTES = 24
TYPES = {"usable": 1, "reserved": 2, "acpi": 3, "nvs": 4, "bad": 5}


class Tag:
    def __init__(self, kind, body):
        self.kind, self.body = kind, bytearray(body)
        self.size = None    # what it says, where that is not what it has

    def bytes(self):
        said = 8 + len(self.body) if self.size is None else self.size
        data = struct.pack("<II", self.kind, said) + self.body
        return data + bytes(-len(data) % 8)


class Information:
    """The memory map apart from the other tags, as [start, size, type] in its order."""

    def __init__(self, data):
        self.tags, self.map = [], []
        self.entry_bytes, self.version = ENTRY_BYTES, 0
        self.total = None   # what it says of its size, where that is wrong
        at = 8
        while at < len(data):
            kind, size = struct.unpack_from("<II", data, at)
            self.tags.append(Tag(kind, data[at + 8:at + size]))
            at += (size + 7) & ~7
        body = self.tag(MMAP).body
        for entry in range(8, len(body), struct.unpack_from("<I", body)[0]):
            self.map.append(list(struct.unpack_from(ENTRY, body, entry)))

    def tag(self, kind):
        """The first of its kind, or None."""
        return next((tag for tag in self.tags if tag.kind == kind), None)

    def put(self, kind, body):
        """In place of the tag of that kind, or before the end."""
        tag = self.tag(kind)
        if tag:
            tag.body = bytearray(body)
        else:
            self.tags.insert(len(self.tags) - 1, Tag(kind, body))

    def seen(self):
        """The map that counts: an empty one does not, but the two old numbers [MB2 3.6.4]."""
        meminfo = self.tag(MEMINFO)
        if self.map or not meminfo:
            return self.map
        lower, upper = struct.unpack_from("<II", meminfo.body)
        return [[0, lower << 10, 1], [1 << 20, upper << 10, 1]]

    def bytes(self):
        room = self.entry_bytes
        entries = b"".join(struct.pack(ENTRY, *entry).ljust(room, b"\0")[:room]
                           for entry in self.map)
        if self.tag(MMAP):
            self.tag(MMAP).body = struct.pack("<II", room, self.version) + entries
        tags = b"".join(tag.bytes() for tag in self.tags)
        return struct.pack("<II", 8 + len(tags) if self.total is None else self.total, 0) + tags


def usable(entries, page=4096):
    """What is whole pages of RAM that no other entry claims: disjoint ranges, ascending."""
    taken = [(start // page * page, -(-(start + size) // page) * page)
             for start, size, kind in entries if kind != TYPES["usable"] and size]
    free = sorted((-(-start // page) * page, (start + size) // page * page)
                  for start, size, kind in entries if kind == TYPES["usable"])
    found = []
    for start, end in free:
        start = max([start] + [e for _, e in found])
        pieces = [(start, end)]
        for low, high in taken:
            pieces = [p for a, b in pieces for p in ((a, min(b, low)), (max(a, high), b))
                      if p[0] < p[1]]
        found += [p for p in pieces if p[0] < p[1]]
    return sorted(found)
