# SPDX-License-Identifier: GPL-2.0-only
"""A client of QEMU's debugger stub: as much of GDB's remote protocol as reads and writes the memory
and registers of a stopped CPU. Addresses are the CPU's: physical ones while it does not page."""
import socket
import time

PIECE = 1024    # bytes of memory in a packet; QEMU's packets hold 4096 characters
EAX, EBX, ESP, EIP = 0, 1, 7, 16  # numbers of registers [QEMU gdb-xml/i386-64bit.xml]


class StubError(Exception):
    pass


class Stub:
    def __init__(self, path, ends):
        """Waits for the socket; `ends` is the time.monotonic() by which all must be done."""
        self.ends, self.heard = ends, b""
        self.socket = socket.socket(socket.AF_UNIX)
        while True:
            try:
                self.socket.connect(str(path))
                return
            except OSError as error:
                if time.monotonic() > ends:
                    self.socket.close()
                    raise StubError(f"no debugger stub: {error}") from error
                time.sleep(0.01)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        """A machine that could not be changed ends."""
        try:
            if kind:
                self.socket.sendall(b"$k#6b")
        except OSError:
            pass
        self.socket.close()

    def take(self):
        self.socket.settimeout(max(0.001, self.ends - time.monotonic()))
        try:
            piece = self.socket.recv(65536)
        except OSError as error:
            raise StubError("the machine did not stop at the kernel's entry in time"
                            if isinstance(error, TimeoutError) else str(error)) from error
        if not piece:
            raise StubError("QEMU ended")
        self.heard += piece

    def answer(self):
        while b"#" not in self.heard or len(self.heard) - self.heard.index(b"#") < 3:
            self.take()
        packet, _, rest = self.heard.partition(b"#")
        self.heard = rest[2:]
        self.socket.sendall(b"+")
        return packet[packet.index(b"$") + 1:].decode()

    def ask(self, text):
        self.socket.sendall(f"${text}#{sum(text.encode()) & 0xff:02x}".encode())
        came = self.answer()
        if came.startswith("E") or came == "":
            raise StubError(f"the stub refuses {text[:40]}: `{came}`")
        return came

    def read(self, address, size):
        """Of pieces, since a packet has an end."""
        return b"".join(bytes.fromhex(self.ask(f"m{at:x},{min(PIECE, address + size - at):x}"))
                        for at in range(address, address + size, PIECE))

    def write(self, address, data):
        for at in range(0, len(data), PIECE):
            piece = data[at:at + PIECE]
            self.ask(f"M{address + at:x},{len(piece):x}:{piece.hex()}")

    def register(self, number):
        return int.from_bytes(bytes.fromhex(self.ask(f"p{number:x}")), "little")

    def set_register(self, number, value):
        self.ask(f"P{number:x}={value.to_bytes(8, 'little').hex()}")

    def run_to(self, address):
        """To the instruction at `address`, by a breakpoint of the CPU's own."""
        # QEMU shows single registers only to who has read what they are.
        self.ask("qXfer:features:read:target.xml:0,100")
        self.ask(f"Z1,{address:x},1")
        self.ask("c")
        self.ask(f"z1,{address:x},1")

    def leave(self):
        """Lets the machine run."""
        self.ask("D")
