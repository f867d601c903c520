# SPDX-License-Identifier: GPL-2.0-or-later
# windows - sourced by throughput.guest: measures what recording takes from one endless stream.
# Compares it with the same stream directly before and after the recording. The stream is stopped
# while recording begins and ends, so all datagrams of a run are counted. Each stream's own speed,
# which depends on the addresses of its memory, is the same in all windows.
#
# Expects $large, the bytes of a datagram, and the functions stream_serve and stream_send.

windows_start() {
	stream_serve &
	windows_server=$!
	sleep 1
	stream_send &
	windows_client=$!
	sleep 1
	windows_pause
}

windows_end() {
	windows_go_on
	kill -9 $windows_client $windows_server
	wait $windows_client $windows_server 2>/dev/null || true
}

windows_pause() {
	kill -STOP $windows_client
	# Let datagrams on their way arrive, and let tasks that wake up late write them.
	sleep 0.2
}

windows_go_on() {
	kill -CONT $windows_client
}

# window SECONDS - prints datagrams per second, without the first ones
window() {
	local count ns

	windows_go_on
	sleep 0.05
	read -r count ns < <("$here/window" /run/netns/right "$1")
	windows_pause
	awk "BEGIN { printf \"%.3f\n\", $count * 1e9 / $ns }"
}

# windows CASE SECONDS START STOP COUNTED FILES - prints "CASE BEFORE RATE AFTER SENT WRITTEN SAID
# RECORDER-NS FILE-BYTES": datagrams per second before, during the recording that START begins, and
# after STOP; datagrams sent during the recording, the output of COUNTED, the recorder's CPU time
# including the run's end, and the size of FILES. Without COUNTED the last four are "-".
windows() {
	local name=$1 seconds=$2 before rate behind sent recorder counted="- -" written_bytes=-

	before=$(window "$seconds")
	$3 >&2
	sleep 0.5
	sent=$(sent) recorder=$(recorder_ns)
	rate=$(window "$seconds")
	sent=$(($(sent) - sent))
	$4 >&2
	recorder=$(($(recorder_ns) - recorder))
	if [ $# -gt 4 ]; then
		counted=$($5 | paste -s -d ' ')
		written_bytes=$(cat $($6) | wc -c)
	else
		recorder=-
	fi
	behind=$(window "$seconds")
	echo "$name $before $rate $behind $sent $counted $recorder $written_bytes"
}
