# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# measure.sh - makes one measurement of iod: its profile, and the traces of its threads and the
# kernel's workers, as files in $OUT. Sourced by study.sh and local.sh, after guest.sh.

profile=$evtlog/profile
events=32767	# of a thread's trace: a ring has one more

# tell_functions() - adds probes of this kernel's functions on the path of a file's data
tell_functions() {
	echo 0 >$profile/control
	echo groups all >$profile/control
	for function in tcp_sendmsg tcp_recvmsg rpc_async_schedule xs_tcp_send_request \
		xs_stream_data_receive_workfn nfs_file_write nfs_file_fsync \
		ext4_file_write_iter ext4_sync_file submit_bio; do
		evtlog probe add $function%timer 2>>"$OUT/untold" || true
	done
	evtlog probe list
}

# Prints the kernel's workers and the journal's, and kthreadd, which forks new ones.
workers() {
	echo 2
	for comm in /proc/[0-9]*/comm; do
		case $(cat "$comm" 2>/dev/null) in
		kworker/* | jbd2/*) comm=${comm#/proc/}; echo "${comm%/comm}" ;;
		esac
	done
}

# measure BACK CLIENTS PORT - iod serves CLIENTS connections, in the directory /BACK; the caller
# defines begin_clients, which starts the clients
measure() {
	out=$OUT/$1-$2
	echo "guest: $1, $2 clients"
	: >/tmp/iod
	iod "$3" "/$1" "$2" >/tmp/iod &
	pid=$!
	await 20 grep -q serving /tmp/iod
	echo 1 >$profile/control
	echo "$pid $events tree" >$profile/trace
	for worker in $(workers); do
		echo "$worker $events tree" >$profile/trace 2>/dev/null || true
	done
	begin_clients
	await 600 grep -q served /tmp/iod
	sleep 0.1
	echo 0 >$profile/control
	{
		grep '^ticks_hz' $evtlog/status
		cat $profile/all
	} >"$out.prof"
	{
		grep '^ticks_hz' $evtlog/status
		echo "pid $pid"
		grep '^served' /tmp/iod
		cat $profile/trace
	} | gzip -1 >"$out.trace.gz"
	echo '-*' >$profile/trace
	kill $pid
	wait $pid 2>/dev/null || true
	rm -f "/$1"/client-*
}
