#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# many.sh NUMBER ROUNDS [some|idle|all|return [SEED]] - in each round, inserts and deletes NUMBER probes,
# while a run is recorded and datagrams are sent. some: of functions that the load uses. idle:
# instead, compares with ftrace's tracing of them, without load. all: of the kernel's functions,
# others in each round. return: the same, of the returns of a third, which SEED chooses
. /script/guest.sh

number=$1 rounds=$2 which=${3:-some} mechanism=direct
probes=$evtlog/probes
[ -d $tracing/events ] || mount -t tracefs none $tracing
ifconfig lo 127.0.0.1 up
echo "compress = 0" >/tmp/logd.conf

# Names of functions that are unique
awk 'NR == FNR { n[$3]++; next } n[$1] == 1 && NF == 1 { print $1 }' /proc/kallsyms \
	$tracing/available_filter_functions >/tmp/functions
echo "$(wc -l </tmp/functions) functions"
if [ "$which" = return ]; then
	# The first need BTF, which this kernel lacks. Probes of the others are refused: no return.
	grep -v 'printf\|printk' /tmp/functions | grep -vxF -f /script/noreturn >/tmp/others
	awk -v seed="${4:-1}" '(NR + seed) % 3 == 0' /tmp/others >/tmp/functions
	mechanism=return
elif [ "$which" = all ]; then
	! evtlog probe add $(cat /tmp/functions) 2>/tmp/said || die "more probes than events"
	grep -q "there are 16383 events" /tmp/said || die "$(cat /tmp/said)"
	[ "$(grep -c ^probe $probes)" = 0 ] || die "some are left"
else
	(echo udp_sendmsg && grep '^ip_\|^tcp_\|^sock\|^skb\|^vfs\|^ext4' /tmp/functions) >/tmp/some
	mv /tmp/some /tmp/functions
fi

now() {
	cut -d' ' -f1 /proc/uptime
}

# cpu - prints the CPU seconds of this shell's ended children
cpu() {
	awk -v hz=100 '{ sub(/.*[)] /, ""); print ($14 + $15) / hz }' /proc/$$/stat
}

send() {
	while [ ! -e /tmp/enough ]; do
		udp 200 100
	done
}

# exchange FIRST MECHANISM - inserts and deletes the probes of this round
exchange() {
	tail -n +"$1" /tmp/functions | head -n "$number" >/tmp/names
	[ "$2" = direct ] || sed -i 's/$/%return/' /tmp/names
	count=$(wc -l </tmp/names)
	cpu_before=$(cpu)
	start=$(now)
	# shellcheck disable=SC2046 - a word each
	evtlog probe add $(cat /tmp/names) || die "add: $?"
	middle=$(now)
	cpu_in=$(cpu)
	sleep 0.5
	cat $probes >/tmp/listed
	[ "$(grep -c '^probe' /tmp/listed)" = "$count" ] || die "not $count probes"
	! grep '^probe' /tmp/listed | grep -v " mechanism $2 " || die "not all probes are $2"
	[ "$which" != some ] || grep '^probe udp_sendmsg ' /tmp/listed | grep -qv ' recorded 0 ' ||
		die "udp_sendmsg is not hit"
	cpu_deleting=$(cpu)
	deleting=$(now)
	# shellcheck disable=SC2046 - a word each
	evtlog probe del $(cat /tmp/names) || die "del: $?"
	end=$(now)
	echo "$cpu_before $cpu_in $cpu_deleting $(cpu)" >/tmp/cpu
	[ -z "$(cat $probes)" ] || die "some are left"
	awk '/^probe/ { hit += $8 > 0; recorded += $10; lost += $14 }
		END { printf "%d functions hit, %d records, %d lost; ", hit, recorded, lost
		exit lost && some }' some="$([ "$which" != some ] || echo 1)" /tmp/listed || die "lost"
	echo "$start $middle $deleting $end" | awk -v n="$count" -v from="$1" -v kind="$2" \
		-v cpu="$(cat /tmp/cpu)" \
		'{ split(cpu, c, " ")
		printf "%d %s probes from %d: in %.2f s, of a CPU %.2f; out %.2f s, of a CPU %.2f\n",
			n, kind, from, $2 - $1, c[2] - c[1], $4 - $3, c[4] - c[3] }'
}

# beside_ftrace() ROUNDS - inserts and deletes so many probes, and traces the same functions with
# ftrace's function tracer, which changes the same text; in turn. Writes the ns to a file in $OUT.
beside_ftrace() {
	head -n "$number" /tmp/functions >/tmp/names
	sed 's/^/+/' /tmp/names >/tmp/order
	awk 'NR == FNR { wanted[$1]; next } $1 in wanted { print FNR }' /tmp/names \
		$tracing/available_filter_functions >/tmp/numbers
	echo 0 >$tracing/tracing_on
	# Initialize what the first use creates.
	echo nop | write_time $tracing/current_tracer >/dev/null
	for round in $(seq "$1"); do
		write_time $probes </tmp/order >/tmp/ours.in || die "$(head -n 1 $probes)"
		[ "$(grep -c '^probe' $probes)" = "$number" ] || die "not $number probes"
		echo '-*' | write_time $probes >/tmp/ours.out
		write_time $tracing/set_ftrace_filter </tmp/numbers >/tmp/filter.in
		[ "$(wc -l <$tracing/set_ftrace_filter)" = "$number" ] || die "ftrace traces others"
		echo function | write_time $tracing/current_tracer >/tmp/ftrace.in
		echo nop | write_time $tracing/current_tracer >/tmp/ftrace.out
		echo | write_time $tracing/set_ftrace_filter >/tmp/filter.out
		echo "$(cat /tmp/ours.in) $(cat /tmp/ours.out)" \
			"$(($(cat /tmp/filter.in) + $(cat /tmp/ftrace.in)))" \
			"$(($(cat /tmp/filter.out) + $(cat /tmp/ftrace.out)))" >>"$OUT/beside.txt"
	done
}

if [ "$which" = idle ]; then
	beside_ftrace "$rounds"
	exit
fi

echo 4096 >$evtlog/buffer_kb
echo -all +event >$evtlog/events
for cpu in $(seq $(nproc)); do
	send &
done
first=1
for round in $(seq "$rounds"); do
	[ "$first" -le "$(wc -l </tmp/functions)" ] || break
	start_logd -f /tmp/logd.conf
	echo 1 >$evtlog/enable
	exchange "$first" "$mechanism"
	echo "round $round, functions $first to $((first + number - 1)), at $(now) s" >/dev/console
	[ "$which" = some ] || first=$((first + number))
	echo 0 >$evtlog/enable
	stop_logd
	evtlog check $log/*.evl >/tmp/check || [ $? = 4 ] || die "$(cat /tmp/check)"
	rm $log/*.evl
done
touch /tmp/enough
wait
