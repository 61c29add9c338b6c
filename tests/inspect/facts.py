# SPDX-License-Identifier: GPL-2.0-only
"""What Linux reported on the machines whose tables and memory maps are known: RAM per node, in the
order of the proximity domains, as ranges (first byte, last byte). Frame 0, which Linux sets aside
before it counts, is included here."""

RAM = {
    "desktop-dell-t5810-two-srat": [
        [(0x0, 0x9dfff), (0x100000, 0xd9413fff), (0xdb173000, 0xdb173fff),
         (0xdb182000, 0xdcffffff), (0x100000000, 0x81fffffff)]],
    "server-supermicro-h8qg6-8node": [
        [(0x0, 0x9cfff), (0x100000, 0xd7e5ffff), (0x100000000, 0x427ffffff)],
        [(0x428000000, 0x827ffffff)], [(0x828000000, 0xc27ffffff)],
        [(0xc28000000, 0x1027ffffff)], [(0x1028000000, 0x1427ffffff)],
        [(0x1428000000, 0x1827ffffff)], [(0x1828000000, 0x1c27ffffff)],
        [(0x1c28000000, 0x2027ffffff)]],
    "server-hp-dl165g7-4node": [
        [(0x0, 0x9dfff), (0x100000, 0x7fffffff)],
        [(0x80000000, 0xbfd9ffff), (0x100000000, 0x1bfffffff)],
        [(0x1c0000000, 0x2bfffffff)], [(0x2c0000000, 0x3bfffffff)]],
    "server-amd-volcano-genoa": [
        [(0x0, 0x9ffff), (0x100000, 0x75bbffff), (0x75c68000, 0x75cbffff),
         (0x76000000, 0xa15d5fff), (0xa61ff000, 0xa7ffcfff), (0x100000000, 0x604fffffff)],
        [(0x6050000000, 0xc04cebffff)]],
    "server-intel-archercity-cxl": [
        [(0x0, 0x9efff), (0x100000, 0x71d8ffff), (0x777ff000, 0x777fffff),
         (0x100000000, 0x107fffffff)],
        [(0x1080000000, 0x207fffffff)], []],
    # The report knows no domain of the RAM below 4 GiB; the only node takes it.
    "old-x86-srat-only-above-4g": [
        [(0x0, 0x9ffff), (0x100000, 0x7fffffff), (0x100000000, 0x27fffffff)]],
}

# "totalpages" of the boot log; where frame 0 is usable it is one more here.
TOTAL_PAGES = {
    "desktop-dell-t5810-two-srat": [8368688 + 1],
    "server-supermicro-h8qg6-8node": [4193788 + 1] + 7 * [4194304],
    "server-amd-volcano-genoa": [100609931 + 1, 100650688],
}

# One entry of the memory map covers nodes 1 to 15; each node's RAM above 4 GiB starts at a border
# that only the SRAT knows. (first byte, last byte) of the last range of each node.
SIXTEEN_SOCKETS = (
    [(0x100001000, 0xc07fffffff), (0xe000001000, 0x19fffffffff)] +
    [(0x1a000000000 + i * 0xc000000000, 0x25fffffffff + i * 0xc000000000) for i in range(14)])

# (initiator, target): read ns, write ns, read MB/s, write MB/s
SPR_HMAT = {
    (0, 0): (91, 91, 262100, 176100), (0, 1): (167, 167, 122900, 98300),
    (0, 2): (100, 100, 30000, 30000), (0, 3): (176, 176, 30000, 30000),
    (1, 0): (167, 167, 122900, 98300), (1, 1): (91, 91, 262100, 176100),
    (1, 2): (176, 176, 30000, 30000), (1, 3): (100, 100, 30000, 30000),
}
SPR_SLIT = [[10, 21, 14, 24], [21, 10, 24, 14], [14, 24, 10, 26], [24, 14, 26, 10]]

# Folders from which no machine can be made out without a memory map.
NO_TABLES = ["cedt-intel-cxl", "e820-amd-server-node-tail-holes",
             "e820-dell-r815-uefi-page0-missing", "e820-s3420gpv-mixed-acpi"]
