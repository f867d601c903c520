# SPDX-License-Identifier: GPL-2.0-or-later
# evtlog - the kernel's buffers, two per CPU, and logd.

evtlog_why() {
	[ -d /proc/evtlog ] || { echo "the kernel has no evtlog"; return 1; }
}

# evtlog_choose WHAT
evtlog_choose() {
	case $1 in
	switch) echo "-all +sched_switch" ;;
	all) echo "-all +sched_switch +softirq_entry +softirq_exit" \
		"+irq_handler_entry +irq_handler_exit" ;;
	event) echo "-all +event" ;;
	everything) echo "+all" ;;
	esac >/proc/evtlog/events
}

evtlog_start() {
	echo $((buffer_kb / $(cat /proc/evtlog/buffers))) >/proc/evtlog/buffer_kb
	evtlog_choose "$2"
	$run $evtlog_logd --directory="$1" $evtlog_options &
	evtlog_pid=$!
	while [ "$(cat /proc/evtlog/pid)" = 0 ]; do
		kill -0 $evtlog_pid
		sleep 0.1
	done
	echo 1 >/proc/evtlog/enable
}

evtlog_stop() {
	echo 0 >/proc/evtlog/enable
	while ! tail -q -c 32 "$1"/*.evl 2>/dev/null | grep -q EVTLOGT1; do
		kill -0 $evtlog_pid
		sleep 0.1
	done
	kill $evtlog_pid
	wait $evtlog_pid || true
}

# info's exit status is 4 if events were lost.
evtlog_lost() {
	{ evtlog info --json "$1"/*.evl 2>/dev/null || [ $? = 4 ]; } | jq .lost
}

evtlog_files() {
	ls "$1"/*.evl
}

# armed - nothing is recorded; a start would take one store.
armed_why() {
	evtlog_why
}

armed_start() {
	evtlog_choose "$2"
	echo arm >/proc/evtlog/enable
}

armed_stop() {
	echo disarm >/proc/evtlog/enable
}

evtlog_probe_why() {
	[ -e /proc/evtlog/probes ] || { echo "the kernel has no probes of evtlog"; return 1; }
}

evtlog_probe_start() {
	local arguments=("" "(arg1)" "(arg1, arg2)" "(arg1, arg2, arg3)")

	evtlog probe add "$2${arguments[$3]}" >"$1/said" || return 1
	buffer_kb=8192 evtlog_start "$1" event
}

evtlog_probe_hits() {
	cat "$1/hits"
}

evtlog_probe_stop() {
	evtlog_stop "$1"
	evtlog probe list --json | jq '.[0].recorded' >"$1/hits"
	evtlog probe del '*' >/dev/null
}

evtlog_packets_why() {
	evtlog_probe_why
}

# evtlog_packets_insert PROBES BYTES - inserts probes on a datagram's path: leaving IP, before the
# device, entering IP, entering UDP. BYTES 0: only the time. $evtlog_packets_first has more
# arguments, $evtlog_packets_if a filter or sample.
evtlog_packets_insert() {
	local all=(ip_send_skb __dev_queue_xmit ip_rcv udp_rcv) name
	local arguments="(${evtlog_packets_first}skb->data[0:$2])"

	[ "$2" != 0 ] || arguments=
	for name in "${all[@]:0:$1}"; do
		evtlog probe add "$name$arguments$evtlog_packets_if" || return 1
	done
}

# evtlog_packets_start DIR PROBES BYTES
evtlog_packets_start() {
	evtlog_packets_insert "$2" "$3" || return 1
	evtlog_start "$1" event
}

evtlog_packets_stop() {
	evtlog_stop "$1"
	evtlog probe list --json | jq -r 'map(.recorded, .lost) | @tsv' >"$1/hits"
	evtlog probe del '*'
}

# Counts the records of the datagrams, without the few before them.
evtlog_packets_counted() {
	{ evtlog stat --json "$1"/*.evl || [ $? = 4 ]; } | jq '[.registered[]?.count] | add'
	evtlog_lost "$1"
}

evtlog_packets_files() {
	evtlog_files "$1"
}
