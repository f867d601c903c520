# SPDX-License-Identifier: GPL-2.0-or-later
# tcpdump - records the packets of the device, with a limit of bytes for each.

tcpdump_packets_why() {
	command -v tcpdump >/dev/null || { echo "tcpdump is not installed"; return 1; }
}

# tcpdump_packets_start DIR PROBES BYTES
tcpdump_packets_start() {
	: >"$1/said"
	$run $tcpdump_packets_run tcpdump -Z root -i $tcpdump_packets_device -B "$buffer_kb" -s "$3" \
		-w "$1/file.pcap" $tcpdump_packets_if >"$1/said" 2>&1 &
	tcpdump_pid=$!
	until grep -q "listening on" "$1/said"; do
		kill -0 $tcpdump_pid || { cat "$1/said" >&2; return 1; }
		sleep 0.1
	done
}

tcpdump_packets_stop() {
	# The kernel passes on the last block after a second.
	sleep 3
	kill -INT $tcpdump_pid
	wait $tcpdump_pid || true
}

tcpdump_packets_counted() {
	tcpdump -r "$1/file.pcap" 2>/dev/null | wc -l
	awk '/dropped by kernel/ { print $1 }' "$1/said"
}

tcpdump_packets_files() {
	echo "$1/file.pcap"
}
