# SPDX-License-Identifier: GPL-2.0-or-later
# nothing, off - no tracer: the baseline of the others. The kernel has no evtlog, or one that does
# not record.

nothing_why() { :; }
nothing_start() { :; }
nothing_stop() { :; }

off_why() { evtlog_why; }
off_start() { :; }
off_stop() { :; }

nothing_packets_why() { :; }
nothing_packets_start() { :; }
nothing_packets_stop() { :; }
nothing_packets_counted() { echo "- -"; }
nothing_packets_files() { echo /dev/null; }
