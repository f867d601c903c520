# SPDX-License-Identifier: GPL-2.0-or-later
# windows - sourced by throughput.guest: one endless stream, what recording takes from it, and the
# same stream without recording right before and behind. It stands still while recording begins
# and ends: so all datagrams of a run are counted, and each stream's own speed, which depends on
# where its memory lies, is in both.
#
# Expects $large, the bytes of a datagram, and stream_serve, stream_send, $window_netns and
# $window_column, which count them.

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
	# What is on its way arrives, and is written by who is woken late.
	sleep 0.2
}

windows_go_on() {
	kill -CONT $windows_client
}

# window SECONDS - datagrams a second, of which the first ones are left out
window() {
	local count ns

	windows_go_on
	sleep 0.05
	read -r count ns < <("$here/window" "$window_netns" "$window_column" "$1")
	windows_pause
	awk "BEGIN { printf \"%.3f\n\", $count * 1e9 / $ns }"
}

# windows CASE SECONDS START STOP COUNTED FILES - prints "CASE BEFORE RATE BEHIND SENT WRITTEN SAID
# RECORDER-NS FILE-BYTES": datagrams a second before, while START's recording goes on and after
# STOP; datagrams that were sent meanwhile, what COUNTED prints, the recorder's CPU time with the
# run's end, and the size of FILES. Without COUNTED the last four are "-".
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
