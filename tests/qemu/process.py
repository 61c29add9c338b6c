# SPDX-License-Identifier: GPL-2.0-only
"""Runs QEMU so that it never outlives its time or its parent, and keeps what it says."""
import array
import ctypes
import dataclasses
import fcntl
import os
import re
import selectors
import signal
import subprocess
import termios
import threading
import time

OUTPUT_MAX = 256 << 20
LAST_BYTES = 4096  # in which the end of the output is looked for
PR_SET_PDEATHSIG = 1
STOPPED = "stopped"
SHORT_PIPE = 4096  # bytes
LIBC = ctypes.CDLL(None)


def die_with_parent():
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def end_group(process):
    """Ends `process` and, where it is a wrapper's, what it started and left behind."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Result:
    def __init__(self, status, output, seconds, reason):
        self.status, self.output, self.seconds = status, output, seconds
        self.reason = reason  # why it was ended from here, or None; STOPPED as asked for


@dataclasses.dataclass
class Absence:
    """Of who reads: the pipe, a short one, is left to run full, and then to stand for a while."""
    seconds: float
    once: bool  # or before each time that something is read

    def wait(self, process):
        waiting = array.array("i", [0])
        while process.poll() is None and waiting[0] < SHORT_PIPE:
            time.sleep(0.005)
            fcntl.ioctl(process.stdout, termios.FIONREAD, waiting)
        if process.poll() is None:
            time.sleep(self.seconds)
        return None if self.once else self


@dataclasses.dataclass
class Stops:
    """Pauses of the whole machine, as a host makes them that sleeps or has too much to do."""
    count: int
    running: float  # seconds before each
    stopped: float  # seconds

    def make(self, process):
        try:
            for _ in range(self.count):
                time.sleep(self.running)
                os.killpg(process.pid, signal.SIGSTOP)
                time.sleep(self.stopped)
                os.killpg(process.pid, signal.SIGCONT)
        except ProcessLookupError:
            pass  # it has ended

    def begin(self, process):
        threading.Thread(target=self.make, args=[process], daemon=True).start()


def run(command, timeout, log, watch=None, last=None, silence=None, absence=None, stops=None):
    """Runs `command` for at most `timeout` seconds, and at most `silence` seconds after its last
    output (None: no limit); its output goes to the open binary file `log` and, as it comes, to
    `watch`. After what matches `last` it is stopped. With an Absence nothing ends it while it is
    away. Stops begin with its first output."""
    started, output, reason = time.monotonic(), bytearray(), None
    heard = started

    def time_left():
        """Seconds left, or None; and what to say at their end."""
        limits = []
        if timeout is not None:
            limits.append((started + timeout, f"no end within {timeout} s"))
        if silence is not None:
            limits.append((heard + silence, f"no output for {silence} s"))
        when, why = min(limits, default=(None, None))
        return None if when is None else when - time.monotonic(), why

    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, preexec_fn=die_with_parent,
                          start_new_session=True,
                          pipesize=SHORT_PIPE if absence else -1) as process:
        try:
            selector = selectors.DefaultSelector()
            selector.register(process.stdout, selectors.EVENT_READ)
            while True:
                left, why = time_left()
                if left is not None and left <= 0:
                    reason = why
                    break
                if not selector.select(left):
                    continue
                if absence:
                    absence = absence.wait(process)
                piece = os.read(process.stdout.fileno(), 65536)
                if not piece:
                    break
                heard = time.monotonic()
                if stops and not output:
                    stops.begin(process)
                log.write(piece)
                output += piece
                if watch:
                    watch(piece)
                if last and re.search(last, output[-LAST_BYTES:]):
                    reason = STOPPED
                    break
                if len(output) > OUTPUT_MAX:
                    reason = f"more than {OUTPUT_MAX} bytes of output"
                    break
            if reason is None:
                # A machine without a serial port closes its output at its end only.
                left, why = time_left()
                try:
                    process.wait(None if left is None else max(1, left))
                except subprocess.TimeoutExpired:
                    reason = why
        finally:
            end_group(process)
        process.wait()
    return Result(process.returncode, bytes(output), time.monotonic() - started, reason)
