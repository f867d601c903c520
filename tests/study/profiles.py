# SPDX-License-Identifier: GPL-2.0-or-later
"""Computes a daemon's time by group and by routine, from `evtlog profile report --json --sum`."""

SOCKETS = ("recvfrom", "sendto", "accept", "setsockopt", "socket", "read", "sendmsg", "recvmsg")
FILES = ("pwrite64", "write", "pread64", "fsync", "openat", "close", "fadvise64")
PLACES = {
    "KERNEL_INTERRUPT": "interrupts",
    "KERNEL_BOTTOM_HALF": "bottom halves",
    "KERNEL_EXCEPTION": "exceptions",
    "KERNEL": "entry, exit, rest",
    "KERNEL_SIGNAL": "entry, exit, rest",
    "USER": "user mode",
}
GROUPS = ("user mode", "socket calls", "TCP/IP", "file calls", "file system", "other calls", "interrupts",
          "bottom halves", "exceptions", "entry, exit, rest", "waiting for CPU", "preempted",
          "blocked: sockets", "blocked: files", "blocked: other")


def call_of(path):
    """Returns the system call of a path, such as "write()", or None."""
    return next((node["event"] for node in path if node["group"] == "KERNEL_SYSCALL"), None)


def kind_of_call(call):
    call = call and call.rstrip("()")
    return "sockets" if call in SOCKETS else "files" if call in FILES else "other"


def place_of(node, path):
    """Returns the group of a node's own time."""
    if node["kind"] == "waiting":
        return "waiting for CPU"
    if node["kind"] == "preempted":
        return "preempted"
    if node["kind"] == "blocked":
        return "blocked: " + kind_of_call(call_of(path))
    if node["group"] == "KERNEL_FUNCTION":
        return "TCP/IP" if node["event"].startswith("tcp_") else "file system"
    if node["group"] == "KERNEL_SYSCALL":
        kind = kind_of_call(node["event"])
        return {"sockets": "socket calls", "files": "file calls"}.get(kind, "other calls")
    return PLACES.get(node["group"], "entry, exit, rest")


def paths_of(profile):
    """Yields each node with the nodes from the root to it."""
    known = {}
    for node in profile["paths"]:
        above = known[node["parent"]] if node["parent"] is not None else ()
        known[node["id"]] = above + (node,)
        yield node, known[node["id"]]


def groups_of(profile, hz):
    """Returns {group: ms}."""
    sums = dict.fromkeys(GROUPS, 0.0)
    for node, path in paths_of(profile):
        sums[place_of(node, path)] += node["exclusive_ticks"] * 1e3 / hz
    return sums


def routines_of(profile, hz):
    """Returns {routine: [calls, inclusive ms, exclusive ms]}; inclusive counts nesting once."""
    rows = {}
    for node, path in paths_of(profile):
        row = rows.setdefault(node["event"], [0, 0.0, 0.0])
        row[0] += node["count"]
        row[2] += node["exclusive_ticks"] * 1e3 / hz
        if node["event"] not in [each["event"] for each in path[:-1]]:
            row[1] += node["inclusive_ticks"] * 1e3 / hz
    return rows
