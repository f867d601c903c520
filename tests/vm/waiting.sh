# SPDX-License-Identifier: GPL-2.0-or-later
#
# waiting.sh - waits in a guest until something is so, and what is waited for by numbers:
# CPU time, lost records; and ends it with a reason. In every guest's /script; sourced by
# busybox sh. That a wait was in vain its caller says.

die() {
	echo "guest: $*"
	exit 1
}

# until_true SECONDS COMMAND... - until it succeeds; else it is false
until_true() {
	local tries=$(($1 * 10))
	shift
	while ! "$@"; do
		[ $tries -gt 0 ] || return 1
		tries=$((tries - 1))
		sleep 0.1
	done
}

# cpu_ticks PID - the CPU time that it has had, with all its threads, in 1/100 s
cpu_ticks() {
	awk '{ print $14 + $15 }' "/proc/$1/stat"
}

# kernel_lost - the records that the kernel says were lost in the current or last run
kernel_lost() {
	awk '$1 == "cpu" { for (i = 1; i < NF; i++) if ($i ~ /^lost_/) n += $(i + 1) }
	     END { print n + 0 }' /proc/evtlog/status
}
