#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# readme.sh - runs the lines of "lines" (readme.py guest) one after the other in one shell's directory, as
# a reader of README.md would. $OUT/quiet and $OUT/logs are for those that the host runs.
. ./waiting.sh

mkdir -p /tmp/reader
cd /tmp/reader || exit 1
ifconfig lo 127.0.0.1 up
# What README.md takes for granted: a program, MPI's start of one, a task and a job of it, both
# with the number 4711 there.
printf '#!/bin/sh\nudp 3 1200\nudp 2 100\ncat / 2>/dev/null\nmd5sum /bin/busybox >/dev/null\n' >program
printf '#!/bin/sh\nshift 2\nexec "$@"\n' >/usr/bin/mpirun
chmod +x program /usr/bin/mpirun
cp program solver
sh -c 'while :; do udp 1 600; sleep 0.2; done' &
task=$!
mkdir /sys/fs/cgroup/job_$task /sys/fs/cgroup/job$task || die "no cgroups"
echo $task >/sys/fs/cgroup/job_$task/cgroup.procs
sh -c "echo \$\$ >/sys/fs/cgroup/job$task/cgroup.procs; while :; do sleep 0.01; done" &

ended() {
	case $1 in
	0 | 4) ;;
	*) die "status $1: $line: $(cat /tmp/said)" ;;
	esac
}

# A command without an end: it still runs after 2 s, and a signal ends it without an error.
until_told() {
	sh -c "exec $line" >/tmp/shown 2>/tmp/said &
	pid=$!
	sleep 2
	kill -TERM $pid 2>/dev/null || { wait $pid; die "it ended by itself with $?: $line: $(cat /tmp/said)"; }
	wait $pid
	status=$?
	case $line in
	# It says that there was no match, and writes no file.
	*--when*) [ $status = 1 ] && grep -q 'before a match' /tmp/said || ended $status ;;
	*) ended $status ;;
	esac
}

count=0
while IFS="$(printf '\t')" read -r how line; do
	line=$(echo "$line" | sed "s/4711/$task/g")
	echo "$line" | cut -c 1-100
	case $how in
	until) until_told ;;
	*)
		sh -c "$line" >/tmp/shown 2>/tmp/said </dev/null
		ended $?
		;;
	esac
	case $line in
	"evtlog dump"*) grep -q 'udp_sendmsg .*len=1200' /tmp/shown || die "no event: $(cat /tmp/shown)" ;;
	"evtlog remote key install"*) sleep 6 ;;
	esac
	count=$((count + 1))
done </script/lines
[ $count -ge 18 ] || die "only $count lines"
cp -r quiet "$OUT/quiet"
echo "$count lines of README.md"
