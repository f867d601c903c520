# SPDX-License-Identifier: GPL-2.0-or-later
# named-in-guest.sh - functions for scripts that test named buffers in the guest: orders, the
# kernel's counts, and a load. Sourced after guest.sh.

named=$evtlog/named
control=$named/control

order() {
	echo "$1" >$control || die "$1: $(head -n 1 $control)"
}

# must_refuse WORDS LINE - the order is refused, and the control file contains the reason
must_refuse() {
	! echo "$2" >$control 2>/dev/null || die "$2: not refused"
	grep -q "^error .*$1" $control || die "$2: refused with $(head -n 1 $control)"
}

# counts FILE - appends the kernel's current counts of switches and softirqs
counts() {
	awk '/^ctxt/ { print "switches", $2 }' /proc/stat >>"$OUT/$1"
	awk 'NR > 1 { n = 0; for (i = 2; i <= NF; i++) n += $i; sum += n }
		END { print "softirqs", sum }' /proc/softirqs >>"$OUT/$1"
}

# switches_of PID - prints how often a task has left the CPU
switches_of() {
	awk '/ctxt_switches/ { n += $2 } END { print n }' "/proc/$1/status"
}

stir() {
	for i in $(seq 30); do
		sh -c : | cat
	done
	ping -c 3 -i 0.1 127.0.0.1 >/dev/null 2>&1 || :
}
