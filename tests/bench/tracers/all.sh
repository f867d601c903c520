# SPDX-License-Identifier: GPL-2.0-or-later
# all - sources the files of all tracers, in the guest of a bench. Expects $modules, the directory
# of tests/bench/modules. Each file defines for its NAME:
#
#   NAME_why             prints why it cannot run here, and fails; otherwise nothing
#   NAME_start DIR WHAT  records into DIR; WHAT is "switch", or "all" for switches,
#                        softirqs and device interrupts; returns once it records
#   NAME_stop DIR        ends it; returns once its files are complete
#   NAME_lost DIR        prints the number of lost events that it reports
#   NAME_files DIR       prints the files that contain its events
#
# A tracer that writes no files has no _lost and _files. They use $buffer_kb, the buffer memory per
# CPU; $run, a command that starts a recorder's processes (in a group, with a priority); and options
# of their own, NAME_options.

here=$(dirname "$0")
for file in evtlog trace-cmd perf lttng bpftrace tcpdump nothing profilers; do
	. "$here/$file.sh"
done
buffer_kb=2048	# per CPU, of each tracer
run=
evtlog_logd=logd evtlog_options= trace_cmd_options= perf_options=
evtlog_packets_first= evtlog_packets_if= tcpdump_packets_if=udp
tcpdump_packets_run="ip netns exec left" tcpdump_packets_device=to-right

mkdir -p /lib/modules /tmp/bench
[ -d "/lib/modules/$(uname -r)" ] || cp -r "$modules/modules/$(uname -r)" /lib/modules/
mountpoint -q /tmp/bench || mount -t tmpfs -o size=80% tmpfs /tmp/bench
cd /tmp/bench
