# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads measure.sh's copy of /proc/evtlog/profile/trace: the times in which a task was on a CPU or
waited, with the stack of events."""
import gzip

# System calls of x86-64
WRITES = ("syscall:1", "syscall:18", "syscall:74")	# write, pwrite64, fsync
NOT_WAITING = ("preempted", "runqueue")


class Task:
    """@pieces: (begin, end, stack of events, reason for being off the CPU or None), without gaps"""
    def __init__(self, words):
        self.pid, self.tgid, self.has_ended = int(words[1]), int(words[2]), words[3] == "ended"
        self.written, self.comm = int(words[4]), words[5] if len(words) > 5 else ""
        self.events = []

    def overwritten(self):
        return self.written - len(self.events)

    def pieces(self):
        stack, off, since = [], None, None
        for ticks, kind, event in self.events:
            if since is not None and ticks > since:
                yield since, ticks, tuple(stack), off
            since = ticks
            if kind == "enter":
                stack.append(event)
            elif kind == "leave":
                # An event that began before the ring has no entry
                if event in stack:
                    del stack[len(stack) - 1 - stack[::-1].index(event):]
            elif kind == "user":
                stack = []
            elif kind == "off":
                off = event
            else:
                off = None

    def waiting(self, within):
        """Returns when the task waited voluntarily within one of these, until it ran again."""
        return join((begin, end) for begin, end, stack, off in self.pieces()
                    if off and off not in NOT_WAITING and any(each in stack for each in within))

    def running(self, within=None):
        """Returns when it was on the CPU within one of these."""
        return join((begin, end) for begin, end, stack, off in self.pieces()
                    if not off and (not within or any(each in stack for each in within)))


def join(spans):
    """Joins successive spans that touch."""
    out = []
    for begin, end in spans:
        if out and out[-1][1] == begin:
            out[-1] = (out[-1][0], end)
        else:
            out.append((begin, end))
    return out


class Traces:
    """@hz: ticks per second; @pid: the daemon's; @served: {operation: (calls, bytes)}; @tasks"""
    def __init__(self, path):
        self.tasks, self.served = [], {}
        with gzip.open(path, "rt") as lines:
            for line in lines:
                words = line.split()
                if words[0] == "ticks_hz":
                    self.hz = int(words[1])
                elif words[0] == "pid":
                    self.pid = int(words[1])
                elif words[0] == "served":
                    self.served = {words[i]: (int(words[i + 1]), int(words[i + 2]))
                                   for i in range(1, len(words), 3)}
                elif words[0] == "trace":
                    self.tasks.append(Task(words))
                elif line.startswith("  "):
                    self.tasks[-1].events.append(
                        (int(words[0]), words[2], words[3] if len(words) > 3 else None))

    def daemon(self):
        return [task for task in self.tasks if task.tgid == self.pid]

    def workers(self):
        return [task for task in self.tasks if task.comm.startswith(("kworker", "jbd2"))]

    def has_whole(self):
        """Returns the time since when no task has lost an event; 0: always."""
        return max((task.events[0][0] for task in self.tasks if task.overwritten() and task.events),
                   default=0)
