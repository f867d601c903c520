# SPDX-License-Identifier: GPL-2.0-or-later
#
# control-guest.sh - what the scripts about control messages share in the guest.
# Sourced, not run.
. /script/guest.sh

key=000102030405060708090a0b0c0d0e0f
me=10.99.0.${NODE:-1}

# set_key ID HEX [RIGHTS] - it may schedule, unless RIGHTS is empty
set_key() {
	echo "$1 $2${3- +sched}" >$evtlog/remote_key || die "no key $1"
}

# A key is taken for what is newer than it by the window of 5 s; the clocks of two
# guests may differ by a second or two.
age_key() {
	sleep 8
}

# All nodes take node 1's time: on a busy host a guest may misjudge its clock's rate at boot,
# and be seconds off soon.
same_clock() {
	if [ "$NODE" = 1 ]; then
		nc -ll -p 7100 -e date +%s >/dev/null 2>&1 &
		return
	fi
	time=
	while [ -z "$time" ]; do
		sleep 0.1
		time=$(nc -w 5 10.99.0.1 7100 </dev/null 2>/dev/null) || true
	done
	date -s "@$time" >/dev/null || die "date -s @$time"
}

# status_of NAME - a line of /proc/evtlog/status
status_of() {
	sed -n "s/^$1 //p" $evtlog/status
}

# ask EXPECTED ARGUMENT... - sends; the answer is in /tmp/answer, and "result" must be
# EXPECTED, or there must be none
ask() {
	expected=$1
	shift
	status=0
	send "$@" >/tmp/answer || status=$?
	if [ "$expected" = none ]; then
		[ $status = 3 ] || die "send $*: ended with $status: $(cat /tmp/answer)"
		return
	fi
	[ $status = 0 ] || die "send $*: ended with $status"
	grep -q "^result $expected " /tmp/answer ||
		die "send $*: wanted result $expected: $(cat /tmp/answer)"
}

# ask_thrice EXPECTED ARGUMENT... - the same, but one of three is answered
ask_thrice() {
	wanted=$1
	shift
	for try in 1 2 3; do
		send "$@" >/tmp/answer && break
	done
	grep -q "^result $wanted " /tmp/answer ||
		die "send $*: wanted result $wanted, $try times: $(cat /tmp/answer)"
}

# answered LINE - the last answer has it
answered() {
	grep -qx "$1" /tmp/answer || die "no '$1' in the answer: $(cat /tmp/answer)"
}
